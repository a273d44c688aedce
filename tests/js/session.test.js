/* A page of work: it is left when nothing waits, and refused saves are put before the person. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Session } from "../../static/js/core/session.js";
import { Outbox } from "../../static/js/core/storage.js";
import { answer, fakeTimers, kept, openPage, save, settled } from "./page.js";

let page;
let outbox;
let session;

beforeEach(() => {
  page = openPage();
  fakeTimers();
  outbox = new Outbox("alice");
  session = new Session(outbox, {
    noun: "rating",
    reasonOf: ({ status }) => `Refused: ${status}.`,
  });
});
afterEach(() => mock.timers.reset());

const element = (id) => document.getElementById(id);

test("the page is left once, when the last save is confirmed", async () => {
  outbox.add(save());
  page.answers = [kept];

  session.leaveFor("/next/");
  assert.deepEqual(page.left, []);
  await session.sender.send();

  assert.deepEqual(page.left, ["/next/"]);
});

test("whoever hears that nothing was sent hears when everything is", async () => {
  outbox.add(save());
  await session.sender.send();
  page.answers = [kept];

  await session.sender.send();

  assert.deepEqual(page.said, [
    "Not sent yet. Your ratings are kept on this device.",
    "All saved.",
  ]);
});

test("with nothing to send the page is left at once", () => {
  session.leaveFor("/next/");

  assert.deepEqual(page.left, ["/next/"]);
});

test("a refused save keeps the person here and says why", async () => {
  outbox.add(save());
  page.answers = [answer(423, {})];
  session.leaveFor("/next/");

  await session.sender.send();

  assert.deepEqual(page.left, []);
  assert.ok(element("refused-dialog").open);
  assert.equal(element("refused-reason").textContent, "Pair 1: Refused: 423.");
  assert.equal(element("refused-words").textContent, "2 · Similar");
});

test("refused saves are decided about one after the other", async () => {
  for (const position of [1, 2])
    outbox.add(save({ position, number: position, body: { save_id: `${position}` } }));
  page.answers = [answer(422, {}), answer(422, {})];
  await session.sender.send();

  assert.equal(session.drop().position, 1);
  mock.timers.tick(1);

  assert.ok(element("refused-dialog").open);
  assert.equal(session.drop().position, 2);
  assert.equal(outbox.size, 0);
});

test("of several unsent answers for a pair the last meets the conflict, and stays the last", async () => {
  outbox.add(save({ words: "1", body: { save_id: "a", based_on: "3" } }));
  outbox.add(save({ words: "2", body: { save_id: "b", based_on: "4" } }));
  page.answers = [answer(409, {}), answer(409, {})];

  await session.sender.send();

  const [entry, ...others] = outbox.entries();
  assert.deepEqual(others, []);
  assert.equal(entry.words, "2");
  assert.equal(entry.body.based_on, "3");
  assert.notEqual(entry.body.save_id, "b");
  assert.equal(element("refused-words").textContent, "2");
});

test("offline nothing is said to be saved, and what waits is counted", async () => {
  page.navigator.onLine = false;
  page.window.dispatchEvent(new Event("offline"));
  assert.equal(element("sync").dataset.state, "offline");

  outbox.add(save());
  await session.sender.send();

  assert.equal(
    element("unsent-text").textContent,
    "You are offline. 1 rating is kept on this device until sent.",
  );
  assert.equal(element("unsent").hidden, false);
});

test("an ended sign-in is told in a dialog, which closes when saves go on", async () => {
  outbox.add(save());
  page.answers = [answer(401), kept];
  await session.sender.send();
  assert.ok(element("expired-dialog").open);

  session.retry();
  await settled();

  assert.equal(element("expired-dialog").open, false);
  assert.equal(outbox.size, 0);
});

test("the dialog closes as well when another tab has sent what waited", async () => {
  const entry = outbox.add(save());
  page.answers = [answer(401)];
  await session.sender.send();

  outbox.remove(entry);
  window.dispatchEvent(new Event("focus"));
  await settled();

  assert.equal(element("expired-dialog").open, false);
});

test("the browser asks before a page with unsent work is closed", () => {
  const close = () => {
    const event = new Event("beforeunload", { cancelable: true });
    page.window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  assert.equal(close(), false);

  outbox.add(save());

  assert.equal(close(), true);
});
