/* The workbench: shows one pair after another without a new page, and keeps every answer on the
   device until the server has it. Without this script the same pages work as plain forms. */

import * as components from "./components.js";
import * as dock from "./dock.js";
import { listen } from "./keys.js";
import { AT_ONCE, Pairs, SignedOut } from "./pairs.js";
import { markAspects, swapQuery, unfold } from "./query.js";
import { Sender, csrf } from "./sender.js";
import { Status, tell } from "./status.js";
import { Drafts, Outbox, newId } from "./storage.js";
import { Strip } from "./strip.js";
import { ActiveTime } from "./timer.js";

const bench = document.getElementById("bench");
const { user, seat, handIn, texts, edition } = bench.dataset;
const readOnly = "readOnly" in bench.dataset;
const oneKey = "oneKey" in document.documentElement.dataset;
const { openDialog, say } = window.facetwise;

const strip = new Strip(handIn);
const pairs = new Pairs(texts, edition);
const outbox = new Outbox(user);
const drafts = new Drafts(user, seat);
const sender = new Sender(outbox);
new Status(outbox, sender);
const time = new ActiveTime();

/* By position, what we know better than what was fetched earlier: {answer, version, seconds}. */
const known = new Map();
const splits = new Map(); /* by topic, the components that its aspect was split into last */
let trail = []; /* positions saved here, the last one last; survives a reload */
try {
  trail = JSON.parse(sessionStorage.getItem(`facetwise.trail.${seat}`)) ?? [];
} catch {
  /* Refused: the trail begins with this page. */
}
let stored; /* what stands for the pair on show: {answer, version, seconds, schemeVersion} */
let asked = strip.here; /* the position wanted last; an answer that comes late is not shown */
let destination = ""; /* where to go as soon as nothing waits to be sent */
let carried = 0; /* unsaved seconds of earlier visits to the pair on show */

/* --- the pair on show --- */

const pairElement = () => document.getElementById("pair");
const titleOf = (pair) => pair.candidate.querySelector(".doc-title").textContent;
const aspectOf = (pair) => pair.scale.querySelector(".aspect-asked .on")?.textContent ?? "";
/* What is new in a pair: the document, or under the same document the aspect. */
const nameOf = (pair, isNewText) =>
  isNewText || !aspectOf(pair) ? titleOf(pair) : `Aspect ${aspectOf(pair)}`;

function standing(pair) {
  const { answer, version, seconds } = known.get(pair.position) ?? pair.standing;
  const { schemeVersion } = pair.standing;
  return { answer: offerSplit(answer, pair), version, seconds, schemeVersion };
}

/* An aspect that was split for an earlier document is offered with the same components. */
function offerSplit(answer, pair) {
  const parts = splits.get(pair.dataset.topic);
  const isMarked = components.kept(answer.components).length > 0;
  return parts && !isMarked && !readOnly
    ? { ...answer, components: components.unmarked(parts) }
    : answer;
}

function rememberSplit(topic, answer) {
  const kept = components.kept(answer.components);
  if (topic && kept.length) splits.set(topic, kept.map((one) => one.text));
}

/* Seconds and answers that are not saved survive a reload and a visit to another pair. */
function keepDraft() {
  if (readOnly) return;
  const answer = dock.read();
  const draft = { seconds: unsavedSeconds() };
  if (!dock.untouched(answer, stored.answer)) draft.answer = answer;
  if (draft.answer || draft.seconds >= 1) drafts.set(strip.here, draft);
  else drafts.remove(strip.here);
}

const unsavedSeconds = () => Math.round((carried + time.seconds) * 10) / 10;

function takeUp(pair) {
  stored = standing(pair);
  const draft = readOnly ? null : drafts.get(pair.position);
  carried = draft?.seconds ?? 0;
  time.reset();
  dock.fill(draft?.answer ?? stored.answer);
  if (draft?.answer) tell("Chosen earlier, not saved: ", { b: dock.words(draft.answer) || "something" });
  else if (stored.version) tell(readOnly ? "" : "Stored: ", { b: dock.words(stored.answer) });
  else invite();
}

function invite() {
  const keys = [...document.querySelectorAll("#scale [data-key]")]
    .map((radio) => radio.dataset.key)
    .filter(Boolean);
  const mode = document.documentElement.dataset.shortcuts;
  if (!keys.length || mode === "off") return tell("Choose a grade, then save");
  const digits = keys.every((key) => /^\d$/.test(key));
  const range = digits
    ? [{ kbd: keys[0] }, "–", { kbd: keys.at(-1) }]
    : keys.map((key) => ({ kbd: key }));
  if (oneKey) return tell("Press ", ...range, " to save and go on");
  return tell("Press ", ...range, ", then Enter");
}

