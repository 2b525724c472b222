// Setting up a board by clicking. The server checks every change: what contradicts the rules is
// left out, and said at its place.

import { post, Sentence } from "./api.js";
import { button, byId, capital, cardIcon, click, fill, h, icon, seatIcon, svg, tileIcon, words } from "./dom.js";

const LETTERS = { G: "grass", C: "canyon", D: "desert", F: "flower", T: "forest", S: "marsh", A: "farmland", W: "water", M: "mountain", k: "castle", l: "location", n: "nomad", p: "palace", o: "silo" };
const SPACES = "klnpo";
// The piece that a tile brings into play, and the key of a seat that holds its cells.
const FIGURES = { barracks: ["warrior", "warriors"], wagon: ["wagon", "wagon"], lighthouse: ["ship", "ship"], city_hall: ["city hall", "hall"] };
const TURNED = "*";
const WAIT_MS = 300;

export class SetupPanel {
  constructor(app) {
    this.app = app;
    this.data = null;
    this.sets = new Set(["base"]);
    this.tool = { kind: "house", seat: "red" };
    this.element = byId("panel-setup");
    this.isSending = false;
    this.isDirty = false;
    this.isChanged = false;
    this.isNew = false; // whether what comes next is an empty board for somebody's own
    this.opened = new Set(["board"]); // parts to unfold when the panel is built next
  }

  /** Begin with what is on the board. */
  async open() {
    await this.app.try(async () => {
      this.before = this.app.game.view.line;
      this.take(await post("/api/edit", { text: this.before }));
      for (const set of this.setsInUse()) this.sets.add(set);
      this.build();
    });
  }

  setsInUse() {
    const { quadrants, cards, islands, tasks } = this.app.catalogue;
    const plain = this.data.board ? this.data.board.map((name) => name.replace(TURNED, "")) : [];
    const used = [
      ...quadrants.filter((item) => plain.includes(item.name)),
      ...cards.filter((item) => this.data.cards.includes(item.name)),
      ...islands.filter((item) => item.name === this.data.island),
      ...tasks.filter((item) => (this.data.tasks || []).includes(item.name)),
    ].map((item) => item.set);
    if (this.data.caves) used.push("caves");
    if (this.data.capitols) used.push("capitol");
    return used;
  }

  take(answer) {
    if (this.isNew) this.before = answer.view.line; // whoever goes back finds what was there
    this.isNew = false;
    this.isChanged = answer.view.line !== this.before;
    this.data = answer.data;
    this.view = answer.view;
    this.spaces = answer.spaces;
    this.deck = answer.deck; // the terrain cards in the game
    this.showBoard();
  }

  async showBoard() {
    const isSmall = matchMedia("(max-width: 899px)").matches;
    const how = isSmall ? "Enlarge the board with + or two fingers." : `${click()} a piece again to take it away.`;
    byId("sentence").textContent = `${click()} or drag on the board to place pieces. ${how}`;
    await this.app.board.show(this.view);
    this.app.board.setLegal([]);
    this.app.board.setMarks("");
    if (this.box && document.activeElement !== this.box) {
      this.box.value = this.view.line;
      this.boxProblem.hidden = true;
    }
  }

  get seats() {
    return Object.keys(this.data.seat);
  }

  // Changes. They are made here at once; the server gets the newest state as soon as it is free.

  change(edit, cell = null) {
    if (!this.isDirty && !this.isSending) this.good = structuredClone(this.data);
    edit(this.data);
    this.cell = cell;
    this.isDirty = true;
    this.send();
  }

  async send(extra = {}) {
    if (this.isSending) return;
    this.isSending = true;
    try {
      while (this.isDirty) {
        this.isDirty = false;
        const answer = await post("/api/edit", { data: this.data, ...extra });
        this.problems = answer.problems;
        if (!this.isDirty) {
          this.take(answer);
          this.good = structuredClone(this.data);
          this.build();
          this.showProblems(answer.problems);
        }
      }
      this.app.say("");
    } catch (error) {
      if (!(error instanceof Sentence)) throw error;
      this.data = this.good;
      this.build();
      this.showProblem({ message: error.message, path: error.about.path || [], token: error.about.token || "" });
    } finally {
      this.isSending = false;
    }
  }

