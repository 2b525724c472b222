// What everybody has: gold by card, houses, tiles, and where the cards are.

import { byId, fill, h, seatIcon, tileIcon, words } from "./dom.js";

/** Show the gold, the tiles and the cards of a position; who maps seats to who plays them. */
export function showSeats(view, who = {}) {
  const names = Object.keys(view.seats[0].gold).filter((name) => name !== "total");
  const table = h("table");
  const about = Object.fromEntries(view.cards.map((card) => [card.name, card.text]));
  table.append(h("tr", {}, h("th", {}, "gold now"), view.seats.map((seat) => h("th", {}, seatIcon(seat.seat), " ", seat.seat))));
  for (const name of [...names, "total"]) {
    table.append(h("tr", { class: name === "total" ? "is-mover" : null }, h("td", { title: about[name] }, words(name)), view.seats.map((seat) => h("td", {}, String(seat.gold[name])))));
  }
  table.append(h("tr", {}, h("td", {}, "houses left"), view.seats.map((seat) => h("td", {}, String(seat.supply)))));
  const tiles = view.seats.map((seat) =>
    h("div", { class: "field" }, h("span", {}, seatIcon(seat.seat), ` ${seat.seat}`, who[seat.seat] ? h("span", { class: "who" }, `(${who[seat.seat]})`) : null), h("span", { class: "tiles" }, seat.tiles.length ? seat.tiles.map(tileChip) : h("span", { class: "soft" }, "no tiles"))),
  );
  const cards = view.cards.map((card) => h("p", {}, h("strong", {}, words(card.name)), `: ${card.text}`));
  const rest = [...view.piles, ...view.belongings].map(([label, text]) => h("p", {}, h("strong", {}, label), `: ${text}`));
  if (view.own_layouts.length) rest.push(h("p", {}, `Not laid out as printed: ${view.own_layouts.map(words).join(", ")}.`));
  const isOpen = byId("seats").querySelector("details")?.open;
  fill(byId("seats"), h("div", { class: "wide" }, table), tiles, h("details", { open: isOpen }, h("summary", {}, "Cards"), cards, rest));
}

function tileChip(tile) {
  const count = tile.count > 1 ? `${tile.count} ` : "";
  const state = tile.state === "ready" ? "" : ` (${tile.state === "used" ? "used" : "from next turn on"})`;
  const classes = { used: "chip is-used", fresh: "chip is-fresh", ready: "chip" };
  return h("span", { class: classes[tile.state], title: tile.text + state }, tileIcon(tile.kind), `${count}${words(tile.kind)}`);
}
