"""Files in a bucket of an S3-compatible store, for installations of more than one machine.

Imported only where `FACETWISE_FILES` names a bucket: boto3 is slow to load and large.
"""

import errno
from contextlib import contextmanager

from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.utils.deconstruct import deconstructible
from storages.backends.s3 import S3Storage

from config.storage import StoreError

MB = 2**20


@contextmanager
def _as_os_error(verb, name):
    """Callers know files, not stores: an error here is an OSError, as on a disk."""
    try:
        yield
    except (BotoCoreError, Boto3Error, ClientError) as error:
        raise StoreError(errno.EIO, f"The file store failed to {verb}: {error}", name) from error


@deconstructible(path="config.bucket.Bucket")
class Bucket(S3Storage):
    def get_default_settings(self):
        return super().get_default_settings() | {
            # A file that is read comes whole to a temporary file, and stays in memory below this.
            "max_memory_size": 1 * MB,
            "transfer_config": TransferConfig(
                multipart_threshold=8 * MB, multipart_chunksize=8 * MB, max_concurrency=2
            ),
            "client_config": Config(
                connect_timeout=5,
                read_timeout=30,
                retries={"mode": "standard", "max_attempts": 3},
                # Only AWS knows every host name as a bucket.
                s3={"addressing_style": "path" if self._has_endpoint else "auto"},
                # Newer checksums than many other stores understand; exports are read back anyway.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        }

    def __init__(self, **options):
        self._has_endpoint = bool(options.get("endpoint_url"))
        super().__init__(**options)

    def _open(self, name, mode="rb"):
        with _as_os_error("read", name):
            return super()._open(name, mode).open()

    def _save(self, name, content):
        with _as_os_error("write", name):
            return super()._save(name, content)

    def delete(self, name):
        with _as_os_error("delete", name):
            super().delete(name)

    def listdir(self, name):
        with _as_os_error("list", name):
            return super().listdir(name)

    def get_modified_time(self, name):
        with _as_os_error("read the time of", name):
            return super().get_modified_time(name)