  showProblems(problems) {
    for (const problem of problems) this.showProblem(problem);
  }

  /** Show a sentence at the hex or the part of the panel that it is about. */
  showProblem({ message, path, token }) {
    const text = capital(message);
    const cell = token && this.app.board.cells.has(token) ? token : this.cell;
    if (cell && (path[0] === "seat" || ["walls", "caves", "capitols", "nomads"].includes(path[0]))) {
      this.app.sayAt(cell, cell === this.cell ? text : `Taken off the board. ${text}`);
      return;
    }
    const place = this.element.querySelector(`[data-problem~="${path[0] || ""}"]`);
    if (!place) {
      this.app.say(text);
      return;
    }
    place.append(h("p", { class: "problem", role: "alert" }, text));
  }

  // The board.

  onCell(cell) {
    this.place(cell, true);
  }

  onPaint(cell) {
    this.place(cell, false);
  }

  /** Put the chosen piece on a hex; a click on the same piece takes it away. */
  place(cell, toggles) {
    const { kind, seat } = this.tool;
    this.change((data) => {
      const there = this.pieceAt(data, cell);
      const lists = { wall: "walls", cave: "caves", capitol: "capitols" };
      if (kind in lists) {
        const list = (data[lists[kind]] ||= []);
        const index = list.indexOf(cell);
        if (index < 0) list.push(cell);
        else if (toggles) list.splice(index, 1);
        return;
      }
      if (kind === "nomad") {
        const list = (data.nomads ||= []);
        const index = list.findIndex((word) => word.endsWith(`@${cell}`));
        const before = index < 0 ? "" : list.splice(index, 1)[0];
        if (!(toggles && before === `${this.tool.tile}@${cell}`)) list.push(`${this.tool.tile}@${cell}`);
        return;
      }
      if (there && !toggles && there.seat === seat && there.kind === kind) return;
      if (there) this.remove(data, cell, there);
      if (kind === "erase" || (there && there.seat === seat && there.kind === kind)) return;
      // Tiles follow from where the houses are, unless they are set afterwards.
      this.forgetTiles(data);
      const table = data.seat[seat];
      if (kind === "house") table.settlements.push(cell);
      else if (kind === "warriors") (table.warriors ||= []).push(cell);
      else table[kind] = cell;
    }, cell);
  }

  forgetTiles(data) {
    for (const table of Object.values(data.seat)) for (const key of ["tiles", "lost", "used", "fresh"]) delete table[key];
  }

  pieceAt(data, cell) {
    for (const [seat, table] of Object.entries(data.seat)) {
      if (table.settlements.includes(cell)) return { seat, kind: "house" };
      if ((table.warriors || []).includes(cell)) return { seat, kind: "warriors" };
      for (const kind of ["wagon", "ship", "hall"]) if (table[kind] === cell) return { seat, kind };
    }
    return (data.walls || []).includes(cell) ? { seat: null, kind: "wall" } : null;
  }

  remove(data, cell, { seat, kind }) {
    const without = (list) => list.filter((each) => each !== cell);
    if (kind === "wall") data.walls = without(data.walls);
    else if (kind === "house") data.seat[seat].settlements = without(data.seat[seat].settlements);
    else if (kind === "warriors") data.seat[seat].warriors = without(data.seat[seat].warriors);
    else delete data.seat[seat][kind];
    if (kind !== "wall") this.forgetTiles(data);
  }

