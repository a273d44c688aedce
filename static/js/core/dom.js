/* The elements that a page of ours always has. */

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element with the id ${id}.`);
  return element;
}

/** @param {string} id */
export function dialogOf(id) {
  return /** @type {HTMLDialogElement} */ (byId(id));
}

/**
 * @param {Event} event
 * @returns {Element}
 */
export function targetOf(event) {
  return event.target instanceof Element ? event.target : document.body;
}

/**
 * A symbol of the sprite in place of the one that is shown.
 * @param {Element} element
 * @param {string} name
 */
export function setIcon(element, name) {
  const use = element.querySelector("use");
  use?.setAttribute("href", (use.getAttribute("href") ?? "").replace(/#.*/, `#${name}`));
}

/**
 * @template {Element} [E=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {E[]}
 */
export function every(selector, root = document) {
  return [.../** @type {NodeListOf<E>} */ (root.querySelectorAll(selector))];
}

/**
 * The focus on a control beside the texts, which do not move. In a window too low for both, as at a
 * zoom of 400 %, the page scrolls as one, and then as far as it takes to see the control.
 * @param {HTMLElement} control
 */
export function focusBesideTexts(control) {
  control.focus({ preventScroll: true });
  const seen = control.closest("label") ?? control;
  const { top, bottom } = seen.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) seen.scrollIntoView({ block: "nearest" });
}
