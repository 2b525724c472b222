// The board: hexes that take clicks and keys, what lies on them, and marks above.

import { post } from "./api.js";
import { byId, svg } from "./dom.js";

const HEX = "M0,-21L18.3,-10.5V10.5L0,21L-18.3,10.5V-10.5z";
const LAYERS = ["ground", "legal", "pieces", "marks", "names", "focus"];
const MOST_ZOOM = 6;
const MOVED = 8;
// Around the middle of a hex that has the focus, in units of the drawing.
const ROOM = 40;
// Below this many pixels for a unit of the drawing, names of hexes cannot be read.
const READABLE = 0.7;

export class Board {
  /** onCell gets the name of a hex that was chosen; onPaint those that a drag goes over. */
  constructor(element, { onCell, onPaint }) {
    this.element = element;
    this.onCell = onCell;
    this.onPaint = onPaint;
    this.isPainting = false;
    this.scene = null;
    this.view = null;
    this.scenes = new Map();
    this.defs = svg("defs");
    this.root = svg("g", { class: "layers" });
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = svg("g", { class: `layer-${name}` });
      if (name !== "ground") this.layers[name].setAttribute("pointer-events", "none");
      this.root.append(this.layers[name]);
    }
    element.append(this.defs, this.root);
    this.zoom = { scale: 1, x: 0, y: 0 };
    this.pointers = new Map();
    this.addPointers();
    element.addEventListener("keydown", (event) => this.onKey(event));
    // Not on the drawing itself: Chromium would stop there, too, on the way to the hexes with Tab.
    element.parentElement.addEventListener("focusin", (event) => this.showFocus(event.target));
    element.parentElement.addEventListener("focusout", () => this.layers.focus.replaceChildren());
    new ResizeObserver(() => this.showNames()).observe(element);
  }

  setSymbols(text) {
    this.defs.innerHTML = text;
  }

  /** Draw a position; the ground only if it is another one. */
  async show(view) {
    this.view = view;
    let scene = this.scenes.get(view.scene);
    if (!scene) {
      scene = await post("/api/scene", { position: view.line });
      this.scenes.set(view.scene, scene);
    }
    if (this.view !== view) return;
    if (this.scene !== scene) this.setScene(scene);
    this.layers.pieces.innerHTML = view.svg;
    if (this.isFlipped) this.upright(this.layers.pieces);
    for (const [cell, element] of this.cells) {
      const text = view.texts[cell] || scene.texts[cell];
      if (element.getAttribute("aria-label") === text) continue;
      element.setAttribute("aria-label", text);
      element.firstElementChild.textContent = text;
    }
  }

  setScene(scene) {
    this.scene = scene;
    this.layers.ground.innerHTML = scene.svg;
    this.layers.names.innerHTML = scene.names;
    for (const name of ["ground", "names"]) if (this.isFlipped) this.upright(this.layers[name]);
    this.cells = new Map();
    for (const element of this.layers.ground.querySelectorAll("[data-cell]")) {
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", "-1");
      this.cells.set(element.dataset.cell, element);
    }
    this.tabStop = this.cells.values().next().value;
    this.tabStop.setAttribute("tabindex", "0");
    this.setZoom(1);
  }

  /** Outline the hexes that a click would do something on; a screen reader says so. */
  setLegal(cells) {
    const legal = new Set(cells);
    this.layers.legal.replaceChildren(...[...legal].map((cell) => this.hexAt(cell, "legal")));
    for (const element of this.layers.ground.querySelectorAll("[aria-description]")) element.removeAttribute("aria-description");
    for (const cell of legal) this.cells.get(cell).setAttribute("aria-description", "possible");
  }

  setMarks(text) {
    this.layers.marks.innerHTML = text;
    if (this.isFlipped) this.upright(this.layers.marks);
  }

  /** Put the ranks of other turns in the upper halves of their hexes. */
  addRanks(ranks) {
    for (const [cell, rank] of ranks) {
      const { x, y } = this.scene.cells[cell];
      const text = svg("text", { y: 3.5, "font-size": 9.5, "text-anchor": "middle", fill: "#111" });
      text.textContent = String(rank);
      const place = this.isFlipped ? `translate(${x} ${y + 8}) rotate(180)` : `translate(${x} ${y - 8})`;
      this.layers.marks.append(svg("g", { class: "rank", transform: place }, svg("circle", { r: 6.5, fill: "#fff", "fill-opacity": 0.85, stroke: "#111" }), text));
    }
  }

  hexAt(cell, className) {
    const place = this.scene.cells[cell];
    return svg("path", { d: HEX, class: className, transform: `translate(${place.x} ${place.y})` });
  }

  /** Return where a hex is in the frame, in pixels. */
  placeOf(cell) {
    const box = this.cells.get(cell).getBoundingClientRect();
    const frame = this.element.parentElement.getBoundingClientRect();
    return { x: box.left + box.width / 2 - frame.left, y: box.top - frame.top, below: box.bottom - frame.top };
  }

  get isFlipped() {
    return this.element.classList.contains("is-flipped");
  }

  /** Look at the board from the other side of the table. */
  flip() {
    this.element.classList.toggle("is-flipped");
    const { width, height } = this.scene;
    this.root.setAttribute("transform", this.isFlipped ? `rotate(180 ${width / 2} ${height / 2})` : "");
    for (const layer of Object.values(this.layers)) this.upright(layer);
  }

  /** On a board that is turned round, drawings and texts stand upright. */
  upright(layer) {
    for (const element of layer.querySelectorAll("use[x], text[x]")) {
      const x = element.getAttribute("x");
      const y = Number(element.getAttribute("y")) - (element.tagName === "text" ? 4 : 0);
      if (this.isFlipped) element.setAttribute("transform", `rotate(180 ${x} ${y})`);
      else element.removeAttribute("transform");
    }
  }

  // Keys: arrows go from hex to hex, Enter and Space choose one.

  showFocus(element) {
    const cell = element.dataset && element.dataset.cell;
    if (!cell) return;
    this.tabStop.setAttribute("tabindex", "-1");
    this.tabStop = element;
    element.setAttribute("tabindex", "0");
    if (!element.matches(":focus-visible")) return;
    this.layers.focus.replaceChildren(this.hexAt(cell, "focus"));
    this.bringIntoView(this.scene.cells[cell]);
  }

  /** Move an enlarged board so that a hex is to be seen. */
  bringIntoView(place) {
    const { width, height } = this.scene;
    const { scale } = this.zoom;
    const at = this.isFlipped ? { x: width - place.x, y: height - place.y } : place;
    const moved = (from, whole, middle) => Math.min(Math.max(from, middle + ROOM - whole / scale), middle - ROOM);
    this.setZoom(scale, moved(this.zoom.x, width, at.x), moved(this.zoom.y, height, at.y));
  }

  onKey(event) {
    const cell = event.target.dataset && event.target.dataset.cell;
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    const moves = { ArrowLeft: [-40, 0], ArrowRight: [40, 0], ArrowUp: [0, -34.5], ArrowDown: [0, 34.5] };
    if (event.key === "Enter" || event.key === " ") this.onCell(cell);
    else if (event.key in moves) this.focusBeside(cell, ...moves[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focusBeside(cell, dx, dy) {
    const from = this.scene.cells[cell];
    const turn = this.isFlipped ? -1 : 1;
    let best = null;
    for (const [name, place] of Object.entries(this.scene.cells)) {
      const away = Math.hypot(place.x - from.x - turn * dx, place.y - from.y - turn * dy);
      if (name !== cell && away < 60 && (!best || away < best.away)) best = { name, away };
    }
    if (best) this.cells.get(best.name).focus({ focusVisible: true });
  }

  // Pointers: a tap chooses, a drag paints or moves a board that is enlarged, two fingers zoom and move.

  addPointers() {
    const element = this.element;
    element.addEventListener("pointerdown", (event) => {
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.gesture = { moved: this.pointers.size > 1, painted: null, apart: this.apart(), zoom: { ...this.zoom } };
      if (this.isPainting && this.pointers.size === 1) this.gesture.painted = this.cellAt(event);
    });
    element.addEventListener("pointermove", (event) => this.onMove(event));
    const up = (event) => {
      const start = this.pointers.get(event.pointerId);
      this.pointers.delete(event.pointerId);
      if (!start || !this.gesture) return;
      if (event.type === "pointerup" && !this.gesture.moved && event.button === 0) {
        const cell = this.cellAt(event);
        if (cell) this.onCell(cell);
      }
    };
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
    element.addEventListener("pointerleave", up);
    element.addEventListener(
      "wheel",
      (event) => {
        if (event.deltaY > 0 && this.zoom.scale === 1) return;
        event.preventDefault();
        this.zoomAt(event, this.zoom.scale * (event.deltaY < 0 ? 1.2 : 1 / 1.2));
      },
      { passive: false },
    );
  }

  cellAt(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return (element && element.dataset && element.dataset.cell) || null;
  }

  apart() {
    const [one, other] = [...this.pointers.values()];
    return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;
  }

  middle() {
    const [one, other] = [...this.pointers.values()];
    return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
  }

  onMove(event) {
    const start = this.pointers.get(event.pointerId);
    if (!start || !this.gesture) return;
    const dx = event.clientX - start.x;
    const dy = event.clientY - start.y;
    if (this.pointers.size > 1) {
      const before = this.middle();
      Object.assign(start, { x: event.clientX, y: event.clientY });
      this.gesture.moved = true;
      if (!this.gesture.apart) return;
      const middle = this.middle();
      this.zoomAt({ clientX: middle.x, clientY: middle.y }, (this.gesture.zoom.scale * this.apart()) / this.gesture.apart);
      // While a drag paints, this is the only way to move a board that is enlarged.
      this.moveBy(middle.x - before.x, middle.y - before.y, this.zoom);
      return;
    }
    if (Math.hypot(dx, dy) < MOVED && !this.gesture.moved) return;
    if (this.isPainting && event.buttons) {
      this.paintTo(event, start);
      return;
    }
    if (this.zoom.scale > 1) {
      this.gesture.moved = true;
      this.moveBy(dx, dy, this.gesture.zoom);
    }
  }

  /** Move an enlarged board by pixels from where it was. */
  moveBy(dx, dy, from) {
    const unit = this.scene.width / this.zoom.scale / this.element.getBoundingClientRect().width;
    this.setZoom(this.zoom.scale, from.x - dx * unit, from.y - dy * unit);
  }

  /** Paint all hexes between two places of the pointer: a quick one skips some. */
  paintTo(event, start) {
    const from = this.gesture.last || start;
    const to = { x: event.clientX, y: event.clientY };
    const count = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / MOVED);
    for (let step = 1; step <= count; step += 1) {
      const place = { clientX: from.x + ((to.x - from.x) * step) / count, clientY: from.y + ((to.y - from.y) * step) / count };
      const cell = this.cellAt(place);
      if (!cell || cell === this.gesture.painted) continue;
      if (!this.gesture.moved && this.gesture.painted) this.onPaint(this.gesture.painted);
      this.onPaint(cell);
      this.gesture.painted = cell;
      this.gesture.moved = true;
    }
    this.gesture.last = to;
  }

  zoomAt({ clientX, clientY }, scale) {
    scale = Math.min(Math.max(scale, 1), MOST_ZOOM);
    const box = this.element.getBoundingClientRect();
    const { width, height } = this.scene;
    const u = (clientX - box.left) / box.width;
    const v = (clientY - box.top) / box.height;
    const x = this.zoom.x + (u * width) / this.zoom.scale - (u * width) / scale;
    const y = this.zoom.y + (v * height) / this.zoom.scale - (v * height) / scale;
    this.setZoom(scale, x, y);
  }

  setZoom(scale, x = 0, y = 0) {
    const { width, height } = this.scene;
    const w = width / scale;
    const hgt = height / scale;
    x = Math.min(Math.max(x, 0), width - w);
    y = Math.min(Math.max(y, 0), height - hgt);
    this.zoom = { scale, x, y };
    this.element.setAttribute("viewBox", `${x} ${y} ${w} ${hgt}`);
    this.element.classList.toggle("is-zoomed", scale > 1);
    byId("zoom-fit").hidden = scale === 1;
    this.showNames();
  }

  showNames() {
    if (!this.scene) return;
    const pixels = (this.element.clientWidth * this.zoom.scale) / this.scene.width;
    this.element.classList.toggle("is-small", pixels < READABLE);
  }
}
