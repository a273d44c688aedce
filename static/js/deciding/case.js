/* The pair in view and its form. */

import { byId, focusBesideTexts } from "../core/dom.js";

/** @typedef {Record<string, string>} Fields What the form holds, by name. */

export const here = () => document.getElementById("pair");
export const form = () => /** @type {HTMLFormElement} */ (document.getElementById("decision"));
export const isLocked = () => !form().querySelector("button[type=submit]");

/* A form that was sent takes nothing more, until another takes its place or it is refused. Its
   buttons go on working: they lead to the next pair, which may have failed to come. */
export const hold = () => setHeld(form(), true);
export const release = (held = form()) => setHeld(held, false);
export const isHeld = () => "held" in form().dataset;

/**
 * @param {HTMLFormElement} held
 * @param {boolean} isHeldNow
 */
function setHeld(held, isHeldNow) {
  held.toggleAttribute("data-held", isHeldNow);
  for (const part of held.children) {
    if (!part.matches(".row")) /** @type {HTMLElement} */ (part).inert = isHeldNow;
  }
}

/* The ratings are shown once a first grade of one's own is given. */
export const asksFirst = () => "first" in form().dataset;

/** @returns {HTMLInputElement} */
export const chosen = () => form().querySelector("input[name=option]:checked");
/** @returns {HTMLTextAreaElement} */
export const reason = () => form().querySelector("[name=reason]");

/** @returns {Fields} */
export function read() {
  const fields = Object.fromEntries(new FormData(form()));
  delete fields.csrfmiddlewaretoken;
  return /** @type {Fields} */ (fields);
}

/** @param {Fields} draft */
export function fill(draft) {
  for (const name of ["option", "cause"]) {
    /** @type {NodeListOf<HTMLInputElement>} */
    const inputs = form().querySelectorAll(`[name=${name}]`);
    const field = [...inputs].find((input) => input.value === (draft[name] ?? ""));
    if (field) field.checked = true;
  }
  reason().value = draft.reason;
}

/** @param {HTMLInputElement} option */
export const leavesOut = (option) => "leaveOut" in option.dataset;

/** @param {HTMLInputElement} option */
export const nameOf = (option) => (leavesOut(option) ? "left out" : option.dataset.words);

const needsReason = () => {
  const option = chosen();
  return Boolean(option) && ("neither" in option.dataset || leavesOut(option));
};

export const lacksReason = () => needsReason() && !reason().value.trim();

/**
 * A line beside the button.
 * @param {string} sentence
 */
export function tell(sentence, { warn = false } = {}) {
  const line = byId("said");
  line.textContent = sentence;
  line.classList.toggle("warn", warn);
  if (sentence) window.facetwise.say(sentence);
}

/* What the choice still needs. */
export function hint() {
  reason().setAttribute("aria-required", String(needsReason()));
  if (lacksReason()) panel("reason-box").hidden = false;
  showPanels();
  if (!lacksReason()) tell("");
  else if (leavesOut(chosen())) tell("Say why you leave it out.", { warn: true });
  else tell("No annotator gave this grade: say why.", { warn: true });
}

/**
 * Choose the option with this key; false if none has it.
 * @param {string} key
 */
export const choose = (key) => pick(`input[data-shortcut="${CSS.escape(key)}"]`);

/* Choose to leave the pair out; the reason that it needs unfolds. */
export const leaveOut = () => pick("[data-leave-out]");

/** @param {string} selector */
function pick(selector) {
  if (isLocked() || isHeld()) return false;
  /** @type {HTMLInputElement} */
  const option = form().querySelector(selector);
  if (!option) return false;
  option.checked = true;
  focusBesideTexts(option);
  option.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

/* --- the reason and the cause, folded until they are asked for or needed --- */

/** @param {string} id */
const panel = (id) => document.getElementById(id);

/* What a panel holds, by its id. */
const holding = () => ({
  "reason-box": reason().value.trim() !== "",
  causes: Boolean(form().querySelector("#causes input:checked:not([value=''])")),
});

/**
 * Open a panel, or close the one in which the focus is. Another that holds nothing gives its room.
 * @param {string} id
 */
export function togglePanel(id) {
  const box = panel(id);
  if (!box || isHeld()) return;
  const isLeft = !box.hidden && box.contains(document.activeElement);
  box.hidden = isLeft;
  if (!isLeft) {
    for (const [other, holds] of Object.entries(holding())) {
      const isNeeded = other === "reason-box" && needsReason();
      if (other !== id && panel(other) && !holds && !isNeeded) panel(other).hidden = true;
    }
  }
  showPanels();
  if (isLeft) focusScale();
  else {
    const field = box.querySelector("input:checked") ?? box.querySelector("textarea");
    field?.focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
  }
}

/* The buttons show what is open, and that there is something behind them. */
export function showPanels() {
  for (const [id, holds] of Object.entries(holding())) {
    const button = form().querySelector(`[data-panel="${id}"]`);
    if (!button) continue;
    button.setAttribute("aria-expanded", String(!panel(id).hidden));
    button.classList.toggle("holds", holds);
    button.querySelector(".dot").hidden = !holds;
  }
}

export const focusScale = () => byId("scale").focus({ preventScroll: true });
