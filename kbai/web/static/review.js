// The review of a game: progress, the curve, the mistakes from the gravest on.

import { stream } from "./api.js";
import { button, byId, fill, h, seatIcon } from "./dom.js";
import { percent, spread } from "./numbers.js";

// As many visits a turn as VISITS in reviews.py says.
const DEPTHS = { quick: "Quick", usual: "Usual (5 times as long)", thorough: "Thorough (13 times as long)" };
const MOST_LISTED = 12;
const MARKS = ["", "?!", "?", "??"];

export class Review {
  constructor(app, analysis) {
    this.app = app;
    this.analysis = analysis;
    this.clear();
  }

  clear() {
    if (this.abort) this.abort.abort();
    this.abort = null;
    this.review = null;
    this.byNode = new Map();
    fill(byId("review"));
    byId("panel-analysis").classList.remove("has-review");
  }

  /** Offer how thorough it is to be. */
  start() {
    const choices = Object.entries(DEPTHS).map(([depth, label]) => button(label, () => this.run(depth), { "data-depth": depth }));
    fill(byId("review"), h("div", { class: "row wrap" }, h("span", {}, "How thorough?"), choices, button("Cancel", () => fill(byId("review")))));
    this.app.setMode("analysis");
  }

  async run(depth) {
    this.clear();
    this.analysis.engine.stop();
    const { game } = this.app;
    const bar = h("progress", { class: "progress", max: "1", value: "0", "aria-label": "Progress of the review" });
    const text = h("span", { class: "soft" }, "starts…");
    fill(byId("review"), bar, h("div", { class: "row" }, text, h("span", { class: "spring" }), button("Stop", () => this.clear())));
    this.abort = new AbortController();
    const { abort } = this;
    try {
      await stream(`/api/games/${game.id}/review`, { depth }, abort.signal, (line) => {
        if (line.error) throw Object.assign(new Error(line.error.message), { isSentence: true });
        if (line.review) {
          this.take(line.review, game);
          return;
        }
        bar.value = line.total ? line.done / line.total : 0;
        text.textContent = `${line.done} of ${line.total} searches`;
      });
    } catch (error) {
      if (error.name !== "AbortError") fill(byId("review"), h("p", { class: "problem", role: "alert" }, error.message));
    }
    if (this.abort === abort) this.abort = null;
  }

  take(review, game) {
    this.review = review;
    const line = game.nodes.map((node, index) => ({ ...node, index })).filter((node) => node.is_main);
    const nodes = new Map(line.map((node) => [node.number, node.index]));
    review.turns.forEach((turn, index) => {
      const node = nodes.get(turn.turn);
      const known = this.byNode.get(node);
      // A turn that was interrupted has several parts; the dearest one stands for it.
      if (known && known.loss.win.value >= turn.loss.win.value) return;
      this.byNode.set(node, { ...turn, ...review.texts[index], node });
    });
    this.show();
    this.analysis.showMoves();
    byId("side").scrollTop = 0;
    // Now people look back at the game, so that nothing is given away.
    this.analysis.engine.isOn = true;
    this.analysis.engine.look(this.app.game.view.line, { isOver: this.app.game.view.over });
  }

  ofNode(node) {
    return this.byNode.get(node) || null;
  }

  mistakes() {
    return [...this.byNode.values()].filter((turn) => !turn.is_best && turn.loss.win.value > 0);
  }

  show() {
    const gravity = (turn) => 100 * MARKS.indexOf(turn.mark || "") + turn.loss.win.value;
    const worst = this.mistakes().sort((one, other) => gravity(other) - gravity(one));
    byId("panel-analysis").classList.add("has-review");
    const curve = h("div", { class: "curve-box" });
    curve.innerHTML = this.review.curve;
    curve.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link) return;
      event.preventDefault();
      const number = Number(link.getAttribute("href").replace("#turn-", ""));
      const found = [...this.byNode.values()].find((turn) => turn.turn === number);
      if (found) this.goTo(found);
    });
    const seats = Object.entries(this.review.seats).map(([seat, sums]) =>
      h("tr", {}, h("td", {}, seatIcon(seat), ` ${seat}`), h("td", {}, percent(sums.loss.win.value)), h("td", {}, percent(sums.luck.win.value)), h("td", {}, Object.entries(sums.marks).map(([mark, count]) => `${count}${mark}`).join(" "))),
    );
    fill(
      byId("review"),
      h("h3", {}, "Chance of winning in %, turn by turn"),
      curve,
      h("div", { id: "review-turn", class: "cost", hidden: true }),
      h("h3", {}, worst.length ? "Worst turns first" : "No turn cost anything"),
      worst.length ? h("p", { class: "soft" }, "Marked (?!, ?, ??): the loss is real. Others may be chance.") : null,
      h("ol", { class: "mistakes" }, worst.slice(0, MOST_LISTED).map((turn) => this.row(turn))),
      h("details", {}, h("summary", {}, "Losses and luck of each player"), h("div", { class: "wide" }, h("table", {}, h("tr", {}, ["", "lost, win %", "luck, win %", "marks"].map((text) => h("th", {}, text))), seats))),
    );
    this.showPlace();
  }

  row(turn) {
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", onclick: () => this.goTo(turn), title: `Best: ${turn.best}` },
        h("span", {}, String(turn.turn)),
        h("span", { class: "mark" }, turn.mark || ""),
        seatIcon(turn.seat),
        h("span", {}, turn.played),
        h("span", {}, `−${percent(turn.loss.win.value)}`),
      ),
    );
  }

  /** Show the position in which a turn was played. */
  async goTo(turn) {
    window.scrollTo(0, 0);
    await this.analysis.go(this.app.game.nodes[turn.node].parent);
  }

  next(by) {
    const list = this.mistakes().filter((turn) => turn.mark).sort((one, other) => one.turn - other.turn);
    if (!list.length) return;
    const here = this.app.game.number;
    const later = by > 0 ? list.find((turn) => turn.turn > here) || list[0] : [...list].reverse().find((turn) => turn.turn < here) || list[list.length - 1];
    this.goTo(later);
  }

  /** What was played in the position on the board, and what it cost. */
  showPlace() {
    const box = byId("review-turn");
    if (!box) return;
    const cursor = byId("review").querySelector(".cursor");
    const shown = this.review.texts.find((each) => each.number === this.app.game.number);
    if (cursor) cursor.setAttribute("transform", `translate(${shown ? shown.x : this.review.end_x} 0)`);
    const next = this.analysis.children(this.app.game.cursor).find((node) => this.byNode.has(node));
    const turn = next === undefined ? null : this.byNode.get(next);
    box.hidden = !turn;
    if (!turn) return;
    fill(
      box,
      h("p", {}, seatIcon(turn.seat), ` played ${turn.played} `, turn.mark ? h("span", { class: "mark" }, turn.mark) : null, turn.is_best ? " the best turn found." : ` costs ${percent(turn.loss.win.value)} % (${spread(turn.loss.win, 100) || "exact"}).`),
      turn.is_best ? null : h("p", { class: "soft" }, `Best in the review: ${turn.best}`),
    );
  }
}
