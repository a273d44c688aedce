/* Pairs fetched ahead, a dozen in one request. A query or a paper that several of them share is
   fetched once. */

import { Prefetch } from "../core/prefetch.js";
import { SignedOut, ask, parse } from "../core/server.js";
import { Signals } from "../core/signals.js";

export const AT_ONCE = 12; /* pairs in one request */
const KNOWN = 20; /* queries and papers that a request names, so that they are not sent again */

/**
 * @typedef {object} Answer An answer as the form holds it.
 * @property {string} choice The value of the radio group, or empty.
 * @property {string} own_reason
 * @property {string} note
 * @property {boolean} is_flagged
 * @property {import("./components.js").Component[]} components
 */
/** @typedef {{answer: Answer, version: number, seconds: number}} Stored How a pair stands. */
/** @typedef {Stored & {schemeVersion: number}} Standing */
/** @typedef {{pane: Element, scale: Element, definitions: Element}} ShownQuery */
/**
 * @typedef {object} Fetched
 * @property {number} position
 * @property {DOMStringMap} dataset
 * @property {Element | null} tree
 * @property {Standing} standing
 */
/** @typedef {Fetched & ShownQuery & {candidate: Element}} Pair */

/** @extends {Signals<{stale: void}>} The server shows something else than the page. */
export class Pairs extends Signals {
  /** @type {Map<string, any>} What is shown of a query or a paper; that used last is last. */
  #shared = new Map();

  /**
   * @param {string} url
   * @param {string} edition Names what the page shows.
   */
  constructor(url, edition) {
    super();
    this.url = url;
    this.edition = edition;
    /** @type {Prefetch<number, Fetched>} */
    this.fetched = new Prefetch((positions) => this.#load(positions));
  }

  /** @param {number} position */
  has(position) {
    return this.fetched.has(position);
  }

  /**
   * Keep what an element brings: the page's own pair, or one that was fetched.
   * @param {HTMLElement} element
   */
  put(element) {
    const { dataset } = element;
    /** @param {string} selector */
    const find = (selector) => element.querySelector(selector);
    this.#share(dataset.paperKey, find("#candidate"));
    this.#share(
      dataset.queryKey,
      find(".pane.query") && {
        pane: find(".pane.query"),
        scale: find("#scale"),
        definitions: find("#definitions"),
      },
    );
    const position = Number(dataset.position);
    this.fetched.put(position, {
      position,
      dataset: { ...dataset },
      tree: find(".tree"),
      standing: JSON.parse(dataset.standing),
    });
  }

  /** @param {number} position */
  forget(position) {
    this.fetched.forget(position);
  }

  /**
   * The pair if it is here already: how it stands, and what is shown of it.
   * @param {number} position
   * @returns {Pair | undefined}
   */
  now(position) {
    const pair = this.fetched.now(position);
    if (!pair) return undefined;
    const candidate = this.#share(pair.dataset.paperKey);
    const { pane, ...query } = this.#share(pair.dataset.queryKey);
    return { ...pair, ...query, candidate, pane: pair.tree ? withTree(pane, pair.tree) : pane };
  }

  /** @param {number} position */
  async get(position) {
    await this.fetched.get(position);
    return this.now(position);
  }

  /** @param {number[]} positions */
  ahead(positions) {
    this.fetched.ahead(positions, AT_ONCE);
  }

  /**
   * @param {string} key
   * @param {any} [brought]
   */
  #share(key, brought) {
    const shared = brought ?? this.#shared.get(key);
    this.#shared.delete(key);
    this.#shared.set(key, shared);
    return shared;
  }

  /** @param {number[]} positions */
  async #load(positions) {
    const known = [...this.#shared.keys()].slice(-KNOWN);
    const query = new URLSearchParams([
      ...positions.map((position) => ["at", String(position)]),
      ...known.map((key) => ["known", key]),
    ]);
    const answer = await ask(`${this.url}?${query}`);
    if (answer.signedOut) throw new SignedOut();
    const brought = /** @type {HTMLElement[]} */ ([
      ...parse(answer.html).querySelectorAll(".pair"),
    ]);
    if (!answer.ok || brought.length !== positions.length) {
      throw new Error(`pairs ${positions}: ${answer.status}`);
    }
    if (brought.some(({ dataset }) => dataset.edition !== this.edition)) {
      this.tell("stale");
      throw new Error(`pairs ${positions}: another edition`);
    }
    for (const element of brought) this.put(element);
  }
}

/**
 * The pane of a query with the tree of its aspects, whose links are those of one document.
 * @param {Element} pane
 * @param {Element} tree
 */
function withTree(pane, tree) {
  const copy = /** @type {Element} */ (pane.cloneNode(true));
  copy.querySelector(".tree").replaceWith(copy.ownerDocument.importNode(tree, true));
  return copy;
}
