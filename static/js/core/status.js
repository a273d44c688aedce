/* What the person is told of saves that are not confirmed: the status line and the banner. */

import { byId, setIcon } from "./dom.js";

const SLOW = 300; /* milliseconds after which a save under way is shown as such */
const ICONS = {
  saved: "circle-check",
  saving: "loader-circle",
  pending: "loader-circle",
  offline: "cloud-off",
  error: "cloud-off",
};

export class Status {
  #slow = 0;

  /**
   * @param {import("./sender.js").Sender} sender
   * @param {string} noun What is saved here: "rating", "decision".
   */
  constructor(sender, noun) {
    this.sender = sender;
    this.noun = noun;
    this.line = byId("sync");
    this.banner = byId("unsent");
    this.text = byId("unsent-text");
    for (const name of ["online", "offline", "storage"]) {
      window.addEventListener(name, () => this.refresh());
    }
    sender.on("change", () => this.refresh());
    sender.on("failed", () => this.refresh());
    this.refresh();
  }

  refresh() {
    const waiting = this.sender.outbox.size;
    const unreachable = this.sender.isFailing || !navigator.onLine;
    if (waiting === 0) {
      if (navigator.onLine) this.#show("saved", "All saved");
      else this.#show("offline", "Offline");
    } else if (unreachable || !this.sender.isSending) {
      this.#show(navigator.onLine ? "error" : "offline", `${waiting} to send`);
    } else if (!["saving", "pending"].includes(this.line.dataset.state ?? "")) {
      /* Not "All saved" any more, and not yet worth a word. */
      this.#show("pending", "");
      this.#slow = window.setTimeout(() => this.#show("saving", "Saving…"), SLOW);
    }
    this.#warn(waiting, unreachable);
  }

  /**
   * @param {keyof typeof ICONS} state
   * @param {string} text
   */
  #show(state, text) {
    window.clearTimeout(this.#slow);
    setIcon(this.line, ICONS[state]);
    this.line.dataset.state = state;
    const words = this.line.querySelector("span");
    if (words) words.textContent = text;
  }

  /**
   * @param {number} waiting
   * @param {boolean} unreachable
   */
  #warn(waiting, unreachable) {
    const isShown = waiting > 0 && unreachable;
    const kept = waiting === 1 ? `1 ${this.noun} is` : `${waiting} ${this.noun}s are`;
    const sentence = isShown
      ? `${this.sender.trouble} ${kept} kept on this device until sent.`
      : "";
    if (this.text.textContent !== sentence) this.text.textContent = sentence;
    this.banner.hidden = !isShown;
  }
}
