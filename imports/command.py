"""What the import commands share."""

from abc import ABC, abstractmethod

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from annotation.schemes.actions import create_scheme, load_definition
from audit.refusals import Refused
from datasets.actions import create_collection
from datasets.models import Collection
from formats.problems import BadInputError


class ImportCommand(BaseCommand, ABC):
    """A command that brings files into a collection; a kind says which in `bring_in`."""

    scheme = ""  # of the collections that it makes

    def add_arguments(self, parser):
        parser.add_argument("--collection", required=True, metavar="SLUG")
        parser.add_argument(
            "--create",
            metavar="NAME",
            help=f"make the collection first, with the scheme {self.scheme}, if there is none",
        )
        parser.add_argument("--by", metavar="EMAIL", help="the account that the trail names")

    def check_source(self, options):
        """Refuse, by CommandError, arguments with which not even a collection is made."""

    @abstractmethod
    def bring_in(self, options, **common):
        """Import what the arguments name; `common` are collection, by and progress."""

    def handle(self, *, collection, create, by, **options):
        self.check_source(options)
        account = self._account(by)
        is_new = not Collection.objects.filter(slug=collection).exists()
        try:
            outcome = self.bring_in(
                options,
                collection=self._collection(collection, create, account),
                by=account,
                progress=self._progress if options["verbosity"] > 1 else None,
            )
        except BadInputError as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            left = f" The new collection {collection} is empty." if is_new else ""
            raise CommandError(error.sentence + left) from None
        except Refused as refused:
            raise CommandError(str(refused)) from None
        self._tell(outcome)

    def _tell(self, outcome):
        self.stdout.write(outcome.sentence)
        summary = outcome.summary
        if summary["without_text_count"]:
            self.stdout.write(
                "Named in a pool but without text, kept as candidates without pairs: "
                f"{_listed(summary['without_text'], summary['without_text_count'])}."
            )
        if summary.get("unparsed_count"):
            self.stdout.write(
                "Machine answers that could not be read as a score (-1), kept without a value: "
                f"{_listed(summary['unparsed'], summary['unparsed_count'], '; ')}."
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
            definition = load_definition(self.scheme)
            create_scheme(collection=collection, definition=definition, by=account)
        if collection is None:
            slugs = ", ".join(Collection.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(
                f"There is no collection {slug!r}. Known: {slugs or 'none'}. "
                'Make it on the page, or with --create "Its name".'
            )
        return collection

    def _progress(self, done, total, stage):
        self.stdout.write(f"{stage} {done:,} of {total:,}" if total else stage)


def _listed(shown, count, separator=", "):
    more = f"{separator}and others, {count:,} in all" if count > len(shown) else ""
    return separator.join(shown) + more
