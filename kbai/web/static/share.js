// Copying and saving: the position, the game, the picture; and opening a text in place of them.

import { getText } from "./api.js";
import { byId, h, svg } from "./dom.js";

const PAPER = "#fffdf7";
const INK = "#2b2118";

/** Make the buttons of "Copy, save, position" work. */
export function addShare(app) {
  const box = byId("line");
  box.addEventListener("change", () => openLine(app, box.value));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      box.blur();
    }
  });
  byId("copy-line").addEventListener("click", (event) => copy(event.target, () => app.game.view.line));
  byId("copy-game").addEventListener("click", (event) => copy(event.target, () => getText(`/api/games/${app.game.id}/file`)));
  byId("save-picture").addEventListener("click", () => savePicture(byId("board"), app.board.scene));
}

async function openLine(app, text) {
  const problem = byId("line-problem");
  if (text.trim() === app.game.view.line) return;
  try {
    await app.openText(text);
    problem.hidden = true;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
}

async function copy(element, text) {
  const label = element.textContent;
  element.textContent = (await copied(await text())) ? "Copied" : "Could not copy";
  setTimeout(() => (element.textContent = label), 1500);
}

/** Copy a text; on a page that came over a network browsers only allow the old way. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = h("textarea", { class: "unseen" });
    box.value = text;
    document.body.append(box);
    box.select();
    const isDone = document.execCommand("copy");
    box.remove();
    return isDone;
  }
}

function savePicture(element, scene) {
  const picture = element.cloneNode(true);
  for (const name of ["class", "role", "aria-label", "id"]) picture.removeAttribute(name);
  const size = { width: scene.width, height: scene.height };
  const looks = { viewBox: `0 0 ${scene.width} ${scene.height}`, color: INK, "font-family": "'DejaVu Sans', Verdana, sans-serif" };
  for (const [name, value] of Object.entries({ ...size, ...looks })) picture.setAttribute(name, value);
  for (const name of ["legal", "focus"]) picture.querySelector(`.layer-${name}`).replaceChildren();
  picture.prepend(svg("rect", { ...size, fill: PAPER }));
  const text = new XMLSerializer().serializeToString(picture);
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "image/svg+xml" })), download: "board.svg" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
