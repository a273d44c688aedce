/* The workbench: shows one pair after another without a new page, and keeps every answer on the
   device until the server has it. Without this script the same pages work as plain forms. */

import { dialogOf, every, targetOf } from "../core/dom.js";
import { listen } from "../core/keys.js";
import { applyLens, toggleExplain, toggleFacets, toggleWhole } from "../core/lens.js";
import { SignedOut, ask, csrf, parse } from "../core/server.js";
import { Session } from "../core/session.js";
import { Drafts, Outbox, newId } from "../core/storage.js";
import { Trail } from "../core/trail.js";
import { Answers, answerOf, fieldsOf } from "./answers.js";
import * as components from "./components.js";
import * as dock from "./dock.js";
import { invite, inviteNote, inviteReason, message, tell, tellChosen } from "./line.js";
import { AT_ONCE, Pairs } from "./pairs.js";
import { markAspects } from "./query.js";
import { Strip } from "./strip.js";
import { isLoading, markLoading, nameOf, pairElement, place, showLoading } from "./view.js";

/** @typedef {import("../core/storage.js").Entry} Entry */

const bench = document.getElementById("bench");
const { user, seat, handIn, texts, edition } = bench.dataset;
const readOnly = "readOnly" in bench.dataset;
const oneKey = "oneKey" in document.documentElement.dataset;
const { openDialog, say } = window.facetwise;
const versionsDialog = dialogOf("versions-dialog");

const strip = new Strip(handIn);
const pairs = new Pairs(texts, edition);
const outbox = new Outbox(user);
const answers = new Answers(user, seat, readOnly);
/** @type {Trail<number>} */
const trail = new Trail(seat);
/** @type {Trail<number>} The wording under which the page was left for a newer one. */
const wordings = new Trail(`wording.${seat}`);
const session = new Session(outbox, {
  noun: "rating",
  reasonOf: ({ fragment }) =>
    fragment.querySelector("#refused p")?.textContent ??
    "The server does not know this batch as yours. Another person may be signed in.",
  isShown: showVersions,
  hide: () => versionsDialog.close(),
});
const { sender } = session;

let wanted = strip.here; /* the position asked for last; an answer that comes late is not shown */

/* --- the pair on show --- */

function keepDraft() {
  if (!isLoading()) answers.keepDraft(strip.here);
}

/** @param {number} position */
const isToSend = (position) =>
  outbox.entries().some((entry) => entry.seat === seat && Number(entry.position) === position);

/** @param {import("./pairs.js").Pair} pair */
function takeUp(pair) {
  const draft = answers.takeUp(pair);
  strip.markAnswer(strip.here, answers.stored.answer);
  const chosen = draft && dock.words(draft);
  if (chosen) tell("Chosen earlier, not saved: ", { b: chosen });
  else if (draft) tell("Begun earlier, not saved");
  else tellAnswer();
}

/* How the pair stands, where nothing else is to be told of it. */
function tellAnswer() {
  const { version, answer } = answers.stored;
  const held = dock.read();
  const chosen = dock.words(held);
  if (chosen && !dock.same(held, answer)) tellChosen(chosen);
  else if (isToSend(strip.here)) tell("To send: ", { b: dock.words(answer) });
  else if (version) tell(readOnly ? "" : "Stored: ", { b: dock.words(answer) });
  else invite();
}

/* Whoever leaves a panel is told no more what to do in it. */
function leavePanels() {
  dock.focusScale();
  tellAnswer();
}

/**
 * To the pair beside the one at a position.
 * @param {number} position
 * @param {number} by
 * @param {{before?: string}} [options]
 */
function step(position, by, options) {
  const to = strip.beside(position, by);
  if (to) show(to, options);
  else if (by < 0) tell("This is the first pair");
  else leaveFor(handIn);
}

/**
 * Show the pair at a position; `before` is a sentence to announce first.
 * @param {number} position
 */
