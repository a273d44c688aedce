/* Active time: the page is visible, and something was touched within the last 60 seconds. */

import { Signals } from "../core/signals.js";

const IDLE = 60_000; /* milliseconds without a sign of life, after which the clock stands still */
const BREAK_AFTER = 50 * 60_000; /* of activity */
const BREAK_IS = 5 * 60_000; /* of rest, after which the count of activity starts again */
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchstart"];

/** @extends {Signals<{break: void}>} */
export class ActiveTime extends Signals {
  #active = 0;
  #sinceBreak = 0;
  #hinted = false;
  #counted = performance.now(); /* up to here time is counted */
  #lastSign = performance.now();

  constructor() {
    super();
    for (const sign of SIGNS) {
      document.addEventListener(sign, () => this.#sign(), { passive: true, capture: true });
    }
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#count();
      else this.#restart();
    });
  }

  /* Seconds counted since the last `reset`, to one decimal. */
  get seconds() {
    if (!document.hidden) this.#count();
    return Math.round(this.#active / 100) / 10;
  }

  reset() {
    if (!document.hidden) this.#count();
    this.#active = 0;
  }

  #sign() {
    if (document.hidden) return;
    this.#count();
    this.#restart();
    if (this.#sinceBreak >= BREAK_AFTER && !this.#hinted) {
      this.#hinted = true;
      this.tell("break");
    }
  }

  /* Add what has passed, at most until 60 seconds after the last sign. */
  #count() {
    const now = performance.now();
    const passed = Math.max(0, Math.min(now, this.#lastSign + IDLE) - this.#counted);
    this.#active += passed;
    this.#sinceBreak += passed;
    this.#counted = now;
  }

  #restart() {
    const now = performance.now();
    if (now - this.#lastSign >= BREAK_IS) {
      this.#sinceBreak = 0;
      this.#hinted = false;
    }
    this.#counted = now;
    this.#lastSign = now;
  }
}
