/* Deciding pairs: the next pair is fetched ahead, a decision is kept on the device until the server
   has it, and every step has a key. Without this script the page is a plain form. */

import { listen } from "./workbench/keys.js";
import { showMarks } from "./workbench/query.js";
import { Sender, ask, csrf, parse } from "./workbench/sender.js";
import { Drafts, Outbox, newId } from "./workbench/storage.js";

const bench = document.getElementById("bench");
const { say } = window.facetwise;
const find = (selector, root = document) => root.querySelector(selector);

/* Kept apart from a person's ratings, whose page knows nothing of these. */
class DecisionOutbox extends Outbox {
  constructor(user) {
    super(user);
    this.prefix = `facetwise.decisions.${user}.`;
  }
}

const outbox = new DecisionOutbox(bench.dataset.user);
const drafts = new Drafts(bench.dataset.user, "decisions");
const fetched = new Map(); /* fragments by address */
const decided = new Set(); /* ids of pairs decided on this page, sent or not */
const trail = []; /* addresses of decided pairs, the last one last */
let isLooking = false; /* on the way to the page of a refused save */
let leaving = ""; /* where to go once everything is sent */

/* --- the pair in view --- */
const here = () => document.getElementById("pair");
const form = () => document.getElementById("decision");
const chosen = () => find("input[name=option]:checked", form());
const isFirst = () => "first" in form().dataset;
const isLocked = () => !find("button[type=submit]", form());
const links = () => [...document.querySelectorAll(".place-list a")];
const linkOf = (id) => links().find((link) => link.dataset.id === id);
const isPending = (id) => outbox.entries().some((entry) => entry.position === id);
const numberOf = (id) => find(".n", linkOf(id))?.textContent ?? "";

function told(sentence, { warn = false } = {}) {
  const line = document.getElementById("said");
  line.textContent = sentence;
  line.classList.toggle("warn", warn);
  if (sentence) say(sentence);
}

/* A fragment fetched ahead does not know what was decided since. */
function markDecided() {
  const ticks = [...document.querySelectorAll(".ticks rect")];
  const label = (link, is) => {
    link.toggleAttribute("data-decided", is);
    find(".st .vh", link).textContent = is ? "decided" : "not decided";
  };
  const all = links();
  all.forEach((link, index) => {
    if (!decided.has(link.dataset.id)) return;
    label(link, true);
    if (!ticks[index].classList.contains("now")) ticks[index].classList.add("done");
  });
  const count = all.filter((link) => "decided" in link.dataset).length;
  document.getElementById("decided-count").textContent = String(count);
  find(".ticks").setAttribute("aria-label", `${count} of ${all.length} pairs decided`);
}

/* The next undecided pair among those the filter shows, from the start again after the last. */
function nextOpen({ after = here().dataset.id } = {}) {
  const all = links();
  const at = all.findIndex((link) => link.dataset.id === after);
  return [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))].find(
    (link) =>
      "shown" in link.dataset &&
      !("decided" in link.dataset) &&
      !decided.has(link.dataset.id),
  );
}

const addressOf = (link) => link?.getAttribute("href") ?? "";

function keep(fragment) {
  if (!fragment) return;
  csrf.learn(fragment);
  fetched.set(fragment.dataset.address, fragment);
}

async function load(address) {
  if (!fetched.has(address)) {
    const answer = await ask(address);
    if (answer.signedOut) {
      document.getElementById("expired").hidden = false;
      throw new Error("signed out");
    }
    const fragment = answer.ok && parse(answer.html).getElementById("pair");
    if (!fragment) throw new Error(`${address}: ${answer.status}`);
    keep(fragment);
  }
  return fetched.get(address);
}

function fetchAhead() {
  const address = addressOf(nextOpen());
  if (address) load(address).catch(() => {});
}

function nameThePage() {
  const all = links();
  const at = all.findIndex((link) => link.hasAttribute("aria-current")) + 1;
  document.title = document.title.replace(/^\d+ of \d+/, `${at} of ${all.length}`);
}

function show(fragment, { push = true, ahead = true } = {}) {
  const onScale = form().contains(document.activeElement);
  here().replaceWith(document.importNode(fragment, true));
  nameThePage();
  /* Looked at again, it is asked for again: decisions change what it shows. */
  fetched.delete(fragment.dataset.address);
  if (push) window.history.pushState(null, "", fragment.dataset.address);
  opened({ ahead });
  if (onScale) document.getElementById("scale").focus({ preventScroll: true });
  else document.getElementById("main").focus({ preventScroll: true });
  window.scrollTo(0, 0);
  say(find(".candidate .doc-title").textContent);
}

