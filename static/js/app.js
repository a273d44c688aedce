/* What every page shares: display settings, dialogs, copy buttons, announcements, forms sent once.
   Scripts of single pages use `window.facetwise`. */
(() => {
  "use strict";
  const root = document.documentElement;
  const live = document.getElementById("live");

  const csrfToken = () =>
    JSON.parse(document.body.getAttribute("hx-headers") || "{}")["X-CSRFToken"] || "";

  /** @param {Event} event */
  const targetOf = (event) =>
    event.target instanceof Element ? event.target : document.documentElement;

  /**
   * Said once, politely, to screen readers; emptied first so that the same sentence is heard again.
   * @param {string} sentence
   */
  const say = (sentence) => {
    if (!live) return;
    live.textContent = "";
    window.setTimeout(() => {
      live.textContent = sentence;
    }, 50);
  };

  /* --- display settings: on this device at once, in the account when signed in --- */
  /** @param {HTMLElement} button */
  const pressed = (button) => {
    const [key, value] = button.dataset.set.split(":");
    const current =
      root.getAttribute(`data-${key}`) || button.closest("[data-default]").dataset.default;
    button.setAttribute("aria-pressed", String(current === value));
  };
  /* One request after the other, so that the last choice is the one that is kept. Whoever leaves the
     page loses none: what waits for its turn goes then. */
  let lastSave = Promise.resolve();
  /** @type {Record<string, string>} */
  let unsent = {};
  const account = document.getElementById("display")?.dataset.save;
  /**
   * @param {string} key
   * @param {string} value
   */
  const keepHere = (key, value) => {
    try {
      localStorage.setItem(`display.${key}`, value);
    } catch {
      /* Storage refused: the setting lasts for this page, or as long as the account keeps it. */
    }
  };
  const sendDisplay = async () => {
    const settings = unsent;
    unsent = {};
    if (!account || !Object.keys(settings).length) return;
    const response = await fetch(account, {
      method: "POST",
      headers: { "X-CSRFToken": csrfToken() },
      body: new URLSearchParams(settings),
      keepalive: true,
    });
    if (!response.ok) throw new Error(String(response.status));
    if (!Object.keys(unsent).length) keepHere("unsent", "");
  };
  window.addEventListener("pagehide", () => sendDisplay());
  /**
   * @param {string} key
   * @param {string} value
   * @param {boolean} isDefault
   */
  const setDisplay = (key, value, isDefault) => {
    if (isDefault) root.removeAttribute(`data-${key}`);
    else root.setAttribute(`data-${key}`, value);
    keepHere(key, isDefault ? "" : value);
    /* theme.js goes by it where the next page comes before this is saved. */
    if (account) keepHere("unsent", String(Date.now()));
    unsent[key] = value;
    lastSave = lastSave
      .then(sendDisplay)
      .catch(() => say("Shown here, but not saved to your account."));
  };
  for (const button of document.querySelectorAll("[data-set]")) pressed(button);

  /* --- a line of tabs that scrolls has the current one in sight, or the one with the focus --- */
  /** @param {Element} tab */
  const bringIntoSight = (tab) => {
    const line = tab.parentElement;
    const { left, width } = tab.getBoundingClientRect();
    line.scrollLeft += left + width / 2 - line.getBoundingClientRect().left - line.clientWidth / 2;
  };
  const showCurrent = () => {
    for (const tab of document.querySelectorAll(":is(.tabs, .seg) > [aria-current]"))
      bringIntoSight(tab);
  };
  showCurrent();
  document.addEventListener("htmx:afterSwap", showCurrent);
  /* By the keyboard alone: nothing moves under a pointer. */
  document.addEventListener("focusin", (event) => {
    const target = targetOf(event);
    if (target.matches(":is(.tabs, .seg) > :focus-visible")) bringIntoSight(target);
  });

  /* --- dialogs, copy buttons --- */
  /** @param {string} id */
  const openDialog = (id) => {
    const dialog = document.getElementById(id);
    if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
  };
  /** @param {HTMLElement} button */
  const copy = async (button) => {
    const source = document.getElementById(button.dataset.copy);
    const isField = source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement;
    const text = isField ? source.value : source.textContent;
    const label = button.querySelector("span") || button;
    /* Of a second click, what the first one found. */
    label.dataset.before ??= label.textContent;
    try {
      await navigator.clipboard.writeText(text.trim());
      label.textContent = "Copied";
      say("Copied");
    } catch {
      /* No clipboard on plain http: the text is selected, so that Ctrl+C copies it. */
      if (isField) source.select();
      else window.getSelection().selectAllChildren(source);
      label.textContent = "Press Ctrl+C";
      say("Selected. Press Ctrl+C to copy.");
    }
    window.setTimeout(() => {
      label.textContent = label.dataset.before;
    }, 2500);
  };
  document.addEventListener("click", (event) => {
    const button = targetOf(event).closest("button");
    if (!button) return;
    if (button.dataset.set) {
      const group = button.closest("[data-default]");
      const [key, value] = button.dataset.set.split(":");
      setDisplay(key, value, value === group.dataset.default);
      for (const other of group.querySelectorAll("[data-set]")) pressed(other);
    } else if (button.dataset.open) {
      openDialog(button.dataset.open);
    } else if ("close" in button.dataset) {
      /** @type {HTMLDialogElement} */ (button.closest("dialog"))?.close();
    } else if (button.dataset.copy) {
      copy(button);
    }
  });

  /* --- menus: Escape or a click elsewhere closes them; the focus goes back to their button --- */
  /** @returns {NodeListOf<HTMLDetailsElement>} */
  const openMenus = () => document.querySelectorAll("details.take[open]");
  for (const name of ["click", "focusin"]) {
    document.addEventListener(name, (event) => {
      for (const menu of openMenus()) if (!menu.contains(targetOf(event))) menu.open = false;
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  /* --- the list of keys opens on ? wherever the page has one --- */
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
    const wanted = root.dataset.shortcuts || "plain";
    if (wanted === "off" || event.altKey !== (wanted === "alt")) return;
    if (document.querySelector("dialog[open]")) return;
    if (
      targetOf(event).closest(
        "textarea, select, [contenteditable], input:not([type=radio]):not([type=checkbox])",
      )
    )
      return;
    if (document.getElementById("keys")) {
      openDialog("keys");
      event.preventDefault();
    }
  });

  /* --- signing out clears what the device keeps of this person's ratings and decisions --- */
  /** @param {string} user */
  const keptHere = (user) => {
    try {
      const kinds = ["outbox", "decisions", "draft"].map((kind) => `facetwise.${kind}.${user}.`);
      return Object.keys(localStorage).filter((key) => kinds.some((kind) => key.startsWith(kind)));
    } catch {
      return []; /* Storage refused: nothing is kept. */
    }
  };
  document.addEventListener("submit", (event) => {
    const user = /** @type {HTMLFormElement} */ (event.target).dataset.signOut;
    if (!user) return;
    const unsent = keptHere(user).filter((key) => !key.startsWith("facetwise.draft.")).length;
    const question =
      `Not sent yet: ${unsent} of your ratings and decisions. ` +
      "Signing out removes them from this device. Sign out and lose them?";
    if (unsent && !window.confirm(question)) event.preventDefault();
    else for (const key of keptHere(user)) localStorage.removeItem(key);
  });

  /* --- a form that was sent is not sent again before its answer can have come. An answer is a page
     here: a file would leave the form standing, and files come by links. --- */
  const SENDING = 10_000; /* milliseconds */
  window.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    if ("sent" in form.dataset) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "";
    window.setTimeout(() => delete form.dataset.sent, SENDING);
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.forms) delete form.dataset.sent;
  });

  /* --- a form that comes back: the first field that is wrong is in sight and has the focus --- */
  const WRONG = '[aria-invalid="true"], .invalid :is(input, select, textarea)';
  const showWrong = () => {
    /** @type {HTMLElement} */
    const field = document.querySelector(WRONG);
    if (!field || document.querySelector("[autofocus]")) return;
    /** @type {HTMLDetailsElement} */
    const fold = field.closest("details");
    if (fold) fold.open = true;
    field.focus();
  };
  showWrong();
  document.addEventListener("htmx:afterSettle", (event) => {
    /* A page that comes back from the browser's history was asked of nobody. */
    if (event.detail.xhr?.status === 422) showWrong();
  });

  window.facetwise = { csrfToken, openDialog, say, setDisplay, SENDING };
})();
