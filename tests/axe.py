"""axe-core on a page of the browser."""

from axe_playwright_python.base import AXE_SCRIPT, AxeResults

# Violations alone are described, and selectors of what they are about, a quarter of axe's time,
# are made where there are any. Style sheets are not fetched once more: axe would look for what
# they import beside the page.
REPORT = """async rules => {
  const { violations } = await axe.run({ resultTypes: ["violations"], preload: false, rules });
  return violations;
}"""
FIND = """async rules => {
  const { violations } = await axe.run({
    resultTypes: ["violations"], preload: false, selectors: false, rules,
  });
  return violations.length;
}"""

# Whether a text can be read follows from its own style and from what its ancestors paint beneath
# it: its look. A positioned text that brings no ground may lie on anything, and so has none.
FIND_IN_COLOURS = """async known => {
  const isPositioned = ({ position }) => !["static", "relative"].includes(position);
  const isOpaque = ({ backgroundColor, backgroundImage }) =>
    backgroundColor.startsWith("rgb(") && backgroundImage === "none";
  const grounds = new Map([[null, { paint: "", opacity: 1 }]]);
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const beneath = groundOf(element.parentElement);
      const style = getComputedStyle(element);
      const opacity = beneath.opacity * style.opacity;
      let paint = `${style.backgroundColor} ${style.backgroundImage}`;
      if (!isOpaque(style) || style.opacity !== "1") {
        const hasGround = beneath.paint !== null && !isPositioned(style);
        const paintsNothing = paint === "rgba(0, 0, 0, 0) none";
        paint = hasGround ? (paintsNothing ? "" : `${paint} on `) + beneath.paint : null;
      }
      grounds.set(element, { paint, opacity });
    }
    return grounds.get(element);
  };
  const lookOf = (element) => {
    const { paint, opacity } = groundOf(element);
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    return paint && `${color} ${fontSize} ${fontWeight} ${textShadow} ${opacity} on ${paint}`;
  };
  const hasText = (element) =>
    element.matches("input, select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const passed = new Set(known);
  const texts = [...document.body.querySelectorAll("*")].filter(
    (element) => element.checkVisibility() && hasText(element) && !passed.has(lookOf(element)),
  );
  if (!texts.length) return { count: 0, looks: [] };
  const { violations, passes } = await axe.run(texts, {
    runOnly: ["color-contrast"], preload: false, selectors: false, elementRef: true,
  });
  const looks = passes.flatMap(({ nodes }) => nodes.map(({ element }) => lookOf(element)));
  return { count: violations.length, looks: [...new Set(looks)].filter((look) => look !== null) };
}"""


class Axe:
    """Finds what makes a page hard to use. Contrast takes two thirds of axe's time: a look that
    has once passed passes on every page."""

    def __init__(self, *, remembers):
        self.remembers = remembers
        self.passed = set()

    def violations(self, page, *, of_colours):
        """A report on what is wrong with the page, or None."""
        if page.evaluate("typeof axe") == "undefined":
            page.evaluate(AXE_SCRIPT)
        is_wrong = page.evaluate(FIND, {"color-contrast": {"enabled": False}}) > 0
        if of_colours:
            contrast = page.evaluate(FIND_IN_COLOURS, list(self.passed))
            self.passed.update(contrast["looks"] if self.remembers else [])
            is_wrong = is_wrong or contrast["count"] > 0
        if not is_wrong:
            return None
        rules = {"color-contrast": {"enabled": of_colours}}
        return AxeResults({"violations": page.evaluate(REPORT, rules)}).generate_report()
