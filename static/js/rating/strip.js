/* The strip of all pairs: which are answered, and where we are. It never knows a grade.

   Its order is the one in which the pairs are worked through. A pair's position is its address and
   says nothing of that order; the number people see counts along the strip. */

import { every } from "../core/dom.js";

/** @type {Record<string, string>} */
const WORDS = { open: "not rated", rated: "rated", "cannot-judge": "cannot judge" };

export class Strip {
  /** @param {string} handIn Where the way ends. */
  constructor(handIn) {
    this.handIn = handIn;
    /** @type {HTMLAnchorElement[]} */
    this.ticks = every("#strip .ticks a");
    this.size = this.ticks.length;
    this.positions = this.ticks.map((tick) => Number(tick.dataset.position));
    this.places = new Map(this.positions.map((position, index) => [position, index]));
    const current = this.ticks.find((tick) => tick.hasAttribute("aria-current"));
    this.here = Number(current.dataset.position);
    this.#rove();
    document.querySelector("#strip .ticks").addEventListener("keydown", (event) => {
      const step = Number(event.key === "ArrowRight") - Number(event.key === "ArrowLeft");
      const at = this.ticks.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
      const to = this.ticks[at + step];
      if (!step || !to) return;
      to.focus();
      event.preventDefault();
    });
  }

  /** @param {number} position */
  #tick(position) {
    return this.ticks[this.places.get(position)];
  }

  /** @param {number} position */
  number(position) {
    return this.places.get(position) + 1;
  }

  /** @param {number} position */
  url(position) {
    return this.#tick(position)?.getAttribute("href") ?? this.handIn;
  }

  /**
   * The position of the pair at an address; undefined if it is none of ours.
   * @param {string} pathname
   */
  at(pathname) {
    return this.positions.find((position) => this.#tick(position).pathname === pathname);
  }

  /**
   * The position `step` places on; undefined beyond an end.
   * @param {number} position
   * @param {number} step
   */
  beside(position, step) {
    return this.positions[this.places.get(position) + step];
  }

  /**
   * All positions after this one, to the end.
   * @param {number} position
   */
  after(position) {
    return this.positions.slice(this.places.get(position) + 1);
  }

  /** @param {number} position */
  state(position) {
    return Object.keys(WORDS).find((state) => this.#tick(position).classList.contains(state));
  }

  /**
   * Positions without an answer, from the one after `position` on, then from the start.
   * @param {number} position
   */
  openAfter(position) {
    const index = this.places.get(position);
    const later = [...this.positions.slice(index + 1), ...this.positions.slice(0, index)];
    return later.filter((other) => this.state(other) === "open");
  }

  /**
   * @param {number} position
   * @param {import("./pairs.js").Answer} answer Empty for a pair that has none.
   */
  markAnswer(position, { choice, is_flagged }) {
    const state = choice.startsWith("cannot-judge:") ? "cannot-judge" : "rated";
    this.mark(position, choice ? state : "open", is_flagged);
  }

  /**
   * @param {number} position
   * @param {string} state
   * @param {boolean} flagged
   */
  mark(position, state, flagged) {
    const tick = this.#tick(position);
    const before = tick.getAttribute("aria-label").match(/^Pair \d+(?:, abstract \d+)?/)[0];
    tick.className = flagged ? `${state} flagged` : state;
    tick.setAttribute("aria-label", `${before}, ${WORDS[state]}${flagged ? ", flagged" : ""}`);
  }

  /**
   * Count anew what is done, but for first answers that still wait to be sent.
   * @param {Set<number>} waiting
   */
  tally(waiting) {
    const ticks = this.ticks.filter(
      (tick) => !tick.classList.contains("open") && !waiting.has(Number(tick.dataset.position)),
    );
    /** @param {string} name */
    const count = (name) => ticks.filter((tick) => tick.classList.contains(name)).length;
    const done = document.createElement("span");
    done.append(
      Object.assign(document.createElement("b"), { textContent: `${ticks.length}` }),
      " done",
    );
    /** @type {[number, string][]} */
    const all = [
      [count("cannot-judge"), "cannot judge"],
      [count("flagged"), "flagged"],
    ];
    const others = all.filter(([number]) => number);
    document
      .getElementById("tally")
      .replaceChildren(
        done,
        ...others.map(([number, words]) =>
          Object.assign(document.createElement("span"), { textContent: `${number} ${words}` }),
        ),
      );
  }

  /** @param {number} position */
  goTo(position) {
    this.#tick(this.here).removeAttribute("aria-current");
    this.here = position;
    this.#tick(position).setAttribute("aria-current", "page");
    document.getElementById("where").textContent = String(this.number(position));
    for (const [id, step] of [
      ["to-previous", -1],
      ["to-next", 1],
    ]) {
      const link = document.getElementById(String(id));
      link.setAttribute("href", this.url(this.beside(position, Number(step))));
    }
    this.#rove();
  }

  /* One stop for Tab: the present pair; arrows reach the others. */
  #rove() {
    for (const tick of this.ticks) {
      tick.tabIndex = Number(tick.dataset.position) === this.here ? 0 : -1;
    }
  }
}