function opened({ ahead = true } = {}) {
  markDecided();
  showMarks();
  const draft = drafts.get(here().dataset.id);
  if (draft && !isLocked()) {
    if (draft.based_on === form().elements.based_on.value) fill(draft);
    else drafts.remove(here().dataset.id);
  }
  if (!isLocked()) hint();
  if (ahead) fetchAhead();
}

async function go(address, options) {
  if (!address) return;
  const id = /[0-9a-f-]{36}/.exec(address)?.[0];
  if (isPending(id)) {
    told(`Pair ${numberOf(id)} is still to be sent. You can change it once it is.`, { warn: true });
    return;
  }
  try {
    show(await load(address), options);
  } catch {
    told("The server did not answer. You stay on this pair.", { warn: true });
  }
}

/* --- the form --- */
function read() {
  const fields = Object.fromEntries(new FormData(form()));
  delete fields.csrfmiddlewaretoken;
  return fields;
}

function fill(draft) {
  const { elements } = form();
  for (const name of ["option", "cause"]) {
    const field = [...form().querySelectorAll(`[name=${name}]`)].find(
      (input) => input.value === (draft[name] ?? ""),
    );
    if (field) field.checked = true;
  }
  elements.reason.value = draft.reason;
}

const needsReason = () => {
  const option = chosen();
  return option && ("neither" in option.dataset || "leaveOut" in option.dataset);
};

const lacksReason = () => needsReason() && !form().elements.reason.value.trim();

const nameOf = (option) =>
  "leaveOut" in option.dataset ? "left out" : option.dataset.words;

function hint() {
  const option = chosen();
  form().elements.reason.setAttribute("aria-required", String(Boolean(needsReason())));
  if (!option) told("");
  else if (lacksReason()) {
    const isOut = "leaveOut" in option.dataset;
    told(isOut ? "Say why you leave it out." : "No annotator gave this grade: say why.", {
      warn: true,
    });
  } else told("");
}

function choose(key) {
  if (isLocked()) return false;
  const option = form().querySelector(`input[data-shortcut="${CSS.escape(key)}"]`);
  if (!option) return false;
  option.checked = true;
  option.focus({ preventScroll: true });
  option.closest(".pick").scrollIntoView({ block: "nearest" });
  option.dispatchEvent(new Event("change", { bubbles: true }));
  if (document.documentElement.hasAttribute("data-one-key") && !lacksReason()) save();
  return true;
}

function save() {
  if (isLocked()) return;
  const option = chosen();
  if (!option) {
    told("Choose a grade first.", { warn: true });
    return;
  }
  if (lacksReason()) {
    hint();
    form().elements.reason.focus();
    return;
  }
  const id = here().dataset.id;
  if (isFirst() && !("leaveOut" in option.dataset)) {
    /* The ratings come with the answer, so there is nothing to go on to before it. The draft stays
       for a server that cannot answer now; once there is a decision, it fits no more. */
    drafts.set(id, read());
    form().submit();
    return;
  }
  const words = nameOf(option);
  outbox.add({
    seat: "decision",
    position: id,
    url: here().dataset.address,
    words: `Pair ${numberOf(id)}: ${words}`,
    body: { ...read(), save_id: newId() },
  });
  drafts.remove(id);
  decided.add(id);
  trail.push(here().dataset.address);
  goOn(id, `Pair ${numberOf(id)}: ${words}.`);
}

/* The answer to the save brings the pair after next, so each pair costs one request. */
async function goOn(id, sentence) {
  const rest = links().find((link) => !("decided" in link.dataset) && !decided.has(link.dataset.id));
  const following = addressOf(nextOpen({ after: id })) || addressOf(rest).replace(/\?.*/, "");
  if (!following) {
    leaving = bench.dataset.queue;
    markDecided();
    told(`${sentence} That was the last pair ${bench.dataset.whole}.`);
    sender.send();
    return;
  }
  if (!fetched.has(following)) sender.send();
  await go(following, { ahead: false });
  told(sentence);
  sender.send();
}

/* --- sending --- */
/* The answer to a decision brings the next pair along. */
const sender = new Sender(outbox, () => {
  const link = nextOpen();
  return link && !fetched.has(addressOf(link)) ? { ahead: link.dataset.id } : {};
});
const held = []; /* saves that the server did not take, each waiting for a look */

const ICONS = { saved: "circle-check", saving: "loader-circle", error: "cloud-off" };

