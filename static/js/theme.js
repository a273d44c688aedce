/* Runs before first paint, so that display settings never flash.

   Signed in, the settings come from the account as data attributes on <html> and are copied to this
   device; signed out, the device's copy applies. */
(() => {
  "use strict";
  const root = document.documentElement;
  root.setAttribute("data-js", "");
  for (const key of ["theme", "size", "face", "lead"]) {
    try {
      if (root.hasAttribute("data-account")) {
        localStorage.setItem(`display.${key}`, root.getAttribute(`data-${key}`) || "");
      } else {
        const value = localStorage.getItem(`display.${key}`);
        if (value) root.setAttribute(`data-${key}`, value);
      }
    } catch {
      /* Storage refused: the defaults, or the account's settings, stand. */
    }
  }
})();
