"""The faults: what goes wrong, how it begins and how it ends."""

import os
import resource
import signal
import sys
import threading
import time
from contextlib import suppress

from bench.faulting.disk import TINY, small_disk


def connection_vendor():
    from django.db import connection

    return connection.vendor


class Fault:
    """What goes wrong. Of the installation, `web` is the web server's process."""

    name = ""
    databases = ("sqlite", "postgresql")
    rating_goes_on = True

    def prepare(self, installation):
        """Before anything is started."""

    def start(self, installation):
        """Start web server and worker; returns the address."""
        self.web, url = installation.start_web()
        self.worker = installation.start_worker()
        return url

    def begin(self):
        """The cause sets in; every fault says how."""

    def end(self):
        """The cause is gone; nobody mends anything else."""

    def close(self):
        """After everything, also after an error."""


class Supervised(Fault):
    """Under script/supervise, which starts again what ends by itself."""

    def start(self, installation):
        from tests.processes import ROOT, answers, free_port, wait_until

        port = free_port()
        installation.env |= {"PORT": str(port), "HOST": "127.0.0.1"}
        self.supervisor = installation.start_program(
            sys.executable, str(ROOT / "script" / "supervise")
        )
        wait_until(lambda: answers(port, self.supervisor), "the web server")
        return f"http://127.0.0.1:{port}"

    def close(self):
        # The parts are in groups of their own, so it must end them itself.
        if hasattr(self, "supervisor"):
            self.supervisor.popen.terminate()
            self.supervisor.popen.wait(60)


class WorkerKilled(Supervised):
    """Its clock dies with it."""

    name = "worker-killed"

    def begin(self):
        import psutil

        for part in psutil.Process(self.supervisor.popen.pid).children():
            if "celery" in map(os.path.basename, part.cmdline()):
                os.killpg(part.pid, signal.SIGKILL)


class RedisStopped(Supervised):
    name = "redis-stopped"

    def prepare(self, installation):
        from tests.processes import Redis

        self.redis = Redis(installation.state)
        self.redis.start()
        installation.env["REDIS_URL"] = self.redis.url

    def begin(self):
        self.redis.stop()

    def end(self):
        self.redis.start()

    def close(self):
        super().close()
        self.redis.stop()


class RedisFull(RedisStopped):
    name = "redis-full"

    def begin(self):
        self._limit(1)

    def end(self):
        self._limit(0)

    def _limit(self, size):
        import redis

        with redis.Redis.from_url(self.redis.url) as client:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", size)


class DatabaseRestarted(Fault):
    name = "database-restarted"
    databases = ("postgresql",)
    rating_goes_on = False

    def prepare(self, installation):
        from tests.processes import PostgreSQL

        self.server = PostgreSQL()

    def begin(self):
        self.server.stop()
        self.server.start()
        time.sleep(1)
        self.server.stop()

    def end(self):
        self.server.start()


class DatabasePaused(Fault):
    """SIGSTOP for all of PostgreSQL; on SQLite, somebody who holds the write lock and sleeps."""

    name = "database-paused"
    rating_goes_on = False

    def begin(self):
        from django.db import connection

        if connection.vendor == "postgresql":
            from tests.processes import PostgreSQL

            self.server = PostgreSQL()
            self.server.pause()
        else:
            import sqlite3  # now, for it must be the library that the server has

            name = connection.settings_dict["NAME"]
            self.other = sqlite3.connect(name, timeout=20, isolation_level=None)
            self.other.execute("BEGIN IMMEDIATE")

    def end(self):
        if hasattr(self, "server"):
            self.server.resume()
        else:
            self.other.close()


class DiskFull(Fault):
    """No room for the database: on a small disk of its own, or by a limit on the size of files."""

    name = "disk-full"
    rating_goes_on = False

    def start(self, installation):
        url = super().start(installation)
        self.disk = small_disk()
        if self.disk and connection_vendor() == "postgresql":
            self.disk.take_tables()
        return url

    def begin(self):
        if self.disk:
            self.disk.fill()
        else:
            self._limit(TINY)  # journals too

    def end(self):
        if self.disk:
            self.disk.empty()
        else:
            self._limit(resource.RLIM_INFINITY)

    def _limit(self, size):
        import psutil

        web = psutil.Process(self.web.popen.pid)
        for process in [web, *web.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                process.rlimit(psutil.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


class ClockJumped(Fault):
    name = "clock-jumped"

    def prepare(self, installation):
        from tests.processes import ROOT

        self.file = installation.state / "clock"
        self.file.write_text("0")
        folders = [str(ROOT / "bench" / "shifted"), *filter(None, [os.environ.get("PYTHONPATH")])]
        installation.env |= {
            "PYTHONPATH": os.pathsep.join(folders),
            "FACETWISE_BENCH_CLOCK": str(self.file),
        }

    def begin(self):
        self._set(3600)
        self.back = threading.Timer(2, self._set, [-3600])
        self.back.start()

    def end(self):
        self.back.join()
        self._set(0)

    def _set(self, seconds):
        fresh = self.file.with_suffix(".new")
        fresh.write_text(str(seconds))
        fresh.replace(self.file)


FAULTS = {
    fault.name: fault
    for fault in (
        *(RedisStopped, RedisFull, WorkerKilled, DatabaseRestarted),
        *(DiskFull, DatabasePaused, ClockJumped),
    )
}
