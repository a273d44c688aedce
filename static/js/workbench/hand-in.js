/* The hand-in page: what this device has not sent yet goes first, for the page does not count it. */

import { Sender, csrf } from "./sender.js";
import { Outbox } from "./storage.js";

const outbox = new Outbox(document.querySelector(".hand-in").dataset.user);
const sender = new Sender(outbox);
const banner = document.getElementById("unsent");
const text = document.getElementById("unsent-text");
const button = document.querySelector("#hand-in button");
const { say } = window.facetwise;

let sent = 0;

function tell(sentence) {
  text.textContent = sentence;
  banner.hidden = !sentence;
  if (sentence) say(sentence);
}

function refresh() {
  const waiting = outbox.size;
  if (button) button.disabled = waiting > 0;
  if (!waiting && sent) location.reload();
}

sender.addEventListener("saved", () => {
  sent += 1;
});
sender.addEventListener("change", refresh);
sender.addEventListener("failed", () =>
  tell(`${sender.trouble} Not sent yet: ${outbox.size}. Kept on this device until sent.`),
);
sender.addEventListener("expired", () => tell("You are signed out. Sign in again to send them."));
sender.addEventListener("held", ({ detail: { entry } }) => {
  tell(`Pair ${entry.number ?? entry.position} was not saved. Open it to decide what to do.`);
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-act=retry]")) sender.send();
});

csrf.token = window.facetwise.csrfToken();
if (outbox.size) sender.send();
