/* The query beside the candidate, and the aspects that it asks for. */

import { every } from "../core/dom.js";
import { applyLens } from "../core/lens.js";

/** @type {Record<string, string>} */
const WORDS = { open: "to do", rated: "rated", "cannot-judge": "cannot judge" };
/** @param {HTMLElement} pane */
const scrolling = (pane) => every(".lens-text, .tree", pane);
/** @param {HTMLElement} pane */
const textOf = (pane) =>
  every(".doc-title, .txt, .ask", pane)
    .map((at) => at.textContent)
    .join("\n");

/**
 * Put another pane in place. Of the same query nothing moves: what was scrolled to stays in sight.
 * @param {HTMLElement} page
 * @param {Element} pane
 * @param {import("./strip.js").Strip} strip
 */
export function swapQuery(page, pane, strip) {
  const old = page.querySelector(".pane.query");
  const brought = /** @type {HTMLElement} */ (document.importNode(pane, true));
  const isSame = textOf(old) === textOf(brought);
  const tops = scrolling(old).map((at) => at.scrollTop);
  old.replaceWith(brought);
  applyLens(brought);
  if (isSame) {
    scrolling(brought).forEach((at, i) => {
      at.scrollTop = tops[i];
    });
  }
  markAspects(strip);
}

/**
 * How far the aspects of the document are: a fragment fetched ahead does not know what was rated
 * since, but the strip does. The current one is kept in sight.
 * @param {import("./strip.js").Strip} strip
 */
export function markAspects(strip) {
  for (const link of every(".aspects [data-position]")) {
    const state = strip.state(Number(link.dataset.position));
    link.className = `st ${state}`;
    link.querySelector(".words").textContent = WORDS[state];
  }
  showMarks();
}

/* The current aspect and the sentences that ask for it are scrolled to where they are hidden. */
export function showMarks() {
  for (const box of every(".asked > *")) keepInSight(box);
}

/** @param {HTMLElement} box */
function keepInSight(box) {
  const marked = every("[aria-current], .on", box);
  /** @param {HTMLElement} element */
  const isSeen = ({ offsetTop, offsetHeight }) =>
    offsetTop >= box.scrollTop && offsetTop + offsetHeight <= box.scrollTop + box.clientHeight;
  if (!marked.length || marked.some(isSeen)) return;
  const { offsetTop, offsetHeight } = marked[0];
  const room = Math.max(0, box.clientHeight - offsetHeight);
  box.scrollTop = offsetTop < box.scrollTop ? offsetTop : offsetTop - room;
}
