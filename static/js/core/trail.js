/* Where the person was last, the last place last; it survives a reload of the tab. */

const LONGEST = 100;

/** @template {number | string} Place */
export class Trail {
  /** @type {Place[]} */
  #places = [];

  /** @param {string} name */
  constructor(name) {
    this.key = `facetwise.trail.${name}`;
    try {
      this.#places = JSON.parse(sessionStorage.getItem(this.key) ?? "[]");
    } catch {
      /* Refused: the trail begins with this page. */
    }
  }

  get last() {
    return this.#places.at(-1);
  }

  /** @param {Place} place */
  add(place) {
    this.#set([...this.#places, place]);
  }

  /* The last place, which is taken off. */
  pop() {
    const { last } = this;
    this.#set(this.#places.slice(0, -1));
    return last;
  }

  /** @param {Place[]} places */
  #set(places) {
    this.#places = places.slice(-LONGEST);
    try {
      sessionStorage.setItem(this.key, JSON.stringify(this.#places));
    } catch {
      /* Refused: the trail ends with this page. */
    }
  }
}
