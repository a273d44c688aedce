"""How long a restart takes, and how much memory an installation holds, idle and after use.

    python bench/start.py [--starts 3] [--pages 80]

An installation with the demo is made in a temporary folder and started again some times, as
`script/server` starts what is set up. Told are the seconds from there to the first page, and the
processor seconds of all processes until then. Then the memory of web server, worker and supervisor
together, with what they share counted once (PSS): idle, and after a lead has looked at so many
pages, those of agreement first, and exported. Needs what the tests need.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.visitor import Visitor

ROOT = Path(__file__).resolve().parent.parent
SETTLED_SECONDS = 8  # after which nothing is loaded any more
PATIENCE_SECONDS = 60


class Server:
    """The supervisor and what it started; `url` answers."""

    def __init__(self, env):
        begun = time.monotonic()
        command = [sys.executable, "script/supervise", "--prepare"]
        self.process = psutil.Popen(
            command, cwd=ROOT, env=env, start_new_session=True, stdout=subprocess.DEVNULL
        )
        self.url = f"http://127.0.0.1:{env['PORT']}"
        while not self._answers():
            if time.monotonic() > begun + PATIENCE_SECONDS:
                self.stop()
                raise SystemExit("The server did not start.")
            time.sleep(0.02)
        self.seconds = time.monotonic() - begun
        # With what has ended by then: `prepare`.
        self.processor_seconds = sum(sum(p.cpu_times()[:4]) for p in self._processes())

    def _answers(self):
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/sign-in/").status_code == 200
        return False

    def _processes(self):
        return [self.process, *self.process.children(recursive=True)]

    def megabytes(self):
        return sum(process.memory_full_info().pss for process in self._processes()) / 2**20

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_SECONDS)


def use(server, state, pages):
    """A lead's day: pages reached by links, the agreement first, and an export of each study.

    Returns how many pages were looked at.
    """
    words = (state / "demo-sign-ins.txt").read_text().split()
    email, password = words[words.index("Lead") + 1 :][:2]
    visitor = Visitor(server.url)
    waiting, seen = links(visitor.sign_in(email, password)), set()
    while waiting and len(seen) < pages:
        waiting.sort(key=lambda address: "/agreement/" not in address)
        address = waiting.pop(0)
        seen.add(address)
        page = visitor.page(address)
        waiting += [link for link in links(page) if link not in {*seen, *waiting}]
        if address.endswith("/exports/"):
            visitor.submit(page, "/exports/", format="csv", allow_incomplete="on")
    visitor.close()
    return len(seen)


def links(page):
    """Addresses of pages here that a page names, without their queries; no files."""
    addresses = map(urlsplit, page.xpath("//a/@href"))
    return sorted({to.path for to in addresses if to.path.endswith("/") and not to.netloc})


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--pages", type=int, default=80)
    options = parser.parse_args()
    from tests.processes import free_port

    with tempfile.TemporaryDirectory(prefix="facetwise-bench-") as name:
        state = Path(name)
        env = {
            "PATH": os.environ["PATH"],
            "FACETWISE_STATE": str(state),
            "FACETWISE_LOG_LEVEL": "error",
            "PORT": str(free_port()),
        }
        quiet = {"cwd": ROOT, "env": env, "check": True, "stdout": subprocess.DEVNULL}
        subprocess.run([sys.executable, "manage.py", "prepare"], **quiet)
        starts = []
        server = None
        try:
            for _ in range(options.starts):
                if server:
                    server.stop()
                server = Server(env)
                starts.append((server.seconds, server.processor_seconds))
            elapsed, processor = map(statistics.median, zip(*starts, strict=True))
            print(f"start to first page: {elapsed:.1f} s, {processor:.1f} s of processor time")
            time.sleep(SETTLED_SECONDS)
            print(f"memory idle: {server.megabytes():.0f} MB")
            looked_at = use(server, state, options.pages)
            time.sleep(SETTLED_SECONDS)
            print(f"memory after {looked_at} pages: {server.megabytes():.0f} MB")
        finally:
            if server:
                server.stop()
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
