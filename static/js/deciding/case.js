/* The pair in view and its form. */

import { byId } from "../core/dom.js";

/** @typedef {Record<string, string>} Fields What the form holds, by name. */

export const here = () => document.getElementById("pair");
export const form = () => /** @type {HTMLFormElement} */ (document.getElementById("decision"));
export const isLocked = () => !form().querySelector("button[type=submit]");
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
  if (!lacksReason()) tell("");
  else if (leavesOut(chosen())) tell("Say why you leave it out.", { warn: true });
  else tell("No annotator gave this grade: say why.", { warn: true });
}

/**
 * Choose the option with this key; false if none has it.
 * @param {string} key
 */
export function choose(key) {
  if (isLocked()) return false;
  /** @type {HTMLInputElement} */
  const option = form().querySelector(`input[data-shortcut="${CSS.escape(key)}"]`);
  if (!option) return false;
  option.checked = true;
  option.focus({ preventScroll: true });
  option.closest(".pick").scrollIntoView({ block: "nearest" });
  option.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

export const focusScale = () => byId("scale").focus({ preventScroll: true });
