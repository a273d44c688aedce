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
            f"--disable-features={','.join(OFF_FOR_PLAYWRIGHT + OFF_WITHOUT_WINDOW)}",
        ],
    )