/* Put a pair in place. What two pairs share stays as it is: the document, and the query and scale of
   a topic. */
function place(pair) {
  const page = pairElement();
  const swap = (selector, made) => {
    const old = page.querySelector(selector);
    if (!old.isEqualNode(made)) old.replaceWith(document.importNode(made, true));
  };
  swap("#candidate", pair.candidate);
  if (page.dataset.document !== pair.dataset.document) {
    page.querySelector(".pane.candidate").scrollTop = 0;
  }
  const isOther = page.dataset.queryKey !== pair.dataset.queryKey;
  if (isOther || pair.tree) swapQuery(page, pair.pane, strip);
  if (isOther) {
    swap("#scale", pair.scale);
    swap("#definitions", pair.definitions);
    markFacets();
    const definitions = pair.definitions.cloneNode(true).childNodes;
    document.getElementById("guide-definitions").replaceChildren(...definitions);
    const name = pair.pane.querySelector(".eyebrow .chip")?.textContent.replace("Facet: ", "");
    if (name) document.getElementById("guide-facet").textContent = name;
  }
  Object.assign(page.dataset, pair.dataset);
  const guidelines = page.querySelector("[data-act=guidelines]");
  guidelines.search = new URLSearchParams({ facet: pair.dataset.facet, pair: pair.position });
  const form = document.getElementById("rating");
  form.action = pair.dataset.url;
  form.querySelector(".error")?.remove();
  const number = strip.number(pair.position);
  page.querySelector("h1").textContent = `Rate pair ${number} of ${strip.size}`;
  document.title = `Pair ${number} of ${strip.size} · Facetwise`;
}

function showLoading() {
  const candidate = document.getElementById("candidate");
  candidate.replaceChildren(document.getElementById("loading").content.cloneNode(true));
  pairElement().dataset.loading = "";
  dock.fill(dock.empty());
  tell(`Loading pair ${strip.number(asked)} …`);
}

const isLoading = () => "loading" in pairElement().dataset;

/* To the pair beside the one at a position. */
function step(position, by, options) {
  const to = strip.beside(position, by);
  if (to) return show(to, options);
  return by < 0 ? tell("This is the first pair") : leaveFor(handIn);
}

/* Show the pair at a position; `before` is a sentence to announce first. */
async function show(position, { push = true, before = "" } = {}) {
  if (!isLoading()) keepDraft();
  destination = "";
  asked = position;
  dock.closePanels();
  let pair = pairs.now(position);
  if (!pair) {
    strip.goTo(position);
    showLoading();
    try {
      pair = await pairs.get(position);
    } catch (error) {
      if (asked === position) cannotLoad(position, error);
      return undefined;
    }
    if (asked !== position) return undefined;
  }
  delete pairElement().dataset.loading;
  const isNewText = pairElement().dataset.document !== pair.dataset.document;
  place(pair);
  strip.goTo(position);
  if (push) history.pushState({ position }, "", strip.url(position));
  takeUp(pair);
  if (!document.activeElement?.closest("#strip")) dock.focusScale();
  if (isNewText && window.matchMedia("(max-width: 760px), (max-height: 540px)").matches) {
    document.querySelector(".pane.candidate").scrollIntoView({ block: "start" });
  }
  say(`${before}Pair ${strip.number(position)} of ${strip.size}. ${nameOf(pair, isNewText)}`);
  fetchAhead();
  return undefined;
}

function cannotLoad(position, error) {
  if (error instanceof SignedOut) openDialog("expired-dialog");
  tell(`Pair ${strip.number(position)} could not be fetched yet. Trying again.`);
  window.setTimeout(() => {
    if (asked === position && isLoading()) show(position);
  }, 2000);
}

/* The next pairs to be shown if the person goes on saving. */
function upcoming(position, count) {
  const open = strip.openAfter(position);
  return (open.length ? open : strip.after(position)).slice(0, count);
}

/* So that ten pairs are here at any time: one may go on that long without a connection. */
function fetchAhead() {
  const next = upcoming(strip.here, 2 * AT_ONCE);
  if (!next.slice(0, AT_ONCE).every((position) => pairs.has(position))) pairs.ahead(next);
}

window.addEventListener("online", fetchAhead);

/* The wording was changed, or the way to work: the pages show it, what was fetched does not. */
function renew() {
  if (!destination) leaveFor(strip.url(strip.here));
}