  /** Take all pieces away; for a board of one's own, also the cards, who began and who is to move. */
  clear({ isNew = false } = {}) {
    if (isNew) this.opened.add("cards").add("seats");
    this.isNew = isNew;
    this.change((data) => {
      if (isNew) {
        delete data.start;
        [data.turn] = this.seats;
        data.cards = []; // three clicks to choose one's own, not six to exchange those of the example
      }
      for (const name of this.seats) data.seat[name] = { settlements: [] };
      for (const key of ["walls", "discard", "removed", "spent", "held", "gone"]) delete data[key];
      this.setCard(data, "hidden"); // that of another position
    });
  }

  // The panel.

  /** What the panel depends on. Pieces come and go without it, so that no button moves meanwhile. */
  shape() {
    const { seat, walls, ...rest } = this.data;
    const tiles = this.view.seats.map((each) => each.tiles);
    return JSON.stringify([rest, Object.keys(seat), Boolean(walls), this.spaces, this.deck, tiles, this.tool, [...this.sets]]);
  }

  build() {
    if (!this.data) return;
    if (!this.seats.includes(this.tool.seat)) this.tool.seat = this.seats[0];
    for (const old of this.element.querySelectorAll("[data-problem] > .problem")) if (old !== this.boxProblem) old.remove();
    const shape = this.shape();
    if (shape === this.built && this.app.mode === "setup" && byId("setup-done")) {
      this.showCounts();
      return;
    }
    this.built = shape;
    const open = new Set([...this.element.querySelectorAll("details[open]")].map((each) => each.dataset.part).concat(...this.opened));
    this.opened.clear();
    const top = this.app.panels && byId("side").scrollTop;
    const focus = document.activeElement?.dataset?.key;
    fill(
      this.element,
      this.fold("board", "Board", "board map island", open, this.boardFields()),
      this.card("turn", "Whose turn, and which card", "turn card hand phase", this.turnFields()),
      this.fold("cards", `Scoring cards: ${this.data.cards.map(words).join(", ") || "none"}`, "cards tasks scouted", open, this.cardFields()),
      this.fold("seats", `Players: ${this.seats.join(", ")}`, "seat", open, this.seatFields()),
      this.fold("tiles", `Tiles taken: ${this.tilesTaken()}`, "tiles", open, this.tileFields()),
      this.fold("discard", "Discard pile", "discard", open, this.discardFields()),
      this.fold("options", "Rule options", "options", open, this.optionFields()),
      this.card("text", "As text", "text", this.textFields()),
    );
    fill(byId("actions"), this.palette());
    this.showCounts();
    if (document.activeElement !== this.box && this.boxProblem.hidden) this.box.value = this.view.line;
    byId("side").scrollTop = top;
    const again = focus && document.querySelector(`[data-key="${CSS.escape(focus)}"]`);
    if (again) again.focus({ preventScroll: true });
  }

  card(part, title, problem, ...children) {
    return h("div", { class: "card", "data-problem": problem, "data-part": part }, h("h2", {}, title), children);
  }

  fold(part, title, problem, open, ...children) {
    return h("details", { class: "card", "data-problem": problem, "data-part": part, open: open.has(part) }, h("summary", {}, title), children);
  }

  choice(label, isOn, onclick, key, extra = {}) {
    return h("button", { type: "button", "aria-pressed": String(isOn), onclick, "data-key": key, ...extra }, label);
  }

  /** The kinds of tiles on the board, which say what figures there are. */
  kinds() {
    return new Set(this.quadrants().flatMap((item) => item.locations.map(([kind]) => kind)));
  }

  tools() {
    const tools = this.seats.map((seat) => ({ kind: "house", seat, label: `${seat}`, icon: `${seat}-house` }));
    const kinds = this.kinds();
    for (const [tile, [name, key]] of Object.entries(FIGURES)) {
      if (kinds.has(tile)) tools.push({ kind: key, seat: this.tool.seat, label: name, icon: `${this.tool.seat}-${name.replace(" ", "-")}` });
    }
    if (kinds.has("quarry") || (this.data.walls || []).length) tools.push({ kind: "wall", label: "wall", icon: "wall" });
    if (this.sets.has("caves")) tools.push({ kind: "cave", label: "cave", icon: "cave" });
    if (this.sets.has("capitol")) tools.push({ kind: "capitol", label: "capitol", icon: "capitol" });
    tools.push({ kind: "erase", label: "erase", icon: null });
    return tools;
  }

