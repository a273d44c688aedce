/* Pairs fetched ahead, by position: each is the fragment that one request brings. */

import { ask, csrf, parse } from "./sender.js";

export class SignedOut extends Error {}

export class Pairs {
  #fragments = new Map();
  #underWay = new Map();

  constructor(urlOf) {
    this.urlOf = urlOf;
  }

  has(position) {
    return this.#fragments.has(position) || this.#underWay.has(position);
  }

  put(fragment) {
    if (!fragment) return;
    csrf.learn(fragment);
    this.#fragments.set(Number(fragment.dataset.position), fragment);
  }

  forget(position) {
    this.#fragments.delete(position);
  }

  /* The fragment if it is here already. */
  now(position) {
    return this.#fragments.get(position);
  }

  async get(position) {
    return this.now(position) ?? this.#fetch(position);
  }

  /* Fetch what is missing, quietly: whoever needs it later asks again. */
  ahead(positions) {
    for (const position of positions) {
      if (!this.has(position)) this.#fetch(position).catch(() => {});
    }
  }

  #fetch(position) {
    let request = this.#underWay.get(position);
    if (!request) {
      request = this.#load(position).finally(() => this.#underWay.delete(position));
      this.#underWay.set(position, request);
    }
    return request;
  }

  async #load(position) {
    const answer = await ask(this.urlOf(position));
    if (answer.signedOut) throw new SignedOut();
    const fragment = parse(answer.html).getElementById("pair");
    if (!answer.ok || !fragment) throw new Error(`pair ${position}: ${answer.status}`);
    this.put(fragment);
    return fragment;
  }
}
