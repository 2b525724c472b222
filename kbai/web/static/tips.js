// What a mouse learns by pointing at something, a finger learns by a tap on it.

import { h } from "./dom.js";

const EXPLAINED = ".suggestion-head span[title], #seats [title]";
const MARGIN = 6; // pixels between the tip, what it is about, and the edge of the window

/** Show the title of what was tapped beside it, until the next tap, key or scrolling. */
export function addTips() {
  const tip = h("p", { class: "bubble tip", role: "status", hidden: true });
  document.body.append(tip);
  const hide = () => {
    tip.hidden = true;
  };
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, hide);
  document.addEventListener("scroll", hide, { capture: true, passive: true });
  document.addEventListener("click", (event) => {
    const element = event.target.closest(EXPLAINED);
    if (!element) return;
    tip.textContent = element.title;
    tip.hidden = false;
    const box = element.getBoundingClientRect();
    const left = Math.min(Math.max(box.left, MARGIN), innerWidth - tip.offsetWidth - MARGIN);
    const above = box.top - tip.offsetHeight - MARGIN;
    tip.style.left = `${left}px`;
    tip.style.top = `${above < 0 ? box.bottom + MARGIN : above}px`;
  });
}
