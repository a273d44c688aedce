/* Deciding pairs: the next pair is fetched ahead, a decision is kept on the device until the server
   has it, and every step has a key. Without this script the page is a plain form. */

import { byId, targetOf } from "../core/dom.js";
import { listen } from "../core/keys.js";
import { applyLens, applyNotes, toggleExplain, toggleFacets, toggleWhole } from "../core/lens.js";
import { Prefetch } from "../core/prefetch.js";
import { SignedOut, ask, csrf, parse } from "../core/server.js";
import { Session } from "../core/session.js";
import { Drafts, Outbox, newId } from "../core/storage.js";
import { Trail } from "../core/trail.js";
import { showMarks } from "../rating/query.js";
import * as view from "./case.js";
import { offerMore, toggleNote } from "./notes.js";
import { addressOf, anyOpen, markDecided, nameThePage, nextOpen, numberOf } from "./places.js";

const bench = byId("bench");
const { user } = bench.dataset;
const { openDialog, say, SENDING } = window.facetwise;

const outbox = new Outbox(user, "decisions");
const drafts = new Drafts(user, "decisions");
/** @type {Set<string>} Ids of pairs decided on this page, sent or not. */
const decided = new Set();
/** @type {Trail<string>} Addresses of decided pairs. */
const trail = new Trail(`decisions.${user}`);
/** @type {Prefetch<string, HTMLElement>} By address. */
const fetched = new Prefetch(async ([address]) => {
  const answer = await ask(address);
  if (answer.signedOut) throw new SignedOut();
  const fragment = answer.ok && parse(answer.html).getElementById("pair");
  if (!fragment) throw new Error(`${address}: ${answer.status}`);
  keep(fragment);
});

/** @param {HTMLElement} fragment */
function keep(fragment) {
  csrf.learn(fragment);
  fetched.put(fragment.dataset.address, fragment);
}

const session = new Session(outbox, {
  noun: "decision",
  /* The answer to a decision brings the next pair along, so each pair costs one request. */
  fieldsFor() {
    const link = nextOpen(decided);
    return link && !fetched.has(addressOf(link)) ? { ahead: link.dataset.id } : {};
  },
  reasonOf: ({ fragment, status }) =>
    status === 404 || status === 403
      ? "It is not in your queue any more, or somebody else is signed in."
      : (fragment.querySelector("#refused")?.textContent ?? ""),
});
const { sender } = session;

/* --- the pair in view --- */

/** @param {string} id */
const isPending = (id) => outbox.entries().some(({ position }) => position === id);

function fetchAhead() {
  const address = addressOf(nextOpen(decided));
  if (address) fetched.ahead([address]);
}

/** @param {HTMLElement} fragment */
function show(fragment, { push = true, ahead = true } = {}) {
  const wasOnScale = view.isHeld() || view.form().contains(document.activeElement);
  view.here().replaceWith(document.importNode(fragment, true));
  nameThePage();
  /* Looked at again, it is asked for again: decisions change what it shows. */
  fetched.forget(fragment.dataset.address);
  if (push) window.history.pushState(null, "", fragment.dataset.address);
  opened({ ahead });
  if (wasOnScale) view.focusScale();
  else byId("main").focus({ preventScroll: true });
  window.scrollTo(0, 0);
  say(document.querySelector(".candidate .doc-title").textContent);
}

function opened({ ahead = true } = {}) {
  markDecided(decided);
  applyLens();
  applyNotes();
  offerMore();
  showMarks();
  const { id } = view.here().dataset;
  const draft = drafts.get(id);
  if (draft && !view.isLocked()) {
    if (draft.based_on === view.read().based_on) view.fill(draft);
    else drafts.remove(id);
  }
  if (view.isLocked()) view.showPanels();
  else view.hint();
  if (ahead) fetchAhead();
}

let latestTurn = 0; /* of asking for a pair; what comes after a later turn is not shown */

/**
 * @param {string} address
 * @param {{push?: boolean, ahead?: boolean}} [options]
 * @returns {Promise<boolean>} Whether the pair is shown now.
 */
async function go(address, options) {
  if (!address) return false;
  const id = /[0-9a-f-]{36}/.exec(address)?.[0];
  if (isPending(id)) {
    const sentence = `Pair ${numberOf(id)} is still to be sent. You can change it once it is.`;
    view.tell(sentence, { warn: true });
    return false;
  }
  session.stay();
  latestTurn += 1;
  const turn = latestTurn;
  try {
    const fragment = await fetched.get(address);
    if (turn === latestTurn) show(fragment, options);
  } catch (error) {
    if (turn !== latestTurn) return false;
    if (error instanceof SignedOut) openDialog("expired-dialog");
    view.tell("The server did not answer. You stay on this pair.", { warn: true });
    return false;
  }
  return turn === latestTurn;
}

/* --- saving --- */

