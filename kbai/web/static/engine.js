// The search of the position on the board: one at a time, and what it found is kept.

import { post, stream } from "./api.js";

const SECONDS = 8;
const DEEPER = 30;
const COMPARE = 4;
const MOST_KEPT = 300;

export class Engine {
  /** onChange is called whenever there is something new to show. */
  constructor(onChange) {
    this.onChange = onChange;
    this.isOn = true;
    this.answers = new Map();
    this.costs = new Map();
    this.line = null;
    this.running = null;
    this.problem = "";
    this.waiting = null;
    // Only one tab searches: the one that asked last.
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel("kbai-search") : null;
    if (this.channel) this.channel.onmessage = () => this.stop();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) {
        this.waiting = this.running && !this.running.mine ? this.running.line : null;
        this.stop();
      } else if (this.waiting && this.waiting === this.line) this.look(this.line);
    });
  }

  get answer() {
    return this.answers.get(this.line) || null;
  }

  get isRunning() {
    return this.running !== null;
  }

  stop() {
    if (this.running) this.running.abort.abort();
    this.running = null;
    this.onChange();
  }

  /** Make this the position to look at: what is known is there at once, and gets better. */
  look(line, { isOver = false } = {}) {
    this.line = line;
    this.problem = "";
    if (this.running && this.running.line === line && !this.running.mine) return;
    if (this.running) this.running.abort.abort();
    this.running = null;
    const known = this.answers.get(line);
    if (this.isOn && !isOver && !document.hidden && !(known && known.done)) this.search(line, SECONDS);
    else this.onChange();
  }

  deeper() {
    if (this.line) this.search(this.line, DEEPER);
  }

  toggle() {
    this.isOn = !this.isOn;
    if (this.isOn && this.line) this.look(this.line);
    else this.stop();
  }

  /** Find out what a turn costs against the best one; the answer is kept under a key. */
  async compare(line, actions, key) {
    await this.search(line, COMPARE, actions, (answer) => {
      if (answer.mine) this.costs.set(key, { ...answer.mine, best_text: answer.turns[0].text, done: answer.done });
    });
  }

  async search(line, seconds, mine = null, onAnswer = null) {
    if (this.running) this.running.abort.abort();
    if (this.channel) this.channel.postMessage("search");
    const run = { line, mine, abort: new AbortController() };
    this.running = run;
    this.problem = "";
    this.onChange();
    try {
      const body = { position: line, seconds };
      if (mine) body.mine = mine;
      await stream("/api/suggest", body, run.abort.signal, (answer) => {
        if (this.running !== run) return;
        this.keep(line, answer);
        if (onAnswer) onAnswer(answer);
        this.onChange();
      });
    } catch (error) {
      if (error.name !== "AbortError" && this.running === run) this.problem = error.message;
    }
    if (this.running === run) {
      this.running = null;
      this.onChange();
    }
  }

  keep(line, answer) {
    const known = this.answers.get(line);
    // A comparison sees less of the other turns than a search that was there before.
    if (known && known.visits > answer.visits) return;
    this.answers.delete(line);
    this.answers.set(line, answer);
    if (this.answers.size > MOST_KEPT) this.answers.delete(this.answers.keys().next().value);
  }

  /** After a reload: ask for what the server still knows. */
  async recall(line) {
    const known = await post("/api/suggest", { position: line, known: true });
    if (known) this.keep(line, known);
  }
}
