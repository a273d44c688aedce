"""Export a collection's gold into a folder."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from annotation.models import MachineRun
from audit.refusals import Refused
from datasets.models import Collection
from evaluation.scores import Rule
from releases.actions import write_export
from releases.formats import Level
from releases.formats.registry import FORMATS


class Command(BaseCommand):
    help = "Export a collection's gold into a folder, with a manifest beside it."

    def add_arguments(self, parser):
        parser.add_argument("slug")
        parser.add_argument("--format", required=True, choices=list(FORMATS))
        parser.add_argument("--out", required=True, type=Path, metavar="DIR")
        parser.add_argument(
            "--allow-incomplete",
            action="store_true",
            help="also when gold is missing; file names and manifest then say so",
        )
        parser.add_argument(
            "--level",
            choices=[str(level) for level in Level],
            default=str(Level.QUERIES),
            help="birco, beir: what counts as a query (default: %(default)s)",
        )
        parser.add_argument(
            "--sub-queries",
            choices=[str(rule) for rule in Rule],
            default=str(Rule.PAPER),
            dest="rule",
            help="trec, birco, beir: which aspects make a sub-query, by the paper of DORIS-MAE or "
            "by its code (docs/scores.md; default: %(default)s)",
        )
        parser.add_argument(
            "--run",
            metavar="NAME",
            help="trec, birco, beir: the values of this machine run in place of gold, named as "
            "'MODEL, NAME' or by its name alone where only one run has it",
        )
        parser.add_argument(
            "--with-notes",
            action="store_true",
            help="CSV: also notes and rationales, which are free text and may name people",
        )

    def handle(self, *, slug, out, allow_incomplete, with_notes, level, rule, run, **options):
        collection = Collection.objects.filter(slug=slug).first()
        if collection is None:
            raise CommandError(f"There is no collection {slug!r}.")
        try:
            manifest = write_export(
                collection=collection,
                export_format=options["format"],
                folder=out,
                allow_incomplete=allow_incomplete,
                with_notes=with_notes,
                level=level,
                rule=rule,
                run=_run_called(run, collection) if run else None,
            )
        except Refused as refused:
            raise CommandError(str(refused)) from None
        for file in manifest["files"]:
            self.stdout.write(f"{file['sha256']}  {file['name']}")
        state = "incomplete" if manifest["is_incomplete"] else "complete"
        source = "gold" if run is None else "a value of the run"
        self.stdout.write(
            f"{manifest['counts']['gold']:,} pairs with {source}, {state}; manifest.json beside."
        )
        for note in manifest["notes"]:
            self.stdout.write(note)


def _run_called(name, collection):
    """The machine run of that name; a sentence with the names there are where it names none."""
    runs = list(MachineRun.objects.filter(collection=collection))
    found = [run for run in runs if str(run) == name] or [run for run in runs if run.name == name]
    if len(found) == 1:
        return found[0]
    names = "; ".join(map(str, runs)) or "none"
    raise CommandError(
        f"{'No' if not found else 'More than one'} machine run of {collection.slug} is called "
        f"{name!r}. Its runs, as MODEL, NAME: {names}."
    )