  choose(tool) {
    const seat = tool.seat || this.tool.seat;
    this.tool = { kind: tool.kind, seat, tile: tool.tile };
    this.build();
  }

  palette() {
    const same = (tool) => tool.kind === this.tool.kind && (!tool.seat || tool.seat === this.tool.seat);
    const chips = this.tools().map((tool, index) => this.choice([tool.icon ? icon(tool.icon, "", "icon", tool.kind === "wall" ? "-23 -25 46 50" : "-16 -17 32 32") : h("span", {}, "✕"), tool.label, tool.kind === "house" ? h("span", { class: "count", "data-count": tool.seat, title: "Houses on the board" }) : null], same(tool), () => this.choose(tool), `tool-${tool.kind}-${tool.kind === "house" ? tool.seat : ""}`, { title: `Key ${index + 1}` }));
    const parts = [h("div", { class: "chips" }, chips)];
    if (this.hasNomads()) {
      const select = h("select", { "aria-label": "Nomad tile", "data-key": "nomad", onchange: (event) => this.choose({ kind: "nomad", tile: event.target.value }) }, h("option", { value: "" }, "nomad tile…"), this.app.catalogue.nomads.map((item) => h("option", { value: item.name }, words(item.name))));
      if (this.tool.kind === "nomad") select.value = this.tool.tile;
      parts.push(select);
    }
    const missing = this.missing();
    if (missing.length) parts.push(button(`Draw ${missing.join(", ")}`, () => this.layOut(), { title: "At random, as before a game", "data-key": "lay-out" }));
    // A row of their own: they stay where they are while the numbers above grow.
    const done = [
      button("Clear", () => this.clear(), { title: "Take all pieces off the board (c)" }),
      h("span", { class: "spring" }),
      button("Play this", () => this.playFromHere()),
      button("Analyse this", () => this.finish(), { class: "main", id: "setup-done", title: "e" }),
    ];
    return [...parts, h("div", { class: "row done" }, done)];
  }

  /** How many houses of each colour are on the board, to compare with the table. */
  showCounts() {
    for (const seat of this.seats) {
      const count = byId("actions").querySelector(`[data-count="${seat}"]`);
      if (count) count.textContent = String(this.data.seat[seat].settlements.length);
    }
  }

  /** What a set-up draws besides the board and the cards, as far as it is not there yet. */
  missing() {
    const { data, sets } = this;
    const sites = this.app.catalogue.sets.filter((item) => sets.has(item.name)).flatMap((item) => item.capitols);
    const some = {
      "nomad tiles": this.hasNomads() && !data.nomads?.length,
      tasks: this.quadrants().some((item) => item.set === "crossroads") && !data.tasks?.length,
      island: sets.has("island") && !data.island,
      caves: sets.has("caves") && !data.caves?.length,
      capitols: this.quadrants().some((item) => sites.includes(item.name)) && !data.capitols?.length,
    };
    return Object.keys(some).filter((name) => some[name]);
  }

  /** The quadrants on the board. */
  quadrants() {
    const names = (this.data.board || []).map((name) => name.replace(TURNED, ""));
    return this.app.catalogue.quadrants.filter((item) => names.includes(item.name));
  }

  hasNomads() {
    return this.quadrants().some((item) => item.grid.join("").includes("n"));
  }

  layOut() {
    this.isDirty = true;
    this.send({ lay_out: true, sets: [...this.sets] });
  }

