/* Scrolling the texts from wherever the focus rests: the keys that move a page move both texts, or
   the one that has the focus. The shell itself never scrolls. */

import { every } from "./dom.js";

const LINE = 56; /* pixels, about two lines of text */

/* How far each key scrolls, of the height of a text or in pixels. */
/** @type {Record<string, (height: number) => number>} */
const STEPS = {
  " ": (height) => height - LINE,
  "shift ": (height) => LINE - height,
  PageDown: (height) => height - LINE,
  PageUp: (height) => LINE - height,
  ArrowDown: () => LINE,
  ArrowUp: () => -LINE,
};

/* What scrolls by itself when it has the focus. */
const SCROLLS = ".lens-text, .lens-side, .tree, .evidence, dialog, [popover], .col > ul";
/* Fields that these keys work on themselves, and controls that Space presses. */
const FIELDS = "select, textarea, input:not([type=radio], [type=checkbox])";
const PRESSED = "button, summary, input[type=checkbox]";

/* Where the page scrolls as one, the browser does all this. */
const scrollsAsOne = window.matchMedia("(max-width: 47.5em), (max-height: 33.75em)");

/**
 * Whether the key was taken to scroll the texts.
 * @param {KeyboardEvent} event
 * @param {Element} at
 */
export function scrollTexts(event, at) {
  const step = STEPS[event.key === " " && event.shiftKey ? "shift " : event.key];
  if (!step || scrollsAsOne.matches || at.closest(SCROLLS) || at.closest(FIELDS)) return false;
  if (event.key === " " && at.closest(PRESSED)) return false;
  /* In the scale left and right choose, and Space where nothing is chosen yet. Among the reasons up
     and down choose as well. */
  if (at instanceof HTMLInputElement && at.type === "radio" && !event.key.startsWith("Page")) {
    if (!at.closest("#scale") || (event.key === " " && !at.checked)) return false;
  }
  const texts = every(".lens :is(.lens-text, .lens-side)");
  for (const text of texts) text.scrollBy({ top: step(text.clientHeight) });
  return texts.length > 0;
}
