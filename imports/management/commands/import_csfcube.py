"""Import a folder of the official CSFCube release, of any size: a name for `import csfcube`."""

from pathlib import Path

from imports.command import ImportCommand, Order, WrongArgument
from imports.kinds import Csfcube


class Command(ImportCommand):
    help = (
        "Import a folder in the form of the official CSFCube release into a collection. The import "
        "is whole or not at all; done twice it changes nothing. The same as `import csfcube`."
    )

    def add_arguments(self, parser):
        parser.add_argument("folder", type=Path, help="with the files of the release")
        super().add_arguments(parser)
        parser.add_argument(
            "--with-ratings",
            action="store_true",
            help="also the annotators' ratings and the adjudications",
        )

    def order_of(self, options):
        folder = options["folder"]
        if not folder.is_dir():
            raise WrongArgument(f"{folder} is not a folder.")
        return Order(Csfcube(), [folder], {"with_ratings": options["with_ratings"]})
