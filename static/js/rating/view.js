/* The pair on show. */

import { every } from "../core/dom.js";
import { applyLens, showLens } from "../core/lens.js";
import * as dock from "./dock.js";
import { tell } from "./line.js";
import { swapQuery } from "./query.js";

/** @typedef {import("./pairs.js").Pair} Pair */

export const pairElement = () => document.getElementById("pair");
export const isLoading = () => "loading" in pairElement().dataset;
/* So that what stands in the dock is not taken for what was chosen for a pair. What it took now, the
   pair that comes would take away again. */
export const markLoading = () => setLoading(true);

/** @param {boolean} isOn */
function setLoading(isOn) {
  pairElement().toggleAttribute("data-loading", isOn);
  for (const control of every("#scale .grade, #rating .flag")) control.inert = isOn;
}

/** @param {Pair} pair */
const titleOf = (pair) => pair.candidate.querySelector(".doc-title").textContent;
/** @param {Pair} pair */
const aspectOf = (pair) => pair.scale.querySelector(".aspect-asked .on")?.textContent ?? "";

/**
 * What is new in a pair: the document, or under the same document the aspect.
 * @param {Pair} pair
 * @param {boolean} isNewText
 */
export const nameOf = (pair, isNewText) =>
  isNewText || !aspectOf(pair) ? titleOf(pair) : `Aspect ${aspectOf(pair)}`;

/**
 * Put a pair in place. What two pairs share stays as it is: the document, and the query and scale
 * of a topic.
 * @param {Pair} pair
 * @param {import("./strip.js").Strip} strip
 * @returns {boolean} Whether another document is shown.
 */
export function place(pair, strip) {
  const page = pairElement();
  /**
   * @param {string} selector
   * @param {Element} brought
   */
  const swap = (selector, brought) => {
    const old = page.querySelector(selector);
    if (!old.isEqualNode(brought)) old.replaceWith(document.importNode(brought, true));
  };
  const isNewText = page.dataset.document !== pair.dataset.document;
  const isShown = page.dataset.paperKey === pair.dataset.paperKey && !isLoading();
  setLoading(false);
  if (!isShown) {
    const candidate = /** @type {HTMLElement} */ (document.importNode(pair.candidate, true));
    page.querySelector("#candidate").replaceWith(candidate);
  }
  const isOther = page.dataset.queryKey !== pair.dataset.queryKey;
  if (isOther || pair.tree) swapQuery(page, pair.pane, strip);
  /* Beside another paper the query stands level with it again. One in which nothing is marked stays
     where it was scrolled to. */
  const staysLevel = !pair.tree && page.querySelector(".pane.query .lens-text .on");
  if (!isShown) applyLens(staysLevel ? page : page.querySelector("#candidate"));
  if (isOther) {
    swap("#scale", pair.scale);
    swap("#definitions", pair.definitions);
    showLens();
    const definitions = pair.definitions.cloneNode(true).childNodes;
    document.getElementById("guide-definitions").replaceChildren(...definitions);
    const name = pair.pane.querySelector(".eyebrow .chip")?.textContent.replace("Facet: ", "");
    if (name) document.getElementById("guide-facet").textContent = name;
  }
  Object.assign(page.dataset, pair.dataset);
  const guidelines = /** @type {HTMLAnchorElement} */ (page.querySelector("[data-act=guidelines]"));
  guidelines.search = new URLSearchParams({
    facet: pair.dataset.facet,
    pair: String(pair.position),
  }).toString();
  const form = /** @type {HTMLFormElement} */ (document.getElementById("rating"));
  form.action = pair.dataset.url;
  form.querySelector(".error")?.remove();
  const number = strip.number(pair.position);
  page.querySelector("h1").textContent = `Rate pair ${number} of ${strip.size}`;
  document.title = document.title.replace(/^Pair \d+/, `Pair ${number}`);
  return isNewText;
}

/** @param {number} number */
export function showLoading(number) {
  const skeleton = /** @type {HTMLTemplateElement} */ (document.getElementById("loading"));
  document.getElementById("candidate").replaceChildren(skeleton.content.cloneNode(true));
  markLoading();
  dock.fill(dock.empty());
  tell(`Loading pair ${number} …`);
}
