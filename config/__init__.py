"""Settings, addresses and what knows all apps.

Also one SQLite for the whole process: where the wheel `pysqlite3` brings a newer one than Python
was built with, `import sqlite3` means that one from here on, for Django and for us. Two libraries
in one process must not open the same file: closing it in one would drop the locks of the other.
"""

import sqlite3
import sys

try:
    import pysqlite3
except ImportError:  # no wheel for this kind of machine: see requirements.txt
    pass
else:
    if pysqlite3.sqlite_version_info > sqlite3.sqlite_version_info:
        sqlite3 = pysqlite3
        sys.modules["sqlite3"] = pysqlite3
        sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
