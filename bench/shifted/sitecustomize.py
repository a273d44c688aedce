"""The clock of a process whose PYTHONPATH names this folder, shifted by what a file says.

FACETWISE_BENCH_CLOCK names the file; it holds seconds and may change at any time. The database's
clock and the monotonic one stay as they are.
"""

import os
import time
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

file = Path(os.environ["FACETWISE_BENCH_CLOCK"])
real_time, real_now = time.time, timezone.now


def shift():
    return float(file.read_text() or 0)


time.time = lambda: real_time() + shift()
timezone.now = lambda: real_now() + timedelta(seconds=shift())
