/* What the core needs of a browser, for tests without one: a window, a device, a server. */

import { mock } from "node:test";

/* Local or session storage; `refuses` as in a browser that keeps nothing. */
export class FakeStorage {
  #values = new Map();
  refuses = false;

  #check() {
    if (this.refuses) throw new Error("QuotaExceededError");
  }
  get length() {
    this.#check();
    return this.#values.size;
  }
  key(index) {
    return [...this.#values.keys()][index] ?? null;
  }
  getItem(key) {
    this.#check();
    return this.#values.get(key) ?? null;
  }
  setItem(key, value) {
    this.#check();
    this.#values.set(key, String(value));
  }
  removeItem(key) {
    this.#check();
    this.#values.delete(key);
  }
}

class FakeElement extends EventTarget {
  dataset = {};
  hidden = true;
  textContent = "";
  value = "";
  open = false;
  close() {
    if (!this.open) return;
    this.open = false;
    this.dispatchEvent(new Event("close"));
  }
  querySelector() {
    return null;
  }
}

/* A fragment is written as JSON here: what stands under an id, and the token of its form. */
class FakeParser {
  parseFromString(text) {
    const { ids = {}, token = "" } = text.startsWith("{") ? JSON.parse(text) : {};
    const elements = Object.entries(ids).map(([id, fields]) => [
      id,
      Object.assign(new FakeElement(), fields),
    ]);
    return {
      getElementById: (id) => Object.fromEntries(elements)[id] ?? null,
      querySelector: (selector) =>
        token && selector.includes("csrfmiddlewaretoken") ? { value: token } : null,
    };
  }
}

const define = (name, value) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/* A page: `page.answers` are given to requests one after the other, `page.requests` are those made,
   `page.left` are the addresses it was left for. */
export function openPage() {
  const page = {
    answers: [],
    requests: [],
    left: [],
    said: [],
    elements: new Map(),
    window: Object.assign(new EventTarget(), {
      setTimeout: (...args) => setTimeout(...args),
      clearTimeout: (...args) => clearTimeout(...args),
      location: { assign: (url) => page.left.push(url) },
    }),
    document: Object.assign(new EventTarget(), { hidden: false, body: new FakeElement() }),
    navigator: { onLine: true },
  };
  const element = (id) => {
    if (!page.elements.has(id)) page.elements.set(id, new FakeElement());
    return page.elements.get(id);
  };
  const dialogs = () => [...page.elements].filter(([id]) => id.endsWith("-dialog"));
  page.document.getElementById = element;
  page.document.querySelector = (selector) =>
    selector === "dialog[open]" ? (dialogs().find(([, dialog]) => dialog.open)?.[1] ?? null) : null;
  page.document.querySelectorAll = (selector) =>
    selector === "dialog" ? ["refused-dialog", "expired-dialog"].map(element) : [];
  page.window.facetwise = {
    say: (sentence) => page.said.push(sentence),
    openDialog: (id) => {
      element(id).open = true;
    },
  };
  define("window", page.window);
  define("document", page.document);
  define("navigator", page.navigator);
  define("localStorage", new FakeStorage());
  define("sessionStorage", new FakeStorage());
  define("DOMParser", FakeParser);
  define("fetch", async (url, options) => {
    page.requests.push({ url, method: options.method, ...Object.fromEntries(options.body ?? []) });
    const answer = page.answers.shift();
    if (!answer) throw new TypeError("Failed to fetch");
    return typeof answer === "function" ? answer(page.requests.at(-1)) : answer;
  });
  return page;
}

export const answer = (status, content = {}, headers = {}) =>
  new Response(typeof content === "string" ? content : JSON.stringify(content), {
    status,
    headers,
  });

/* The server's answer to a save that it kept. */
export const kept = ({ save_id: saveId }) =>
  answer(200, { ids: { saved: { dataset: { saveId } } } });

export const save = (changes = {}) => ({
  seat: "a-seat",
  position: 1,
  number: 1,
  url: "/seats/a-seat/1/",
  words: "2 · Similar",
  ...changes,
  body: { save_id: "first", based_on: "0", note: "", ...changes.body },
});

/* Everything that was begun has come to an end, but for timers. */
export async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export const fakeTimers = () => mock.timers.enable({ apis: ["setTimeout"] });
