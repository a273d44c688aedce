"""Import a folder of the official CSFCube release, of any size."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from adjudication.importing import import_csfcube
from annotation.actions.schemes import create_scheme, load_definition
from audit.refusals import Refused
from datasets.actions import create_collection
from datasets.formats.csfcube.read import find_in_folder
from datasets.formats.problems import BadInputError
from datasets.models import Collection


class Command(BaseCommand):
    help = (
        "Import a folder in the form of the official CSFCube release into a collection. The import "
        "is whole or not at all; done twice it changes nothing."
    )

    def add_arguments(self, parser):
        parser.add_argument("folder", type=Path)
        parser.add_argument("--collection", required=True, metavar="SLUG")
        parser.add_argument(
            "--create",
            metavar="NAME",
            help="make the collection first, with the CSFCube scheme, if it is not there yet",
        )
        parser.add_argument(
            "--with-ratings",
            action="store_true",
            help="also the annotators' ratings and the adjudications",
        )
        parser.add_argument("--by", metavar="EMAIL", help="the account that the trail names")

    def handle(self, *, folder, collection, create, with_ratings, by, **options):
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder.")
        account = self._account(by)
        try:
            outcome = import_csfcube(
                sources=find_in_folder(folder),
                collection=self._collection(collection, create, account),
                by=account,
                with_ratings=with_ratings,
                progress=self._progress if options["verbosity"] > 1 else None,
            )
        except BadInputError as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            raise CommandError(error.sentence) from None
        except Refused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(outcome.sentence)
        summary = outcome.summary
        if summary["without_text_count"]:
            self.stdout.write(
                f"Named in a pool but without text, kept as candidates without pairs: "
                f"{', '.join(summary['without_text'])}."
            )
        for note in summary["notes"]:
            self.stdout.write(note)

    def _account(self, email):
        if email is None:
            return None
        account = User.objects.filter(email=email.lower()).first()
        if account is None:
            raise CommandError(f"There is no account {email}.")
        return account

    def _collection(self, slug, name, account):
        collection = Collection.objects.filter(slug=slug).first()
        if collection is None and name:
            collection = create_collection(name=name, slug=slug, by=account)
            create_scheme(collection=collection, definition=load_definition("csfcube"), by=account)
        if collection is None:
            slugs = ", ".join(Collection.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(
                f"There is no collection {slug!r}. Known: {slugs or 'none'}. "
                'Make it on the page, or with --create "Its name".'
            )
        return collection

    def _progress(self, done, total, stage):
        self.stdout.write(f"{stage} {done:,} of {total:,}" if total else stage)