  turnFields() {
    const { data } = this;
    const seats = this.seats.map((seat) => this.choice([seatIcon(seat), seat], data.turn === seat, () => this.change((each) => (each.turn = seat)), `turn-${seat}`));
    const cards = this.deck.map((card) => this.choice([cardIcon(card), words(card)], data.card === card, () => this.change((each) => this.setCard(each, card)), `card-${card}`, { "data-card": card }));
    cards.push(this.choice("not known", data.card === "hidden", () => this.change((each) => this.setCard(each, "hidden")), "card-hidden"));
    return [h("div", { class: "chips" }, seats), h("div", { class: "chips" }, cards)];
  }

  setCard(data, card) {
    data.card = card;
    for (const key of ["phase", "terrain", "hand", "doing", "lift", "repeat", "outpost", "reacting", "built", "moved", "owed", "silos", "scouts"]) delete data[key];
  }

  boardFields() {
    const { catalogue } = this.app;
    const sets = catalogue.sets.filter((item) => item.name !== "base").map((item) => this.choice(words(item.name), this.sets.has(item.name), () => this.toggleSet(item.name), `set-${item.name}`, { title: item.title }));
    const parts = [h("div", { class: "field" }, h("span", {}, "Expansions"), h("div", { class: "chips" }, sets))];
    const slots = this.data.board ? h("div", { class: "slots" }, this.data.board.map((name, place) => this.slot(name, place))) : h("p", {}, "This board is a map of its own; its text is below.");
    const beside = [
      this.data.board ? h("p", { class: "soft" }, `${click()} a quadrant to choose another one, ⟳ to turn it round.`) : null,
      button("Board and cards at random", () => this.random(), { "data-key": "random" }),
      button("Recommended first game", () => this.firstGame()),
    ];
    const islands = catalogue.islands.filter((item) => this.sets.has(item.set));
    if (islands.length) {
      const chips = [["none", ""], ...islands.map((item) => [words(item.name), item.name])].map(([label, name]) => this.choice(label, (this.data.island || "") === name, () => this.change((data) => (name ? (data.island = name) : delete data.island)), `island-${name}`));
      beside.push(h("div", { class: "field" }, h("span", {}, "Island"), h("div", { class: "chips" }, chips)));
    }
    parts.push(h("div", { class: "layout" }, slots, h("div", { class: "beside" }, beside.filter(Boolean))));
    return parts;
  }

  toggleSet(name) {
    if (this.sets.has(name)) this.sets.delete(name);
    else this.sets.add(name);
    this.build();
  }

  async random() {
    await this.app.try(async () => {
      this.take(await post("/api/random", { sets: [...this.sets], seats: this.seats }));
      this.build();
    });
  }

  firstGame() {
    const seats = Object.fromEntries(this.seats.map((seat) => [seat, { settlements: [] }]));
    this.change((data) => {
      for (const key of Object.keys(data)) delete data[key];
      Object.assign(data, { board: ["tavern", "paddock", "oasis", "farm"], cards: ["fishermen", "knights", "merchants"], turn: Object.keys(seats)[0], card: "hidden", seat: seats });
    });
  }

  slot(name, place) {
    const plainName = name.replace(TURNED, "");
    const where = ["top left", "top right", "bottom left", "bottom right"][place];
    const turn = () => this.change((data) => (data.board[place] = name.endsWith(TURNED) ? plainName : plainName + TURNED));
    return h(
      "div",
      { class: "slot" },
      h("button", { type: "button", onclick: () => this.chooseQuadrant(place), "aria-label": `${capital(where)}: ${words(plainName)}. Choose another.`, "data-key": `slot-${place}` }, quadrantPicture(this.quadrant(plainName), name.endsWith(TURNED)), h("span", {}, words(plainName))),
      button("⟳", turn, { class: "turn", title: "Turn it round", "aria-label": `Turn the quadrant ${where} round`, "data-key": `turn-${place}` }),
    );
  }

  quadrant(name) {
    return this.app.catalogue.quadrants.find((item) => item.name === name);
  }

