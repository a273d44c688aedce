"""Backups: one file with the database, the uploads and the exports, for either database.

The key is not in it. Docs: docs/adr/0013-backups.md
"""


class BackupError(Exception):
    """A backup cannot be made or restored, and this sentence says why. Nothing was changed."""
