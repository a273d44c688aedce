"""One collection: its tables, its figures, and what may be brought in."""

import io
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd
from httpx import Response

from facetwise.connection import Connection
from facetwise.deciding import Desk
from facetwise.frames import CSV, NDJSON, as_csv, frame_of, frame_of_table, with_options
from facetwise.jobs import Job, job_of
from facetwise.rating import Seat

ACCEPTED = 202


class Collection:
    def __init__(self, connection: Connection, slug: str) -> None:
        self._connection = connection
        self.slug = slug

    def __repr__(self) -> str:
        return f"Collection({self.slug!r})"

    # --- what there is -----------------------------------------------------------------------

    def details(self) -> dict[str, Any]:
        """Its name, licence, source and citation."""
        return dict(self._get("").json())

    def scheme(self) -> dict[str, Any]:
        """The scheme of the collection: `version` and `definition`."""
        return dict(self._get("scheme").json())

    def table(self, name: str, **filters: str) -> pd.DataFrame:
        """All rows of a list, such as `documents`, `pools`, `seats` or `gold`."""
        lines = self._get(name, accept=NDJSON, **filters).text
        columns = []
        if not lines:
            columns = self._get(name, accept=CSV, **filters).text.strip().split(",")
        frame = frame_of(lines, columns)
        return with_options(frame, self.scheme()) if "option" in frame else frame

    def ratings(self, **filters: str) -> pd.DataFrame:
        """Every rating that you may read. `option` has the scheme's options as categories."""
        return self.table("ratings", **filters)

    def gold(self, **filters: str) -> pd.DataFrame:
        return self.table("gold", **filters)

    def runs(self) -> pd.DataFrame:
        return self.table("runs")

    def progress(self) -> pd.DataFrame:
        """The progress of each topic."""
        return self.table("progress")

    # --- figures -----------------------------------------------------------------------------

    def agreement(
        self, page: str = "overview", table: str = "table", **filters: str
    ) -> pd.DataFrame:
        """A table of the agreement pages; by default Table 2, before and after adjudication.

        Its title and notes are in `attrs`, and what it is of under `chosen`. Filters are those of
        the page's address.
        """
        return frame_of_table(self._get(f"agreement/{page}/{table}", **filters).json())

    def scores(self, source: str = "gold", **options: str) -> pd.DataFrame:
        """Every measure of every run, and of people as rankers, as the page of scores has them."""
        return self._of_runs("scores", source, options)

    def stability(self, source: str = "gold", **options: str) -> pd.DataFrame:
        """Each run's rank by gold and by each list of ratings, and the percentage of draws of one
        rater in which it takes each rank."""
        return self._of_runs("ranks", source, options)

    def _of_runs(self, figure: str, source: str, options: dict[str, str]) -> pd.DataFrame:
        return frame_of_table(self._get(f"scores/{figure}", values=source, **options).json())

    def qrels(
        self,
        source: str = "gold",
        *,
        mapping: str = "",
        facet: str = "",
        is_incomplete: bool = False,
    ) -> pd.DataFrame:
        """Topic, document and grade, by a mapping of the collection if one is named.

        Without `is_incomplete`, what has no value yet refuses.
        """
        parameters = _qrels(source, mapping, facet, is_incomplete)
        lines = self._get("qrels", accept=NDJSON, **parameters).text
        return frame_of(lines, ["topic", "document", "grade"])

    def qrels_file(
        self,
        source: str = "gold",
        *,
        mapping: str = "",
        facet: str = "",
        is_incomplete: bool = False,
    ) -> bytes:
        """TREC's qrels, the bytes of an export's file."""
        parameters = _qrels(source, mapping, facet, is_incomplete)
        return self._get("qrels", accept="text/plain", **parameters).content

    # --- bringing in -------------------------------------------------------------------------

    def upload_run(
        self, *paths: str | Path, kind: str = "retrieval", order: str = "score", level: str = ""
    ) -> pd.DataFrame:
        """Store runs, a file each, all of them or none. The same run again changes nothing."""
        data = {"kind": kind, "order": order} | ({"level": level} if level else {})
        parts = [("files", (Path(path).name, Path(path).read_bytes())) for path in paths]
        answer = self._connection.ask("POST", self._path("runs"), data=data, files=parts)
        return pd.DataFrame(answer.json(), columns=["id", "tag", "is_new"])

    def import_tables(
        self, *, settings: dict[str, Any] | None = None, **tables: pd.DataFrame
    ) -> Job:
        """Bring in `documents`, `queries`, `pool`, `ratings` or `decisions`, whole or not at all.

        The same tables again change nothing. `settings` are what the page of imports would ask.
        """
        if not tables:
            raise ValueError("Name at least one table: documents, queries, pool.")
        files = [(f"{name}.csv", as_csv(frame)) for name, frame in tables.items()]
        return self._import(files, settings or {})

    def import_files(
        self, *paths: str | Path, file_format: str = "", settings: dict[str, Any] | None = None
    ) -> Job:
        """Bring in files, folders or zips of any format that the page of imports reads, whole or
        not at all. The same files again change nothing.

        `file_format` is a format's key, such as trec or csfcube, where the files may be of several.
        `settings` are what the page of imports would ask.
        """
        if not paths:
            raise ValueError("Name at least one file or folder.")
        named = {"format": file_format} if file_format else {}
        return self._import(map(_read, map(Path, paths)), named | (settings or {}))

    def _import(self, files: Iterable[tuple[str, bytes]], settings: dict[str, Any]) -> Job:
        answer = self._connection.ask(
            "POST",
            self._path("imports"),
            data={"settings": json.dumps(settings)},
            files=[("files", file) for file in files],
        )
        return job_of(self._connection, self.slug, answer.json())

    def export(
        self, file_format: str = "trec", *, source: str = "", mapping: str = "", **options: Any
    ) -> Job:
        """Make an export that leads can download; `table("exports")` lists its files.

        Source and mapping are those of `qrels`, for formats that take them; the other options are
        the fields of the API.
        """
        values = {name: text for name, text in [("values", source), ("mapping", mapping)] if text}
        answer = self._post("exports", {"format": file_format} | values | options)
        return job_of(self._connection, self.slug, answer)

    # --- people and work ---------------------------------------------------------------------

    def members(self) -> pd.DataFrame:
        """People by public id, with their roles."""
        return self.table("members")

    def add_members(self, people: Iterable[str]) -> list[str]:
        """People by address, an adjudicator as `address adjudicator`.

        Returns the public ids of those who have accounts; the others have invitations then.
        """
        return list(self._post("members", {"people": "\n".join(people)})["joined"])

    def invite(self, role: str = "annotator", email: str = "") -> str:
        """A link by which somebody becomes a member. It works once; send it yourself."""
        return str(self._post("invitations", {"role": role, "email": email})["link"])

    def seats(self) -> pd.DataFrame:
        """Every seat of every batch, who holds it, and how far it is."""
        return self.table("seats")

    def make_batches(self, topics: Iterable[str] | None = None) -> list[str]:
        """A batch per topic from the pairs that no batch holds; returns their public ids."""
        body = {} if topics is None else {"topics": list(topics)}
        return list(self._post("batches", body)["batches"])

    def assign(self, seat: str, member: str | None, *, reason: str = "") -> None:
        """Give a seat to a member, both by public id, or free it. A seat with ratings changes hands
        with a reason alone."""
        fields = {"holder": member} | ({"reason": reason} if reason else {})
        self._connection.ask("PATCH", self._path(f"seats/{seat}"), json=fields)

    # --- rating and deciding ----------------------------------------------------------------

    def own_seats(self) -> list[Seat]:
        """The seats that the token's person holds, to rate in and to hand in."""
        rows = self._connection.rows(self._path("own-seats"))
        return [Seat(self._connection, self._path(""), row) for row in rows]

    @property
    def desk(self) -> Desk:
        """The adjudicator's queue and decisions."""
        return Desk(self._connection, self._path(""))

    # --- everything else ---------------------------------------------------------------------

    def read(self, path: str, **parameters: str) -> Any:
        """The JSON at an address below the collection's: `read("settings")`."""
        return self._get(path, **parameters).json()

    def send(self, path: str, fields: dict[str, Any] | None = None, method: str = "POST") -> Any:
        """Change what an address below the collection's is about: `send("topics/lock-done")`,
        `send("settings/programs", {"programs_may_rate": True}, "PATCH")`.

        Returns the answer, None where there is none, or the job that does the work.
        """
        answer = self._connection.ask(method, self._path(path), json=fields or {})
        if answer.status_code == ACCEPTED:
            return job_of(self._connection, self.slug, answer.json())
        return answer.json() if answer.content else None

    def export_file(self, export: str, name: str = "manifest.json") -> bytes:
        """One file of an export; `table("exports")` has the ids, with the names of the files."""
        return self._get(f"exports/{export}/files/{name}", accept="*/*").content

    def _post(self, path: str, fields: dict[str, Any]) -> Any:
        return self._connection.ask("POST", self._path(path), json=fields).json()

    def _get(self, path: str, *, accept: str = "application/json", **parameters: str) -> Response:
        return self._connection.get(self._path(path), accept=accept, **parameters)

    def _path(self, path: str) -> str:
        return f"collections/{self.slug}/{path}".rstrip("/")


def _read(path: Path) -> tuple[str, bytes]:
    """The name and the bytes of a file; of a folder, those of a zip of it."""
    if not path.is_dir():
        return path.name, path.read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for file in sorted(path.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(path))
    return f"{path.resolve().name}.zip", packed.getvalue()


def _qrels(source: str, mapping: str, facet: str, is_incomplete: bool) -> dict[str, str]:
    complete = "1" if is_incomplete else ""
    return {"values": source, "mapping": mapping, "facet": facet, "all": complete}