pairs.addEventListener("stale", renew);

/* --- saving --- */

function save() {
  if (readOnly) return step(strip.here, 1);
  if (isLoading() || destination) return undefined;
  const answer = dock.read();
  if (!answer.choice) {
    invite();
    say("Choose a grade first, or say why you cannot judge the pair.");
    return undefined;
  }
  if (answer.choice === "cannot-judge:own" && !answer.own_reason.trim()) {
    dock.togglePanel("reasons", true);
    document.getElementById("own-reason").focus();
    tell("Say in your own words why you cannot judge the pair");
    say("Say in your own words why you cannot judge the pair.");
    return undefined;
  }
  if (components.isHalfMarked(answer.components)) {
    dock.togglePanel("components", true);
    tell("Mark every component, or none of them");
    say("Mark every component, or none of them.");
    return undefined;
  }
  const position = strip.here;
  const said = dock.words(answer);
  const isNew = stored.version === 0;
  remember([...trail, position]);
  if (!isNew && dock.same(answer, stored.answer)) return goOn(position, isNew);

  const seconds = Math.min(86_400, Math.round((stored.seconds + unsavedSeconds()) * 10) / 10);
  const body = {
    save_id: newId(),
    based_on: String(stored.version),
    scheme_version: stored.schemeVersion,
    answer: answer.choice,
    own_reason: answer.own_reason,
    note: answer.note,
    active_seconds: seconds.toFixed(1),
    ...components.toFields(answer.components),
  };
  if (answer.is_flagged) body.is_flagged = "on";
  const { topic } = pairElement().dataset;
  const number = strip.number(position);
  outbox.add({ seat, position, number, topic, url: strip.url(position), words: said, body });
  rememberSplit(topic, answer);

  stored = { ...stored, answer, version: stored.version + 1, seconds };
  known.set(position, { answer, version: stored.version, seconds });
  drafts.remove(position);
  carried = 0;
  time.reset();
  strip.mark(
    position,
    answer.choice.startsWith("cannot-judge:") ? "cannot-judge" : "rated",
    answer.is_flagged,
  );
  sender.send();
  return goOn(position, isNew, said);
}

function remember(positions) {
  trail = positions.slice(-100);
  try {
    sessionStorage.setItem(`facetwise.trail.${seat}`, JSON.stringify(trail));
  } catch {
    /* Refused: the trail ends with this page. */
  }
}

/* To the next pair without an answer; without any, a first answer finishes the batch. */
function goOn(position, isNew, said = "") {
  const [next] = strip.openAfter(position);
  if (next === undefined && isNew) {
    say("Every pair has an answer.");
    return leaveFor(handIn);
  }
  const number = strip.number(position);
  const before = said && `Pair ${number}: ${said}. `;
  if (next === undefined) step(position, 1, { before });
  else show(next, { before });
  if (said && !destination) tell(`Pair ${number}: `, { b: said });
  return undefined;
}

/* Leave the workbench, once nothing waits: a page that is left cannot send. */
function leaveFor(url) {
  if (!isLoading()) keepDraft();
  destination = url;
  if (outbox.size) tell("Sending the last ratings …");
  else location.assign(url);
}

const numberOf = (entry) => entry.number ?? entry.position;

sender.addEventListener("saved", ({ detail: { entry, saved } }) => {
  if (entry.seat === seat) {
    const waiting = outbox.entries().filter((other) => other.seat === seat);
    if (!waiting.some((other) => other.position === entry.position)) {
      strip.mark(entry.position, saved.dataset.state, "flagged" in saved.dataset);
      markAspects(strip);
    }
    const isFirst = ({ body }) => body.based_on === "0";
    strip.tally(new Set(waiting.filter(isFirst).map((other) => other.position)));
    const line = document.getElementById("mid");
    if (line.textContent === `Pair ${numberOf(entry)}: ${entry.words}`) {
      tell(`Pair ${numberOf(entry)} rated `, { b: entry.words });
    }
  }
  if (destination && !outbox.size) leaveFor(destination);
  else if (entry.seat === seat && saved.dataset.edition !== edition) renew();
});

sender.addEventListener("failed", () => {
  say("Not sent yet. Your ratings are kept on this device.");
});

sender.addEventListener("expired", () => {
  if (!document.querySelector("dialog[open]")) openDialog("expired-dialog");
});

sender.addEventListener("change", () => {
  if (!sender.isFailing) document.getElementById("expired-dialog").close();
});

/* --- saves that the server did not take: the person decides --- */

