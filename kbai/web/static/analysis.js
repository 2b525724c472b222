// A game on the board: what can be done now, what the engine says, and the turns so far.

import { post } from "./api.js";
import { breakable, button, byId, capital, cardIcon, click, fill, h, seatIcon, tileIcon, words } from "./dom.js";
import { chances, gold, percent, spread, visits } from "./numbers.js";
import { Review } from "./review.js";
import { showSeats } from "./seats.js";
import { addShare } from "./share.js";

const BOT_PAUSE_MS = 150;
const ORDER = "The turn that was searched longest comes first. One below it may have a higher win %, but from fewer games.";

export class Analysis {
  constructor(app) {
    this.app = app;
    this.engine = app.engine;
    this.review = new Review(app, this);
    this.tool = null;
    this.shown = null;
    this.showsHints = true;
    this.tip = -1;
    this.queue = Promise.resolve();
    byId("engine-switch").addEventListener("click", () => this.engine.toggle());
    byId("engine-deeper").addEventListener("click", () => this.engine.deeper());
    for (const element of document.querySelectorAll("[data-step]")) {
      element.addEventListener("click", () => this.step(element.dataset.step));
    }
    this.addRows();
    addShare(app);
    byId("review-button").addEventListener("click", () => this.review.start());
    byId("promote").addEventListener("click", () => this.later(() => this.do({ do: "promote" })));
  }

  // The game.

  newGame() {
    this.tip = this.lastAfter(this.app.game.cursor);
    this.tool = null;
    this.engine.isOn = !this.hasBots;
    this.review.clear();
  }

  open() {
    if (this.app.game) this.show();
  }

  get game() {
    return this.app.game;
  }

  get hasBots() {
    return this.game.players.some((player) => player !== "");
  }

  /** Who plays each seat, as far as it is known. */
  who() {
    const { players, seats, names } = this.game;
    const named = (player, seat) => (player || names[seat] || (this.hasBots ? "you" : "")).replace("mcts:level=", "level ");
    return Object.fromEntries(seats.map((seat, index) => [seat, named(players[index], seat)]));
  }

  /** A game against bots is no analysis. */
  showMode() {
    document.querySelector("[data-mode=analysis]").textContent = this.hasBots ? "Game" : "Analysis";
  }

  /** Whether the position on the board is where the game goes on. */
  get isAtEnd() {
    return this.game.cursor === this.game.main;
  }

  /** Who has to do something: bots play where the game goes on, elsewhere people try out turns. */
  get waiting() {
    const { waiting } = this.game;
    return waiting === "bot" && !this.isAtEnd ? "person" : waiting;
  }

  children(node) {
    const found = this.game.nodes.map((each, index) => ({ ...each, index })).filter((each) => each.parent === node);
    return found.sort((one, other) => other.is_main - one.is_main).map((each) => each.index);
  }

  /** Draw everything that belongs to the position. */
  async show() {
    const { game, app } = this;
    // The board belongs to what is being set up, even if a bot has just played.
    if (app.mode === "setup") return;
    const { view } = game;
    if (!this.pathTo(this.tip).includes(game.cursor)) this.tip = this.lastAfter(game.cursor);
    byId("sentence").textContent = view.sentence;
    await app.board.show(view);
    if (app.mode === "setup") return;
    this.showActions();
    this.showMoves();
    showSeats(view, this.who());
    this.showMode();
    this.review.showPlace();
    if (document.activeElement !== byId("line")) byId("line").value = view.line;
    byId("save-game").href = `/api/games/${game.id}/file`;
    this.preview(null);
    this.engine.look(view.line, { isOver: view.over });
    this.letBotsPlay();
  }

  pathTo(node) {
    const path = [-1];
    const found = [];
    for (let at = node; at >= 0; at = this.game.nodes[at].parent) found.push(at);
    return path.concat(found.reverse());
  }

  lastAfter(node) {
    for (;;) {
      const [next] = this.children(node);
      if (next === undefined) return node;
      node = next;
    }
  }

  /** Do one thing after the other, however fast somebody clicks. */
  later(action) {
    const run = this.queue.then(action);
    this.queue = run.catch(() => {});
    return run;
  }

  async do(body) {
    const isDone = await this.app.try(() => this.app.change(body));
    if (isDone) this.letBotsPlay();
    return isDone;
  }

