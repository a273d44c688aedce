/* The line in the dock: what was saved, or what to do. */

/** @typedef {string | {b: string} | {kbd: string}} Part Plain, in bold, or as a key. */

/** @param {Part[]} parts */
export function tell(...parts) {
  const line = document.createElement("span");
  for (const part of parts) {
    if (typeof part === "string") {
      line.append(part);
      continue;
    }
    const [tag, text] = Object.entries(part)[0];
    const element = document.createElement(tag);
    if (tag === "kbd") element.className = "k";
    element.textContent = text;
    line.append(element);
  }
  document.getElementById("mid").replaceChildren(line);
}

export const message = () => document.getElementById("mid").textContent;

/* Which keys choose a grade, as the person has set them. */
export function invite() {
  const { shortcuts, oneKey } = document.documentElement.dataset;
  const radios = /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("#scale [data-key]")
  );
  const keys = [...radios].map((radio) => radio.dataset.key).filter(Boolean);
  if (!keys.length || shortcuts === "off") {
    tell("Choose a grade, then save");
    return;
  }
  const areDigits = keys.every((key) => /^\d$/.test(key));
  const range = areDigits
    ? [{ kbd: keys[0] }, "–", { kbd: keys.at(-1) }]
    : keys.map((key) => ({ kbd: key }));
  if (oneKey === undefined) tell("Press ", ...range, ", then Enter");
  else tell("Press ", ...range, " to save and go on");
}

/** @param {string} words What is chosen, and not saved yet. */
export const tellChosen = (words) =>
  tell({ b: words }, " ", { kbd: "Enter" }, " saves and goes on");

/* In an open panel: how to choose there, or to leave it. The first reason has the focus, unchosen. */
export const inviteReason = () =>
  tell({ kbd: "Space" }, " or arrows choose a reason, ", { kbd: "Enter" }, " saves");
export const inviteNote = () =>
  tell({ kbd: "Ctrl" }, { kbd: "Enter" }, " saves, ", { kbd: "Esc" }, " leaves the note");
