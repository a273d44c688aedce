/* Key components: the parts of an aspect, a line each, and how far the abstract meets them. What
   they suggest is shown and never chosen by itself. */

import { every, targetOf } from "../core/dom.js";

/** @typedef {{text: string, met: string}} Component `met` is empty where there is no mark. */
/** @typedef {{option: string, above?: string, at_least?: string}} Suggestion */

const MARKS = ["", "met", "partly", "not"]; /* by the digit that sets them */
/** @type {Record<string, number>} */
const HALVES = { met: 2, partly: 1, not: 0 };

const panel = () => document.getElementById("components");
const lines = () => [...(panel()?.querySelectorAll(".component") ?? [])];
/**
 * @param {HTMLElement} line
 * @returns {HTMLInputElement}
 */
const textOf = (line) => line.querySelector("[name^=component-]");
/**
 * @param {HTMLElement} line
 * @returns {HTMLInputElement[]}
 */
const marksOf = (line) => every("[name^=met-]", line);
/** @param {HTMLElement} line */
const markOf = (line) => marksOf(line).find((mark) => mark.checked)?.value ?? "";
/** @param {HTMLElement} line */
const isFilled = (line) => textOf(line).value.trim() !== "";

/**
 * The lines that hold a text.
 * @returns {Component[]}
 */
export function read() {
  return lines()
    .filter(isFilled)
    .map((line) => ({ text: textOf(line).value.trim(), met: markOf(line) }));
}

/**
 * What is kept of them: all once they are marked, nothing where none is.
 * @param {Component[]} [components]
 */
export const kept = (components = []) =>
  components.some((component) => component.met) ? components : [];
/** @param {Component[]} [components] */
export const isHalfMarked = (components) => kept(components).some((component) => !component.met);
/** @param {string[]} texts */
export const unmarked = (texts) => texts.map((text) => ({ text, met: "" }));

/**
 * As fields of the form, and back.
 * @param {Component[]} components
 * @returns {Record<string, string>}
 */
export function toFields(components) {
  return Object.fromEntries(
    kept(components).flatMap(({ text, met }, i) => [
      [`component-${i + 1}`, text],
      [`met-${i + 1}`, met],
    ]),
  );
}

/** @param {Record<string, string>} body */
export function fromFields(body) {
  const components = [];
  for (let n = 1; `component-${n}` in body; n += 1) {
    components.push({ text: body[`component-${n}`], met: body[`met-${n}`] });
  }
  return components;
}

/**
 * "1/2", "0.5" and "1" as [numerator, denominator]: shares are compared exactly, as the server does.
 * @param {string} text
 */
function fraction(text) {
  const [above, below = "1"] = text.split("/");
  const [whole, decimals = ""] = above.split(".");
  return [Number(whole + decimals), Number(below) * 10 ** decimals.length];
}

/**
 * The key of the option that the first fitting suggestion names; null unless every one is marked.
 * @param {Component[]} components
 * @param {Suggestion[]} suggestions
 */
export function suggest(components, suggestions) {
  if (!components.length || components.some(({ met }) => !met)) return null;
  const halves = components.reduce((sum, { met }) => sum + HALVES[met], 0);
  /** @param {Suggestion} suggestion */
  const fits = ({ above, at_least: atLeast }) => {
    const [numerator, denominator] = fraction(above ?? atLeast);
    const more = halves * denominator - numerator * 2 * components.length;
    return above === undefined ? more >= 0 : more > 0;
  };
  return suggestions.find(fits)?.option ?? null;
}

export function suggested() {
  if (!panel()) return null;
  return suggest(read(), JSON.parse(panel().dataset.suggestions));
}

/**
 * A first guess at the parts of a text, for people to correct.
 * @param {string} text
 */
export function parts(text) {
  return text
    .replace(/[.?!。？！؟۔]\s*$/, "")
    .split(/\s*[,;:，；：、،؛]\s*(?:and\s+)?|\s+and\s+/i)
    .map((part) => part.trim())
    .filter(Boolean);
}

/* --- the lines on the page --- */

/** @param {number} n */
function line(n, { text = "", met = "" } = {}) {
  const row = /** @type {HTMLElement} */ (lines()[0].cloneNode(true));
  textOf(row).name = `component-${n}`;
  textOf(row).setAttribute("aria-label", `Key component ${n}`);
  textOf(row).value = text;
  row.querySelector(".marks").setAttribute("aria-label", `Is component ${n} met?`);
  row.querySelector("button").setAttribute("aria-label", `Remove component ${n}`);
  for (const mark of marksOf(row)) {
    mark.name = `met-${n}`;
    mark.checked = mark.value === met;
  }
  return row;
}

/* One empty line at the end, as long as there may be more. */
function keepOneEmpty() {
  const all = lines();
  if (isFilled(all.at(-1)) && all.length < Number(panel().dataset.limit)) {
    all.at(-1).after(line(all.length + 1));
  }
}

