// Beginning a game against bots.

import { post } from "./api.js";
import { button, byId, fill, h, seatIcon, words } from "./dom.js";

const FIRST = { board: ["tavern", "paddock", "oasis", "farm"], cards: ["fishermen", "knights", "merchants"], card: "hidden" };

export class PlayPanel {
  constructor(app) {
    this.app = app;
    this.element = byId("panel-play");
    this.seats = ["red", "blue"];
    this.players = ["", "mcts:level=5"];
    this.board = "random";
    this.sets = new Set();
    this.line = null;
    this.isTold = false;
  }

  open() {
    if (this.line) this.board = "here";
    while (this.players.length < this.seats.length) this.players.push("mcts:level=5");
    this.build();
  }

  build() {
    const { catalogue } = this.app;
    const rows = this.seats.map((seat, index) => {
      const select = h("select", { "aria-label": `Who plays ${seat}`, "data-seat": seat, onchange: (event) => (this.players[index] = event.target.value) }, h("option", { value: "" }, "you"), catalogue.bots.map((bot) => h("option", { value: bot.spec }, bot.title)));
      select.value = this.players[index];
      const isFixed = this.seats.length <= 2 || this.board === "here";
      const less = isFixed ? null : button("remove", () => this.setSeats(this.seats.filter((each) => each !== seat)), { "aria-label": `Remove ${seat}` });
      return h("div", { class: "player" }, h("span", {}, seatIcon(seat), ` ${seat}`), select, less);
    });
    const add = button("Add a player", () => this.setSeats([...this.seats, catalogue.seats.find((name) => !this.seats.includes(name))]), { disabled: this.seats.length >= catalogue.most_seats || this.board === "here" });
    const boards = { random: "Drawn at random", first: "Recommended first game", ...(this.line ? { here: "The position that you set up" } : {}) };
    const choices = Object.entries(boards).map(([name, label]) =>
      h("button", { type: "button", "aria-pressed": String(this.board === name), "data-board": name, onclick: () => this.setBoard(name) }, label),
    );
    const sets = catalogue.sets.filter((item) => item.name !== "base").map((item) =>
      h("button", { type: "button", "aria-pressed": String(this.sets.has(item.name)), title: item.title, "data-set": item.name, onclick: () => this.toggleSet(item.name) }, words(item.name)),
    );
    const told = h("input", { type: "checkbox", id: "told", onchange: (event) => (this.isTold = event.target.checked) });
    told.checked = this.isTold;
    fill(
      this.element,
      h("div", { class: "card" }, h("h2", {}, "Players"), rows, add),
      h("div", { class: "card" }, h("h2", {}, "Board"), h("div", { class: "chips" }, choices), this.board === "random" ? h("div", { class: "field" }, h("span", {}, "Expansions"), h("div", { class: "chips" }, sets)) : null),
      h("div", { class: "card" }, h("label", {}, told, " The box is on the table: I say which cards are turned up")),
      button("Start", () => this.start(), { class: "main", id: "play-start" }),
    );
  }

  setSeats(seats) {
    this.seats = seats;
    this.players.length = Math.min(this.players.length, seats.length);
    this.open();
  }

  setBoard(name) {
    this.board = name;
    if (name !== "here") this.line = null;
    this.build();
  }

  toggleSet(name) {
    if (this.sets.has(name)) this.sets.delete(name);
    else this.sets.add(name);
    this.build();
  }

  async start() {
    await this.app.try(async () => {
      let text = this.line;
      if (this.board === "first") {
        const seat = Object.fromEntries(this.seats.map((name) => [name, { settlements: [] }]));
        text = (await post("/api/edit", { data: { ...FIRST, turn: this.seats[0], seat } })).view.line;
      } else if (this.board === "random") text = (await post("/api/random", { sets: [...this.sets], seats: this.seats })).view.line;
      await this.app.openText(text, { players: this.players.slice(0, this.seats.length), told: this.isTold });
      this.line = null;
    });
  }
}
