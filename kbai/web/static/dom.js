// Elements from values. Text always goes in as text, never as markup.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
}

/** A drawing of the board's symbols, small enough for a line of text. */
export function icon(name, label, className = "icon", viewBox = "-16 -17 32 32") {
  const drawing = svg("svg", { class: className, viewBox, role: "img", "aria-label": label || "" });
  if (!label) drawing.setAttribute("aria-hidden", "true");
  drawing.append(svg("use", { href: "#" + name }));
  return drawing;
}

/** What is on a tile; it is drawn in dark ink, so it brings its own paper. */
export const tileIcon = (kind) => icon(`tile-${kind}`, "", "icon sign");

export const seatIcon = (seat) => icon(`${seat}-house`, seat);

/** The hex of a terrain card; a marsh card shows both of its halves. */
export function cardIcon(card) {
  const halves = card.startsWith("marsh_") ? ["marsh", card.slice(6)] : [card];
  const box = h("span", { class: "halves" });
  for (const half of halves) box.append(icon(`hex-${half}`, "", "icon", "-21 -24 42 48"));
  return box;
}

/** A text whose words stay whole; one wider than a line, such as mountain_station:c5, is broken after its colon. */
export const breakable = (text) =>
  text.split(/( )/).map((word) => {
    const parts = word.split(/(?<=:)/);
    return parts.length < 2 ? word : h("span", { class: "word" }, parts.flatMap((part, index) => (index ? [h("wbr"), part] : [part])));
  });

/** Whether the page is used with a finger, and what one does then. */
export const isTouch = () => matchMedia("(pointer: coarse)").matches;
export const click = () => (isTouch() ? "Tap" : "Click");

export const words = (name) => name.replaceAll("_", " ");
/** A text as a sentence begins; the name of a hex stays as it is. */
export const capital = (text) => (/^~?[a-t][0-9]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}
