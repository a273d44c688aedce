/* The workbench: shows one pair after another without a new page, and keeps every answer on the
   device until the server has it. Without this script the same pages work as plain forms. */

import { dialogOf, targetOf } from "../core/dom.js";
import { listen } from "../core/keys.js";
import { applyLens, toggleExplain, toggleFacets, toggleWhole } from "../core/lens.js";
import { csrf } from "../core/server.js";
import { answerOf } from "./answers.js";
import * as components from "./components.js";
import * as dock from "./dock.js";
import { inviteNote, inviteReason, tell, tellChosen } from "./line.js";
import { markAspects } from "./query.js";
import { back, showRecent } from "./recent.js";
import * as refused from "./refused.js";
import { save } from "./save.js";
import {
  fetchAhead,
  keepDraft,
  leaveFor,
  leavePanels,
  show,
  step,
  takeUp,
  tellOfNewWording,
} from "./show.js";
import { isLoading, markLoading, pairElement } from "./view.js";
import {
  answers,
  bench,
  handIn,
  outbox,
  pairs,
  readOnly,
  seat,
  sender,
  session,
  strip,
} from "./work.js";

const { openDialog, say } = window.facetwise;
const oneKey = "oneKey" in document.documentElement.dataset;

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
  ...refused.actions,
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
