/* Which collections a person has opened on their home page is kept on this device. That of the
   batch to go on with opens by itself. */

/** @type {NodeListOf<HTMLDetailsElement>} */
const groups = document.querySelectorAll("details[data-group]");
const key = `facetwise.home.${document.getElementById("work")?.dataset.user}`;

/** @returns {string[]} */
function opened() {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]");
  } catch {
    return []; /* Storage refused, or holds something else. */
  }
}

for (const group of groups) {
  const { group: name } = group.dataset;
  if (opened().includes(name)) group.open = true;
  group.addEventListener("toggle", () => {
    const others = opened().filter((other) => other !== name);
    try {
      localStorage.setItem(key, JSON.stringify(group.open ? [...others, name] : others));
    } catch {
      /* Storage refused: it stays as long as this page. */
    }
  });
}
