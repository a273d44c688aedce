/* The sender: a save leaves the outbox when the server has confirmed this very one. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Sender } from "../../static/js/core/sender.js";
import { csrf } from "../../static/js/core/server.js";
import { Outbox } from "../../static/js/core/storage.js";
import { answer, fakeTimers, kept, openPage, save, settled } from "./page.js";

let page;
let outbox;
let sender;
let news;

beforeEach(() => {
  page = openPage();
  fakeTimers();
  csrf.token = "";
  outbox = new Outbox("alice");
  sender = new Sender(outbox);
  news = [];
  for (const name of ["saved", "failed", "expired", "refused"])
    sender.on(name, () => news.push(name));
});
afterEach(() => mock.timers.reset());

const after = async (seconds) => {
  mock.timers.tick(seconds * 1000);
  await settled();
};

test("saves are sent one after the other, oldest first", async () => {
  for (const save_id of ["a", "b"]) outbox.add(save({ body: { save_id } }));
  page.answers = [kept, kept];

  await sender.send();

  assert.deepEqual(
    page.requests.map(({ save_id }) => save_id),
    ["a", "b"],
  );
  assert.equal(outbox.size, 0);
});

test("a save made while another is under way is sent as well, and nothing twice", async () => {
  outbox.add(save({ body: { save_id: "a" } }));
  page.answers = [
    (request) => {
      outbox.add(save({ position: 2, body: { save_id: "b" } }));
      sender.send();
      return kept(request);
    },
    kept,
  ];

  await sender.send();

  assert.deepEqual(
    page.requests.map(({ save_id }) => save_id),
    ["a", "b"],
  );
});

test("whoever sends while a save is under way waits until the server has it", async () => {
  outbox.add(save());
  let answerNow;
  page.answers = [
    (request) =>
      new Promise((resolve) => {
        answerNow = () => resolve(kept(request));
      }),
  ];
  const isSent = [];

  sender.send();
  sender.send().then(() => isSent.push(outbox.size));
  await settled();
  assert.deepEqual(isSent, []);

  answerNow();
  await settled();
  assert.deepEqual(isSent, [0]);
});

test("an answer that names another save confirms nothing", async () => {
  outbox.add(save());
  page.answers = [() => kept({ save_id: "another" })];

  await sender.send();

  assert.equal(outbox.size, 1);
  assert.deepEqual(news, ["failed"]);
});

test("a page that is no answer to a save confirms nothing", async () => {
  outbox.add(save());
  page.answers = [answer(200, {})];

  await sender.send();

  assert.equal(outbox.size, 1);
});

test("without a connection the same save is tried after 2, 5, 10 and then every 20 seconds", async () => {
  outbox.add(save());
  await sender.send();
  const counts = [];

  for (const seconds of [1.9, 0.1, 5, 10, 20, 20]) {
    await after(seconds);
    counts.push(page.requests.length);
  }

  assert.deepEqual(counts, [1, 2, 3, 4, 5, 6]);
  assert.equal(outbox.size, 1);
  assert.ok(sender.isFailing);
});

test("a server that says when it wants to be asked again is asked then, and why is told", async () => {
  outbox.add(save());
  page.answers = [
    answer(503, "The disk is full.", { "Retry-After": "7", "Content-Type": "text/plain" }),
    kept,
  ];

  await sender.send();
  assert.equal(sender.trouble, "The disk is full.");
  await after(6.9);
  assert.equal(page.requests.length, 1);
  await after(0.1);

  assert.equal(outbox.size, 0);
});

test("no server makes anybody wait longer than two minutes", async () => {
  outbox.add(save());
  page.answers = [answer(429, {}, { "Retry-After": "86400" }), kept];

  await sender.send();
  await after(120);

  assert.equal(outbox.size, 0);
});

test("coming back online or to the tab sends at once", async () => {
  outbox.add(save());
  await sender.send();
  page.answers = [kept];

  page.window.dispatchEvent(new Event("online"));
  await settled();

  assert.equal(outbox.size, 0);
});

test("an ended sign-in keeps the save and is told", async () => {
  outbox.add(save());
  page.answers = [answer(401)];

  await sender.send();

  assert.deepEqual(news, ["expired"]);
  assert.equal(sender.trouble, "You are signed out.");
  assert.equal(outbox.size, 1);
});

for (const status of [404, 409, 422, 423]) {
  test(`a save refused with ${status} stays for the person, and the others go on`, async () => {
    outbox.add(save({ body: { save_id: "a" } }));
    outbox.add(save({ position: 2, body: { save_id: "b" } }));
    page.answers = [answer(status, {}), kept];

    await sender.send();

    assert.deepEqual(news, ["refused", "saved"]);
    assert.deepEqual(
      outbox.entries().map(({ body }) => body.save_id),
      ["a"],
    );
  });
}

test("a refused save is not sent again by itself, but when it is released", async () => {
  const entry = outbox.add(save());
  page.answers = [answer(422, {}), kept];
  await sender.send();
  await sender.send();
  assert.equal(page.requests.length, 1);

  sender.release(entry);
  await settled();

  assert.equal(outbox.size, 0);
});

test("a refused token is renewed once, and the save sent with the new one", async () => {
  outbox.add(save());
  page.answers = [answer(403), answer(200, { token: "new" }), kept];

  await sender.send();

  assert.equal(csrf.token, "new");
  assert.deepEqual(
    page.requests.map(({ method }) => method),
    ["POST", "GET", "POST"],
  );
  assert.equal(outbox.size, 0);
});

test("a token refused twice leaves the save to the person", async () => {
  outbox.add(save());
  page.answers = [answer(403), answer(200, { token: "new" }), answer(403)];

  await sender.send();

  assert.deepEqual(news, ["refused"]);
  assert.equal(outbox.size, 1);
});
