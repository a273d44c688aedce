"""The checks of a page in any of its states: axe-core, nothing wider than the window, and nothing
over a control or a text."""

import itertools
from dataclasses import dataclass, field

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

WIDTHS = {1440: 900, 1024: 768, 390: 844}
THEMES = ("light", "dark")
LOOKS = list(itertools.product(WIDTHS, THEMES))

AXE = """async () => {
  const { violations } = await axe.run({
    resultTypes: ["violations"], preload: false, selectors: false,
  });
  const places = (nodes) => nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ");
  return violations.map(({ id, nodes }) => `${id}: ${places(nodes)}`);
}"""

# Controls and texts that lie on each other, as far as both can be seen. What sticks to an edge
# of the window lies on what scrolls beneath it, on purpose.
OVERLAPS = """() => {
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  const EDGE = 4;
  const dialogs = [...document.querySelectorAll("dialog[open], [popover]:popover-open")];
  const root = dialogs.at(-1) ?? document.body;
  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const floats = (element) => {
    for (let at = element; at && at !== root; at = at.parentElement) {
      const { position } = styleOf(at);
      if (["sticky", "fixed"].includes(position) || at.matches("dialog, [popover]")) return true;
      if (position === "absolute" && at.matches(".banner, details > *")) return true;
    }
    return false;
  };
  const SEEN = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
  const isClear = (element) => {
    if (!element.checkVisibility(SEEN)) return true;
    for (let at = element; at; at = at.parentElement)
      if (styleOf(at).clipPath !== "none") return true;
    return false;
  };
  const seen = (element, rect) => {
    let { left, top, right, bottom } = rect;
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (styleOf(at).overflow === "visible") continue;
      const box = at.getBoundingClientRect();
      left = Math.max(left, box.left);
      top = Math.max(top, box.top);
      right = Math.min(right, box.right);
      bottom = Math.min(bottom, box.bottom);
    }
    return { left, top, right, bottom };
  };
  const areas = (element, rects, isControl, name) =>
    floats(element) || isClear(element)
      ? []
      : [...rects]
          .map((rect) => ({ element, isControl, name, ...seen(element, rect) }))
          .filter((area) => area.right - area.left > EDGE && area.bottom - area.top > EDGE);
  const all = [];
  for (const control of root.querySelectorAll(CONTROLS))
    all.push(...areas(control, control.getClientRects(), true, control.outerHTML.slice(0, 120)));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const holder = text.parentElement;
    if (!text.data.trim() || holder.closest(CONTROLS) || holder.closest("svg, option")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    all.push(...areas(holder, range.getClientRects(), false, text.data.trim().slice(0, 60)));
  }
  all.sort((area, other) => area.top - other.top);
  const overlaps = [];
  all.forEach((area, index) => {
    for (let next = index + 1; next < all.length; next += 1) {
      const other = all[next];
      if (other.top > area.bottom - EDGE) break;
      if (area.element.contains(other.element) || other.element.contains(area.element)) continue;
      const width = Math.min(area.right, other.right) - Math.max(area.left, other.left);
      const height = Math.min(area.bottom, other.bottom) - other.top;
      // Lines of text reach into each other's leading.
      const edge = area.isControl || other.isControl ? EDGE : 2 * EDGE;
      if (width > edge && height > edge) overlaps.push(`overlap: ${area.name} and ${other.name}`);
    }
  });
  return [...new Set(overlaps)].slice(0, 5);
}"""


@dataclass
class Looker:
    """Looks at one page of a browser in all six looks, and keeps what it found."""

    page: Page
    findings: list[str] = field(default_factory=list)
    views: int = 0

    def look(self, name: str) -> None:
        if self.page.evaluate("typeof axe") == "undefined":
            self.page.evaluate(AXE_SCRIPT)
        for width, theme in LOOKS:
            self.page.emulate_media(color_scheme=theme)
            self.page.set_viewport_size({"width": width, "height": WIDTHS[width]})
            findings = self.page.evaluate(AXE)
            if theme == "light":
                findings += self.page.evaluate(OVERLAPS)
                taken = self.page.evaluate("document.documentElement.scrollWidth")
                findings += [f"it is {taken} wide"] if taken > width else []
            self.findings += [f"{name}, {width} {theme}: {finding}" for finding in findings]
            self.views += 1

    def look_inside(self, name: str) -> None:
        """The page with all that can be unfolded, and each of its dialogs and menus opened."""
        closed = "details:not([open])"
        if self.page.locator(closed).count():
            self.page.eval_on_selector_all(
                closed, "all => all.forEach(details => details.open = true)"
            )
            self.look(f"{name}, unfolded")
        for floating in self.page.locator("dialog[id], [popover][id]").all():
            number = floating.get_attribute("id")
            floating.evaluate("box => box.matches('dialog') ? box.showModal() : box.showPopover()")
            self.look(f"{name}, with {number}")
            floating.evaluate("box => box.matches('dialog') ? box.close() : box.hidePopover()")
