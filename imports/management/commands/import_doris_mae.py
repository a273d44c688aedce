"""Import a file of the official DORIS-MAE dataset, of any size: a name for `import doris-mae`."""

from pathlib import Path

from imports.command import ImportCommand, Order, WrongArgument
from imports.kinds import DorisMae


class Command(ImportCommand):
    help = (
        "Import a file in the form of the official DORIS-MAE dataset into a collection, with its "
        "ratings and machine answers. The import is whole or not at all; done twice it changes "
        "nothing. The same as `import doris-mae`."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, help="the JSON of the dataset")
        super().add_arguments(parser)
        parser.add_argument("--model", default="", help="which model gave the answers in the file")
        parser.add_argument("--run", default="", help="how this run of the model is called")

    def order_of(self, options):
        file = options["file"]
        if not file.is_file():
            raise WrongArgument(f"{file} is not a file.")
        return Order(DorisMae(), [file], {"model": options["model"], "run": options["run"]})