async function show(position, { push = true, before = "" } = {}) {
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
function fetchAhead() {
  const open = strip.openAfter(strip.here);
  const next = (open.length ? open : strip.after(strip.here)).slice(0, 2 * AT_ONCE);
  if (!next.slice(0, AT_ONCE).every((position) => pairs.has(position))) pairs.ahead(next);
}

window.addEventListener("online", fetchAhead);

/* The wording was changed, or the way to work: the pages show it, what was fetched does not. */
function renew() {
  if (session.isLeaving) return;
  wordings.add(answers.stored.schemeVersion);
  leaveFor(strip.url(strip.here));
}

/* Whoever worked on while a lead changed the wording is told so, once. */
function tellOfNewWording() {
  const before = wordings.pop();
  if (!before || before === answers.stored.schemeVersion) return;
  const sentence = "Definitions or guidelines were changed meanwhile";
  tell({ b: sentence });
  say(`${sentence}.`);
}

pairs.on("stale", renew);

/* --- saving --- */

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

function save() {
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

/** @param {string} url */
function leaveFor(url) {
  keepDraft();
  if (outbox.size) tell("Sending the last ratings …");
  session.leaveFor(url);
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

/* --- saves that the server did not take: the person decides --- */

/** @param {import("../core/sender.js").Refusal} refusal */
function showVersions({ fragment, status }) {
  const versions = fragment.getElementById("versions");
  if (status !== 409 || !versions) return false;
  document.getElementById("versions-body").replaceChildren(document.adoptNode(versions));
  openDialog("versions-dialog");
  return true;
}

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

/* --- other actions --- */

/* The list of own last ratings, which the server has also from earlier sessions. A save under way
   belongs in it. */
async function fetchRecent() {
  await sender.send();
  try {
    const answer = await ask(bench.dataset.recent);
    if (answer.ok && !answer.signedOut) return [...parse(answer.html).body.children];
  } catch {
    /* No connection: told by whoever asked. */
  }
  return null;
}

/* Whoever asks for another pair meanwhile wants neither the list nor the way back any more. */
async function showRecent() {
  const position = wanted;
  const list = await fetchRecent();
  if (position !== wanted) return;
  if (!list) {
    tell("Your last ratings could not be fetched");
    return;
  }
  document.getElementById("recent-body").replaceChildren(...list);
  openDialog("recent-dialog");
}

/* To the pair saved last, of this session or of an earlier one. */
async function back() {
  const last = trail.pop();
  if (last) {
    show(last);
    return;
  }
  const position = wanted;
  const list = await fetchRecent();
  if (position !== wanted) return;
  const links = (list ?? []).flatMap((part) => every("a[data-position]", part));
  const positions = links.map((link) => Number(link.dataset.position));
  const earlier = positions.find((other) => other !== position);
  if (earlier) {
    show(earlier);
    return;
  }
  tell(list ? "Nothing was saved here yet" : "Your last ratings could not be fetched");
  say("Nothing was saved here yet.");
}

/** @type {Record<string, (control?: Element) => void>} */
const actions = {
  save,
  back,
  recent: () => showRecent(),
  "cannot-judge"() {
    if (readOnly || isLoading()) return;
    if (!dock.togglePanel("reasons")) leavePanels();
    else inviteReason();
  },
  components() {
    if (!document.getElementById("components") || isLoading()) return;
    if (!dock.togglePanel("components")) leavePanels();
  },
  "split-aspect"() {
    const text = document.querySelector(".aspect-asked .on [dir]")?.textContent ?? "";
    components.add(components.parts(text));
  },
  "remove-component"(control) {
    components.remove(control.closest(".component"));
  },
  "take-suggestion"() {
    if (!document.getElementById("components") || isLoading()) return;
    if (!components.suggestedName()) {
      tell("Mark every component first");
      return;
    }
    dock.togglePanel("components", false);
    if (dock.takeSuggestion() && oneKey) save();
  },
  flag() {
    if (isLoading()) return;
    const isOn = dock.toggleFlag();
    if (isOn !== null) say(isOn ? "Flagged" : "Flag removed");
  },
  note() {
    if (isLoading()) return;
    if (!dock.togglePanel("note-box")) leavePanels();
    else if (!readOnly) inviteNote();
  },
  facets: toggleFacets,
  whole: toggleWhole,
  explain: toggleExplain,
  guidelines: () => openDialog("guide"),
  next: () => step(strip.here, 1),
  previous: () => step(strip.here, -1),
  retry: () => session.retry(),
  "refused-open"() {
    const entry = session.drop();
    new Drafts(user, entry.seat).set(entry.position, { seconds: 0, answer: answerOf(entry) });
    markLoading(); /* So that leaving does not overwrite that draft. */
    location.assign(entry.url);
  },
  "refused-retry": () => session.release(),
  "refused-discard": () => refresh(session.drop()),
};

listen({
  at: components.mark,
  choose(key) {
    if (isLoading()) return false;
    if (dock.isAmongReasons(key)) {
      inviteReason();
      say("Choose a reason with the arrows, or leave with Escape to give a grade.");
      return true;
    }
    if (!dock.choose(key)) return false;
    if (oneKey) save();
    return true;
  },
  save,
  leave() {
    if (!dock.closePanels()) return false;
    leavePanels();
    return true;
  },
  acts: actions,
  keys: JSON.parse(bench.dataset.keys),
});

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) {
    return;
  }
  const link = /** @type {HTMLAnchorElement} */ (
    targetOf(event).closest("#strip a, .aspects a, .recent a")
  );
  if (link?.getAttribute("href") === handIn) {
    event.preventDefault();
    leaveFor(handIn);
    return;
  }
  const position = link && strip.at(link.pathname);
  if (!position) return;
  event.preventDefault();
  if (link.closest("dialog")) dialogOf("recent-dialog").close();
  show(position);
});

