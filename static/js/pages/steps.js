/* `j` and `k` step through a list, one page after the other. */

import { listen } from "../core/keys.js";

/** @param {string} id */
const follow = (id) => () => {
  document.getElementById(id)?.click();
};

listen({
  choose: () => false,
  save: () => {},
  leave: () => false,
  acts: { next: follow("next"), previous: follow("previous") },
  keys: { j: "next", k: "previous" },
});
