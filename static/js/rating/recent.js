/* The pairs saved last: the list of them, and the way back to the last one. */

import { every } from "../core/dom.js";
import { ask, parse } from "../core/server.js";
import { tell } from "./line.js";
import { show, watch } from "./show.js";
import { bench, sender, strip, trail } from "./work.js";

const { openDialog, say } = window.facetwise;

/* The list of own last ratings, which the server has also from earlier sessions. A save under way
   belongs in it. */
async function fetchRecent() {
  await sender.send();
  try {
    const answer = await ask(bench.dataset.recent);
    if (answer.ok && !answer.signedOut) return [...parse(answer.html).body.children];
  } catch {
    /* No connection: told by whoever asked. */
  }
  return null;
}

/* Whoever asks for another pair meanwhile wants neither the list nor the way back any more. */
export async function showRecent() {
  const isStillWanted = watch();
  const list = await fetchRecent();
  if (!isStillWanted()) return;
  if (!list) {
    tell("Your last ratings could not be fetched");
    return;
  }
  document.getElementById("recent-body").replaceChildren(...list);
  openDialog("recent-dialog");
}

/* To the pair saved last, of this session or of an earlier one. */
export async function back() {
  const last = trail.pop();
  if (last) {
    show(last);
    return;
  }
  const isStillWanted = watch();
  const list = await fetchRecent();
  if (!isStillWanted()) return;
  const links = (list ?? []).flatMap((part) => every("a[data-position]", part));
  const positions = links.map((link) => Number(link.dataset.position));
  const earlier = positions.find((position) => position !== strip.here);
  if (earlier) {
    show(earlier);
    return;
  }
  const sentence = list ? "Nothing was saved here yet" : "Your last ratings could not be fetched";
  tell(sentence);
  say(`${sentence}.`);
}