  chooseQuadrant(place) {
    const dialog = byId("chooser");
    const { board } = this.data;
    const items = this.app.catalogue.quadrants.filter((item) => this.sets.has(item.set) || item.set === "own");
    const choose = (name) => {
      dialog.close();
      this.change((data) => {
        const other = data.board.findIndex((each) => each.replace(TURNED, "") === name);
        // Each quadrant is there once: the two change places.
        if (other >= 0) data.board[other] = board[place];
        data.board[place] = name;
      });
    };
    fill(
      dialog,
      h("h2", {}, `Which quadrant is ${["top left", "top right", "bottom left", "bottom right"][place]}?`),
      h("div", { class: "quadrants" }, items.map((item) => h("button", { type: "button", onclick: () => choose(item.name), "data-quadrant": item.name }, quadrantPicture(item, false), h("span", {}, words(item.name))))),
      h("p", { class: "soft" }, "Quadrants of more expansions appear when you switch these on. ⟳ beside a quadrant turns it round."),
      button("Close", () => dialog.close()),
    );
    dialog.showModal();
  }

  cardFields() {
    const { catalogue } = this.app;
    const chosen = this.data.cards;
    const toggle = (name) =>
      this.change((data) => {
        data.cards = data.cards.includes(name) ? data.cards.filter((each) => each !== name) : [...data.cards, name];
        if (data.cards.includes("scouts")) data.scouted ||= catalogue.terrains[0];
        else delete data.scouted;
      });
    const shown = catalogue.cards.filter((item) => this.sets.has(item.set) || chosen.includes(item.name));
    const parts = [h("p", { class: "soft" }, `Usually three. Chosen: ${chosen.length || "none yet"}.`), h("div", { class: "chips" }, shown.map((item) => this.choice(words(item.name), chosen.includes(item.name), () => toggle(item.name), `card-${item.name}`, { title: item.text })))];
    const tasks = catalogue.tasks.filter((item) => this.sets.has(item.set));
    if (tasks.length) {
      const has = (name) => (this.data.tasks || []).includes(name);
      const change = (name) => this.change((data) => (data.tasks = has(name) ? data.tasks.filter((each) => each !== name) : [...(data.tasks || []), name]));
      parts.push(h("h3", {}, "Tasks"), h("div", { class: "chips" }, tasks.map((item) => this.choice(words(item.name), has(item.name), () => change(item.name), `task-${item.name}`, { title: item.text }))));
    }
    if (chosen.includes("scouts")) {
      parts.push(h("h3", {}, "Terrain without cards (Scouts)"), h("div", { class: "chips" }, catalogue.terrains.map((name) => this.choice([cardIcon(name), name], this.data.scouted === name, () => this.change((data) => (data.scouted = name)), `scouted-${name}`))));
    }
    return parts;
  }

  seatFields() {
    const { catalogue } = this.app;
    const rows = this.seats.map((seat, index) => {
      const select = h("select", { "aria-label": `Colour of player ${index + 1}`, "data-key": `seat-${index}`, onchange: (event) => this.renameSeat(seat, event.target.value) }, catalogue.seats.map((name) => h("option", { value: name, disabled: name !== seat && this.seats.includes(name) }, name)));
      select.value = seat;
      const up = button("↑", () => this.moveSeat(index), { "aria-label": `Move ${seat} up`, disabled: index === 0 });
      const less = button("remove", () => this.change((data) => this.dropSeat(data, seat)), { disabled: this.seats.length <= 2, "data-key": `remove-${seat}` });
      return h("div", { class: "field" }, seatIcon(seat), select, up, less);
    });
    const start = h("select", { "aria-label": "Start player", onchange: (event) => this.change((data) => (data.start = event.target.value)) }, this.seats.map((name) => h("option", { value: name }, name)));
    start.value = this.data.start || this.seats[0];
    const add = button("Add a player", () => this.addSeat(), { disabled: this.seats.length >= catalogue.most_seats, "data-key": "add-seat" });
    return [h("p", { class: "soft" }, "In turn order."), ...rows, h("div", { class: "field" }, add, h("span", {}, "Start player"), start)];
  }

