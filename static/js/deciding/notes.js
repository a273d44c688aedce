/* Notes of annotators: a long one shows its beginning, so that those after it stay in sight. */

import { every } from "../core/dom.js";

/**
 * The note that a button unfolds.
 * @param {Element} button
 */
const noteOf = (button) => document.getElementById(button.getAttribute("aria-controls"));

/* Buttons for the notes of which something is hidden. A folded rater has none to measure. */
export function offerMore() {
  for (const button of every(".said-by .more")) {
    const note = noteOf(button);
    const isWhole = note.classList.contains("whole");
    if (note.clientHeight && !isWhole) button.hidden = note.scrollHeight <= note.clientHeight + 1;
  }
}

/** @param {Element} button */
export function toggleNote(button) {
  const isWhole = noteOf(button).classList.toggle("whole");
  button.setAttribute("aria-expanded", String(isWhole));
  button.firstChild.textContent = isWhole ? "Less" : "More";
}

document.addEventListener("toggle", offerMore, { capture: true });
window.addEventListener("resize", offerMore);
