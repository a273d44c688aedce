"""Settings, addresses and what knows all apps.

Also one thread for each sum of numbers: the lists of a study are short, so that a second one waits
more than it adds, and sums would differ in their last digit by the number of cores.

And one SQLite for the whole process: where the wheel `pysqlite3` brings a newer one than Python
was built with, `import sqlite3` means that one from here on, for Django and for us. Two libraries
in one process must not open the same file: closing it in one would drop the locks of the other.
"""

import os
import sqlite3
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    import pysqlite3
except ImportError:  # no wheel for this kind of machine: see requirements.txt
    pass
else:
    if pysqlite3.sqlite_version_info > sqlite3.sqlite_version_info:
        sqlite3 = pysqlite3
        sys.modules["sqlite3"] = pysqlite3
        sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