/** @param {Component[]} components */
export function fill(components) {
  if (!panel()) return;
  const filled = components.length ? components : unmarked([""]);
  const shown = filled.slice(0, Number(panel().dataset.limit)).map((row, i) => line(i + 1, row));
  panel()
    .querySelector("ol")
    .replaceChildren(...shown);
  if (!panel().matches(":disabled")) keepOneEmpty();
  showSuggested();
}

/**
 * Put other components in place of what is written, and tell that it changed.
 * @param {Component[]} components
 * @param {number} focused
 */
export function replace(components, focused) {
  fill(components);
  textOf(lines()[Math.min(focused, lines().length - 1)]).focus({ preventScroll: true });
  panel().dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Put texts below what is written, except those that stand there already.
 * @param {string[]} texts
 */
export function add(texts) {
  const written = read();
  const others = texts.filter((text) => !written.some((component) => component.text === text));
  replace([...written, ...unmarked(others)], written.length);
}

/** @param {HTMLElement} at */
export function remove(at) {
  const index = lines().indexOf(at);
  const rest = lines().filter((other) => other !== at && isFilled(other));
  replace(
    rest.map((other) => ({ text: textOf(other).value, met: markOf(other) })),
    index,
  );
}

/* The name of the option that the components suggest; empty if they suggest none. */
export function suggestedName() {
  const key = suggested();
  const option = key && document.querySelector(`#scale input[value="${CSS.escape(key)}"]`);
  return option ? option.closest(".grade").dataset.name : "";
}

function showSuggested() {
  const name = suggestedName();
  const line = document.getElementById("suggested");
  line.hidden = !name;
  line.querySelector("b").textContent = name;
  const take = panel().querySelector("[data-act=take-suggestion]");
  take.hidden = !name || panel().matches(":disabled");
}

/* --- focus and keys --- */

/* To the first line that waits for a mark, else to where one can write. */
export function focus() {
  const filled = lines().filter(isFilled);
  const waiting = filled.find((line) => !markOf(line));
  if (waiting) marksOf(waiting)[0].focus({ preventScroll: true });
  else textOf(filled[0] ?? lines()[0]).focus({ preventScroll: true });
}

/**
 * A digit marks the line that has the focus and goes on to the next without a mark.
 * @param {string} key
 * @param {Element} at
 */
export function mark(key, at) {
  const here = at.closest("#components .component");
  const value = /^\d$/.test(key) ? MARKS[Number(key)] : undefined;
  if (!here || value === undefined || !isFilled(here) || panel().matches(":disabled")) return false;
  const chosen = marksOf(here).find((input) => input.value === value);
  chosen.checked = true;
  const all = lines();
  const index = all.indexOf(here);
  const next = [...all.slice(index + 1), ...all.slice(0, index)].find(
    (other) => isFilled(other) && !markOf(other),
  );
  chosen.dispatchEvent(new Event("change", { bubbles: true }));
  const take = panel().querySelector("[data-act=take-suggestion]");
  if (value && next) marksOf(next)[0].focus();
  else if (value && !take.hidden) take.focus();
  else chosen.focus();
  return true;
}

/**
 * As in a text with a part per line: Enter begins the next one, Backspace removes an empty one.
 * @param {KeyboardEvent} event
 */
function onKey(event) {
  const at = targetOf(event).closest("#components .component");
  if (!at || event.target !== textOf(at) || event.isComposing) return;
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const next = /** @type {HTMLElement} */ (at.nextElementSibling);
    if (isFilled(at) && next) textOf(next).focus();
    else focus();
  } else if (event.key === "Backspace" && !textOf(at).value && lines().length > 1) {
    event.preventDefault();
    const index = lines().indexOf(at);
    remove(at);
    textOf(lines()[Math.max(0, index - 1)]).focus();
  }
}

/**
 * Several lines of text become several components.
 * @param {ClipboardEvent} event
 */
function onPaste(event) {
  const at = targetOf(event).closest("#components .component");
  if (!at || event.target !== textOf(at)) return;
  const texts = (event.clipboardData?.getData("text") ?? "").split(/\r?\n/);
  const pasted = texts.map((text) => text.trim()).filter(Boolean);
  if (pasted.length < 2) return;
  event.preventDefault();
  const all = lines().map((row) => ({ text: textOf(row).value.trim(), met: markOf(row) }));
  const index = lines().indexOf(at);
  all.splice(isFilled(at) ? index + 1 : index, 0, ...unmarked(pasted));
  const filled = all.filter(({ text }) => text);
  replace(filled, index + pasted.length - 1);
}

document.addEventListener("keydown", onKey, { capture: true });
document.addEventListener("paste", onPaste);
document.addEventListener("input", (event) => {
  if (!targetOf(event).closest("#components")) return;
  keepOneEmpty();
  showSuggested();
});
document.addEventListener("change", (event) => {
  if (targetOf(event).closest("#components")) showSuggested();
});
