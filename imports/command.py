"""The common part of the import commands."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction

from accounts.models import User
from annotation.collections.actions import create_with_scheme
from annotation.schemes.actions import load_definition, shipped_schemes
from annotation.schemes.files import read_definition
from audit.refusals import Refused
from datasets.database_copy import database_copy
from datasets.models import Collection
from formats.credits import texts_beside
from formats.files import WITHIN, open_files
from formats.problems import BadInputError
from imports.checking import settings_for
from imports.credits import credits_of
from imports.foreseen import counts_in_words
from imports.kinds import Kind
from imports.life import without_cycle_search
from imports.matched import columns_in_words, guessed_columns
from imports.run import carry_out, no_progress, remarks_on, survey
from imports.study.terms import CANNOT_JUDGE

NO_LEAD = (
    "The collection is new and has no lead yet: a site admin makes the link for its first lead on "
    "the page Collections."
)


class WrongArgument(CommandError):
    """An argument names what there is not. Ends with 2, as an argument that cannot be read does."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, returncode=2)


@dataclass
class Order:
    """The task of a command: a kind of files, their paths, and their settings."""

    kind: Kind
    paths: list[Path]
    settings: dict[str, Any] = field(default_factory=dict)
    columns: list[tuple[str, str, str]] = field(default_factory=list)  # file, field, column
    parts: dict[str, str] = field(default_factory=dict)  # by file
    facets: dict[str, str] = field(default_factory=dict)  # by their names in the files
    scheme: str = ""  # the key of a shipped one, or a file
    takes_credits: bool = False
    is_dry_run: bool = False


class _NothingWrittenError(Exception):
    """Ends the transaction of a dry run that made a collection to look with."""


