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

    def create(
        self, name: str, *, slug: str, scheme: str, lead: str = "", **about: str
    ) -> tuple[Collection, str]:
        """A new collection, and the link that makes whoever opens it the first lead.

        Takes a site admin's token. `scheme` is the key of one that is shipped, such as csfcube;
        `lead` the address for whom the link is; `about` description, licence, source, citation.
        """
        fields = {"name": name, "slug": slug, "scheme": scheme, **about}
        created = self.connection.ask(
            "POST", "collections", json=fields | ({"lead_email": lead} if lead else {})
        ).json()
        return self.collection(created["slug"]), created["link"]

    def wait(self, job: Job, **options: Any) -> Job:
        """Wait until a job is over, with a bar on a terminal; raises JobFailed or TimeoutError."""
        return job.wait(**options)