  /** Let the bot whose turn it is play, a moment after what came before, so that one sees it. */
  letBotsPlay() {
    clearTimeout(this.botTimer);
    if (this.waiting !== "bot" || this.app.mode === "setup") return;
    const { id, cursor } = this.game;
    const isSame = () => this.game.id === id && this.game.cursor === cursor;
    this.botTimer = setTimeout(() => this.later(async () => isSame() && this.do({ do: "bot" })), BOT_PAUSE_MS);
  }

  // What can be done now.

  steps() {
    return this.game.view.steps;
  }

  /** The steps that a click on a hex can mean, with the tile that is chosen if one is. */
  stepsAt(cell) {
    const here = this.steps().filter((step) => step.cell === cell);
    if (this.tool) return here.filter((step) => step.tile === this.tool);
    const plain = here.filter((step) => !step.tile);
    return plain.length ? plain : here;
  }

  onCell(cell) {
    return this.later(() => this.choose(cell));
  }

  async choose(cell) {
    const { game } = this;
    if (this.waiting === "bot") return;
    if (this.waiting === "card") {
      this.app.sayAt(cell, `First say which card ${game.view.mover} turns up.`);
      return;
    }
    const steps = this.stepsAt(cell);
    if (steps.length === 1) await this.act(steps[0]);
    else if (steps.length > 1) this.chooseTile(cell, steps);
    else await this.sayWhy(cell);
  }

  async sayWhy(cell) {
    const action = this.tool ? `${this.tool}:${cell}` : this.steps().some((step) => step.kind === "put") ? `-${cell}` : cell;
    try {
      const { message } = await post("/api/why", { position: this.game.view.line, action });
      if (message) this.app.sayAt(cell, capital(message.replace(/^.*is not possible: /, "")));
    } catch (error) {
      this.app.sayAt(cell, error.message);
    }
  }

  chooseTile(cell, steps) {
    this.app.sayAt(cell, `Choose a tile below: ${steps.map((step) => words(step.tile)).join(" or ")}.`);
  }

  /** Make a step; if then nothing is left but to end the turn, end it. */
  async act(step) {
    const before = this.game.cursor;
    if (!(await this.do({ do: "act", action: step.text }))) return;
    if (!["lift", "put"].includes(step.kind) || !this.steps().some((each) => each.tile === this.tool)) this.tool = null;
    const rest = this.steps();
    if (this.game.cursor === before && rest.length === 1 && rest[0].kind === "end") await this.do({ do: "act", action: "end" });
    if (this.game.cursor !== before) this.compare();
    else this.showActions();
  }

  /** Say what the turn that was just played costs. */
  compare() {
    const from = this.game.came_from;
    if (!from || !this.engine.isOn || this.hasBots) return;
    const { line } = this.game.view;
    this.engine.compare(from.line, from.actions, this.costKey(this.game.cursor)).then(() => {
      if (this.game.view.line === line && !this.engine.isRunning) this.engine.look(line, { isOver: this.game.view.over });
      this.showMoves();
    });
  }

  costKey(node) {
    return `${this.game.id}/${node}`;
  }

  showActions() {
    const { game } = this;
    const { view } = game;
    const parts = [];
    const cells = [];
    if (this.waiting === "bot") {
      parts.push(h("span", { class: "soft" }, `${capital(view.actor)} thinks…`));
    } else if (this.waiting === "card") {
      for (const { card, odds } of view.draws) {
        const chance = `${Math.round(100 * odds)} %`;
        const label = [cardIcon(card), ` ${words(card)}`, h("span", { class: "odds" }, chance)];
        parts.push(h("button", { type: "button", "data-card": card, title: `Comes up with ${chance}`, onclick: () => this.later(() => this.do({ do: "card", card })) }, label));
      }
      parts.push(button("Draw one", () => this.later(() => this.do({ do: "card", random: true }))));
    } else {
      const tiles = [...new Set(this.steps().filter((step) => step.cell && step.tile).map((step) => step.tile))];
      if (!tiles.includes(this.tool)) this.tool = null;
      if (tiles.length) parts.push(h("span", { class: "soft" }, "Use:"));
      for (const tile of tiles) parts.push(this.tileButton(tile));
      for (const step of this.steps()) {
        if (step.cell) cells.push(step);
        else parts.push(button(step.label, () => this.later(() => this.act(step)), { class: step.kind === "end" ? "main" : null, "data-action": step.text }));
      }
    }
    if (game.has_begun || game.cursor >= 0) parts.push(button("Undo", () => this.undo(), { "data-action": "undo", title: "Undo (u)" }));
    if (this.hasBots && this.waiting === "person") parts.push(button("Hint", () => this.engine.search(view.line, 3), { "data-action": "hint" }));
    if (view.over && game.nodes.length) parts.push(button("Review this game", () => this.review.start(), { class: "main" }));
    fill(byId("actions"), parts);
    const legal = cells.filter((step) => (this.tool ? step.tile === this.tool : !step.tile || !cells.some((each) => !each.tile)));
    this.app.board.setLegal(legal.map((step) => step.cell));
  }