class ImportCommand(BaseCommand, ABC):
    """A command that brings files into a collection; `order_of` reads its arguments."""

    def add_arguments(self, parser):
        parser.add_argument(
            "--collection", required=True, metavar="SLUG", help="its slug, as in its address"
        )
        parser.add_argument(
            "--create", metavar="NAME", help="make the collection first, if there is none"
        )
        parser.add_argument("--by", metavar="EMAIL", help="the account that the trail names")

    @abstractmethod
    def order_of(self, options: dict[str, Any]) -> Order:
        """The order that the arguments name. Raises WrongArgument before a collection is made."""

    def settings_in(self, order: Order, options: dict[str, Any], collection: Collection) -> None:
        """Complete the settings with what only the collection can say."""

    def handle(self, *, collection, create, by, **options):
        order = self.order_of(options)
        account = self._account(by)
        is_new = not Collection.objects.filter(slug=collection).exists()
        progress = self._progress if options["verbosity"] > 1 else no_progress
        try:
            if order.is_dry_run:
                self._dry_run(order, options, collection, create, account, progress)
                return
            into = self._collection(collection, create, order, account)
            outcome = self._bring_in(order, options, into, account, progress)
        except BadInputError as error:
            self._tell_problems(error)
            note = ""
            if is_new and not order.is_dry_run:
                note = f" The new collection {collection} is empty."
            raise CommandError(error.sentence + note) from None
        except Refused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(outcome.sentence)
        self._tell(outcome.summary)
        if is_new:
            self.stdout.write(NO_LEAD)

    @without_cycle_search()
    def _bring_in(self, order, options, collection, by, progress):
        with open_files(order.paths) as files:
            moving = self._moving(order, options, files, collection, by, progress)
            return carry_out(moving, progress=progress)

    def _moving(self, order, options, files, collection, by, progress):
        self.settings_in(order, options, collection)
        recognition = order.kind.recognise(files)
        if recognition:
            order.settings, _ = settings_for(order.settings, recognition, collection, by)
            self._match_parts(order, recognition)
            self._match_columns(order, recognition)
            if order.is_dry_run and "mapping" in order.settings:
                for sentence in columns_in_words(recognition, order.settings["mapping"]):
                    self.stdout.write(sentence)
        self._match_facets(order, collection)
        if order.takes_credits:
            order.settings["fills"] = credits_of(texts_beside(files))
        return order.kind.moving(files, collection, by, order.settings, progress)

    def _match_parts(self, order, recognition):
        for name, part in order.parts.items():
            file, entry = self._entry(order, name)
            if part not in ("", *recognition.labels):
                labels = ", ".join(recognition.labels) or "none"
                raise WrongArgument(f"There is no part {part} for {file}. Parts: {labels}.")
            if part != entry["part"]:
                entry["part"] = part
                entry["columns"] = guessed_columns(recognition, file, part)

    def _match_columns(self, order, recognition):
        """Match the columns that were named; a field of several takes all that name it."""
        columns_of = {
            part.file: [column.name for column in part.columns] for part in recognition.parts
        }
        lists: dict[tuple[str, str], list[str]] = {}
        for named_file, name, column in order.columns:
            file, entry = self._entry(order, named_file)
            fields = {field.key: field for field in recognition.fields.get(entry["part"], ())}
            _check_known("field", name, fields, file)
            if column:
                _check_known("column", column, columns_of[file], file)
            if column and fields[name].is_list:
                entry["columns"][name] = lists.setdefault((file, name), [])
                lists[file, name].append(column)
            else:
                entry["columns"][name] = column

    def _match_facets(self, order, collection):
        if not order.facets:
            return
        facets = list(collection.scheme.facets.values_list("key", flat=True))
        for name, facet in order.facets.items():
            if facet not in facets:
                raise WrongArgument(
                    f"There is no facet {facet} for {name}. Facets: {', '.join(facets) or 'none'}."
                )
        mapping = order.settings.setdefault("mapping", {"files": {}})
        mapping["facets"] = mapping.get("facets", {}) | order.facets

    @staticmethod
    def _entry(order, name):
        """A file by the name that an argument gives it, and how it is matched. What lies in a
        workbook or an archive is called by its own name, too, where nothing else is."""
        entries = order.settings["mapping"]["files"]
        candidates = [file for file in entries if file == name] or [
            file for file in entries if file.endswith(f"{WITHIN}{name}")
        ]
        if len(candidates) != 1:
            file_names = ", ".join(entries) or "none"
            raise WrongArgument(f"There is no file {name} to match. Known: {file_names}.")
        return candidates[0], entries[candidates[0]]

    @without_cycle_search()
    def _dry_run(self, order, options, slug, name, by, progress):
        """Read and compare; a collection that is not there yet is made and taken back.

        Without a transaction where it is there, else aside: on SQLite nobody could rate as long as
        one is open.
        """
        if Collection.objects.filter(slug=slug).exists():
            self._tell_preview(self._preview(order, options, slug, name, by, progress))
            return
        try:
            with _aside(), transaction.atomic():
                preview = self._preview(order, options, slug, name, by, progress)
                raise _NothingWrittenError
        except _NothingWrittenError:
            self._tell_preview(preview)

    def _preview(self, order, options, slug, name, by, progress):
        with open_files(order.paths) as files:
            collection = self._collection(slug, name, order, by)
            moving = self._moving(order, options, files, collection, by, progress)
            survey(moving)
            return order.kind.preview(moving)

    # Saying what was done

    def _tell_problems(self, error):
        for problem in error.problems:
            self.stderr.write(str(problem))

    def _tell(self, summary):
        for sentence in remarks_on(summary):
            self.stdout.write(sentence)
        if summary.get("unpooled"):
            self.stdout.write("To keep documents in no pool, add --keep-unpooled.")

    def _tell_preview(self, preview):
        counts = preview["counts"]
        for sentence in counts_in_words(counts):
            self.stdout.write(sentence)
        self._tell(counts)
        for sentence in preview.get("left_out_in_words", []):
            self.stdout.write(sentence)
        for histogram in preview.get("grades", []):
            self._tell_grades(histogram)

    def _tell_grades(self, histogram):
        labels = {CANNOT_JUDGE: "“cannot judge”"} | {
            option["key"]: option["label"] for option in histogram["options"]
        }
        scale = f" of {histogram['scale']}" if histogram["scale"] else ""
        self.stdout.write(f"Grades{scale}:")
        for row in histogram["rows"]:
            self.stdout.write(
                f"  {row['literal']} means {labels.get(row['option'], '?')}: {row['total']:,}"
            )
        if doubt := histogram["doubt"]:
            self.stdout.write(f"{doubt['question']} {doubt['because']}")

    # The collection and the account

    def _account(self, email):
        if email is None:
            return None
        account = User.objects.filter(email=email.lower()).first()
        if account is None:
            raise WrongArgument(f"There is no account {email}.")
        return account

    def _collection(self, slug, name, order, account):
        if not name or Collection.objects.filter(slug=slug).exists():
            return self._known_collection(slug)
        definition = definition_of(order.scheme or order.kind.scheme)
        return create_with_scheme(name=name, slug=slug, definition=definition, by=account)

    def _known_collection(self, slug):
        collection = Collection.objects.filter(slug=slug).first()
        if collection is None:
            slugs = ", ".join(Collection.objects.order_by("slug").values_list("slug", flat=True))
            raise WrongArgument(
                f"There is no collection {slug!r}. Known: {slugs or 'none'}. "
                'Make it on the page, or with --create "Its name".'
            )
        return collection

    def _progress(self, done, total, stage):
        self.stdout.write(f"{stage} {done:,} of {total:,}" if total else stage)


@contextmanager
def _aside() -> Iterator[None]:
    """The database is a copy of itself where it has one writer; elsewhere nobody waits."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    usual = connections[DEFAULT_DB_ALIAS]
    with database_copy(DEFAULT_DB_ALIAS) as copy:
        connections[DEFAULT_DB_ALIAS] = copy
        try:
            yield
        finally:
            connections[DEFAULT_DB_ALIAS] = usual


def _check_known(noun: str, name: str, known: Iterable[str], file: str) -> None:
    if name not in known:
        raise WrongArgument(
            f"There is no {noun} {name} in {file}. Known: {', '.join(known) or 'none'}."
        )


def definition_of(scheme: str) -> dict[str, Any]:
    """The definition that --scheme names: a shipped scheme by its key, or a file."""
    if scheme in shipped_schemes():
        return load_definition(scheme)
    scheme_keys = ", ".join(sorted(shipped_schemes()))
    if not scheme:
        raise WrongArgument(
            f"Which scheme is the new collection judged by? Add --scheme with "
            f"one of {scheme_keys}, or with a file."
        )
    path = Path(scheme)
    if not path.is_file():
        raise WrongArgument(
            f"--scheme {scheme}: neither a shipped scheme ({scheme_keys}) nor a file."
        )
    return read_definition(path.read_bytes(), path.name)
