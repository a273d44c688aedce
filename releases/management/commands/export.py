"""Export a collection's gold, or other values, into a folder."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from audit.refusals import raised_as
from datasets.models import Collection
from evaluation.definitions.reading import chosen_protocol
from evaluation.management.arguments import add_source_arguments, source_of
from evaluation.protocols import Missing
from evaluation.scores import Rule
from formats.words import counted
from releases.actions import write_export
from releases.formats import Level
from releases.formats.registry import FORMATS


class Command(BaseCommand):
    help = "Export a collection's gold, or other values, into a folder, with a manifest beside it."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the collection's slug, as in its address")
        parser.add_argument(
            "--format",
            required=True,
            choices=list(FORMATS),
            help="docs/formats.md says what each is",
        )
        parser.add_argument(
            "--out",
            required=True,
            type=Path,
            metavar="DIR",
            help="folder that is new, empty, or holds an earlier export of the same, which is "
            "replaced",
        )
        parser.add_argument(
            "--allow-incomplete",
            action="store_true",
            help="also when gold is missing; file names and manifest then say so",
        )
        parser.add_argument(
            "--level",
            choices=[str(level) for level in Level],
            default=str(Level.QUERIES),
            help="birco, beir: the unit that counts as a query (default: %(default)s)",
        )
        parser.add_argument(
            "--sub-queries",
            choices=[str(rule) for rule in Rule],
            default=str(Rule.PAPER),
            dest="rule",
            help="trec, birco, beir: which aspects make a sub-query, by the paper of DORIS-MAE or "
            "by its code (docs/scores.md; default: %(default)s)",
        )
        add_source_arguments(parser.add_argument_group("trec, birco, beir"))
        parser.add_argument(
            "--protocol",
            default="",
            help="protocol by which the manifest measures the effect of a source on the scores of "
            "runs: a key, or KEY.VERSION (default: the usual one of the collection)",
        )
        parser.add_argument(
            "--missing",
            choices=[str(missing) for missing in Missing],
            help="how a pair counts to which a seat gave no value (default: as the protocol says)",
        )
        parser.add_argument(
            "--channel",
            choices=["pages"],
            default="",
            help="leave out pairs that a program rated, which makes the gold incomplete",
        )
        parser.add_argument(
            "--with-notes",
            action="store_true",
            help="CSV: also notes and rationales, which are free text and may name people",
        )

    def handle(self, *, slug, out, allow_incomplete, with_notes, level, rule, **options):
        collection = Collection.objects.filter(slug=slug).first()
        if collection is None:
            raise CommandError(f"There is no collection {slug!r}.")
        with raised_as(CommandError, ValueError):
            source = source_of(collection, options)
            protocol = chosen_protocol(collection, options["protocol"])
        with raised_as(CommandError):
            manifest = write_export(
                collection=collection,
                export_format=options["format"],
                folder=out,
                allow_incomplete=allow_incomplete,
                with_notes=with_notes,
                level=level,
                rule=rule,
                source=source,
                protocol=protocol,
                missing=options["missing"],
                channel=options["channel"],
            )
        for file in manifest["files"]:
            self.stdout.write(f"{file['sha256']}  {file['name']}")
        state = "incomplete" if manifest["is_incomplete"] else "complete"
        by = "" if source.is_plain_gold else f" by {source.in_words}"
        pairs = counted(manifest["counts"]["gold"], "pair")
        self.stdout.write(f"{pairs} with a grade{by}, {state}; manifest.json beside.")
        for note in manifest["notes"]:
            self.stdout.write(note)
