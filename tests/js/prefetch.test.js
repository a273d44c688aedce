import assert from "node:assert/strict";
import { test } from "node:test";

import { Prefetch } from "../../static/js/core/prefetch.js";

function server() {
  const requests = [];
  const prefetch = new Prefetch(async (keys) => {
    requests.push(keys);
    await null;
    if (keys.includes("gone")) throw new Error("gone");
    for (const key of keys) prefetch.put(key, key.toUpperCase());
  });
  return { prefetch, requests };
}

test("what is under way is not asked for again", async () => {
  const { prefetch, requests } = server();

  prefetch.ahead(["a", "b"]);
  prefetch.ahead(["b", "c"]);

  assert.equal(await prefetch.get("b"), "B");
  assert.equal(await prefetch.get("c"), "C");
  assert.deepEqual(requests, [["a", "b"], ["c"]]);
});

test("a fetch ahead that fails is quiet, and what is needed is asked for again", async () => {
  const { prefetch, requests } = server();
  prefetch.ahead(["gone"]);
  await assert.rejects(prefetch.get("gone"));

  await assert.rejects(prefetch.get("gone"));

  assert.equal(requests.length, 2);
});

test("what is forgotten is fetched anew", async () => {
  const { prefetch, requests } = server();
  await prefetch.get("a");

  prefetch.forget("a");

  assert.equal(prefetch.now("a"), undefined);
  assert.equal(await prefetch.get("a"), "A");
  assert.equal(requests.length, 2);
});
