// Whoever writes aspects one after the other goes on while the last is on its way. The answer brings
// new forms: what was typed, chosen and ticked meanwhile goes on there, and what was entered is added
// after it.
/** @typedef {{text: string, parent: string}} Aspect */

const field = () => /** @type {HTMLInputElement} */ (document.getElementById("new-aspect"));
const place = () => /** @type {HTMLSelectElement} */ (document.getElementById("new-parent"));
const form = () => field()?.form;
/** @param {Event} event */
const isAdding = (event) => {
  const { requestConfig, elt } = /** @type {CustomEvent} */ (event).detail;
  return (requestConfig?.elt ?? elt).matches("form.new-aspect");
};

/** @returns {Aspect} */
const read = () => ({ text: field().value, parent: place().value });
/** @param {Aspect} aspect */
const write = ({ text, parent }) => {
  field().value = text;
  const option = [...place().options].find(({ value }) => value === parent);
  if (option) option.selected = true;
};

/** @type {Aspect} The one that is on its way. */
let sent = null;
/** @type {Aspect[]} Those that were entered after it. */
const entered = [];
/** @type {Aspect} What stands in the form when another takes its place. */
let typed = null;
/** What was typed while one came back that was refused, to be corrected first. */
let later = "";

document.addEventListener("htmx:confirm", (event) => {
  if (!isAdding(event) || !sent) return;
  event.preventDefault();
  entered.push(read());
  field().value = "";
});

document.addEventListener("htmx:beforeSend", (event) => {
  if (!isAdding(event)) return;
  sent = read();
  field().value = later;
  later = "";
});

document.addEventListener("htmx:beforeSwap", () => {
  if (form()) typed = read();
});

// In the same breath as the swap: a key pressed before things settle would go into an empty field.
document.addEventListener("htmx:afterSwap", (event) => {
  if (isAdding(event)) sent = null;
  if (!typed || !form()) return;
  if (field().value) later = typed.text;
  else write(typed);
  typed = null;
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (!isAdding(event) || !form() || field().ariaInvalid || !entered.length) return;
  const now = read();
  write(entered.shift());
  form().requestSubmit();
  write(now);
});

for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, (event) => {
    if (!isAdding(event) || !sent) return;
    if (field().value) entered.unshift(sent);
    else write(sent);
    sent = null;
  });
}

// --- what an answer finds changed in the workspace that it replaces: texts being edited, boxes ticked,
// and the cursor elsewhere ---
/** @typedef {{id: string, text: string, from: number, to: number}} Edit */
/** @type {Edit[]} */
let edits = [];
/** @type {Map<string, boolean>} Boxes that are not as the page brought them. */
let ticks = new Map();
/** The sentences that the boxes stand at. */
let sentences = "";
let cursor = "";
let isToSave = false;
/** @type {XMLHttpRequest} The last that saves boxes. */
let saving = null;

const links = () => /** @type {HTMLFormElement} */ (document.querySelector("#links form"));
const boxes = () =>
  /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(".tick input")]);
const seen = () => /** @type {HTMLInputElement} */ (links()?.elements.namedItem("seen"))?.value;

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, requestConfig } = event.detail;
  if (target.id !== "workspace") return;
  const { elt, parameters } = requestConfig;
  edits = [];
  for (const area of target.querySelectorAll("details[open] textarea")) {
    const { id, value, selectionStart, selectionEnd } = /** @type {HTMLTextAreaElement} */ (area);
    const isAnswered = id === `text-${parameters.place}` && value === parameters.text;
    if (!isAnswered) edits.push({ id, text: value, from: selectionStart, to: selectionEnd });
  }
  const changed = boxes().filter(({ checked, defaultChecked }) => checked !== defaultChecked);
  ticks = new Map(changed.map(({ id, checked }) => [id, checked]));
  sentences = seen();
  const { activeElement } = document;
  cursor = elt.contains(activeElement) || !target.contains(activeElement) ? "" : activeElement.id;
});

document.addEventListener("htmx:afterSwap", () => {
  for (const { id, text, from, to } of edits) {
    const area = /** @type {HTMLTextAreaElement} */ (document.getElementById(id));
    if (!area) continue;
    area.closest("details").setAttribute("open", "");
    area.value = text;
    area.setSelectionRange(from, to);
  }
  edits = [];
  if (sentences !== seen()) ticks.clear();
  for (const box of boxes()) {
    const isOn = ticks.get(box.id) ?? box.checked;
    isToSave ||= isOn !== box.checked;
    box.checked = isOn;
  }
  ticks.clear();
});

const saveBoxes = () => links()?.dispatchEvent(new Event("change"));
document.addEventListener("htmx:afterSettle", () => {
  document.getElementById(cursor)?.focus({ preventScroll: true });
  cursor = "";
  if (!isToSave) return;
  isToSave = false;
  if (saving && saving.readyState !== XMLHttpRequest.DONE)
    saving.addEventListener("loadend", saveBoxes);
  else saveBoxes();
});
document.addEventListener("htmx:beforeSend", (event) => {
  if (event.detail.elt.matches("#links form")) saving = event.detail.xhr;
});
