"""Failed saves are sent again after two seconds, which may be before a test presses "Try now"."""


def stop_retries(page):
    """From now on nothing is sent again by itself on this page. Once it is loaded."""
    page.evaluate(
        """() => {
          const setTimeout = window.setTimeout;
          window.setTimeout = (call, delay) => (delay < 2000 ? setTimeout(call, delay) : 0);
        }"""
    )
