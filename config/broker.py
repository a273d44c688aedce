"""The Celery broker that needs no server: a folder of messages on one host.

Kombu's own transport writes a message under its final name, so that a reader may take it half
written, and reads it from the system's temporary folder. Here both steps are one rename inside
the folder. A message that was taken by a worker which then died is gone; that is harmless,
because the job's row is the truth and the sweep sends it again (jobs/actions.py).
"""

import os
import time
import uuid
from pathlib import Path
from queue import Empty

from kombu.transport import filesystem
from kombu.utils.json import dumps, loads


class Channel(filesystem.Channel):
    def _put(self, queue, payload, **kwargs):
        # Names sort by the order of writing; the clock of one host is good enough for that.
        name = f"{time.time_ns():020}_{uuid.uuid4()}.{queue}.msg"
        unfinished = Path(self.data_folder_out) / f".{name}"
        try:
            unfinished.write_text(dumps(payload))
            unfinished.rename(unfinished.with_name(name))
        except OSError:
            # The clock tries again every few seconds: a full disk would fill the folder.
            unfinished.unlink(missing_ok=True)
            raise

    def _get(self, queue):
        for name in sorted(os.listdir(self.data_folder_in)):
            if name.partition(".")[2] != f"{queue}.msg":
                continue
            message_file = Path(self.data_folder_in) / f".taken-{name}"
            try:
                (Path(self.data_folder_in) / name).rename(message_file)
            except FileNotFoundError:
                continue  # another worker was quicker
            payload = message_file.read_text()
            message_file.unlink()
            return loads(payload)
        raise Empty


class Transport(filesystem.Transport):
    Channel = Channel
