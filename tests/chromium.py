"""The real browser of the tests."""

import os
import shutil

# Playwright's own list, which a second one replaces.
OFF_FOR_PLAYWRIGHT = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
# Around each page Chromium makes a window that nobody sees, with pages for what its address bar
# suggests, and a process for the page that may come next. They take more than a second of a
# processor for each page of a test.
OFF_WITHOUT_WINDOW = (
    "SpareRendererForSitePerProcess",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
)


def chromium_path():
    """FACETWISE_CHROMIUM, a Chromium of the system, or None for Playwright's own."""
    named = os.environ.get("FACETWISE_CHROMIUM")
    if named:
        return named
    # The shell is the same Chromium without the windows, and so the quickest.
    paths = map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))
    return next(filter(None, paths), None)


def launch_chromium(playwright):
    return playwright.chromium.launch(
        executable_path=chromium_path(),
        args=[
            "--no-sandbox",
            "--disable-gpu",
            # Pages of a context share a process, and with it what is loaded and compiled.
            "--process-per-site",
            f"--disable-features={','.join(OFF_FOR_PLAYWRIGHT + OFF_WITHOUT_WINDOW)}",
        ],
    )


DESK = {"width": 1440, "height": 900}
# Without motion a key takes a third: each colour that changes would be painted eight times on its
# way, and one that is caught half way may be one that cannot be read.
STEADY = {"viewport": DESK, "reduced_motion": "reduce"}
# A clock that a test has put in stays in its context.
EMPTY = """() => {
  localStorage.clear();
  return String(setTimeout).includes("[native code]");
}"""


class Browsers:
    """What each test takes for browsers of its own: contexts that one test has after the other,
    since a new one starts a process and compiles every script and style sheet anew, which takes
    half the time of a usual test."""

    def __init__(self, chromium):
        self.chromium = chromium
        self.kept = []

    def open_page(self, url):
        """A page of a browser that has nothing open or stored."""
        context, first = self.unused() or self.make(url)
        # What a page opens is of its process.
        with context.expect_page() as opened:
            first.evaluate("void open('about:blank')")
        return opened.value

    def unused(self):
        for context, first in self.kept:
            if context.pages == [first] and first.evaluate(EMPTY):
                context.clear_cookies()
                context.set_offline(False)
                return context, first
        return None

    def make(self, url):
        context = self.chromium.new_context(base_url=url, **STEADY)
        first = context.new_page()
        first.goto("/static/favicon.svg")
        self.kept.append((context, first))
        return context, first
