"""`manage.py erratum OLDER NEWER`: what changed between two exports, judgment by judgment."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from uuid import UUID

from django.core.exceptions import BadRequest
from django.core.management.base import BaseCommand, CommandError

from agreement.tables.cells import printed
from agreement.tables.table import Kind, Table
from agreement.tables.writing import csv_parts, ndjson_parts
from annotation.progress.figures import facet_names
from audit.refusals import Refused, raised_as
from datasets.models import Collection
from releases.erratum import tables
from releases.erratum.between import Erratum, erratum_of
from releases.erratum.reading import Exported, NotComparable
from releases.erratum.runs import RunMoves
from releases.manifest import NAME
from releases.models import Export

WRITERS = {"csv": csv_parts, "ndjson": ndjson_parts}


class Command(BaseCommand):
    help = (
        "Print what changed between two exports of a collection, from the files as they were "
        "offered. Ends with 0 when they were compared, with 1 when they cannot be, and with 2 "
        "when an argument names no export."
    )

    def add_arguments(self, parser):
        about = f"id of an export, or a folder with the files of one and their {NAME}"
        parser.add_argument("older", metavar="OLDER", help=about)
        parser.add_argument("newer", metavar="NEWER", help=about)
        parser.add_argument(
            "--format",
            choices=["text", *WRITERS],
            default="text",
            help="text: counts and grades in words; csv, ndjson: every change (default: text)",
        )
        parser.add_argument(
            "--with-notes",
            action="store_true",
            help="csv, ndjson: also reasons in full, which are free text and may name people",
        )
        parser.add_argument(
            "--runs",
            action="store_true",
            help="the scores of the stored runs by both exports, in place of the judgments",
        )
        parser.add_argument(
            "--measure",
            default="",
            help="runs: what they are sorted by; default: the first of the collection's protocol",
        )

    def handle(self, *, older, newer, with_notes, **options):
        with raised_as(CommandError, (Refused, BadRequest)):
            erratum = erratum_between(older, newer)
            if options["runs"]:
                moves = RunMoves.of(erratum, erratum.collection)
                table = moves.table(moves.measure(options["measure"]))
                columns, rows, text = table.columns, iter(table.rows), runs_as_text(table)
            else:
                columns = tables.columns(with_notes=with_notes)
                rows = tables.file_rows(erratum, erratum.changes.rows, with_notes=with_notes)
                text = as_text(erratum)
        if options["format"] == "text":
            self.stdout.write("\n".join(text))
            return
        for part in WRITERS[options["format"]](columns, rows):
            self.stdout.write(part, ending="")


def erratum_between(older: str, newer: str) -> Erratum:
    """What changed between two exports. Where the installation keeps both, the trail gives the
    reasons; of folders there are none."""
    first, second = _stored(older), _stored(newer)
    if first and second:
        if first.collection_id != second.collection_id:
            raise NotComparable("The two exports are of different collections.")
        return erratum_of(first, second)
    before, after = (
        Exported.of(export) if export else Exported.in_folder(_folder(name))
        for name, export in ((older, first), (newer, second))
    )
    slugs = {part.slug for part in (before, after)}
    if len(slugs) > 1:
        raise NotComparable("The two exports are of different collections.")
    collection = Collection.objects.filter(slug=slugs.pop()).first()
    if collection is None:
        raise NotComparable("Their collection is not in this installation.")
    return Erratum(collection, before, after)


def _stored(name: str) -> Export | None:
    try:
        public_id = UUID(name)
    except ValueError:
        return None
    return Export.objects.select_related("collection").filter(public_id=public_id).first()


def _folder(name: str) -> Path:
    folder = Path(name)
    if not (folder / NAME).is_file():
        raise CommandError(
            f"{name} is neither the id of an export nor a folder with a {NAME}.", returncode=2
        )
    return folder


def as_text(erratum: Erratum) -> Iterator[str]:
    """The sentence, the notes, the counts of each facet, and what grades became of which."""
    yield tables.sentence(erratum)
    yield from tables.notes(erratum)
    names = facet_names(erratum.collection.scheme)
    if by_facet := tables.by_facet(erratum, names):
        yield ""
        for facet, before, changed, new, gone, after in by_facet.rows:
            counts = f"{changed:,} changed, {new:,} new, {gone:,} gone"
            yield f"{facet}: {before:,} before, {counts}, {after:,} now"
    for title, moves in groupby(tables.moves(erratum, names), key=lambda move: move[0]):
        yield f"\n{title}"
        for _, count, old, new in moves:
            yield f"  {old} -> {new}: {count:,}"


def runs_as_text(table: Table) -> Iterator[str]:
    """A line for each run with its scores by both and the difference, then the notes."""
    width = max((len(str(row[0])) for row in table.rows), default=0)
    places = [number for number in table.printed if table.columns[number].kind is Kind.PERCENT][:3]
    for row in table.rows:
        older, newer, difference = (
            printed(row[place], table.columns[place].kind) for place in places
        )
        yield f"{row[0]:<{width}}  {older:>6} -> {newer:>6}  {difference:>6}"
    yield from table.notes