/* Choose and save with the mouse alone, without the way to the button. */
document.addEventListener("dblclick", (event) => {
  if (targetOf(event).closest("#scale .grade")) save();
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  /* app.js has cleared what is kept here: leaving must not write a draft again. */
  if (form.dataset.signOut && !event.defaultPrevented) markLoading();
  if (form.id !== "rating") return;
  event.preventDefault();
  save();
});

document.addEventListener("change", (event) => {
  const target = targetOf(event);
  if (!target.closest("#rating")) return;
  keepDraft();
  dock.markPanels();
  const suggested = components.suggestedName();
  if (suggested && target.closest("#components")) say(`Suggested: ${suggested}`);
  if (target.getAttribute("name") === "answer") tellChosen(dock.words(dock.read()));
});

document.addEventListener("input", (event) => {
  const target = targetOf(event);
  if (target.id === "own-reason") dock.chooseOwnReason();
  if (target.closest("#note, #own-reason, #components")) {
    keepDraft();
    dock.markPanels();
  }
});

answers.time.on("break", () => {
  tell("50 minutes of reading: a short break keeps judgment fresh");
});

window.addEventListener("popstate", () => {
  const position = strip.at(location.pathname);
  if (position && position !== strip.here) show(position, { push: false });
});
window.addEventListener("pagehide", keepDraft);

/* --- start: the page is the first pair --- */

csrf.learn(pairElement());
pairs.put(/** @type {HTMLElement} */ (pairElement().cloneNode(true)));
const first = pairs.now(strip.here);
for (const entry of outbox.entries()) {
  if (entry.seat !== seat) continue;
  const position = Number(entry.position);
  const answer = answerOf(entry);
  answers.know(position, entry.topic, {
    answer,
    version: Number(entry.body.based_on) + 1,
    seconds: Number(entry.body.active_seconds),
  });
  strip.markAnswer(position, answer);
}
if (document.querySelector("#rating .error")) {
  /* The page was refused without script's help: what stands in the form is not stored. */
  answers.stored = { ...answers.standing(first), answer: dock.empty() };
} else {
  answers.begin(first);
  takeUp(first);
}
tellOfNewWording();
applyLens();
markAspects(strip);
fetchAhead();
sender.send();
