/* Looking through one's own pairs before handing in: filtered in place, two of them side by side. What
   this device has not sent yet goes first, for the page does not count it. */

import { byId, every, targetOf } from "../core/dom.js";
import { listen } from "../core/keys.js";
import { applyLens, toggleFacets, toggleWhole } from "../core/lens.js";
import { csrf } from "../core/server.js";
import { Session } from "../core/session.js";
import { Drafts, Outbox, newId } from "../core/storage.js";
import { Trail } from "../core/trail.js";
import { answerOf } from "./answers.js";

const page = byId("hand");
const { user, seat } = page.dataset;
const outbox = new Outbox(user);
const session = new Session(outbox, {
  noun: "rating",
  reasonOf: ({ fragment, status }) =>
    fragment.querySelector("#refused p")?.textContent ??
    (status === 409
      ? "The server has another answer than this page knew. Open the pair to see both."
      : "The server does not know this batch as yours."),
});
const { sender } = session;
const { say } = window.facetwise;

/* --- what waits to be sent goes first --- */

let isCounted = outbox.size === 0; /* the page shows what the server has */

function refresh() {
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("to-hand-in"));
  if (button) button.disabled = outbox.size > 0;
  if (isCounted || outbox.size) return;
  isCounted = true;
  location.reload();
}

sender.on("change", refresh);

/* --- filtering in place --- */

const filters = /** @type {HTMLFormElement} */ (document.getElementById("filters"));
const rows = () => every("#columns .own");

function filter() {
  const fields = new FormData(filters);
  const words = String(fields.get("words")).toLocaleLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows()) {
    const text = row.textContent.toLocaleLowerCase();
    const isMeant =
      (!fields.has("flagged") || "flagged" in row.dataset) &&
      (!fields.has("noted") || "noted" in row.dataset);
    row.hidden = !isMeant || !words.every((word) => text.includes(word));
  }
  for (const column of every("#columns .col")) {
    const count = column.querySelector("[data-count]");
    const total = Number(count.dataset.count);
    const shown = every(".own:not([hidden])", column).length;
    const all = total.toLocaleString("en");
    count.textContent = shown === total ? all : `${shown.toLocaleString("en")} of ${all}`;
  }
}

/* A page of many, or of what was filtered already, is asked for again. */
const isWhole = () =>
  !("paged" in page.dataset) && !/[?&](words|flagged|noted)=/.test(location.search);

filters?.addEventListener("input", (event) => {
  if (targetOf(event).matches("select")) filters.submit();
  else if (isWhole()) filter();
});
filters?.addEventListener("submit", (event) => {
  if (!isWhole()) return;
  event.preventDefault();
  filter();
});

/* --- two to compare: a third takes the place of the older --- */

/** @type {HTMLInputElement[]} */
let ticked = [];
/** @type {Trail<string>} Where the comparison leads back to. */
const compared = new Trail(`compared.${seat}`);

function showTicked() {
  const chosen = document.getElementById("chosen");
  if (!chosen) return;
  const names = ticked.map((box) => box.getAttribute("aria-label").replace("Compare pair", "pair"));
  chosen.textContent = names.length
    ? `Chosen: ${names.join(" and ")}`
    : "Tick two pairs to read them side by side.";
  byId("clear").hidden = !names.length;
  /** @type {HTMLButtonElement} */ (byId("compare")).disabled = names.length !== 2;
}

/** @param {HTMLInputElement} box */
function tick(box) {
  ticked = box.checked ? [...ticked, box] : ticked.filter((other) => other !== box);
  while (ticked.length > 2) ticked.shift().checked = false;
  showTicked();
}

function compare() {
  if (ticked.length !== 2) {
    say("Tick two pairs first.");
    return;
  }
  const query = new URLSearchParams(location.search);
  query.delete("page");
  query.set("compare", ticked.map((box) => box.dataset.compare).join(","));
  compared.add(ticked[0].dataset.compare);
  location.assign(`${location.pathname}?${query.toString().replace("%2C", ",")}`);
}

/* --- a change of a grade is kept and sent as every rating is --- */

/** @param {HTMLFormElement} form */
function change(form) {
  const fields = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  const { csrfmiddlewaretoken: _token, then: _then, ...body } = fields;
  /** @type {HTMLInputElement} */
  const chosen = form.querySelector("input[name=answer]:checked");
  const { words } = chosen.dataset;
  const { position, number } = form.dataset;
  outbox.add({
    seat,
    position: Number(position),
    number,
    url: form.action,
    words,
    body: { ...body, save_id: newId(), own_reason: "" },
  });
  /** @type {HTMLInputElement} */
  const basedOn = form.querySelector("[name=based_on]");
  basedOn.value = String(Number(basedOn.value) + 1);
  form.closest(".pane").querySelector("[data-words]").textContent = words;
  say(`Pair ${number}: ${words}`);
  sender.send();
}

/* --- keys and clicks --- */

/** @param {string} selector */
const follow = (selector) => document.querySelector(selector)?.click();

/** @type {Record<string, () => void>} */
const actions = {
  retry: () => session.retry(),
  "refused-open"() {
    const entry = session.drop();
    new Drafts(user, entry.seat).set(entry.position, { seconds: 0, answer: answerOf(entry) });
    location.assign(entry.url);
  },
  "refused-retry": () => {
    session.release();
  },
  "refused-discard"() {
    session.drop();
    location.reload();
  },
  compare,
  clear() {
    for (const box of ticked) box.checked = false;
    ticked = [];
    showTicked();
  },
  whole: toggleWhole,
  facets: toggleFacets,
  next: () => follow("[data-go=next]"),
  previous: () => follow("[data-go=previous]"),
};

listen({
  choose: () => false,
  save() {},
  leave() {
    const back = document.getElementById("to-columns");
    back?.click();
    return back !== null;
  },
  acts: actions,
  keys: JSON.parse(page.dataset.keys),
});

document.addEventListener("change", (event) => {
  const target = targetOf(event);
  if (target instanceof HTMLInputElement && "compare" in target.dataset) tick(target);
  const form = target.closest("form.change");
  if (form instanceof HTMLFormElement) change(form);
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.matches("form.change")) {
    event.preventDefault();
  } else if (form.id === "columns") {
    event.preventDefault();
    compare();
  }
});

/* Back in the columns, the focus is on the row that was left. */
function returnFocus() {
  const position = compared.pop() ?? "";
  document.querySelector(`.own[data-position="${CSS.escape(position)}"] a`)?.focus();
}

csrf.token = window.facetwise.csrfToken();
applyLens();
if (filters) {
  for (const box of every("[data-compare]")) /** @type {HTMLInputElement} */ (box).checked = false;
  returnFocus();
}
refresh();
sender.send();
