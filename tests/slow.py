"""A slower, jittery machine and line for tests with a browser, to find those that race.

`FACETWISE_SLOW=7` gives the processor of pages a quarter of its speed, and holds every request of
the live server up before it is read and before it is answered, so that requests overtake each
other. The number is the seed of the delays.
"""

import os
import random
import time

SEED = os.environ.get("FACETWISE_SLOW", "")
CPU_RATE = 4
MOST_SECONDS = 0.2  # each way


def late(application):
    """A WSGI application whose requests and answers are under way for some time."""
    delays = random.Random(SEED)

    def answer(environ, start_response):
        time.sleep(delays.uniform(0, MOST_SECONDS))
        chunks = application(environ, start_response)
        time.sleep(delays.uniform(0, MOST_SECONDS))
        return chunks

    return answer


def hold_up_live_server():
    from django.test.testcases import LiveServerThread

    usual = LiveServerThread.server_class

    class LateServer(usual):
        def set_app(self, application):
            super().set_app(late(application))

    LiveServerThread.server_class = LateServer


def slow_down(page):
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_RATE})
