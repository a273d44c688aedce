/* The keyboard map, and the buttons of the same acts. Single keys can be off or need Alt (a personal
   setting, WCAG 2.1.4); they are dead in text fields, in dialogs and with Ctrl or Meta; Ctrl+Enter
   saves from a long text field, where Enter begins a line. `?` is app.js's. */

import { targetOf } from "./dom.js";
import { scrollTexts } from "./scroll.js";

const TYPING = "textarea, select, [contenteditable], input:not([type=radio]):not([type=checkbox])";
const OWN_WORK = "a[href], button, summary, [popover]";

/**
 * The letter or digit that was meant: with Alt, some systems type another character.
 * @param {KeyboardEvent} event
 */
function letter(event) {
  if (event.altKey && !/^[a-z0-9]$/i.test(event.key)) {
    return /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code)?.[1]?.toLowerCase() ?? "";
  }
  return event.key.toLowerCase();
}

/**
 * @typedef {object} Actions
 * @property {(key: string) => boolean} choose Whether the key is an option's.
 * @property {() => void} save
 * @property {() => boolean} leave Whether there was a field or a panel to leave.
 * @property {Record<string, (control?: Element) => void>} acts All others, by name; a button of
 *   one names it as its `data-act`, and is handed to it.
 * @property {Record<string, string>} keys Their names by key, as the person has set them.
 * @property {(key: string, element: Element) => boolean} [at] Whether an element with keys of its
 *   own took the key.
 */

/** @param {Actions} actions */
export function listen(actions) {
  const mode = document.documentElement.dataset.shortcuts || "plain";

  /* The second click of a double one was not meant for the pair or question that the first brought. */
  const once = "[type=submit], dialog button";
  document.addEventListener(
    "click",
    (event) => {
      if (event.detail < 2 || !targetOf(event).closest(once)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );

  document.addEventListener("click", (event) => {
    const control = /** @type {HTMLElement} */ (targetOf(event).closest("[data-act]"));
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    actions.acts[control.dataset.act ?? ""](control);
  });

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    const at = targetOf(event);
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "Enter" && at.matches("textarea") && !event.repeat) actions.save();
      return;
    }
    if (event.key === "Escape") {
      if (actions.leave()) event.preventDefault();
      return;
    }
    if (at.closest(TYPING)) return;
    if (!event.altKey && scrollTexts(event, at)) {
      event.preventDefault();
      return;
    }
    if (event.key === "Enter") {
      if (event.altKey || at.closest(OWN_WORK)) return;
      event.preventDefault();
      if (!event.repeat) actions.save();
      return;
    }
    if (mode === "off" || event.altKey !== (mode === "alt")) return;
    const key = letter(event);
    const name = Object.hasOwn(actions.keys, key) ? actions.keys[key] : "";
    if (event.repeat && name !== "next" && name !== "previous") return;
    if (actions.at?.(key, at) || actions.choose(key)) event.preventDefault();
    else if (name in actions.acts) {
      event.preventDefault();
      actions.acts[name]();
    }
  });
}
