/* What is fetched before it is needed. While a request is under way nothing is asked for twice. */

/** @template Key, Value */
export class Prefetch {
  /** @type {Map<Key, Value>} */
  #here = new Map();
  /** @type {Map<Key, Promise<void>>} */
  #underWay = new Map();
  #fetch;

  /** @param {(keys: Key[]) => Promise<void>} fetch Brings values for keys by `put`, or throws. */
  constructor(fetch) {
    this.#fetch = fetch;
  }

  /** @param {Key} key */
  has(key) {
    return this.#here.has(key) || this.#underWay.has(key);
  }

  /**
   * The value if it is here already.
   * @param {Key} key
   */
  now(key) {
    return this.#here.get(key);
  }

  /**
   * @param {Key} key
   * @param {Value} value
   */
  put(key, value) {
    this.#here.set(key, value);
  }

  /** @param {Key} key */
  forget(key) {
    this.#here.delete(key);
  }

  /**
   * @param {Key} key
   * @returns {Promise<Value>}
   */
  async get(key) {
    if (!this.#here.has(key)) await (this.#underWay.get(key) ?? this.#request([key]));
    return /** @type {Value} */ (this.#here.get(key));
  }

  /**
   * Fetch what is missing, quietly: whoever needs it later asks again.
   * @param {Key[]} keys
   * @param {number} [most] How many in one request.
   */
  ahead(keys, most = keys.length) {
    const missing = keys.filter((key) => !this.has(key)).slice(0, most);
    if (missing.length) this.#request(missing).catch(() => {});
  }

  /** @param {Key[]} keys */
  #request(keys) {
    const request = this.#fetch(keys).finally(() => {
      for (const key of keys) this.#underWay.delete(key);
    });
    for (const key of keys) this.#underWay.set(key, request);
    return request;
  }
}
