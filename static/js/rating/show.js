/* The pair on show: how it stands, and the way to the others. */

import { SignedOut } from "../core/server.js";
import { Trail } from "../core/trail.js";
import * as dock from "./dock.js";
import { invite, tell, tellChosen } from "./line.js";
import { AT_ONCE } from "./pairs.js";
import { isLoading, nameOf, place, showLoading } from "./view.js";
import { answers, handIn, outbox, pairs, readOnly, seat, session, strip } from "./work.js";

const { openDialog, say } = window.facetwise;
/** @type {Trail<number>} The wording under which the page was left for a newer one. */
const wordings = new Trail(`wording.${seat}`);

let wanted = strip.here; /* the position asked for last; an answer that comes late is not shown */

/**
 * To be asked later: whether no other pair was asked for meanwhile.
 * @returns {() => boolean}
 */
export function watch() {
  const position = wanted;
  return () => position === wanted;
}

export function keepDraft() {
  if (!isLoading()) answers.keepDraft(strip.here);
}

/** @param {number} position */
const isToSend = (position) =>
  outbox.entries().some((entry) => entry.seat === seat && Number(entry.position) === position);

/** @param {import("./pairs.js").Pair} pair */
export function takeUp(pair) {
  const draft = answers.takeUp(pair);
  strip.markAnswer(strip.here, answers.stored.answer);
  const chosen = draft && dock.words(draft);
  if (chosen) tell("Chosen earlier, not saved: ", { b: chosen });
  else if (draft) tell("Begun earlier, not saved");
  else tellAnswer();
}

/* How the pair stands, where nothing else is to be told of it. */
export function tellAnswer() {
  const { version, answer } = answers.stored;
  const held = dock.read();
  const chosen = dock.words(held);
  if (chosen && !dock.same(held, answer)) tellChosen(chosen);
  else if (isToSend(strip.here)) tell("To send: ", { b: dock.words(answer) });
  else if (version) tell(readOnly ? "" : "Stored: ", { b: dock.words(answer) });
  else invite();
}

/* Whoever leaves a panel is told no more what to do in it. */
export function leavePanels() {
  dock.focusScale();
  tellAnswer();
}

/**
 * To the pair beside the one at a position.
 * @param {number} position
 * @param {number} by
 * @param {{before?: string}} [options]
 */
export function step(position, by, options) {
  const to = strip.beside(position, by);
  if (to) show(to, options);
  else if (by < 0) tell("This is the first pair");
  else leaveFor(handIn);
}

/**
 * Show the pair at a position; `before` is a sentence to announce first.
 * @param {number} position
 */
export async function show(position, { push = true, before = "" } = {}) {
  keepDraft();
  session.stay();
  wanted = position;
  dock.closePanels();
  /* Before the pair is here, so that "back" leads from one that does not come to the one before. */
  if (push) history.pushState({ position }, "", strip.url(position));
  let pair = pairs.now(position);
  if (!pair) {
    strip.goTo(position);
    showLoading(strip.number(position));
    try {
      pair = await pairs.get(position);
    } catch (error) {
      if (wanted === position) cannotLoad(position, error);
      return;
    }
    if (wanted !== position) return;
  }
  const isNewText = place(pair, strip);
  strip.goTo(position);
  takeUp(pair);
  if (!document.activeElement?.closest("#strip")) dock.focusScale();
  if (isNewText && window.matchMedia("(max-width: 47.5em), (max-height: 33.75em)").matches) {
    document.getElementById("candidate").scrollIntoView({ block: "start" });
  }
  say(`${before}Pair ${strip.number(position)} of ${strip.size}. ${nameOf(pair, isNewText)}`);
  fetchAhead();
}

/**
 * @param {number} position
 * @param {unknown} error
 */
function cannotLoad(position, error) {
  if (error instanceof SignedOut) openDialog("expired-dialog");
  tell(`Pair ${strip.number(position)} could not be fetched yet. Trying again.`);
  window.setTimeout(() => {
    if (wanted === position && isLoading()) show(position, { push: false });
  }, 2000);
}

/* So that a dozen pairs are here at any time: one may go on that long without a connection. */
export function fetchAhead() {
  const open = strip.openAfter(strip.here);
  const next = (open.length ? open : strip.after(strip.here)).slice(0, 2 * AT_ONCE);
  if (!next.slice(0, AT_ONCE).every((position) => pairs.has(position))) pairs.ahead(next);
}

window.addEventListener("online", fetchAhead);

/* The wording was changed, or the way to work: the pages show it, what was fetched does not. */
export function renew() {
  if (session.isLeaving) return;
  wordings.add(answers.stored.schemeVersion);
  leaveFor(strip.url(strip.here));
}

/* Whoever worked on while a lead changed the wording is told so, once. */
export function tellOfNewWording() {
  const before = wordings.pop();
  if (!before || before === answers.stored.schemeVersion) return;
  const sentence = "Definitions or guidelines were changed meanwhile";
  tell({ b: sentence });
  say(`${sentence}.`);
}

pairs.on("stale", renew);

/** @param {string} url */
export function leaveFor(url) {
  keepDraft();
  if (outbox.size) tell("Sending the last ratings …");
  session.leaveFor(url);
}
