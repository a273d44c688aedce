"""The storage of files that all processes of an installation share."""

import os
from pathlib import Path

from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.utils.deconstruct import deconstructible

from datasets import stores


class StoreError(OSError):
    """A bucket did not do what it was asked for (config/bucket.py)."""


@deconstructible(path="config.storage.StateFolder")
class StateFolder(FileSystemStorage):
    """A folder of the state folder: readable by its owner only, and never served.

    What `save` has returned for is on the disk, also when the power goes.
    """

    def __init__(self, folder):
        super().__init__(file_permissions_mode=0o600, directory_permissions_mode=0o700)
        self._folder = folder

    @property
    def base_location(self):
        return str(settings.STATE_DIR / self._folder)

    @property
    def location(self):
        return os.path.abspath(self.base_location)

    def _save(self, name, content):
        name = super()._save(name, content)
        stores.sync(self.path(name))
        # The names too: of the file in its folder, and of each folder in the one above.
        for folder in Path(name).parents:
            stores.sync(self.path(str(folder)))
        return name
