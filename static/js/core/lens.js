/* The lens over both texts: what is about the topic in sight, the rest folded. Whether whole texts are
   shown is the person's choice, kept with their display settings, and holds for all pairs. */

import { every } from "./dom.js";

const root = document.documentElement;
const isWhole = () => root.dataset.lens === "whole";

/* Where a folded text opens, its first marked sentence stands this far down its pane. */
const LEVEL = 0.45;

/**
 * Fold or unfold what was put in place, as the person has chosen.
 * @param {ParentNode} [page]
 */
export function applyLens(page = document) {
  /** @type {HTMLDetailsElement[]} */
  const runs = every("main .ctx, .pane .ctx", page);
  for (const run of runs) run.open = isWhole();
  showLens();
  for (const text of every(".lens-text", page)) settle(text);
}

/* Folded, a text stands at its beginning; unfolded, where its marked sentences are in sight with
   their context above, level in both panes. */
/** @param {HTMLElement} text */
function settle(text) {
  const before = text.querySelector(".ctx.before[open]");
  const end = before ? before.offsetTop + before.offsetHeight : 0;
  text.scrollTop = Math.max(0, end - LEVEL * text.clientHeight);
}

/* The buttons say what is chosen, whichever pane brought them. */
export function showLens() {
  for (const button of every("[data-act=whole]")) {
    button.setAttribute("aria-pressed", String(isWhole()));
  }
  for (const button of every("[data-act=explain]")) {
    button.setAttribute("aria-expanded", String(root.dataset.explain === "open"));
  }
  const areMarked = document.querySelector(".bench")?.hasAttribute("data-facets") ?? false;
  for (const button of every("[data-act=facets]")) {
    button.setAttribute("aria-pressed", String(areMarked));
  }
}

export function toggleWhole() {
  const wanted = isWhole() ? "facet" : "whole";
  window.facetwise.setDisplay("lens", wanted, wanted === "facet");
  applyLens();
  window.facetwise.say(isWhole() ? "Whole texts" : "Only the facet");
}

/* Definitions of grades, and notes of raters, where a narrow window folds them. */
export function toggleExplain() {
  const wanted = root.dataset.explain === "open" ? "closed" : "open";
  window.facetwise.setDisplay("explain", wanted, wanted === "closed");
  applyNotes();
  showLens();
  window.facetwise.say(wanted === "open" ? "Definitions and notes shown" : "Folded");
}

const isNarrow = window.matchMedia("(width > 47.5em) and (max-width: 73.75em)");

/* Notes of raters are open where there is room, and where they were asked for. */
export function applyNotes() {
  /** @type {HTMLDetailsElement[]} */
  const notes = every("[data-note]");
  for (const note of notes) note.open = !isNarrow.matches || root.dataset.explain === "open";
}

export function toggleFacets() {
  if (!document.querySelector("[data-act=facets]")) return;
  const areMarked = Boolean(document.querySelector(".bench")?.toggleAttribute("data-facets"));
  showLens();
  window.facetwise.say(areMarked ? "All facets are marked" : "Only this facet is marked");
}