  addSeat() {
    const free = this.app.catalogue.seats.find((name) => !this.seats.includes(name));
    this.change((data) => (data.seat[free] = { settlements: [] }));
  }

  dropSeat(data, seat) {
    delete data.seat[seat];
    const [first] = Object.keys(data.seat);
    if (data.turn === seat) data.turn = first;
    if (data.start === seat) delete data.start;
    this.forgetTiles(data);
  }

  renameSeat(seat, name) {
    this.change((data) => {
      data.seat = Object.fromEntries(Object.entries(data.seat).map(([each, table]) => [each === seat ? name : each, table]));
      for (const key of ["turn", "start"]) if (data[key] === seat) data[key] = name;
    });
  }

  moveSeat(index) {
    this.change((data) => {
      const rows = Object.entries(data.seat);
      [rows[index - 1], rows[index]] = [rows[index], rows[index - 1]];
      data.start ||= Object.keys(data.seat)[0];
      data.seat = Object.fromEntries(rows);
    });
  }

  /** Who has which tiles, in short. */
  tilesTaken() {
    const named = (tile) => (tile.count > 1 ? `${tile.count} ${words(tile.kind)}` : words(tile.kind));
    const rows = this.view.seats.filter((seat) => seat.tiles.length).map((seat) => `${seat.seat} ${seat.tiles.map(named).join(", ")}`);
    return rows.join("; ") || "none";
  }

  tileFields() {
    const rows = this.spaces.filter((space) => space.beside.length).map((space) => {
      const chips = space.beside.map((seat) => this.choice([seatIcon(seat), space.held.includes(seat) ? "has it" : "has none"], space.held.includes(seat), () => this.toggleTile(space, seat), `tile-${space.tile}-${space.cell}-${seat}`));
      return h("div", { class: "field" }, h("span", {}, tileIcon(space.tile), ` ${words(space.tile)} ${space.cell}`), h("div", { class: "chips" }, chips));
    });
    const mover = this.view.seats.find((seat) => seat.seat === this.data.turn);
    const own = mover ? mover.tiles : [];
    const used = h("div", { class: "chips" }, own.map((tile) => this.choice(`${words(tile.kind)}: ${tile.state}`, tile.state === "used", () => this.toggleUsed(tile), `used-${tile.kind}-${tile.state}`)));
    return [rows.length ? rows : h("p", { class: "soft" }, "Nobody has a settlement beside a location."), own.length ? [h("h3", {}, `Used by ${this.data.turn} in this turn`), used] : null].flat();
  }

  toggleTile(space, seat) {
    this.change((data) => {
      for (const name of this.seats) {
        const held = this.spaces.filter((each) => each.held.includes(name)).map((each) => `${each.tile}@${each.cell}`);
        data.seat[name].tiles ||= held;
      }
      const word = `${space.tile}@${space.cell}`;
      const table = data.seat[seat];
      if (space.held.includes(seat)) {
        table.tiles = table.tiles.filter((each) => each !== word);
        table.lost = [...(table.lost || []), word];
      } else {
        table.lost = (table.lost || []).filter((each) => each !== word);
        table.tiles = [...table.tiles, word];
      }
    });
  }

  toggleUsed(tile) {
    this.change((data) => {
      const table = data.seat[data.turn];
      const used = [...(table.used || [])];
      const index = used.indexOf(tile.kind);
      if (tile.state === "used") used.splice(index, 1);
      else used.push(tile.kind);
      table.used = used;
    });
  }