function refresh() {
  const waiting = outbox.size;
  const failing = sender.isFailing || !navigator.onLine;
  const state = waiting === 0 ? "saved" : failing || held.length ? "error" : "saving";
  const line = document.getElementById("sync");
  line.dataset.state = state;
  const use = find("use", line);
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${ICONS[state]}`));
  const words = { saved: "All saved", saving: "Saving…", error: `${waiting} to send` };
  find("span", line).textContent = words[state];
  const banner = document.getElementById("unsent");
  banner.hidden = !(waiting && failing && document.getElementById("expired").hidden);
  const decisions = waiting === 1 ? "1 decision is" : `${waiting} decisions are`;
  document.getElementById("unsent-text").textContent =
    banner.hidden ? "" : `${sender.trouble} ${decisions} kept on this device until sent.`;
  if (waiting === 0 && leaving) window.location.assign(leaving);
}

for (const name of ["change", "failed"]) sender.addEventListener(name, refresh);
for (const name of ["online", "offline", "storage"]) window.addEventListener(name, refresh);

sender.addEventListener("saved", ({ detail }) => {
  document.getElementById("expired").hidden = true;
  fetched.delete(detail.entry.url);
  keep(detail.fragment.getElementById("pair"));
  fetchAhead();
  refresh();
});
sender.addEventListener("expired", () => {
  document.getElementById("expired").hidden = false;
});
sender.addEventListener("held", ({ detail }) => {
  leaving = "";
  held.push(detail);
  decided.delete(detail.entry.position);
  showHeld();
});

function showHeld() {
  const banner = document.getElementById("held");
  banner.hidden = held.length === 0;
  if (held.length) {
    const [{ entry, fragment, status }] = held;
    const isGone = status === 404 || status === 403;
    const refusal = find("#refused", fragment)?.textContent ?? "";
    const reason = isGone
      ? "It is not in your queue any more, or somebody else is signed in."
      : refusal;
    document.getElementById("held-text").textContent = `Not saved. ${entry.words}. ${reason}`;
    find("[data-act=look]", banner).hidden = isGone;
    find("[data-act=again]", banner).hidden = !isGone;
  }
  refresh();
}

function drop() {
  const { entry } = held.shift();
  sender.drop(entry);
  showHeld();
  return entry;
}

function again() {
  const { entry } = held.shift();
  decided.add(entry.position);
  sender.release(entry);
  showHeld();
}

/* The server shows both versions: sent as the plain form, the refused save gets its page. */
function look() {
  const entry = drop();
  const plain = document.createElement("form");
  plain.method = "post";
  plain.action = entry.url;
  for (const [name, value] of Object.entries({ ...entry.body, csrfmiddlewaretoken: csrf.token })) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    plain.append(field);
  }
  document.body.append(plain);
  isLooking = true;
  plain.submit();
}

/* --- keys and clicks --- */
const goTo = (selector) => go(find(selector)?.getAttribute("href"));
const acts = {
  send: () => sender.send(),
  look,
  again,
  drop,
  undo: () => {
    const address = trail.at(-1);
    if (!address) told("You have decided nothing yet since you opened this page.");
    else if (address === here().dataset.address) told("This is the last pair that you decided.");
    else go(address);
  },
  guide: () => window.facetwise.openDialog("guide"),
};

listen({
  choose,
  save,
  leave() {
    if (!form().contains(document.activeElement)) return false;
    document.activeElement.blur();
    document.getElementById("scale").focus({ preventScroll: true });
    return true;
  },
  keys: {
    u: acts.undo,
    g: acts.guide,
    n: () => form().elements.reason.focus(),
    w: () => find("#causes input:checked")?.focus(),
    j: () => goTo("[data-go=following]"),
    k: () => goTo("[data-go=previous]"),
    h: () => {
      if (!("facets" in bench.dataset)) return;
      const every = bench.classList.toggle("every");
      say(every ? "All facets shown" : "The facet in question alone shown");
    },
  },
});

document.addEventListener("click", (event) => {
  const control = event.target.closest?.("[data-act]");
  if (control) {
    event.preventDefault();
    acts[control.dataset.act]();
    return;
  }
  const link = event.target.closest?.("[data-go], .place-list a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  document.getElementById("places").hidePopover();
  go(link.getAttribute("href"));
});

document.addEventListener("keydown", (event) => {
  const wanted = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  if (wanted && event.target === form().elements.reason) save();
});

document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  save();
});

/* A choice made with a key is a change without an input. */
for (const name of ["input", "change"]) {
  document.addEventListener(name, (event) => {
    if (!form().contains(event.target)) return;
    drafts.set(here().dataset.id, read());
    hint();
  });
}

window.addEventListener("popstate", () => {
  go(window.location.pathname + window.location.search, { push: false });
});
window.addEventListener("beforeunload", (event) => {
  if (outbox.size && !isLooking) event.preventDefault();
});

csrf.learn(document);
for (const entry of outbox.entries()) decided.add(entry.position);
opened();
refresh();
sender.send();
