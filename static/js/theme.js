/* Runs before first paint, so that display settings never flash.

   Signed in, the settings come from the account as data attributes on <html> and are copied to this
   device; signed out, or while the last choice may still be on its way to the account, the device's
   copy applies. */
(() => {
  "use strict";
  const ON_ITS_WAY = 10_000; /* milliseconds */
  const root = document.documentElement;
  root.setAttribute("data-js", "");
  for (const key of ["theme", "size", "face", "lead", "lens", "explain"]) {
    try {
      const isSent = Date.now() - Number(localStorage.getItem("display.unsent")) > ON_ITS_WAY;
      if (root.hasAttribute("data-account") && isSent) {
        localStorage.setItem(`display.${key}`, root.getAttribute(`data-${key}`) || "");
      } else {
        const value = localStorage.getItem(`display.${key}`);
        if (value) root.setAttribute(`data-${key}`, value);
        else root.removeAttribute(`data-${key}`);
      }
    } catch {
      /* Storage refused: the defaults, or the account's settings, stand. */
    }
  }
})();