const undecided = [];

sender.addEventListener("held", ({ detail }) => {
  const { entry } = detail;
  const saves = outbox
    .entries()
    .filter((other) => other.seat === entry.seat && other.position === entry.position);
  const last = saves.at(-1);
  if (detail.status === 409 && last && last.body.save_id !== entry.body.save_id) {
    /* The pair was saved again meanwhile: the last answer is the one to decide about, and it must
       not slip through because its version happens to fit. */
    for (const other of saves) outbox.remove(other);
    outbox.add({
      ...last,
      body: { ...last.body, save_id: newId(), based_on: entry.body.based_on },
    });
    return;
  }
  undecided.push(detail);
  decideNext();
});

function decideNext() {
  if (!undecided.length || document.querySelector("dialog[open]")) return;
  const { entry, fragment, status: code } = undecided[0];
  const versions = fragment.getElementById("versions");
  if (code === 409 && versions) {
    document.getElementById("versions-body").replaceChildren(document.adoptNode(versions));
    openDialog("versions-dialog");
    return;
  }
  const reason =
    fragment.querySelector("#refused p")?.textContent ??
    "The server does not know this batch as yours. Another person may be signed in, or it was given to somebody else.";
  document.getElementById("refused-reason").textContent = `Pair ${numberOf(entry)}: ${reason}`;
  document.getElementById("refused-words").textContent = entry.words;
  const note = document.getElementById("refused-note");
  note.textContent = entry.body.note;
  note.hidden = !entry.body.note;
  document.getElementById("refused-retry").hidden = ![403, 404].includes(code);
  openDialog("refused-dialog");
}

function answerOf({ body }) {
  return {
    choice: body.answer,
    own_reason: body.own_reason,
    note: body.note,
    is_flagged: "is_flagged" in body,
    components: components.fromFields(body),
  };
}

function decided(dialog) {
  const { entry } = undecided.shift();
  dialog.close();
  sender.drop(entry);
  return entry;
}

/* What stands on the server is asked for again, and shown if the pair is on show. */
function refresh(entry) {
  if (entry.seat !== seat) return undefined;
  known.delete(entry.position);
  pairs.forget(entry.position);
  drafts.remove(entry.position);
  if (strip.here !== entry.position) return undefined;
  pairElement().dataset.loading = "";
  return show(entry.position, { push: false });
}

document.getElementById("versions-dialog").addEventListener("click", (event) => {
  const choice = event.target.closest("[data-resolve]");
  if (!choice) return;
  event.preventDefault();
  const dialog = event.currentTarget;
  const version = Number(dialog.querySelector("#versions").dataset.version);
  const entry = decided(dialog);
  if (choice.dataset.resolve === "mine") {
    const { save_id: _, ...rest } = entry.body;
    const body = { ...rest, save_id: newId(), based_on: String(version) };
    outbox.add({ ...entry, body });
    if (entry.seat === seat) {
      const seconds = Number(body.active_seconds);
      known.set(entry.position, { answer: answerOf(entry), version: version + 1, seconds });
      if (strip.here === entry.position) stored = { ...stored, ...known.get(entry.position) };
    }
    sender.send();
  } else {
    refresh(entry);
  }
});

for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("close", () => window.setTimeout(decideNext));
}
for (const id of ["versions-dialog", "refused-dialog"]) {
  /* Esc decides nothing. */
  document.getElementById(id).addEventListener("cancel", (event) => event.preventDefault());
}

/* --- other actions --- */

const hasFacets = () => document.querySelector("[data-act=facets]") !== null;

function markFacets() {
  const on = "facets" in bench.dataset;
  document.querySelector("[data-act=facets]")?.setAttribute("aria-pressed", String(on));
}

