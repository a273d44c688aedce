// Whoever writes aspects one after the other goes on while the last is on its way. The answer brings a
// new form: what was typed and chosen meanwhile goes on there, and what was entered is added after it.
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
