/* The list of the pairs: which are decided, and which comes next. A fragment fetched ahead does not
   know what was decided since; this list does. */

import { byId, every } from "../core/dom.js";
import { here } from "./case.js";

/** @returns {HTMLAnchorElement[]} */
const links = () => every(".place-list a");
/** @returns {HTMLElement} */
const list = () => document.querySelector(".place-list");
/** @param {HTMLAnchorElement} link */
const isOpen = (link) => !("decided" in link.dataset);

/** @param {string} id */
export const numberOf = (id) =>
  links()
    .find((link) => link.dataset.id === id)
    ?.querySelector(".n").textContent ?? "";

/** @param {HTMLAnchorElement} [link] */
export const addressOf = (link) => link?.getAttribute("href") ?? "";

/**
 * Show what was decided here, sent or not.
 * @param {Set<string>} decided Ids of pairs.
 */
export function markDecided(decided) {
  const ticks = document.querySelectorAll(".ticks rect");
  const all = links();
  all.forEach((link, index) => {
    if (!decided.has(link.dataset.id)) return;
    link.dataset.decided = "";
    link.querySelector(".st .vh").textContent = "decided";
    if (!ticks[index].classList.contains("now")) ticks[index].classList.add("done");
  });
  /* Of a long row only the pairs around the one in view are listed. */
  const { total, elsewhere } = list().dataset;
  const count = all.filter((link) => !isOpen(link)).length + Number(elsewhere);
  byId("decided-count").textContent = String(count);
  const words = `${count} of ${total} pairs decided`;
  document.querySelector(".ticks").setAttribute("aria-label", words);
}

/**
 * The next undecided pair among those the filter shows, from the start again after the last. Where
 * decided pairs are looked at again, the next that was not decided on this page.
 * @param {Set<string>} decided
 * @param {string} [after] Id of a pair.
 */
export function nextOpen(decided, after = here().dataset.id) {
  const all = links();
  const at = all.findIndex((link) => link.dataset.id === after);
  const revisits = "revisits" in list().dataset;
  const rest = revisits ? [] : all.slice(0, Math.max(at, 0));
  return [...all.slice(at + 1), ...rest].find(
    (link) =>
      "shown" in link.dataset && (revisits || isOpen(link)) && !decided.has(link.dataset.id),
  );
}

/**
 * Any undecided pair, shown by the filter or not.
 * @param {Set<string>} decided
 */
export const anyOpen = (decided) =>
  links().find((link) => isOpen(link) && !decided.has(link.dataset.id));

export function nameThePage() {
  const current = links().find((link) => link.hasAttribute("aria-current"));
  const at = current?.querySelector(".n").textContent ?? "";
  document.title = document.title.replace(/^\d+ of \d+/, `${at} of ${list().dataset.total}`);
}
