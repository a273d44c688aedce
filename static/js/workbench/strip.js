/* The strip of all pairs: which are answered, and where we are. It never knows a grade.

   Its order is the one in which the pairs are worked through. A pair's position is its address and
   says nothing of that order; the number people see counts along the strip. */

const WORDS = { open: "not rated", rated: "rated", "cannot-judge": "cannot judge" };

export class Strip {
  constructor(handIn) {
    this.handIn = handIn;
    this.ticks = [...document.querySelectorAll("#strip .ticks a")];
    this.size = this.ticks.length;
    this.positions = this.ticks.map((tick) => Number(tick.dataset.position));
    this.places = new Map(this.positions.map((position, index) => [position, index]));
    const current = this.ticks.find((tick) => tick.hasAttribute("aria-current"));
    this.here = Number(current.dataset.position);
    this.#rove();
    document.querySelector("#strip .ticks").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const to = this.ticks[this.ticks.indexOf(document.activeElement) + step];
      if (!step || !to) return;
      to.focus();
      event.preventDefault();
    });
  }

  #tick(position) {
    return this.ticks[this.places.get(position)];
  }

  number(position) {
    return this.places.get(position) + 1;
  }

  url(position) {
    return this.#tick(position)?.getAttribute("href") ?? this.handIn;
  }

  /* The position of the pair at an address; undefined if it is none of ours. */
  at(pathname) {
    return this.positions.find((position) => this.#tick(position).pathname === pathname);
  }

  /* The position `step` places on; undefined beyond an end. */
  beside(position, step) {
    return this.positions[this.places.get(position) + step];
  }

  /* All positions after this one, to the end. */
  after(position) {
    return this.positions.slice(this.places.get(position) + 1);
  }

  state(position) {
    return Object.keys(WORDS).find((state) => this.#tick(position).classList.contains(state));
  }

  /* Positions without an answer, from the one after `position` on, then from the start. */
  openAfter(position) {
    const index = this.places.get(position);
    const later = [...this.positions.slice(index + 1), ...this.positions.slice(0, index)];
    return later.filter((other) => this.state(other) === "open");
  }

  mark(position, state, flagged) {
    const tick = this.#tick(position);
    const before = tick.getAttribute("aria-label").match(/^Pair \d+(?:, abstract \d+)?/)[0];
    tick.className = flagged ? `${state} flagged` : state;
    tick.setAttribute("aria-label", `${before}, ${WORDS[state]}${flagged ? ", flagged" : ""}`);
  }

  /* Count anew what is done, but for first answers that still wait to be sent. */
  tally(waiting) {
    const ticks = this.ticks.filter(
      (tick) => !tick.classList.contains("open") && !waiting.has(Number(tick.dataset.position)),
    );
    const count = (name) => ticks.filter((tick) => tick.classList.contains(name)).length;
    const done = document.createElement("span");
    done.append(Object.assign(document.createElement("b"), { textContent: ticks.length }), " done");
    const others = [
      [count("cannot-judge"), "cannot judge"],
      [count("flagged"), "flagged"],
    ].filter(([number]) => number);
    document.getElementById("tally").replaceChildren(
      done,
      ...others.map(([number, words]) =>
        Object.assign(document.createElement("span"), { textContent: `${number} ${words}` }),
      ),
    );
  }

  goTo(position) {
    this.#tick(this.here).removeAttribute("aria-current");
    this.here = position;
    this.#tick(position).setAttribute("aria-current", "page");
    document.getElementById("where").textContent = this.number(position);
    document.getElementById("to-previous").href = this.url(this.beside(position, -1));
    document.getElementById("to-next").href = this.url(this.beside(position, 1));
    this.#rove();
  }

  /* One stop for Tab: the present pair; arrows reach the others. */
  #rove() {
    for (const tick of this.ticks) {
      tick.tabIndex = Number(tick.dataset.position) === this.here ? 0 : -1;
    }
  }
}
