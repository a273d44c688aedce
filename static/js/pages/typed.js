/* What is typed into the builder while its answer is on the way stays. The answer to a new row or
   facet leaves the names of all others; after any other step a number in a name may mean another
   row, so what was typed there gives way. */

import { byId, every } from "../core/dom.js";

const FIELDS = "textarea, input:not([type=hidden], [type=radio], [type=file]), select";
const ADDS = /^add-|-add(_import)?$/;

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/** @type {Map<string, string>} What the form held when it was sent. */
let sent = new Map();
/** @type {Map<string, string>} What was typed since. */
let typed = new Map();
let leavesNames = false;
/** @type {{name: string, at: number | null} | null} Where it is being typed. */
let caret = null;

/** @param {Event} event */
const isOfBuilder = (event) => /** @type {CustomEvent} */ (event).detail.target?.id === "builder";
/** @returns {Field[]} */
const fields = () => every(FIELDS, byId("builder"));
/** @param {Field} field */
const isBox = (field) => field instanceof HTMLInputElement && field.type === "checkbox";
/** @param {Field} field */
const contentOf = (field) =>
  isBox(field) ? String(/** @type {HTMLInputElement} */ (field).checked) : field.value;

document.addEventListener("htmx:beforeSend", (event) => {
  if (!isOfBuilder(event)) return;
  sent = new Map(fields().map((field) => [field.name, contentOf(field)]));
  leavesNames = ADDS.test(event.detail.requestConfig.formData.get("do") ?? "");
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!isOfBuilder(event)) return;
  const changed = fields().filter(
    (field) => contentOf(field) !== sent.get(field.name) && (leavesNames || !/\d/.test(field.name)),
  );
  typed = new Map(changed.map((field) => [field.name, contentOf(field)]));
  const active = changed.find((field) => field === document.activeElement);
  caret = active
    ? { name: active.name, at: "selectionStart" in active ? active.selectionStart : null }
    : null;
});

/* In one go with the swap, so that no key comes between. */
document.addEventListener("htmx:afterSwap", (event) => {
  if (!isOfBuilder(event)) return;
  for (const field of fields()) {
    const content = typed.get(field.name);
    if (content === undefined) continue;
    if (isBox(field)) /** @type {HTMLInputElement} */ (field).checked = content === "true";
    else field.value = content;
    if (field.name !== caret?.name) continue;
    field.focus();
    if (caret.at !== null && "setSelectionRange" in field) {
      field.setSelectionRange(caret.at, caret.at);
    }
  }
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (!isOfBuilder(event) || !typed.size) return;
  // A new row may have taken the focus.
  fields()
    .find((field) => field.name === caret?.name)
    ?.focus();
  typed = new Map();
  // As if it had been typed only now: the preview follows.
  byId("builder").dispatchEvent(new Event("input", { bubbles: true }));
});
