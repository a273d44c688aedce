import assert from "node:assert/strict";
import { before, test } from "node:test";

import { openPage } from "./page.js";

let components;

before(async () => {
  openPage();
  components = await import("../../static/js/rating/components.js");
});

const marked = (...marks) => marks.map((met, index) => ({ text: `part ${index}`, met }));

test("shares are compared exactly, also where decimals would round", () => {
  const suggestions = [
    { option: "all", at_least: "1" },
    { option: "most", above: "1/3" },
    { option: "some", at_least: "0.1" },
  ];
  const suggest = (...marks) => components.suggest(marked(...marks), suggestions);

  assert.equal(suggest("met", "met"), "all");
  assert.equal(suggest("met", "not", "not"), "some");
  assert.equal(suggest("met", "partly", "not"), "most");
  assert.equal(suggest("not"), null);
});

test("a text is split at the commas of its own script", () => {
  assert.deepEqual(components.parts("Wear, cause; and remedy."), ["Wear", "cause", "remedy"]);
  assert.deepEqual(components.parts("الجذور، والجذوع؟"), ["الجذور", "والجذوع"]);
  assert.deepEqual(components.parts("質問、回答：根拠。"), ["質問", "回答", "根拠"]);
});

test("nothing is suggested before each component has a mark", () => {
  assert.equal(components.suggest(marked("met", ""), [{ option: "all", at_least: "0" }]), null);
});

test("components are kept once one is marked, and go through a form unchanged", () => {
  assert.deepEqual(components.kept(marked("", "")), []);
  const both = marked("met", "not");

  assert.deepEqual(components.fromFields(components.toFields(both)), both);
});
