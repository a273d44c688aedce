/* The hand-in page: what this device has not sent yet goes first, for the page does not count it. */

import { Sender } from "../core/sender.js";
import { csrf } from "../core/server.js";
import { Outbox } from "../core/storage.js";

const page = /** @type {HTMLElement} */ (document.querySelector(".hand-in"));
const outbox = new Outbox(page.dataset.user);
const sender = new Sender(outbox);
const banner = document.getElementById("unsent");
const text = document.getElementById("unsent-text");
const button = /** @type {HTMLButtonElement} */ (document.querySelector("#hand-in button"));

let wasSent = false;

/** @param {string} sentence */
function tell(sentence) {
  text.textContent = sentence;
  banner.hidden = !sentence;
  if (sentence) window.facetwise.say(sentence);
}

sender.on("saved", () => {
  wasSent = true;
});
sender.on("change", () => {
  if (button) button.disabled = outbox.size > 0;
  if (!outbox.size && wasSent) location.reload();
});
sender.on("failed", () =>
  tell(`${sender.trouble} Not sent yet: ${outbox.size}. Kept on this device until sent.`),
);
sender.on("expired", () => tell("You are signed out. Sign in again to send them."));
sender.on("refused", ({ entry }) => {
  tell(`Pair ${entry.number} was not saved. Open it to decide what to do.`);
});
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-act=retry]")) sender.send();
});

csrf.token = window.facetwise.csrfToken();
if (outbox.size) sender.send();