  tileButton(tile) {
    const isOn = this.tool === tile;
    const choose = () => {
      this.tool = isOn ? null : tile;
      this.showActions();
    };
    const attributes = { "aria-pressed": String(isOn), title: this.app.catalogue.tiles[tile], "data-tile": tile };
    return h("button", { type: "button", onclick: choose, ...attributes }, tileIcon(tile), ` ${words(tile)}`);
  }

  undo() {
    return this.later(async () => {
      // Between turns of a game that is looked at, undo is a step back.
      if (!this.hasBots && !this.game.has_begun) await this.stepNow("back");
      else await this.do({ do: "undo" });
    });
  }

  // Steps through the game.

  step(where) {
    return this.later(() => this.stepNow(where));
  }

  async stepNow(where) {
    const { game } = this;
    const path = this.pathTo(this.tip);
    const at = path.indexOf(game.cursor);
    const places = { first: 0, back: at - 1, next: at + 1, last: path.length - 1, back10: at - 10, next10: at + 10 };
    const to = path[Math.min(Math.max(places[where], 0), path.length - 1)];
    if (to === game.cursor && !(where === "back" && game.begun.length)) return;
    await this.do({ do: "go", node: to });
  }

  go(node) {
    return this.later(() => this.do({ do: "go", node }));
  }

  branch(by) {
    const { game } = this;
    if (game.cursor < 0) return;
    const beside = this.children(game.nodes[game.cursor].parent);
    const next = beside[beside.indexOf(game.cursor) + by];
    if (next !== undefined) this.go(next);
  }

  // The engine.

  addRows() {
    const list = byId("suggestions");
    const show = (event) => {
      const row = event.target.closest("button");
      this.preview(row ? Number(row.dataset.rank) : null);
    };
    list.addEventListener("mouseover", show);
    list.addEventListener("focusin", show);
    // What was tapped stays: the list moves below a pointer that nobody moves.
    list.addEventListener("mouseleave", () => this.isTapped || this.preview(null));
    list.addEventListener("focusout", () => this.preview(null));
    list.addEventListener("pointerdown", (event) => {
      const row = event.target.closest("button");
      const isTouch = event.pointerType === "touch";
      this.looksFirst = Boolean(row && isTouch && Number(row.dataset.rank) !== this.shown);
    });
    list.addEventListener("click", (event) => {
      const row = event.target.closest("button");
      if (!row) return;
      // A finger cannot hover: the first tap shows the turn, the second one plays it.
      if (this.looksFirst) {
        this.preview(Number(row.dataset.rank));
        this.isTapped = true;
      } else this.playChoice(Number(row.dataset.rank));
      this.looksFirst = false;
    });
  }

  row(index) {
    const list = byId("suggestions");
    while (list.children.length <= index) {
      const rank = list.children.length;
      const cells = ["rank", "text", "win", "spread", "gold"].map((name) => h("span", { class: `${name} ${["rank", "text"].includes(name) ? "" : "number"}` }));
      list.append(h("li", {}, h("button", { type: "button", "data-rank": rank }, cells)));
    }
    return list.children[index];
  }

  /** Show what the engine knows; called with every update. */
  showEngine() {
    if (!this.game) return;
    const { engine } = this;
    const { view } = this.game;
    const answer = engine.line === view.line ? engine.answer : null;
    const isHidden = this.hasBots && !engine.isOn && !(engine.running && engine.running.line === view.line) && !answer;
    byId("engine-switch").setAttribute("aria-checked", String(engine.isOn));
    byId("engine-status").textContent = this.status(answer);
    byId("engine-deeper").disabled = view.over || engine.isRunning;
    const turns = answer && !isHidden ? answer.turns : [];
    const list = byId("suggestions");
    list.classList.toggle("is-rough", Boolean(answer && answer.rough));
    this.showHead(answer, turns);
    turns.forEach((turn, index) => this.showRow(this.row(index), turn, answer));
    while (list.children.length > turns.length) list.lastChild.remove();
    this.showCost();
    this.showDetail(turns, answer);
    this.showMarks(turns);
  }

