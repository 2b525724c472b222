// Opening games: those that were saved here, files, and text.

import { get } from "./api.js";
import { button, byId, fill, h } from "./dom.js";

export class OpenPanel {
  constructor(app) {
    this.app = app;
    this.element = byId("panel-open");
  }

  async open() {
    const box = h("textarea", { id: "open-text", rows: "8", spellcheck: "false", "aria-label": "Text of a game or position" });
    const problem = h("p", { class: "problem", role: "alert", id: "open-problem", hidden: true });
    const file = h("input", { type: "file", id: "open-file", "aria-label": "File with a game", onchange: async () => file.files[0] && this.read(await file.files[0].text(), problem) });
    const list = h("div", { class: "card" }, h("h2", {}, "Your games"), h("p", { class: "soft" }, "…"));
    fill(
      this.element,
      h("div", { class: "card" }, h("h2", {}, "Open"), h("p", { class: "soft" }, "Paste a game file, a position in any spelling, or a saved log of Board Game Arena; or drop a file anywhere on the page."), box, problem, h("div", { class: "row wrap" }, button("Open", () => this.read(box.value, problem), { class: "main", id: "open-button" }), file)),
      list,
    );
    await this.app.try(async () => {
      const { games } = await get("/api/games");
      if (!games.length) fill(list, h("h2", {}, "Your games"), h("p", { class: "soft" }, "None yet. Every game with a finished turn is kept."));
      else fill(list, h("h2", {}, "Your games"), h("div", { class: "moves" }, h("ol", {}, games.map((game) => h("li", {}, this.row(game))))));
    });
  }

  row(game) {
    const when = new Date(1000 * game.changed).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const about = [when, game.turns === 1 ? "1 turn" : `${game.turns} turns`, game.players.replace(/mcts:level=([0-9])\b/g, "level $1"), game.result].filter(Boolean).join(" · ");
    return button(h("span", { class: "saved" }, about), () => this.app.try(() => this.app.openId(game.id)), { class: "saved-game", "data-game": game.id });
  }

  async read(text, problem) {
    problem.hidden = true;
    try {
      await this.app.openText(text);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
  }
}
