/* Pairs fetched ahead, ten in one request. A query or a paper that several of them share is fetched
   once. */

import { ask, parse } from "./sender.js";

export const AT_ONCE = 10; /* pairs in one request */
const KNOWN = 20; /* queries and papers that a request names, so that they are not sent again */

export class SignedOut extends Error {}

export class Pairs extends EventTarget {
  #pairs = new Map(); /* by position */
  #shared = new Map(); /* by key, what is shown of a query or a paper; that used last is last */
  #underWay = new Map(); /* by position, the request that brings it */

  /* `edition` names what the page shows; the event "stale" tells that the server has another. */
  constructor(url, edition) {
    super();
    this.url = url;
    this.edition = edition;
  }

  has(position) {
    return this.#pairs.has(position) || this.#underWay.has(position);
  }

  /* Keep what an element brings: the page's own pair, or one that was fetched. */
  put(element) {
    const { dataset } = element;
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
    this.#pairs.set(position, {
      position,
      dataset: { ...dataset },
      tree: find(".tree"),
      standing: JSON.parse(dataset.standing),
    });
  }

  forget(position) {
    this.#pairs.delete(position);
  }

  /* The pair if it is here already: how it stands, and what is shown of it. */
  now(position) {
    const pair = this.#pairs.get(position);
    if (!pair) return undefined;
    const candidate = this.#share(pair.dataset.paperKey);
    const { pane, ...query } = this.#share(pair.dataset.queryKey);
    return { ...pair, ...query, candidate, pane: pair.tree ? withTree(pane, pair.tree) : pane };
  }

  async get(position) {
    if (!this.#pairs.has(position)) {
      if (!this.#underWay.has(position)) this.#fetch([position]);
      await this.#underWay.get(position);
    }
    return this.now(position);
  }

  /* Fetch what is missing, quietly: whoever needs it later asks again. */
  ahead(positions) {
    const missing = positions.filter((position) => !this.has(position)).slice(0, AT_ONCE);
    if (missing.length) this.#fetch(missing).catch(() => {});
  }

  #share(key, brought) {
    const shared = brought ?? this.#shared.get(key);
    this.#shared.delete(key);
    this.#shared.set(key, shared);
    return shared;
  }

  #fetch(positions) {
    const request = this.#load(positions).finally(() => {
      for (const position of positions) this.#underWay.delete(position);
    });
    for (const position of positions) this.#underWay.set(position, request);
    return request;
  }

  async #load(positions) {
    const known = [...this.#shared.keys()].slice(-KNOWN);
    const query = new URLSearchParams([
      ...positions.map((position) => ["at", position]),
      ...known.map((key) => ["known", key]),
    ]);
    const answer = await ask(`${this.url}?${query}`);
    if (answer.signedOut) throw new SignedOut();
    const brought = [...parse(answer.html).querySelectorAll(".pair")];
    if (!answer.ok || brought.length !== positions.length) {
      throw new Error(`pairs ${positions}: ${answer.status}`);
    }
    if (brought.some(({ dataset }) => dataset.edition !== this.edition)) {
      this.dispatchEvent(new Event("stale"));
      throw new Error(`pairs ${positions}: another edition`);
    }
    for (const element of brought) this.put(element);
  }
}

/* The pane of a query with the tree of its aspects, whose links are those of one document. */
function withTree(pane, tree) {
  const made = pane.cloneNode(true);
  made.querySelector(".tree").replaceWith(made.ownerDocument.importNode(tree, true));
  return made;
}
