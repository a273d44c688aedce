/* Saving the answer to the pair on show: kept on the device at once, and sent. */

import { newId } from "../core/storage.js";
import { fieldsOf } from "./answers.js";
import * as components from "./components.js";
import * as dock from "./dock.js";
import { invite, inviteReason, message, tell } from "./line.js";
import { markAspects } from "./query.js";
import { leaveFor, renew, show, step } from "./show.js";
import { isLoading, pairElement } from "./view.js";
import {
  answers,
  edition,
  handIn,
  outbox,
  readOnly,
  seat,
  sender,
  session,
  strip,
  trail,
} from "./work.js";

const { say } = window.facetwise;

/**
 * Why an answer cannot be saved yet: nothing is missing, or the person is told what is.
 * @param {import("./pairs.js").Answer} answer
 */
function isComplete(answer) {
  if (!answer.choice && !document.getElementById("reasons").hidden) {
    inviteReason();
    say("Choose a reason first, or leave with Escape.");
    return false;
  }
  if (!answer.choice) {
    invite();
    say("Choose a grade first, or say why you cannot judge the pair.");
    return false;
  }
  if (answer.choice === "cannot-judge:own" && !answer.own_reason.trim()) {
    dock.togglePanel("reasons", true);
    document.getElementById("own-reason").focus();
    tell("Say in your own words why you cannot judge the pair");
    say("Say in your own words why you cannot judge the pair.");
    return false;
  }
  if (components.isHalfMarked(answer.components)) {
    dock.togglePanel("components", true);
    tell("Mark every component, or none of them");
    say("Mark every component, or none of them.");
    return false;
  }
  return true;
}

export function save() {
  if (readOnly) {
    step(strip.here, 1);
    return;
  }
  const answer = dock.read();
  if (isLoading() || session.isLeaving || !isComplete(answer)) return;
  const position = strip.here;
  const { stored, seconds } = answers;
  const isNew = stored.version === 0;
  trail.add(position);
  if (!isNew && dock.same(answer, stored.answer)) {
    goOn(position, isNew);
    return;
  }
  const words = dock.words(answer);
  const { topic } = pairElement().dataset;
  outbox.add({
    seat,
    position,
    number: strip.number(position),
    topic,
    url: strip.url(position),
    words,
    body: {
      save_id: newId(),
      based_on: String(stored.version),
      scheme_version: String(stored.schemeVersion),
      active_seconds: seconds.toFixed(1),
      ...fieldsOf(answer),
    },
  });
  answers.save(position, topic, answer, seconds);
  strip.markAnswer(position, answer);
  sender.send();
  goOn(position, isNew, words);
}

/**
 * To the next pair without an answer; without any, a first answer finishes the batch.
 * @param {number} position
 * @param {boolean} isNew
 * @param {string} [words] What was saved.
 */
function goOn(position, isNew, words = "") {
  const [next] = strip.openAfter(position);
  if (next === undefined && isNew) {
    say("Every pair has an answer.");
    leaveFor(handIn);
    return;
  }
  const number = strip.number(position);
  const before = words && `Pair ${number}: ${words}. `;
  if (next === undefined) step(position, 1, { before });
  else show(next, { before });
  if (words && !session.isLeaving) tell(`Pair ${number}: `, { b: words });
}

sender.on("saved", ({ entry, saved }) => {
  if (entry.seat !== seat) return;
  const position = Number(entry.position);
  const waiting = outbox.entries().filter((other) => other.seat === seat);
  if (!waiting.some((other) => other.position === position)) {
    strip.mark(position, saved.dataset.state, "flagged" in saved.dataset);
    markAspects(strip);
  }
  const firsts = waiting.filter(({ body }) => body.based_on === "0");
  strip.tally(new Set(firsts.map((other) => Number(other.position))));
  if (message() === `Pair ${entry.number}: ${entry.words}`) {
    const verb = saved.dataset.state === "rated" ? " rated " : " saved. ";
    tell(`Pair ${entry.number}${verb}`, { b: entry.words });
  }
  if (saved.dataset.edition !== edition) renew();
});
