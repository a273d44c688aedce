"""Import a file in the form of the official DORIS-MAE dataset, of any size."""

from pathlib import Path

from django.core.management.base import CommandError

from imports.command import ImportCommand
from imports.doris_mae.importing import import_doris_mae


class Command(ImportCommand):
    help = (
        "Import a file in the form of the official DORIS-MAE dataset into a collection, with its "
        "ratings and machine answers. The import is whole or not at all; done twice it changes "
        "nothing."
    )
    scheme = "doris-mae"

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        super().add_arguments(parser)
        parser.add_argument("--model", default="", help="which model gave the answers in the file")
        parser.add_argument("--run", default="", help="how this run of the model is called")

    def check_source(self, options):
        if not options["file"].is_file():
            raise CommandError(f"{options['file']} is not a file.")

    def bring_in(self, options, **common):
        return import_doris_mae(
            path=options["file"],
            name=options["file"].name,
            model=options["model"],
            run=options["run"],
            **common,
        )
