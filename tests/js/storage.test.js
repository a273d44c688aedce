/* The outbox: what the device keeps until the server has it. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Drafts, Outbox, newId } from "../../static/js/core/storage.js";
import { openPage, save } from "./page.js";

beforeEach(openPage);

const ids = (outbox) => outbox.entries().map(({ body }) => body.save_id);

test("saves wait in the order in which they were made, however quick they were", () => {
  const outbox = new Outbox("alice");

  for (const save_id of ["c", "a", "b"]) outbox.add(save({ body: { save_id } }));

  assert.deepEqual(ids(outbox), ["c", "a", "b"]);
});

test("a save survives the page", () => {
  new Outbox("alice").add(save());

  assert.deepEqual(ids(new Outbox("alice")), ["first"]);
});

test("what one person keeps is not seen, sent or removed by another", () => {
  new Outbox("alice").add(save());
  const other = new Outbox("bob");

  other.remove(other.add(save()));

  assert.equal(other.size, 0);
  assert.deepEqual(ids(new Outbox("alice")), ["first"]);
});

test("decisions are kept apart from ratings", () => {
  new Outbox("carol", "decisions").add(save());

  assert.equal(new Outbox("carol").size, 0);
});

test("where the browser refuses storage a save is kept as long as the page lives", () => {
  localStorage.refuses = true;
  const outbox = new Outbox("dora");

  const entry = outbox.add(save());

  assert.deepEqual(ids(outbox), ["first"]);
  outbox.remove(entry);
  assert.equal(outbox.size, 0);
});

test("what is not ours in the storage is passed over", () => {
  localStorage.setItem("facetwise.outbox.alice.x", "not JSON");
  localStorage.setItem("facetwise.outbox.alice.y", "{}");

  assert.deepEqual(new Outbox("alice").entries(), []);
});

test("drafts are kept by seat and position", () => {
  const drafts = new Drafts("alice", "a-seat");

  drafts.set(3, { seconds: 4 });

  assert.deepEqual(new Drafts("alice", "a-seat").get(3), { seconds: 4 });
  assert.equal(drafts.get(4), null);
  assert.equal(new Drafts("alice", "another").get(3), null);
});

test("ids are UUIDs of version 4, each another", () => {
  const made = Array.from({ length: 50 }, newId);

  for (const id of made) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  assert.equal(new Set(made).size, 50);
});
