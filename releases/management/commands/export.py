"""Export a collection's gold into a folder."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from audit.refusals import Refused
from datasets.models import Collection
from releases.actions import write_export
from releases.models import Export


class Command(BaseCommand):
    help = "Export a collection's gold into a folder, with a manifest beside it."

    def add_arguments(self, parser):
        parser.add_argument("slug")
        parser.add_argument("--format", required=True, choices=Export.Format.values)
        parser.add_argument("--out", required=True, type=Path, metavar="DIR")
        parser.add_argument(
            "--allow-incomplete",
            action="store_true",
            help="also when gold is missing; file names and manifest then say so",
        )
        parser.add_argument(
            "--with-notes",
            action="store_true",
            help="CSV: also notes and rationales, which are free text and may name people",
        )

    def handle(self, *, slug, out, allow_incomplete, with_notes, **options):
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
            )
        except Refused as refused:
            raise CommandError(str(refused)) from None
        for file in manifest["files"]:
            self.stdout.write(f"{file['sha256']}  {file['name']}")
        state = "incomplete" if manifest["is_incomplete"] else "complete"
        self.stdout.write(
            f"{manifest['counts']['gold']:,} pairs with gold, {state}; manifest.json beside."
        )
        for note in manifest["notes"]:
            self.stdout.write(note)