  discardFields() {
    const counts = this.data.discard || {};
    const add = (card, by) =>
      this.change((data) => {
        data.discard = { ...(data.discard || {}), [card]: Math.max(0, (counts[card] || 0) + by) };
        if (!data.discard[card]) delete data.discard[card];
      });
    const row = (card) => h("span", { class: "counter" }, cardIcon(card), ` ${words(card)} `, button("−", () => add(card, -1), { "aria-label": `One ${words(card)} card less` }), h("span", {}, String(counts[card] || 0)), button("+", () => add(card, 1), { "aria-label": `One ${words(card)} card more` }));
    return [h("p", { class: "soft" }, "Cards that were played since the pile was last shuffled. Leave it empty if you do not know."), h("div", { class: "row wrap" }, this.deck.map(row))];
  }

  optionFields() {
    const chosen = this.data.options || {};
    return this.app.catalogue.options.map((option) => {
      const select = h("select", { "aria-label": words(option.name), "data-key": `option-${option.name}`, onchange: (event) => this.change((data) => (data.options = { ...(data.options || {}), [option.name]: event.target.value })) }, option.values.map((value) => h("option", { value }, words(value))));
      select.value = String(chosen[option.name] ?? option.default);
      return h("div", { class: "field option" }, select, h("span", {}, h("strong", {}, words(option.name)), `. ${otherValues(option)}: ${option.text}`));
    });
  }

  /** The box stays the same element whenever the panel is built again: somebody may be typing. */
  textFields() {
    if (!this.box) {
      this.box = h("textarea", { id: "setup-line", rows: "4", spellcheck: "false", "aria-label": "Position as text", "data-key": "setup-line" });
      this.boxProblem = h("p", { class: "problem", role: "alert", id: "setup-line-problem", hidden: true });
      this.box.addEventListener("input", () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.read(this.box.value), WAIT_MS);
      });
    }
    return [h("p", { class: "soft" }, "Paste a position, a game or a saved log of Board Game Arena here."), this.box, this.boxProblem];
  }

  async read(text) {
    const problem = this.boxProblem;
    problem.hidden = true;
    try {
      this.take(await post("/api/edit", { text }));
      for (const set of this.setsInUse()) this.sets.add(set);
      this.build();
    } catch (error) {
      if (!(error instanceof Sentence)) throw error;
      problem.textContent = error.message;
      problem.hidden = false;
    }
  }

  async finish() {
    while (this.isSending) await new Promise((done) => setTimeout(done, 20));
    await this.app.setMode("analysis");
    if (this.app.mode === "analysis" && !this.data.cards.length) this.app.say("No scoring cards are chosen, so only castles and the like give gold. Choose the cards in Set up.");
  }

  playFromHere() {
    this.app.panels.play.line = this.view.line;
    this.app.panels.play.seats = this.seats;
    this.app.setMode("play");
  }

  onKey(event) {
    const number = Number(event.key);
    const tools = this.tools();
    if (number >= 1 && number <= tools.length) this.choose(tools[number - 1]);
    else if (event.key === "c") this.clear();
    else if (event.key === "Escape") this.app.hideBubble();
    else return false;
    return true;
  }
}

/** The values of an option that its text is about. */
const otherValues = (option) => words(option.values.filter((value) => value !== option.default).join(", "));

/** A quadrant, drawn with the symbols of the board. */
function quadrantPicture(item, isTurned) {
  const picture = svg("svg", { class: "quadrant", viewBox: "-1 -1 422 358", "aria-hidden": "true" });
  const last = 9;
  item.grid.forEach((_, row) => {
    for (let col = 0; col <= last; col += 1) {
      const letter = isTurned ? item.grid[last - row][last - col] : item.grid[row][col];
      const name = LETTERS[letter];
      picture.append(svg("use", { href: SPACES.includes(letter) ? `#space-${name}` : `#hex-${name}`, x: (2 * col + 1 + (row % 2)) * 20, y: 23 + row * 34.5 }));
    }
  });
  for (const [kind, row, col] of item.locations) {
    const [r, c] = isTurned ? [last - row, last - col] : [row, col];
    picture.append(svg("use", { href: `#tile-${kind}`, x: (2 * c + 1 + (r % 2)) * 20, y: 23 + r * 34.5 }));
  }
  return picture;
}
