/* Work that must not be lost: kept on the device, sent, and told about until the server has it.
   A page of it has the status line, the banner and the dialogs of `work_dialogs.html`. */

import { byId, dialogOf, every } from "./dom.js";
import { Sender } from "./sender.js";
import { Status } from "./status.js";
import { newId } from "./storage.js";

/** @typedef {import("./sender.js").Refusal} Refusal */
/** @typedef {import("./storage.js").Entry} Entry */

/**
 * @typedef {object} Terms What differs between kinds of work.
 * @property {string} noun
 * @property {(entry: Entry) => Record<string, string>} [fieldsFor]
 * @property {(refusal: Refusal) => string} reasonOf Why a save was refused, for the dialog.
 * @property {(refusal: Refusal) => boolean} [isShown] Shows a refusal in a dialog of its own.
 * @property {() => void} [hide] Closes that dialog.
 */

export class Session {
  /** @type {Refusal[]} Saves that the server did not take, each waiting for the person. */
  #refusals = [];
  #destination = "";
  #isGone = false;
  #terms;

  /**
   * @param {import("./storage.js").Outbox} outbox
   * @param {Terms} terms
   */
  constructor(outbox, terms) {
    this.#terms = terms;
    this.outbox = outbox;
    this.sender = new Sender(outbox, terms.fieldsFor);
    const { sender } = this;
    new Status(sender, terms.noun);
    let isBehind = false;
    sender.on("failed", () => {
      isBehind = true;
      window.facetwise.say(`Not sent yet. Your ${terms.noun}s are kept on this device.`);
    });
    sender.on("expired", () => {
      if (!document.querySelector("dialog[open]")) window.facetwise.openDialog("expired-dialog");
    });
    sender.on("change", () => {
      if (!sender.isFailing) dialogOf("expired-dialog").close();
      if (isBehind && !outbox.size) {
        isBehind = false;
        window.facetwise.say("All saved.");
      }
      this.#leave();
    });
    sender.on("refused", (refusal) => {
      this.stay();
      if (this.#yieldsToLater(refusal)) return;
      this.#refusals.push(refusal);
      this.#showNext();
    });
    for (const dialog of every("dialog")) {
      dialog.addEventListener("close", () => window.setTimeout(() => this.#showNext()));
    }
    /* Esc decides nothing. */
    byId("refused-dialog").addEventListener("cancel", (event) => event.preventDefault());
    window.addEventListener("beforeunload", (event) => {
      if (outbox.size) event.preventDefault();
    });
  }

  get isLeaving() {
    return this.#destination !== "";
  }

  /**
   * Leave the page as soon as nothing waits: a page that is left cannot send.
   * @param {string} url
   */
  leaveFor(url) {
    this.#destination = url;
    this.#leave();
  }

  stay() {
    this.#destination = "";
    this.#isGone = false;
  }

  #leave() {
    if (!this.#destination || this.#isGone || this.outbox.size) return;
    this.#isGone = true;
    window.location.assign(this.#destination);
  }

  /**
   * Whether the pair was saved again meanwhile: then the last answer is the one to decide about,
   * and it must not slip through because its version happens to fit.
   * @param {Refusal} refusal
   */
  #yieldsToLater({ entry, status }) {
    const saves = this.outbox
      .entries()
      .filter(({ seat, position }) => seat === entry.seat && position === entry.position);
    const last = saves.at(-1);
    if (status !== 409 || !last || last.body.save_id === entry.body.save_id) return false;
    for (const save of saves) this.outbox.remove(save);
    this.outbox.add({
      ...last,
      body: { ...last.body, save_id: newId(), based_on: entry.body.based_on },
    });
    return true;
  }

  /* Try again what could not be sent. */
  retry() {
    dialogOf("expired-dialog").close();
    this.sender.send();
  }

  /* The save in the dialog is given up: the person has decided about it. */
  drop() {
    const { entry } = this.#take();
    this.sender.drop(entry);
    return entry;
  }

  /* The save in the dialog is sent once more. */
  release() {
    const { entry } = this.#take();
    this.sender.release(entry);
    return entry;
  }

  #take() {
    const refusal = /** @type {Refusal} */ (this.#refusals.shift());
    dialogOf("refused-dialog").close();
    this.#terms.hide?.();
    return refusal;
  }

  #showNext() {
    const [refusal] = this.#refusals;
    if (!refusal || document.querySelector("dialog[open]")) return;
    if (this.#terms.isShown?.(refusal)) return;
    const { entry, status } = refusal;
    byId("refused-reason").textContent = `Pair ${entry.number}: ${this.#terms.reasonOf(refusal)}`;
    byId("refused-words").textContent = entry.words;
    const note = byId("refused-note");
    note.textContent = entry.body.note ?? entry.body.reason ?? "";
    note.hidden = !note.textContent;
    /* Where the pair is not this person's there is nothing to go to, and what is kept would be lost. */
    const isGone = status === 403 || status === 404;
    byId("refused-open").hidden = isGone;
    byId("refused-retry").hidden = !isGone;
    window.facetwise.openDialog("refused-dialog");
  }
}