const actions = {
  save,
  back() {
    if (!trail.length) {
      tell("Nothing was saved here yet");
      say("Nothing was saved here yet.");
      return;
    }
    const last = trail.at(-1);
    remember(trail.slice(0, -1));
    show(last);
  },
  "cannot-judge"() {
    if (readOnly) return;
    if (!dock.togglePanel("reasons")) dock.focusScale();
    else tell("Arrows or Space choose a reason, Enter saves");
  },
  components() {
    if (!document.getElementById("components")) return;
    if (!dock.togglePanel("components")) dock.focusScale();
  },
  "split-aspect"() {
    const text = document.querySelector(".aspect-asked .on [dir]")?.textContent ?? "";
    components.replace(components.unmarked(components.parts(text)), 0);
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
    const on = dock.toggleFlag();
    if (on !== null) say(on ? "Flagged" : "Flag removed");
  },
  note() {
    if (!dock.togglePanel("note-box")) dock.focusScale();
  },
  facets() {
    if (!hasFacets()) return;
    bench.toggleAttribute("data-facets");
    markFacets();
    say("facets" in bench.dataset ? "All facets are marked" : "Only this facet is marked");
  },
  guidelines() {
    openDialog("guide");
  },
  next: () => step(strip.here, 1),
  previous: () => step(strip.here, -1),
  whole() {
    const query = document.querySelector(".pane.query");
    unfold(query, !query.classList.contains("whole"));
  },
  retry() {
    document.getElementById("expired-dialog").close();
    sender.send();
  },
  "refused-open"() {
    const entry = decided(document.getElementById("refused-dialog"));
    new Drafts(user, entry.seat).set(entry.position, { seconds: 0, answer: answerOf(entry) });
    pairElement().dataset.loading = ""; /* So that leaving does not overwrite that draft. */
    location.assign(entry.url);
  },
  "refused-retry"() {
    const { entry } = undecided.shift();
    document.getElementById("refused-dialog").close();
    sender.release(entry);
  },
  "refused-discard"() {
    refresh(decided(document.getElementById("refused-dialog")));
  },
};

listen({
  at: components.mark,
  choose(key) {
    if (isLoading() || !dock.choose(key)) return false;
    if (oneKey) save();
    return true;
  },
  save,
  leave() {
    const panel = [...document.querySelectorAll("#rating .extra")].find((p) => !p.hidden);
    if (!panel) return false;
    dock.closePanels();
    dock.focusScale();
    return true;
  },
  keys: {
    u: actions.back,
    s: actions["cannot-judge"],
    f: actions.flag,
    n: actions.note,
    g: actions.guidelines,
    h: actions.facets,
    m: actions.components,
    y: actions["take-suggestion"],
    j: actions.next,
    k: actions.previous,
  },
});

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const control = event.target.closest("[data-act]");
  if (control) {
    event.preventDefault();
    actions[control.dataset.act](control);
    return;
  }
  const link = event.target.closest("#strip a, .aspects a");
  const position = link && strip.at(link.pathname);
  if (!position) return;
  event.preventDefault();
  show(position);
});

document.addEventListener("submit", (event) => {
  if (event.target.dataset.signOut && !event.defaultPrevented) {
    /* app.js has cleared what is kept here: leaving must not write a draft again. */
    pairElement().dataset.loading = "";
  }
  if (event.target.id !== "rating") return;
  event.preventDefault();
  save();
});

document.addEventListener("change", (event) => {
  if (!event.target.closest("#rating")) return;
  keepDraft();
  dock.markPanels();
  const answer = dock.read();
  const suggested = components.suggestedName();
  if (suggested && event.target.closest("#components")) say(`Suggested: ${suggested}`);
  if (event.target.name === "answer") {
    tell({ b: dock.words(answer) }, " ", { kbd: "Enter" }, " saves and goes on");
  }
});

document.addEventListener("input", (event) => {
  if (event.target.id === "own-reason" && event.target.value) {
    document.querySelector("#reasons input[value='cannot-judge:own']").checked = true;
  }
  if (event.target.closest("#note, #own-reason, #components")) {
    keepDraft();
    dock.markPanels();
  }
});

time.addEventListener("break", () => {
  tell("50 minutes of reading: a short break keeps judgment fresh");
});

window.addEventListener("popstate", () => {
  const position = strip.at(location.pathname);
  if (position && position !== strip.here) show(position, { push: false });
});

window.addEventListener("beforeunload", (event) => {
  if (outbox.size) event.preventDefault();
});
window.addEventListener("pagehide", () => {
  if (!isLoading()) keepDraft();
});

/* --- start: the page is the first pair --- */

csrf.learn(pairElement());
pairs.put(pairElement().cloneNode(true));
const first = pairs.now(strip.here);
for (const entry of outbox.entries()) {
  if (entry.seat !== seat) continue;
  rememberSplit(entry.topic, answerOf(entry));
  const version = Number(entry.body.based_on) + 1;
  known.set(entry.position, {
    answer: answerOf(entry),
    version,
    seconds: Number(entry.body.active_seconds),
  });
}
if (document.querySelector("#rating .error")) {
  /* The page was refused without script's help: what stands in the form is not stored. */
  stored = { ...standing(first), answer: dock.empty() };
} else {
  takeUp(first);
}
markAspects(strip);
fetchAhead();
sender.send();