  status(answer) {
    const { engine } = this;
    if (engine.problem) return engine.problem;
    if (this.game.view.over) return "";
    if (engine.running && engine.running.mine) return "compares your turn…";
    const count = answer ? `${visits(answer.visits)} visits` : "";
    if (engine.isRunning) return count ? `${count}…` : "starts…";
    if (answer && answer.proven) return `${count}, exact`;
    return answer ? count : engine.isOn ? "" : "off";
  }

  showHead(answer, turns) {
    const head = byId("suggestion-head");
    if (!turns.length) {
      head.replaceChildren();
      head.dataset.key = "";
      return;
    }
    const key = `${answer.seat}/${turns[0].odds < 1}`;
    if (head.dataset.key === key) return;
    head.dataset.key = key;
    const { terms } = answer;
    const goldTerm = Object.entries(terms).find(([term]) => term.includes(answer.seat));
    fill(
      head,
      h("span"),
      h("span", { class: "text", title: ORDER }, turns[0].odds < 1 ? "best turn for each card" : `turns of ${answer.seat}`),
      h("span", { title: terms["win %"] }, "win %"),
      h("span", { title: terms.interval }, "range"),
      h("span", { title: goldTerm ? `${answer.seat}: ${goldTerm[1]}` : "gold at the end" }, "gold"),
    );
  }

  showRow(row, turn, answer) {
    const outlook = turn.seats[answer.seat];
    const [rank, text, win, error, amount] = row.firstChild.children;
    rank.textContent = String(Number(row.firstChild.dataset.rank) + 1);
    fill(text, breakable((turn.odds < 1 ? `${words(turn.card)} (${Math.round(100 * turn.odds)} %): ` : "") + turn.text));
    win.textContent = percent(outlook.win.value);
    error.textContent = turn.exact ? "exact" : chances(outlook.win);
    amount.textContent = gold(outlook.gold.value);
    const label = `${Number(row.firstChild.dataset.rank) + 1}: ${text.textContent}, wins ${win.textContent} %, gold ${amount.textContent}`;
    row.firstChild.setAttribute("aria-label", label);
    row.firstChild.title = `${visits(turn.visits)} visits. Click to play it.`;
  }

  preview(rank) {
    this.isTapped = false;
    if (this.shown === rank) return;
    this.shown = rank;
    for (const row of byId("suggestions").querySelectorAll("button")) {
      row.classList.toggle("is-shown", Number(row.dataset.rank) === rank);
    }
    this.showEngine();
  }

  showMarks(turns) {
    const shown = turns[this.shown ?? 0];
    const isVisible = this.shown !== null || (this.showsHints && (this.waiting === "person" || this.waiting === "card"));
    const text = shown && isVisible && !(shown.odds < 1 && this.shown === null) ? shown.svg : "";
    if (this.app.mode === "setup") return;
    this.app.board.setMarks(text);
    if (text && this.shown === null) this.app.board.addRanks(otherCells(turns));
  }

  showDetail(turns, answer) {
    const detail = byId("detail");
    const turn = turns[this.shown ?? 0];
    if (!turn) {
      detail.replaceChildren();
      return;
    }
    const golds = Object.entries(turn.seats).map(([seat, each]) => `${seat} ${gold(each.gold.value)}`);
    const follows = turn.line.slice(1, 4);
    fill(
      detail,
      turn.why ? h("p", {}, turn.why) : null,
      turn.variants.length ? h("p", {}, h("span", { class: "soft" }, "As good: "), turn.variants.map((each) => (each.moved ? `moving ${each.instead} instead of ${each.cell}` : `${each.cell} instead of ${each.instead}`)).join(", ")) : null,
      h("p", {}, h("span", { class: "soft" }, "Gold at the end: "), golds.join(", ")),
      follows.length ? h("p", {}, h("span", { class: "soft" }, "Then perhaps: "), follows.join("; ")) : null,
    );
  }

  /** What the last turn cost, if it was compared. */
  showCost() {
    const box = byId("cost");
    const cost = this.engine.costs.get(this.costKey(this.game.cursor));
    box.hidden = !cost || this.game.begun.some((action) => !action.startsWith("="));
    if (box.hidden) return;
    const node = this.game.nodes[this.game.cursor];
    fill(box, h("p", {}, seatIcon(node.seat), ` ${node.text} `, h("strong", {}, costText(cost))), cost.best ? null : [h("p", { class: "soft" }, `Best: ${cost.best_text}`), cost.why ? h("p", { class: "soft" }, capital(cost.why)) : null]);
  }

  playChoice(rank) {
    return this.later(() => this.playNow(rank));
  }