function save() {
  if (view.isLocked() || session.isLeaving) return;
  const option = view.chosen();
  if (!option) {
    view.tell("Choose a grade first.", { warn: true });
    return;
  }
  if (view.lacksReason()) {
    view.hint();
    view.togglePanel("reason-box");
    return;
  }
  const { id, address } = view.here().dataset;
  const words = view.nameOf(option);
  const asksFirst = view.asksFirst() && !view.leavesOut(option);
  if (view.isHeld()) {
    /* It is saved; the next pair did not come. */
    if (!asksFirst) goOn(id, `Pair ${numberOf(id)}: ${words}.`);
    return;
  }
  const fields = view.read();
  if (asksFirst) {
    /* The ratings come with the answer, so there is nothing to go on to before it. The draft stays
       for a server that cannot answer now; once there is a decision, it fits no more. */
    drafts.set(id, fields);
    if (!navigator.onLine) {
      /* The browser would show a page of its own instead of this one. */
      view.tell("You are offline. Your grade is kept here until you can go on.", { warn: true });
      return;
    }
    const form = view.form();
    view.hold();
    form.submit();
    /* Somebody may stop the page from coming, or go back to this one. */
    window.setTimeout(() => view.release(form), SENDING);
    return;
  }
  outbox.add({
    seat: "decision",
    position: id,
    number: numberOf(id),
    url: address,
    words,
    body: { ...fields, save_id: newId() },
  });
  drafts.remove(id);
  decided.add(id);
  trail.add(address);
  goOn(id, `Pair ${numberOf(id)}: ${words}.`);
}

/**
 * @param {string} id The pair that was decided.
 * @param {string} sentence
 */
async function goOn(id, sentence) {
  /* A sequence ends with the last pair of its kind; of a topic the other pairs follow. */
  const rest = "inSequence" in bench.dataset ? "" : addressOf(anyOpen(decided)).replace(/\?.*/, "");
  const following = addressOf(nextOpen(decided, id)) || rest;
  if (!following) {
    markDecided(decided);
    view.tell(`${sentence} That was the last pair ${bench.dataset.whole}.`);
    session.leaveFor(bench.dataset.queue);
    sender.send();
    return;
  }
  if (!fetched.now(following)) {
    view.hold();
    view.tell(`${sentence} Loading the next pair …`);
    sender.send();
  }
  if (await go(following, { ahead: false })) view.tell(sentence);
  sender.send();
}

sender.on("saved", ({ entry, fragment }) => {
  fetched.forget(entry.url);
  const pair = fragment.getElementById("pair");
  if (pair) keep(pair);
  fetchAhead();
});
sender.on("refused", ({ entry }) => {
  decided.delete(String(entry.position));
  if (view.here().dataset.id === entry.position) view.release();
});

/* The server shows both versions: sent as the plain form, the refused save gets its page. */
function look() {
  const { url, body } = session.drop();
  const plain = document.createElement("form");
  plain.method = "post";
  plain.action = url;
  for (const [name, value] of Object.entries({ ...body, csrfmiddlewaretoken: csrf.token })) {
    plain.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(plain);
  plain.submit();
}

/* --- keys and clicks --- */

/** @param {string} selector */
const goTo = (selector) => go(document.querySelector(selector)?.getAttribute("href"));

/** @type {Record<string, (control?: Element) => void>} */
const actions = {
  retry: () => session.retry(),
  "refused-open": look,
  "refused-retry"() {
    decided.add(String(session.release().position));
  },
  "refused-discard": () => {
    session.drop();
  },
  back() {
    const address = trail.last;
    if (!address) view.tell("You have decided nothing yet since you opened this page.");
    else if (address === view.here().dataset.address) {
      view.tell("This is the last pair that you decided.");
    } else go(address);
  },
  guidelines: () => openDialog("guide"),
  facets: toggleFacets,
  whole: toggleWhole,
  explain: toggleExplain,
  note: () => view.togglePanel("reason-box"),
  causes: () => view.togglePanel("causes"),
  "leave-out": view.leaveOut,
  more: toggleNote,
  next: () => goTo("[data-go=following]"),
  previous: () => goTo("[data-go=previous]"),
};

listen({
  choose(key) {
    if (!view.choose(key)) return false;
    if (document.documentElement.hasAttribute("data-one-key") && !view.lacksReason()) save();
    return true;
  },
  save,
  leave() {
    if (!view.form().contains(document.activeElement)) return false;
    view.focusScale();
    return true;
  },
  acts: actions,
  keys: JSON.parse(bench.dataset.keys),
});

document.addEventListener("click", (event) => {
  const link = targetOf(event).closest("[data-go], .place-list a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  byId("places").hidePopover();
  go(link.getAttribute("href"));
});

document.addEventListener("submit", (event) => {
  if (event.target !== view.form()) return;
  event.preventDefault();
  save();
});

/* A choice made with a key is a change without an input. */
for (const name of ["input", "change"]) {
  document.addEventListener(name, (event) => {
    if (!view.form().contains(targetOf(event))) return;
    drafts.set(view.here().dataset.id, view.read());
    view.hint();
  });
}

window.addEventListener("popstate", () => {
  go(window.location.pathname + window.location.search, { push: false });
});

csrf.learn(document);
for (const entry of outbox.entries()) decided.add(String(entry.position));
opened();
sender.send();
