/* What is typed or ticked in a part of the page while its answer is on the way stays. Such a part has
   `data-typed`. In one with `data-typed="numbered"` the numbers in names are those of rows: the answer
   to a new row or facet leaves the names of all others; after any other step a number may mean another
   row, so what was typed there gives way. */

import { every } from "../core/dom.js";

/* A radio with a request of its own is kept by that. */
const FIELDS = "textarea, input:not([type=file], [hx-post]), select";
const ADDS = /^add-|-add(_import)?$/;

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */
/** @typedef {{fields: Map<string, string>, leavesNames: boolean}} Sent */

/** @type {WeakMap<XMLHttpRequest, Sent>} What the part held when it was sent. */
const sent = new WeakMap();
/** @type {Map<string, string>} What was typed since. */
let typed = new Map();
/** @type {{key: string, at: number | null} | null} Where it is being typed. */
let caret = null;

/** @param {Event} event @returns {HTMLElement | null} The part, as it stands now. */
const partOf = (event) => {
  const { target } = /** @type {CustomEvent} */ (event).detail;
  return target?.matches("[data-typed]") ? document.getElementById(target.id) : null;
};
/** @param {Field} field */
const isBox = (field) => field instanceof HTMLInputElement && /radio|checkbox/.test(field.type);
/** @param {Field} field */
const keyOf = (field) => (isBox(field) ? `${field.name}=${field.value}` : field.name);
/** @param {Field} field */
const contentOf = (field) =>
  isBox(field) ? String(/** @type {HTMLInputElement} */ (field).checked) : field.value;
/** @param {HTMLElement} part @returns {Field[]} */
const fieldsOf = (part) => every(FIELDS, part);

document.addEventListener("htmx:beforeSend", (event) => {
  const part = partOf(event);
  if (!part) return;
  const { xhr, requestConfig } = event.detail;
  sent.set(xhr, {
    fields: new Map(fieldsOf(part).map((field) => [keyOf(field), contentOf(field)])),
    leavesNames:
      part.dataset.typed !== "numbered" || ADDS.test(requestConfig.formData.get("do") ?? ""),
  });
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const part = partOf(event);
  const before = sent.get(event.detail.xhr);
  if (!part || !before) return;
  const changed = fieldsOf(part).filter(
    (field) =>
      contentOf(field) !== before.fields.get(keyOf(field)) &&
      (before.leavesNames || !/\d/.test(field.name)),
  );
  // Of radios the one that is chosen lets go of the others.
  const kept = changed.filter((field) => field.type !== "radio" || contentOf(field) === "true");
  typed = new Map(kept.map((field) => [keyOf(field), contentOf(field)]));
  const active = changed.find((field) => field === document.activeElement);
  caret = active
    ? { key: keyOf(active), at: "selectionStart" in active ? active.selectionStart : null }
    : null;
});

/* In one go with the swap, so that no key comes between. */
document.addEventListener("htmx:afterSwap", (event) => {
  const part = partOf(event);
  if (!part) return;
  for (const field of fieldsOf(part)) {
    const content = typed.get(keyOf(field));
    if (content === undefined) continue;
    if (isBox(field)) /** @type {HTMLInputElement} */ (field).checked = content === "true";
    else field.value = content;
  }
});

document.addEventListener("htmx:afterSettle", (event) => {
  const part = partOf(event);
  if (!part || !typed.size) return;
  const changed = fieldsOf(part).filter((field) => typed.has(keyOf(field)));
  typed = new Map();
  // A new row may have taken the focus.
  const active = changed.find((field) => keyOf(field) === caret?.key);
  active?.focus();
  if (caret?.at != null && active && "setSelectionRange" in active) {
    active.setSelectionRange(caret.at, caret.at);
  }
  // As if it had been typed only now: the preview follows, and what is counted is counted again.
  for (const field of changed) {
    for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  }
});
