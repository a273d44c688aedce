"""The client: an installation, and a token for it."""

import os
from typing import Any, Self

import httpx
import pandas as pd

from facetwise.collection import Collection
from facetwise.connection import Connection
from facetwise.jobs import Job


class Client:
    """An installation of Facetwise as one token sees it.

    `fw = Client("https://facetwise.example.org", token)`; without arguments both come from
    FACETWISE_URL and FACETWISE_TOKEN.
    """

    def __init__(
        self,
        url: str = "",
        token: str = "",
        *,
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        url = url or os.environ.get("FACETWISE_URL", "")
        token = token or os.environ.get("FACETWISE_TOKEN", "")
        if not url or not token:
            raise ValueError("Name address and token, or set FACETWISE_URL and FACETWISE_TOKEN.")
        self.connection = Connection(url, token, timeout=timeout, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def collections(self) -> pd.DataFrame:
        """The collections that the token is for."""
        return pd.DataFrame(self.connection.get("collections").json())

    def collection(self, slug: str) -> Collection:
        return Collection(self.connection, slug)

    def wait(self, job: Job, **options: Any) -> Job:
        """Wait until a job is over, with a bar on a terminal; raises JobFailed or TimeoutError."""
        return job.wait(**options)
