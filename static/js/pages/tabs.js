/* Links to parts of a page become a list of tabs, of which one part is shown at a time. Without this
   script all parts are shown. `data-tabs` is the id of the field that keeps which one is open. */
(() => {
  const LISTS = "[data-tabs]";

  /** @param {Element} list */
  const tabsOf = (list) => [
    .../** @type {NodeListOf<HTMLAnchorElement>} */ (list.querySelectorAll("a")),
  ];

  /** @param {HTMLAnchorElement} tab */
  const panelOf = (tab) => document.getElementById(tab.hash.slice(1));

  /** @param {HTMLAnchorElement} chosen */
  const open = (chosen) => {
    const list = chosen.closest(LISTS);
    for (const [number, tab] of tabsOf(list).entries()) {
      const isOpen = tab === chosen;
      tab.setAttribute("aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      panelOf(tab).hidden = !isOpen;
      if (!isOpen) continue;
      const field = /** @type {HTMLInputElement} */ (document.getElementById(list.dataset.tabs));
      if (field.value === String(number)) continue;
      field.value = String(number);
      // As if somebody had typed it: what is shown beside the form follows.
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };

  const begin = () => {
    for (const list of document.querySelectorAll(`${LISTS}:not([role])`)) {
      list.setAttribute("role", "tablist");
      const tabs = tabsOf(list);
      for (const tab of tabs) {
        const panel = panelOf(tab);
        tab.setAttribute("role", "tab");
        tab.setAttribute("aria-controls", panel.id);
        panel.setAttribute("role", "tabpanel");
        panel.setAttribute("aria-labelledby", tab.id);
      }
      const field = /** @type {HTMLInputElement} */ (document.getElementById(list.dataset.tabs));
      open(tabs[Number(field.value)] || tabs[0]);
    }
  };

  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!(link instanceof HTMLAnchorElement) || !link.hash) return;
    if (link.closest(LISTS)) {
      event.preventDefault();
      open(link);
      return;
    }
    // A link to a field, as of a problem, opens the tab that the field stands in.
    const panel = document.getElementById(link.hash.slice(1))?.closest("[role=tabpanel]");
    if (panel) {
      const id = panel.getAttribute("aria-labelledby");
      open(/** @type {HTMLAnchorElement} */ (document.getElementById(id)));
      // A link to the part itself, as beside a preview, leaves the reader where they are.
      if (panel.id === link.hash.slice(1)) event.preventDefault();
    }
  });

  document.addEventListener("keydown", (event) => {
    const tab = /** @type {Element} */ (event.target).closest(`${LISTS} a`);
    if (!tab || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const tabs = tabsOf(tab.closest(LISTS));
    const at = tabs.indexOf(/** @type {HTMLAnchorElement} */ (tab));
    const next = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: -1,
      " ": at,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const chosen = tabs.at(next % tabs.length);
    open(chosen);
    chosen.focus();
  });

  // A tab and its headings are called as their field says, while that is typed.
  document.addEventListener("input", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (!field.name || !field.value.trim()) return;
    for (const name of document.querySelectorAll(`[data-says="${CSS.escape(field.name)}"]`))
      name.textContent = field.value;
  });

  document.addEventListener("htmx:afterSwap", begin);
  begin();
})();
