// The dialog with keys and what the signs mean.

import { button, byId, fill, h } from "./dom.js";

const KEYS = [
  ["← → or k j", "one turn back, forward"],
  ["Home End", "first turn, last turn"],
  ["PgUp PgDn", "ten turns back, forward"],
  ["↑ ↓", "the variation before, after"],
  ["Space", "play the best turn"],
  ["u", "undo"],
  ["Enter", "end the turn"],
  ["l", "engine on or off"],
  ["d", "search deeper"],
  ["Esc", "stop the engine"],
  ["a", "suggestions on the board on or off"],
  ["n Shift+n", "next, previous mistake of a review"],
  ["e", "set up, and back"],
  ["1 to 9", "set up: choose what to place"],
  ["c", "set up: clear the board"],
  ["f", "turn the board round"],
  ["Tab, arrows, Enter", "go to the board, from hex to hex, choose one"],
];

const NOTES = [
  "Click a hex to build or move there. Hexes with a dashed outline are possible; click another one and kbai says why it is not.",
  "Hover over a suggestion to see it on the board, numbered in order; click it to play it. With a finger, tap once to see it and again to play it.",
  "Small numbers in white circles mark hexes that only the other turns of the list use. The turn that was searched longest comes first.",
  "After a turn of your own, kbai says what it costs against the best one.",
  "Wheel or two fingers enlarge the board; drag to move it, while setting up with two fingers.",
  "Paste or drop a position, a game file or a saved log of Board Game Arena anywhere on the page.",
];

export function showHelp() {
  const help = byId("help");
  const keys = h("dl", { class: "keys" });
  for (const [key, text] of KEYS) keys.append(h("dt", {}, h("kbd", {}, key)), h("dd", {}, text));
  fill(
    help,
    h("h2", {}, "How to use the board"),
    NOTES.map((text) => h("p", {}, text)),
    h("h3", {}, "Keys"),
    keys,
    button("Close", () => help.close(), { class: "main" }),
  );
  help.showModal();
  help.scrollTop = 0; // the button at its end has the focus
}
