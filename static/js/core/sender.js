/* Sends the outbox: one save at a time, in order, until the server has confirmed each.

   A save is confirmed only by a 2xx that names it. Whatever else happens it stays in the outbox; the
   server knows a save that comes twice by its UUID. */

import { ask, csrf, parse } from "./server.js";
import { Signals } from "./signals.js";

const RETRY_SECONDS = [2, 5, 10, 20];
const LONGEST_RETRY_SECONDS = 120; /* more is not waited for, whatever a server asks */

/** @typedef {import("./storage.js").Entry} Entry */
/** @typedef {{entry: Entry, fragment: Document, status: number}} Refusal */
/**
 * @typedef {object} News
 * @property {void} change Something waits, or waits no more.
 * @property {{entry: Entry, saved: HTMLElement, fragment: Document}} saved
 * @property {Entry} failed It is tried again.
 * @property {Entry} expired
 * @property {Refusal} refused Somebody has to look at it.
 */

/** @extends {Signals<News>} */
export class Sender extends Signals {
  #sending = false;
  /** The round of sending that began last. */
  #round = Promise.resolve();
  #timer = 0;
  #failures = 0;
  #sentence = "";
  #signedOut = false;
  /** @type {Set<string>} Saves that wait for a person's decision, by save_id. */
  #refused = new Set();

  /**
   * @param {import("./storage.js").Outbox} outbox
   * @param {(entry: Entry) => Record<string, string>} [fieldsFor] What a save asks for beside what
   *   is kept.
   */
  constructor(outbox, fieldsFor = () => ({})) {
    super();
    this.outbox = outbox;
    this.fieldsFor = fieldsFor;
    window.addEventListener("online", () => this.send());
    /* A sign-in or a repaired connection is often found on coming back to the tab. */
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#failures) this.send();
    });
    window.addEventListener("focus", () => {
      if (this.#failures) this.send();
    });
  }

  get isFailing() {
    return this.#failures > 0;
  }

  /* Why nothing can be sent, as a sentence. */
  get trouble() {
    if (!navigator.onLine) return "You are offline.";
    if (this.#signedOut) return "You are signed out.";
    return this.#sentence || "The server does not answer.";
  }

  get isSending() {
    return this.#sending;
  }

  /**
   * Send what waits, now. The promise is kept when nothing more can be sent for the moment.
   * @returns {Promise<void>}
   */
  send() {
    if (!this.#sending) {
      this.#sending = true;
      this.#round = this.#sendAll();
    }
    return this.#round;
  }

  async #sendAll() {
    window.clearTimeout(this.#timer);
    this.tell("change");
    try {
      for (let entry = this.#next(); entry; entry = this.#next()) {
        if (!(await this.#sendEntry(entry))) break;
        this.tell("change");
      }
      /* Another tab may have sent what failed here. */
      if (!this.outbox.size) this.#failures = 0;
    } finally {
      this.#sending = false;
      this.tell("change");
    }
  }

  /**
   * The person has decided about a save that the server did not take.
   * @param {Entry} entry
   */
  drop(entry) {
    this.#refused.delete(entry.body.save_id);
    this.outbox.remove(entry);
    this.tell("change");
  }

  /**
   * ... or wants to try it once more, signed in as the right person.
   * @param {Entry} entry
   */
  release(entry) {
    this.#refused.delete(entry.body.save_id);
    this.send();
  }

  #next() {
    return this.outbox.entries().find((entry) => !this.#refused.has(entry.body.save_id));
  }

  /**
   * Whether the next one may be sent.
   * @param {Entry} entry
   * @returns {Promise<boolean>}
   */
  async #sendEntry(entry, { again = false } = {}) {
    const body = new URLSearchParams({ ...entry.body, ...this.fieldsFor(entry) });
    let answer;
    try {
      answer = await ask(entry.url, { method: "POST", body });
    } catch {
      return this.#failed(entry);
    }
    if (answer.signedOut) return this.#expired(entry);
    this.#signedOut = false;
    if (answer.status === 403 && !again) return this.#renewToken(entry);

    const fragment = parse(answer.html);
    if (answer.ok) {
      const saved = fragment.getElementById("saved");
      if (saved?.dataset.saveId !== entry.body.save_id) return this.#failed(entry);
      this.#failures = 0;
      this.outbox.remove(entry);
      this.tell("saved", { entry, saved, fragment });
      return true;
    }
    if (answer.status === 429 || answer.status >= 500) return this.#failed(entry, answer);
    return this.#hold(entry, fragment, answer.status);
  }

  /** @param {Entry} entry */
  #failed(entry, { retryAfter = 0, sentence = "" } = {}) {
    const usual = RETRY_SECONDS[Math.min(this.#failures, RETRY_SECONDS.length - 1)];
    const seconds = Math.min(retryAfter, LONGEST_RETRY_SECONDS) || usual;
    this.#failures += 1;
    this.#sentence = sentence;
    this.#timer = window.setTimeout(() => this.send(), seconds * 1000);
    this.tell("failed", entry);
    return false;
  }

  /** @param {Entry} entry */
  #expired(entry) {
    this.#failures += 1;
    this.#signedOut = true;
    this.tell("expired", entry);
    return false;
  }

  /**
   * 409, 422, 423, or the work is no longer this person's: somebody has to look at it.
   * @param {Entry} entry
   * @param {Document} fragment
   * @param {number} status
   */
  #hold(entry, fragment, status) {
    this.#failures = 0;
    this.#refused.add(entry.body.save_id);
    this.tell("refused", { entry, fragment, status });
    return true;
  }

  /** @param {Entry} entry */
  async #renewToken(entry) {
    let answer;
    try {
      answer = await ask(entry.url);
    } catch {
      return this.#failed(entry);
    }
    if (answer.signedOut) return this.#expired(entry);
    const fragment = parse(answer.html);
    if (answer.status >= 500) return this.#failed(entry, answer);
    if (!answer.ok) return this.#hold(entry, fragment, answer.status);
    csrf.learn(fragment);
    return this.#sendEntry(entry, { again: true });
  }
}
