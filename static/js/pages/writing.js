// Whoever writes aspects one after the other types the next one while the last is on its way. The
// answer brings a new field: what was typed meanwhile goes on there.
const field = () => /** @type {HTMLInputElement} */ (document.getElementById("new-aspect"));
/** @param {Event} event */
const isAdding = (event) => /** @type {Element} */ (event.target).matches("form.new-aspect");
let sent = "";
let typed = "";

document.addEventListener("htmx:beforeSend", (event) => {
  if (!isAdding(event)) return;
  sent = field().value;
  field().value = "";
});

document.addEventListener("htmx:beforeSwap", () => {
  typed = field()?.value ?? "";
});

// In the same breath as the swap: a key pressed before things settle would go into an empty field.
// An answer that refuses has the text in its field, to be corrected first.
document.addEventListener("htmx:afterSwap", () => {
  if (!typed || !field() || field().value) return;
  field().value = typed;
  typed = "";
});

for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, (event) => {
    if (isAdding(event) && !field().value) field().value = sent;
  });
}
