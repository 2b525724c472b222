// The page: which mode it is in, which game is on the board, keys, theme.

import { get, post, Sentence } from "./api.js";
import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { button, byId, fill, h, isTouch } from "./dom.js";
import { Engine } from "./engine.js";
import { showHelp } from "./help.js";
import { OpenPanel } from "./open.js";
import { PlayPanel } from "./play.js";
import { SetupPanel } from "./setup.js";
import { addTips } from "./tips.js";

const MODES = ["analysis", "setup", "play", "open"];
const LAST = "kbai.game";
const THEME = "kbai.theme";
const MARGIN = 12; // pixels below the board and what can be done

export class App {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.mode = "analysis";
    this.game = null;
    this.board = new Board(byId("board"), {
      onCell: (cell) => this.panel.onCell(cell),
      onPaint: (cell) => this.panels.setup.onPaint(cell),
    });
    this.board.setSymbols(catalogue.symbols);
    this.engine = new Engine(() => this.panels && this.panels.analysis.showEngine());
    this.panels = {};
    this.panels.analysis = new Analysis(this);
    this.panels.setup = new SetupPanel(this);
    this.panels.play = new PlayPanel(this);
    this.panels.open = new OpenPanel(this);
    for (const element of document.querySelectorAll("[data-mode]")) {
      element.addEventListener("click", () => this.setMode(element.dataset.mode));
    }
    document.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("click", (event) => {
      // Whoever clicks with a mouse means the page with the next key, not the button again.
      const element = event.target.closest("button, summary");
      if (event.pointerType === "mouse" && element && element === document.activeElement) element.blur();
    });
    byId("help-button").addEventListener("click", showHelp);
    byId("zoom-in").addEventListener("click", () => this.zoomIn());
    byId("zoom-fit").addEventListener("click", () => this.board.setZoom(1));
    byId("frame").addEventListener("pointerdown", () => this.hideBubble());
    window.addEventListener("hashchange", () => this.openFromAddress());
    this.addDrop();
    addTips();
    this.fitBoard();
  }

  /** Tell the style how much of the window's height the board cannot have. */
  fitBoard() {
    const table = byId("frame").parentElement;
    const others = [...table.children].filter((element) => element !== byId("frame"));
    const fit = () => {
      const high = others.reduce((sum, element) => sum + element.offsetHeight, table.offsetTop + MARGIN);
      document.documentElement.style.setProperty("--others", `${high}px`);
    };
    const observer = new ResizeObserver(fit);
    for (const element of others) observer.observe(element);
  }

  /** The panel that decides what a click on the board means. */
  get panel() {
    return this.mode === "setup" ? this.panels.setup : this.panels.analysis;
  }

  async setMode(mode) {
    if (!MODES.includes(mode)) return;
    const setup = this.panels.setup;
    if (this.mode === "setup" && mode !== "setup" && setup.isChanged) {
      // What was set up is what is looked at from now on.
      setup.isChanged = false;
      this.mode = "analysis";
      if (!(await this.try(() => this.openText(setup.view.line, {}, mode)))) this.mode = "setup";
      return;
    }
    this.mode = mode;
    document.body.dataset.shown = mode;
    for (const element of document.querySelectorAll("[data-mode]")) {
      element.setAttribute("aria-pressed", String(element.dataset.mode === mode));
    }
    for (const name of MODES) byId(`panel-${name}`).hidden = name !== mode;
    this.say("");
    this.hideBubble();
    this.showTop();
    this.welcome();
    this.board.isPainting = mode === "setup";
    byId("board").classList.toggle("is-painting", mode === "setup");
    if (mode === "setup") this.engine.stop();
    else if (mode !== "analysis" && this.game) this.panels.analysis.show();
    await this.panels[mode].open();
    // Nobody wants the pieces of the example on a board of their own.
    if (mode === "setup" && this.isExample) setup.clear({ isNew: true });
  }

  /** Whether the board shows what a first visit begins with. */
  get isExample() {
    return this.game?.view.line === this.catalogue.demo && !this.game.nodes.length;
  }

  /** Bring the board into view; on a phone the panel lies below it. */
  showTop() {
    window.scrollTo(0, 0);
    byId("side").scrollTop = 0;
  }

  /** Show a sentence above the panel; an empty one hides it. */
  say(message) {
    byId("message").textContent = message;
    byId("message").hidden = !message;
  }

  /** Show a sentence at a hex. */
  async sayAt(cell, message) {
    const bubble = byId("bubble");
    bubble.textContent = message;
    bubble.hidden = false;
    const place = this.board.placeOf(cell);
    const frame = byId("frame").getBoundingClientRect();
    const left = Math.min(Math.max(place.x - bubble.offsetWidth / 2, 4), frame.width - bubble.offsetWidth - 4);
    const isAbove = place.y > bubble.offsetHeight + 8;
    bubble.style.left = `${left}px`;
    bubble.style.top = `${isAbove ? place.y - bubble.offsetHeight - 6 : place.below + 6}px`;
    this.board.layers.focus.replaceChildren(this.board.hexAt(cell, "wrong"));
    clearTimeout(this.bubbleTimer);
    this.bubbleTimer = setTimeout(() => this.hideBubble(), 6000);
  }

  hideBubble() {
    if (byId("bubble").hidden) return;
    byId("bubble").hidden = true;
    this.board.layers.focus.replaceChildren();
  }

  zoomIn() {
    const box = byId("board").getBoundingClientRect();
    const middle = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    this.board.zoomAt(middle, this.board.zoom.scale * 1.6);
  }

  /** Run something that may fail with a sentence; return whether it did not. */
  async try(action) {
    try {
      await action();
      this.say("");
      return true;
    } catch (error) {
      if (!(error instanceof Sentence)) throw error;
      this.say(error.message);
      return false;
    }
  }

  // Games.

  /** Open a text as a game: a position in any spelling, a game file, a saved log. */
  async openText(text, options = {}, mode = "analysis") {
    const game = await post("/api/games", { text, told: true, ...options });
    this.panels.setup.isChanged = false;
    this.setGame(game);
    await this.setMode(mode);
    if (game.problems.length) this.say(game.problems.join(" "));
  }

  async openId(id) {
    const game = await get(`/api/games/${encodeURIComponent(id)}`);
    this.panels.setup.isChanged = false;
    this.setGame(game);
    await this.setMode("analysis");
  }

  setGame(game) {
    const isOther = !this.game || this.game.id !== game.id;
    this.game = game;
    localStorage.setItem(LAST, JSON.stringify({ id: game.id, line: game.view.line }));
    if (isOther) {
      history.replaceState(null, "", `#game=${game.id}`);
      this.panels.analysis.newGame();
    }
  }

  /** Do something in the game on the server. */
  async change(body) {
    this.setGame(await post(`/api/games/${this.game.id}`, body));
    await this.panels.analysis.show();
  }

  openFromAddress() {
    const id = new URLSearchParams(location.hash.slice(1)).get("game");
    if (id && (!this.game || this.game.id !== id)) this.try(() => this.openId(id));
  }

  /** Find the game of the last visit again, or begin with the one for a first visit. */
  async begin() {
    const named = new URLSearchParams(location.hash.slice(1)).get("game");
    const last = JSON.parse(localStorage.getItem(LAST) || "null");
    const id = named || (last && last.id);
    if (id) {
      try {
        await this.openId(id);
        await this.engine.recall(this.game.view.line);
        this.panels.analysis.showEngine();
        return;
      } catch (error) {
        if (!(error instanceof Sentence) || error.status !== 404) throw error;
      }
    }
    await this.openText(last && last.id === id ? last.line : this.catalogue.demo);
  }

  /** Say what there is to do, beside the example only. */
  welcome() {
    const go = (mode, label) => button(label, () => this.setMode(mode));
    byId("welcome").hidden = this.mode !== "analysis" || !this.isExample;
    fill(
      byId("welcome"),
      "This is an example. ",
      go("setup", "Set up your own board"),
      " / ",
      go("play", "play"),
      " / ",
      go("open", "open a game"),
      isTouch() ? ". Tap a suggestion to see it on the board; tap it again to play it." : ". Hover over a suggestion to see it on the board; click it to play it.",
    );
  }

  addDrop() {
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", async (event) => {
      event.preventDefault();
      const file = event.dataTransfer.files[0];
      if (file) this.try(async () => this.openText(await file.text()));
    });
    document.addEventListener("paste", (event) => {
      if (event.target.closest("input, textarea, [contenteditable]")) return;
      const text = event.clipboardData.getData("text");
      if (text.trim()) this.try(() => this.openText(text));
    });
  }

  // Keys.

  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    if (event.key === "?") showHelp();
    else if (event.key === "e") this.setMode(this.mode === "setup" ? "analysis" : "setup");
    else if (event.key === "f") this.board.flip();
    else if (!this.panel.onKey(event)) return;
    event.preventDefault();
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

function addTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const usual = () => (dark.matches ? "dark" : "light");
  setTheme(localStorage.getItem(THEME) || usual());
  dark.addEventListener("change", () => setTheme(localStorage.getItem(THEME) || usual()));
  byId("theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem(THEME, next);
    setTheme(next);
  });
}

async function start() {
  addTheme();
  try {
    const app = new App(await get("/api/catalogue"));
    await app.begin();
  } catch (error) {
    if (!(error instanceof Sentence)) throw error;
    fill(byId("message"), error.message, " ", h("a", { href: "/" }, "Try again"));
    byId("message").hidden = false;
  }
}

start();
