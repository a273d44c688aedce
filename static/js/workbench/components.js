/* Key components: the parts of an aspect, a line each, and how far the abstract meets them. What
   they suggest is shown and never chosen by itself. */

const MARKS = ["", "met", "partly", "not"]; /* by the digit that sets them */
const HALVES = { met: 2, partly: 1, not: 0 };

const panel = () => document.getElementById("components");
const lines = () => [...(panel()?.querySelectorAll(".component") ?? [])];
const textOf = (line) => line.querySelector("[name^=component-]");
const marksOf = (line) => [...line.querySelectorAll("[name^=met-]")];
const markOf = (line) => marksOf(line).find((mark) => mark.checked)?.value ?? "";
const isFilled = (line) => textOf(line).value.trim() !== "";

/* The lines that hold a text: [{ text, met }], `met` empty where there is no mark. */
export function read() {
  return lines()
    .filter(isFilled)
    .map((line) => ({ text: textOf(line).value.trim(), met: markOf(line) }));
}

/* What is kept of them: all once they are marked, nothing where none is. */
export const kept = (components = []) => (components.some((one) => one.met) ? components : []);
export const isHalfMarked = (components = []) =>
  kept(components).some((one) => !one.met);
export const unmarked = (texts) => texts.map((text) => ({ text, met: "" }));

/* As fields of the form, and back. */
export function toFields(components) {
  return Object.fromEntries(
    kept(components).flatMap(({ text, met }, i) => [
      [`component-${i + 1}`, text],
      [`met-${i + 1}`, met],
    ]),
  );
}

export function fromFields(body) {
  const found = [];
  for (let n = 1; `component-${n}` in body; n += 1) {
    found.push({ text: body[`component-${n}`], met: body[`met-${n}`] });
  }
  return found;
}

/* "1/2", "0.5" and "1" as [numerator, denominator]: shares are compared exactly, as the server does. */
function fraction(text) {
  const [above, below = "1"] = text.split("/");
  const [whole, decimals = ""] = above.split(".");
  return [Number(whole + decimals), Number(below) * 10 ** decimals.length];
}

/* The key of the option that the first fitting suggestion names; null unless every one is marked. */
export function suggest(components, suggestions) {
  if (!components.length || components.some((one) => !one.met)) return null;
  const halves = components.reduce((sum, one) => sum + HALVES[one.met], 0);
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

/* A first guess at the parts of a text, for people to correct. */
export function parts(text) {
  return text
    .replace(/[.?!]\s*$/, "")
    .split(/\s*[,;:]\s*(?:and\s+)?|\s+and\s+/i)
    .map((part) => part.trim())
    .filter(Boolean);
}

/* --- the lines on the page --- */

function line(n, { text = "", met = "" } = {}) {
  const made = lines()[0].cloneNode(true);
  textOf(made).name = `component-${n}`;
  textOf(made).setAttribute("aria-label", `Key component ${n}`);
  textOf(made).value = text;
  made.querySelector(".marks").setAttribute("aria-label", `Is component ${n} met?`);
  made.querySelector("button").setAttribute("aria-label", `Remove component ${n}`);
  for (const mark of marksOf(made)) {
    mark.name = `met-${n}`;
    mark.checked = mark.value === met;
  }
  return made;
}

/* One empty line at the end, as long as there may be more. */
function keepOneEmpty() {
  const all = lines();
  if (isFilled(all.at(-1)) && all.length < Number(panel().dataset.limit)) {
    all.at(-1).after(line(all.length + 1));
  }
}

export function fill(components = []) {
  if (!panel()) return;
  const given = components.length ? components : [{}];
  const shown = given.slice(0, Number(panel().dataset.limit)).map((one, i) => line(i + 1, one));
  panel().querySelector("ol").replaceChildren(...shown);
  if (!panel().matches(":disabled")) keepOneEmpty();
  showSuggested();
}

/* Put other components in place of what is written, and tell that it changed. */
export function replace(components, focused) {
  fill(components);
  textOf(lines()[Math.min(focused, lines().length - 1)]).focus({ preventScroll: true });
  panel().dispatchEvent(new Event("input", { bubbles: true }));
}

export function remove(at) {
  const index = lines().indexOf(at);
  const rest = lines().filter((other) => other !== at && isFilled(other));
  replace(rest.map((other) => ({ text: textOf(other).value, met: markOf(other) })), index);
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

/* A digit marks the line that has the focus and goes on to the next without a mark. */
export function mark(key, at) {
  const here = at.closest("#components .component");
  const value = /^\d$/.test(key) ? MARKS[Number(key)] : undefined;
  if (!here || value === undefined || !isFilled(here) || panel().matches(":disabled")) return false;
  const chosen = marksOf(here).find((one) => one.value === value);
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

/* As in a text with a part per line: Enter begins the next one, Backspace removes an empty one. */
function onKey(event) {
  const at = event.target.closest?.("#components .component");
  if (!at || event.target !== textOf(at) || event.isComposing) return;
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const next = at.nextElementSibling;
    if (isFilled(at) && next) textOf(next).focus();
    else focus();
  } else if (event.key === "Backspace" && !event.target.value && lines().length > 1) {
    event.preventDefault();
    const index = lines().indexOf(at);
    remove(at);
    textOf(lines()[Math.max(0, index - 1)]).focus();
  }
}

/* Several lines of text become several components. */
function onPaste(event) {
  const at = event.target.closest("#components .component");
  if (!at || event.target !== textOf(at)) return;
  const texts = (event.clipboardData?.getData("text") ?? "").split(/\r?\n/);
  const given = texts.map((text) => text.trim()).filter(Boolean);
  if (given.length < 2) return;
  event.preventDefault();
  const all = lines().map((one) => ({ text: textOf(one).value.trim(), met: markOf(one) }));
  const index = lines().indexOf(at);
  all.splice(isFilled(at) ? index + 1 : index, 0, ...unmarked(given));
  const filled = all.filter((one) => one.text);
  replace(filled, index + given.length - 1);
}

document.addEventListener("keydown", onKey, { capture: true });
document.addEventListener("paste", onPaste);
document.addEventListener("input", (event) => {
  if (!event.target.closest?.("#components")) return;
  keepOneEmpty();
  showSuggested();
});
document.addEventListener("change", (event) => {
  if (event.target.closest?.("#components")) showSuggested();
});
