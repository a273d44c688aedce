/* The strip of all pairs: which are answered, and where we are. It never knows a grade. */

export class Strip {
  constructor(handIn) {
    this.handIn = handIn;
    this.ticks = [...document.querySelectorAll("#strip .ticks a")];
    this.size = this.ticks.length;
    this.here = this.ticks.findIndex((tick) => tick.hasAttribute("aria-current")) + 1;
    this.#rove();
    document.querySelector("#strip .ticks").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const to = this.ticks[this.ticks.indexOf(document.activeElement) + step];
      if (!step || !to) return;
      to.focus();
      event.preventDefault();
    });
  }

  url(position) {
    return this.ticks[position - 1]?.getAttribute("href") ?? this.handIn;
  }

  isOpen(position) {
    return this.ticks[position - 1].classList.contains("open");
  }

  get openCount() {
    return this.ticks.filter((tick) => tick.classList.contains("open")).length;
  }

  /* Positions without an answer, from the one after `position` on, then from the start. */
  openAfter(position) {
    const all = this.ticks.map((_, i) => i + 1);
    return [...all.slice(position), ...all.slice(0, position - 1)].filter((p) => this.isOpen(p));
  }

  mark(position, state, flagged) {
    const tick = this.ticks[position - 1];
    const words = { open: "not rated", rated: "rated", "cannot-judge": "cannot judge" }[state];
    tick.className = flagged ? `${state} flagged` : state;
    tick.setAttribute("aria-label", `Pair ${position}, ${words}${flagged ? ", flagged" : ""}`);
  }

  goTo(position) {
    this.ticks[this.here - 1]?.removeAttribute("aria-current");
    this.here = position;
    this.ticks[position - 1].setAttribute("aria-current", "page");
    document.getElementById("where").textContent = position;
    document.getElementById("to-previous").href = this.url(position - 1);
    document.getElementById("to-next").href = this.url(position + 1);
    this.#rove();
  }

  /* One stop for Tab: the present pair; arrows reach the others. */
  #rove() {
    for (const [i, tick] of this.ticks.entries()) tick.tabIndex = i + 1 === this.here ? 0 : -1;
  }
}