  async playNow(rank) {
    const { view } = this.game;
    const answer = this.engine.answers.get(view.line);
    const turn = answer && answer.turns[rank];
    if (!turn || this.waiting === "bot") return;
    const actions = [...turn.actions];
    if (this.waiting === "card") for (const card of turn.card.split("+").reverse()) actions.unshift(`=${card}`);
    if (turn.finished) actions.push("end");
    this.preview(null);
    await this.do({ do: "play", actions });
  }

  // The list of turns.

  showMoves() {
    const { game } = this;
    const list = h("ol");
    this.addLine(list, -1);
    if (!game.nodes.length) fill(byId("moves"), h("p", { class: "soft" }, `No turns yet. ${click()} hexes to play one.`));
    else fill(byId("moves"), list);
    for (const element of document.querySelectorAll("[data-step]")) {
      const isBack = ["first", "back"].includes(element.dataset.step);
      element.disabled = isBack ? game.cursor < 0 && !game.begun.length : game.cursor === this.tip;
    }
    byId("promote").hidden = this.isAtEnd || !game.line.length || game.nodes[game.cursor].is_main;
    byId("review-button").disabled = !game.nodes.length;
    const current = byId("moves").querySelector("[aria-current]");
    const box = byId("moves");
    if (current) box.scrollTop = Math.max(0, current.offsetTop - box.offsetTop - box.clientHeight / 2);
  }

  addLine(list, parent) {
    for (;;) {
      const [next, ...others] = this.children(parent);
      if (next === undefined) return;
      list.append(this.move(next));
      for (const other of others) {
        const inner = h("ol", { "aria-label": "Variation" });
        inner.append(this.move(other));
        this.addLine(inner, other);
        list.append(h("li", {}, inner));
      }
      parent = next;
    }
  }

  move(index) {
    const node = this.game.nodes[index];
    const cost = this.engine.costs.get(this.costKey(index));
    const found = this.review.ofNode(index);
    const mark = found ? found.mark || "" : "";
    const worth = found && !found.is_best ? `−${percent(found.loss.win.value)}` : cost && !cost.best ? `−${percent(Math.max(0, cost.cost.win.value))}` : "";
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", onclick: () => this.go(index), "aria-current": index === this.game.cursor ? "true" : null, "data-node": index },
        h("span", { class: "number" }, String(node.number)),
        seatIcon(node.seat),
        h("span", { class: "text" }, `${words(node.card)}: ${node.text} `, mark ? h("span", { class: "mark" }, mark) : null),
        h("span", { class: "number" }, worth),
      ),
    );
  }

  onKey(event) {
    const steps = { ArrowLeft: "back", k: "back", ArrowRight: "next", j: "next", Home: "first", End: "last", PageUp: "back10", PageDown: "next10" };
    if (event.key in steps) this.step(steps[event.key]);
    else if (event.key === "ArrowUp") this.branch(-1);
    else if (event.key === "ArrowDown") this.branch(1);
    else if (event.key === " ") this.playChoice(0);
    else if (event.key === "u") this.undo();
    else if (event.key === "Enter" && !event.target.closest("button, summary, a")) {
      const end = this.steps().find((step) => step.kind === "end");
      if (end) this.later(() => this.act(end));
    } else if (event.key === "l") this.engine.toggle();
    else if (event.key === "d") this.engine.deeper();
    else if (event.key === "Escape") {
      this.app.hideBubble();
      this.tool = null;
      this.engine.stop();
      this.showActions();
    } else if (event.key === "a") {
      this.showsHints = !this.showsHints;
      this.showEngine();
    } else if (event.key === "n" || event.key === "N") this.review.next(event.shiftKey ? -1 : 1);
    else return false;
    return true;
  }
}

/** The hexes that only turns other than the best use, each with the rank of the first one that does. */
function otherCells(turns) {
  const ranks = new Map(turns[0].cells.map((cell) => [cell, 1]));
  turns.forEach((turn, index) => turn.cells.forEach((cell) => ranks.has(cell) || ranks.set(cell, index + 1)));
  return [...ranks].filter(([, rank]) => rank > 1);
}

/** What a turn costs, in a phrase. */
function costText(cost) {
  if (cost.best) return "is the best turn found.";
  const { win, gold: amount } = cost.cost;
  if (win.value <= 0) return "is as good as the best turn found.";
  return `costs ${percent(win.value)} % (${spread(win, 100) || "exact"}) and ${gold(Math.max(0, amount.value))} gold.`;
}
