/* The query beside the candidate, and the aspects that it asks for. */

/** @type {Record<string, string>} */
const WORDS = { open: "to do", rated: "rated", "cannot-judge": "cannot judge" };
/** @param {HTMLElement} pane */
const scrolling = (pane) => [pane, ...pane.querySelectorAll(".inner, .tree")];
/** @param {HTMLElement} pane */
const textOf = (pane) =>
  [...pane.querySelectorAll(".doc-title, .txt, .ask")].map((at) => at.textContent).join("\n");

/**
 * Put another pane in place. Of the same query nothing moves: what was scrolled to, or unfolded,
 * stays in sight.
 * @param {HTMLElement} page
 * @param {Element} pane
 * @param {import("./strip.js").Strip} strip
 */
export function swapQuery(page, pane, strip) {
  const old = page.querySelector(".pane.query");
  const made = /** @type {HTMLElement} */ (document.importNode(pane, true));
  const isSame = textOf(old) === textOf(made);
  const tops = scrolling(old).map((at) => at.scrollTop);
  if (isSame && old.classList.contains("whole")) unfold(made, true);
  old.replaceWith(made);
  if (isSame) {
    scrolling(made).forEach((at, i) => {
      at.scrollTop = tops[i];
    });
  }
  markAspects(strip);
}

/**
 * On a small screen the query is folded to what it says of the facet or the aspect.
 * @param {HTMLElement} query
 * @param {boolean} isWhole
 */
export function unfold(query, isWhole) {
  const button = query.querySelector("[data-act=whole]");
  if (!button) return;
  query.classList.toggle("whole", isWhole);
  button.textContent = isWhole ? button.dataset.less : button.dataset.more;
}

/**
 * How far the aspects of the document are: a fragment fetched ahead does not know what was rated
 * since, but the strip does. The current one is kept in sight.
 * @param {import("./strip.js").Strip} strip
 */
export function markAspects(strip) {
  for (const link of document.querySelectorAll(".aspects [data-position]")) {
    const state = strip.state(Number(link.dataset.position));
    link.className = `st ${state}`;
    link.querySelector(".words").textContent = WORDS[state];
  }
  showMarks();
}

/* The current aspect and the sentences that ask for it are scrolled to where they are hidden. */
export function showMarks() {
  for (const box of document.querySelectorAll(".split > *")) keepInSight(box);
}

/** @param {HTMLElement} box */
function keepInSight(box) {
  const marked = [...box.querySelectorAll("[aria-current], .on")];
  /** @param {HTMLElement} element */
  const isSeen = ({ offsetTop, offsetHeight }) =>
    offsetTop >= box.scrollTop && offsetTop + offsetHeight <= box.scrollTop + box.clientHeight;
  if (!marked.length || marked.some(isSeen)) return;
  const { offsetTop, offsetHeight } = marked[0];
  const room = Math.max(0, box.clientHeight - offsetHeight);
  box.scrollTop = offsetTop < box.scrollTop ? offsetTop : offsetTop - room;
}
