/* What happens in a part of the page, told to whoever asked for it by name. */

/** @template {Record<string, any>} Details What comes with each name. */
export class Signals {
  /** @type {Map<keyof Details, ((detail: any) => void)[]>} */
  #listeners = new Map();

  /**
   * @template {keyof Details} Name
   * @param {Name} name
   * @param {(detail: Details[Name]) => void} listener
   */
  on(name, listener) {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  /**
   * @template {keyof Details} Name
   * @param {Name} name
   * @param {Details[Name]} [detail]
   */
  tell(name, detail) {
    for (const listener of this.#listeners.get(name) ?? []) listener(detail);
  }
}
