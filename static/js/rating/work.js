/* What the workbench works with: the pairs of the seat, the answers to them, and what waits to be
   sent. */

import { Session } from "../core/session.js";
import { Outbox } from "../core/storage.js";
import { Trail } from "../core/trail.js";
import { Answers } from "./answers.js";
import { Pairs } from "./pairs.js";
import { Strip } from "./strip.js";
import { hideVersions, showVersions } from "./versions.js";

export const bench = document.getElementById("bench");
export const user = bench.dataset.user;
export const seat = bench.dataset.seat;
export const handIn = bench.dataset.handIn;
export const edition = bench.dataset.edition;
export const readOnly = "readOnly" in bench.dataset;

export const strip = new Strip(handIn);
export const pairs = new Pairs(bench.dataset.texts, edition);
export const outbox = new Outbox(user);
export const answers = new Answers(user, seat, readOnly);
/** @type {Trail<number>} The positions of what was saved. */
export const trail = new Trail(seat);
export const session = new Session(outbox, {
  noun: "rating",
  reasonOf: ({ fragment }) =>
    fragment.querySelector("#refused p")?.textContent ??
    "The server does not know this batch as yours. Another person may be signed in.",
  isShown: showVersions,
  hide: hideVersions,
});
export const sender = session.sender;
