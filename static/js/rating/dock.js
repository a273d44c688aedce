/* The form in the dock: reading it, filling it, opening its panels. */

import { every, focusBesideTexts } from "../core/dom.js";
import * as components from "./components.js";
import { showMarks } from "./query.js";

/** @typedef {import("./pairs.js").Answer} Answer */

const form = () => document.getElementById("rating");
/** @returns {HTMLInputElement[]} */
const radios = () => every("input[name=answer]", form());
const ownReason = () => /** @type {HTMLInputElement} */ (document.getElementById("own-reason"));
const note = () => /** @type {HTMLTextAreaElement} */ (document.getElementById("note"));
/** @returns {HTMLInputElement} */
const flag = () => form().querySelector("input[name=is_flagged]");

/**
 * What the form holds, also a disabled one.
 * @returns {Answer}
 */
export const read = () => ({
  choice: radios().find((radio) => radio.checked)?.value ?? "",
  own_reason: ownReason().value,
  note: note().value,
  is_flagged: flag().checked,
  components: components.read(),
});

/**
 * @param {unknown[]} a
 * @param {unknown[]} b
 */
const alike = (a = [], b = []) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Nothing was touched: not even how the aspect is split.
 * @param {Answer} a
 * @param {Answer} b
 */
export const untouched = (a, b) => same(a, b) && alike(a.components, b.components);

/**
 * Saving one over the other would change nothing.
 * @param {Answer} a
 * @param {Answer} b
 */
export function same(a, b) {
  return (
    a.choice === b.choice &&
    a.note.trim() === b.note.trim() &&
    a.is_flagged === b.is_flagged &&
    alike(components.kept(a.components), components.kept(b.components)) &&
    (a.choice !== "cannot-judge:own" || a.own_reason.trim() === b.own_reason.trim())
  );
}

/** @param {Answer} answer */
export function fill(answer) {
  for (const radio of radios()) radio.checked = radio.value === answer.choice;
  ownReason().value = answer.own_reason;
  note().value = answer.note;
  flag().checked = answer.is_flagged;
  components.fill(answer.components);
  markPanels();
}

/** @returns {Answer} */
export const empty = () => ({
  choice: "",
  own_reason: "",
  note: "",
  is_flagged: false,
  components: [],
});

/**
 * "2 · Similar", or "Cannot judge: …".
 * @param {Answer} answer
 */
export function words(answer) {
  const radio = radios().find((other) => other.value === answer.choice);
  if (!radio) return "";
  return answer.choice === "cannot-judge:own"
    ? `${radio.dataset.words}: ${answer.own_reason.trim()}`
    : radio.dataset.words;
}

/**
 * @param {HTMLInputElement} radio
 * @param {string} key
 */
function hasKey(radio, key) {
  return radio.dataset.key?.toLowerCase() === key;
}

/**
 * Choose the option with this key; false if none has it.
 * @param {string} key
 */
export function choose(key) {
  return pick((radio) => hasKey(radio, key));
}

/**
 * Whether the key of a grade was pressed among the reasons, where it may be meant for one of them.
 * @param {string} key
 */
export function isAmongReasons(key) {
  const isOpen = !document.getElementById("reasons").hidden;
  return isOpen && radios().some((radio) => hasKey(radio, key));
}

/* Choose what the key components suggest; false if they suggest nothing. */
export function takeSuggestion() {
  const option = components.suggested();
  return option !== null && pick((radio) => radio.value === option);
}

/** @param {(radio: HTMLInputElement) => boolean} isMeant */
function pick(isMeant) {
  const radio = radios().find(isMeant);
  if (!radio || radio.matches(":disabled")) return false;
  radio.checked = true;
  focusBesideTexts(radio);
  radio.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

/**
 * A panel is the reasons, the components or the note: open or close it, and put the focus in it.
 * It takes its room from the query, whose marks stay in sight.
 * @param {string} name
 * @param {boolean} [wanted]
 */
export function togglePanel(name, wanted) {
  const panel = document.getElementById(name);
  const open = wanted ?? panel.hidden;
  panel.hidden = !open;
  const button = form().querySelector(`[aria-controls="${name}"]`);
  button?.setAttribute("aria-expanded", String(open));
  if (open && name === "components") components.focus();
  else if (open) {
    const checked = panel.querySelector("input:checked");
    focusBesideTexts(checked ?? panel.querySelector("input, textarea"));
  }
  showMarks();
  return open;
}

/* Whether one was open. */
export function closePanels() {
  const open = [...form().querySelectorAll(".extra")].filter((panel) => !panel.hidden);
  for (const panel of open) togglePanel(panel.id, false);
  return open.length > 0;
}

/* Whoever writes a reason of their own chooses it. */
export function chooseOwnReason() {
  if (!ownReason().value) return;
  radios().find((radio) => radio.value === "cannot-judge:own").checked = true;
}

/* The buttons show that there is something behind them. */
export function markPanels() {
  const answer = read();
  /** @type {Record<string, boolean>} */
  const holding = {
    "note-box": answer.note.trim() !== "",
    reasons: answer.choice.startsWith("cannot-judge:"),
    components: components.kept(answer.components).length > 0,
  };
  for (const button of form().querySelectorAll(".row [aria-controls]")) {
    const holds = holding[button.getAttribute("aria-controls")];
    button.classList.toggle("holds", holds);
    const dot = button.querySelector(".dot");
    if (dot) dot.hidden = !holds;
  }
}

/* Focus on the scale as a whole, so that no option looks preferred in the next pair. */
export function focusScale() {
  document.getElementById("scale").focus({ preventScroll: true });
}

export function toggleFlag() {
  const box = flag();
  if (box.disabled) return null;
  box.checked = !box.checked;
  box.dispatchEvent(new Event("change", { bubbles: true }));
  return box.checked;
}
