/* Saves that the server did not take: the person decides what becomes of them. */

import { targetOf } from "../core/dom.js";
import { Drafts, newId } from "../core/storage.js";
import { answerOf } from "./answers.js";
import { show } from "./show.js";
import { versionsDialog } from "./versions.js";
import { markLoading } from "./view.js";
import { answers, outbox, pairs, seat, sender, session, strip, user } from "./work.js";

/** @typedef {import("../core/storage.js").Entry} Entry */

/**
 * What stands on the server is asked for again, and shown if the pair is on show.
 * @param {Entry} entry
 */
function refresh(entry) {
  const position = Number(entry.position);
  if (entry.seat !== seat) return;
  answers.forget(position);
  pairs.forget(position);
  if (strip.here === position) {
    markLoading();
    show(position, { push: false });
    return;
  }
  pairs.get(position).then(
    (pair) => strip.markAnswer(position, answers.standing(pair).answer),
    () => strip.mark(position, "open", false) /* Whoever comes to it sees how it stands. */,
  );
}

/**
 * The answer from here takes the place of the one that was stored meanwhile.
 * @param {Entry} entry
 * @param {number} version The stored one's.
 */
function replaceStored(entry, version) {
  const body = { ...entry.body, save_id: newId(), based_on: String(version) };
  outbox.add({ ...entry, body });
  if (entry.seat === seat) {
    const position = Number(entry.position);
    const stored = {
      answer: answerOf(entry),
      version: version + 1,
      seconds: Number(entry.body.active_seconds),
    };
    answers.know(position, entry.topic, stored);
    if (strip.here === position) answers.stored = { ...answers.stored, ...stored };
  }
  sender.send();
}

versionsDialog.addEventListener("cancel", (event) => event.preventDefault());
versionsDialog.addEventListener("click", (event) => {
  const choice = /** @type {HTMLElement} */ (targetOf(event).closest("[data-resolve]"));
  if (!choice) return;
  event.preventDefault();
  const versions = /** @type {HTMLElement} */ (versionsDialog.querySelector("#versions"));
  const entry = session.drop();
  if (choice.dataset.resolve === "mine") replaceStored(entry, Number(versions.dataset.version));
  else refresh(entry);
});

/** @type {Record<string, () => void>} */
export const actions = {
  "refused-open"() {
    const entry = session.drop();
    new Drafts(user, entry.seat).set(entry.position, { seconds: 0, answer: answerOf(entry) });
    markLoading(); /* So that leaving does not overwrite that draft. */
    location.assign(entry.url);
  },
  "refused-retry": () => session.release(),
  "refused-discard": () => refresh(session.drop()),
};
