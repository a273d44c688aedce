"""Import a folder of the official CSFCube release, of any size."""

from pathlib import Path

from django.core.management.base import CommandError

from formats.csfcube.read import find_in_folder
from imports.command import ImportCommand
from imports.csfcube.importing import import_csfcube


class Command(ImportCommand):
    help = (
        "Import a folder in the form of the official CSFCube release into a collection. The import "
        "is whole or not at all; done twice it changes nothing."
    )
    scheme = "csfcube"

    def add_arguments(self, parser):
        parser.add_argument("folder", type=Path)
        super().add_arguments(parser)
        parser.add_argument(
            "--with-ratings",
            action="store_true",
            help="also the annotators' ratings and the adjudications",
        )

    def check_source(self, options):
        if not options["folder"].is_dir():
            raise CommandError(f"{options['folder']} is not a folder.")

    def bring_in(self, options, **common):
        return import_csfcube(
            sources=find_in_folder(options["folder"]),
            with_ratings=options["with_ratings"],
            **common,
        )
