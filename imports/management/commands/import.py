"""Bring files of any known format into a collection."""

from argparse import RawDescriptionHelpFormatter
from itertools import chain
from pathlib import Path

from django.core.management.base import CommandError

from audit.refusals import Invalid, Refused
from formats.files import open_files
from formats.problems import BadInputError
from imports.command import ImportCommand, Order, WrongArgument
from imports.kinds import all_kinds
from imports.runs_and_judgments import BESIDE
from imports.study.terms import CANNOT_JUDGE

# Options that say how a study is read.
STUDY_ALONE = [
    "create",
    "scheme",
    "dry_run",
    "part",
    "column",
    "facet",
    "grade",
    "person",
    "keep_unpooled",
    "answers_to_come",
    "credits",
]
# Options that may be repeated, each the name of something and what it is.
MATCHES = {
    "--part": (
        "FILE=PART",
        "the part of a study that a table is, where the guess is wrong (documents, queries, "
        "ratings …); nothing after the equals sign leaves the file out. A sheet is called by its "
        "title",
    ),
    "--column": (
        "FILE:FIELD=COLUMN",
        "the column that is a field of ours, where the guess is wrong",
    ),
    "--facet": ("NAME=FACET", "the facet, by its key, that is called otherwise in the files"),
    "--grade": (
        "[FACET:]LITERAL=OPTION",
        "the option, by its key, that a grade in the files stands for, or cannot-judge; what "
        "begins with a minus follows an equals sign: --grade=-2=spam",
    ),
    "--person": (
        "NAME=EMAIL",
        "the member for a person in the files; other people become members without sign-in",
    ),
    "--set": ("NAME=VALUE", "a setting of the format, such as with_ratings=yes for csfcube"),
}
YES_OR_NO = {"yes": True, "true": True, "no": False, "false": False}


class Command(ImportCommand):
    help = """\
Bring files into a collection: whole or not at all, and done twice it changes nothing.

PATHs are files, folders and zips of any size; the limit for uploads does not hold here.
Problems are printed on the standard error, a sentence each with file and line.
Exit codes: 0 when everything is in the collection, or a dry run found nothing wrong;
1 when something was refused, and then nothing was stored; 2 for wrong arguments."""

    def create_parser(self, prog_name, subcommand, **kwargs):
        all_kinds_of_files = [*all_kinds().values(), *BESIDE.values()]
        kinds = "\n".join(f"  {kind.key:14} {kind.reads}" for kind in all_kinds_of_files)
        return super().create_parser(
            prog_name,
            subcommand,
            formatter_class=RawDescriptionHelpFormatter,
            epilog=f"formats:\n{kinds}",
            **kwargs,
        )

    def add_arguments(self, parser):
        parser.add_argument(
            "format", choices=[*all_kinds(), *BESIDE], metavar="FORMAT", help="see below"
        )
        parser.add_argument("paths", nargs="+", metavar="PATH", help="or the id of a dataset")
        super().add_arguments(parser)
        parser.add_argument(
            "--scheme",
            default="",
            metavar="KEY or FILE",
            help="how a new collection is judged: a shipped scheme, or the JSON of one",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="read and compare, and write nothing"
        )
        for option, (metavar, meaning) in MATCHES.items():
            parser.add_argument(option, action="append", default=[], metavar=metavar, help=meaning)
        parser.add_argument(
            "--keep-unpooled", action="store_true", help="keep documents that are in no pool, too"
        )
        parser.add_argument(
            "--answers-to-come",
            action="store_true",
            help=(
                "of a study that is half done: pairs wait until they have as many ratings as the "
                "scheme asks for; otherwise whoever left one out did not rate it"
            ),
        )
        parser.add_argument(
            "--credits",
            action="store_true",
            help="fill an empty licence, citation and source from the files beside the data",
        )

    def handle(self, **options):
        if options["format"] in BESIDE:
            self._store_beside(BESIDE[options["format"]], **options)
        else:
            super().handle(**options)

    def _store_beside(self, beside, *, paths, collection, by, **options):
        """Runs and judgments go to a collection that is there; there is nothing to match."""
        unfit = [f"--{name.replace('_', '-')}" for name in STUDY_ALONE if options[name]]
        if unfit:
            raise WrongArgument(f"{beside.key} takes no {unfit[0]}.")
        settings = dict(_setting(text) for text in options["set"])
        account = self._account(by)
        into = self._known_collection(collection)
        try:
            beside.check(settings)
            with open_files(self._paths(paths)) as files:
                for sentence in beside.store(files, into, account, settings):
                    self.stdout.write(sentence)
        except BadInputError as error:
            self._tell_problems(error)
            raise CommandError(error.sentence) from None
        except Refused as refused:
            raise CommandError(str(refused)) from None

    def order_of(self, options):
        kind = all_kinds()[options["format"]]
        settings = {"grades": {}, "people": {}, "settings": {}}
        settings["keep_unpooled"] = options["keep_unpooled"]
        settings["answers_to_come"] = options["answers_to_come"]
        for text in options["set"]:
            name, value = _known_setting(kind, text)
            settings[name] = settings["settings"][name] = value
        if kind.is_by_id:
            settings["settings"]["ids"], paths = options["paths"], []
        else:
            paths = self._paths(options["paths"])
        order_parts = dict(_parts(text, "--part") for text in options["part"])
        columns = []
        for text in options["column"]:
            place, column = _parts(text, "--column")
            file, _, name = place.rpartition(":")
            columns.append((file, name, column))
        return Order(
            kind,
            paths,
            settings,
            columns,
            parts=order_parts,
            facets=dict(_parts(text, "--facet") for text in options["facet"]),
            scheme=options["scheme"],
            takes_credits=options["credits"],
            is_dry_run=options["dry_run"],
        )

    def settings_in(self, order, options, collection):
        for text in options["grade"]:
            literal, option = _parts(text, "--grade")
            facet, _, remainder = literal.partition(":")
            is_known = collection.scheme.facets.filter(key=facet).exists()
            facet, literal = (facet, remainder) if remainder and is_known else ("", literal)
            for scale in _scales_with(option, collection.scheme, facet, literal):
                order.settings["grades"].setdefault(scale, {})[literal] = option
        for text in options["person"]:
            name, email = _parts(text, "--person")
            members = collection.memberships.current()
            member = members.filter(user__email=email.lower()).first()
            if member is None:
                raise WrongArgument(f"{email} is no member of {collection}.")
            order.settings["people"][name] = str(member.public_id)

    def _paths(self, names):
        for name in names:
            if not Path(name).exists():
                raise WrongArgument(f"There is no file or folder {name}.")
        return [Path(name) for name in names]


def _scales_with(option, scheme, facet, literal):
    """The scales that have the option, of all or of this facet, as grades are matched by them."""
    facets = [facet] if facet else scheme.facets.values_list("key", flat=True)
    scales = [""] if scheme.shares_a_scale else facets
    options = {scale: [each.key for each in scheme.scale_of(scale).option_list] for scale in scales}
    having = [scale for scale, keys in options.items() if option in (*keys, CANNOT_JUDGE)]
    if not having:
        known = ", ".join(dict.fromkeys([*chain(*options.values()), CANNOT_JUDGE]))
        raise WrongArgument(f"There is no option {option} for {literal}. Options: {known}.")
    return having


def _parts(text, option):
    key, equals, value = text.rpartition("=")
    if not equals or not key:
        raise WrongArgument(f"{option} {text}: write it with an equals sign, NAME=VALUE.")
    return key, value


def _setting(text):
    """(name, value). The first equals sign parts them, for a name has none."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise WrongArgument(f"--set {text}: write it with an equals sign, NAME=VALUE.")
    return name, value


def _known_setting(kind, text):
    """(name, value) of a setting that the kind has; it is true or false where it asks yes or no."""
    name, value = _setting(text)
    try:
        kind.check_settings([name])
    except Invalid as error:
        raise WrongArgument(str(error)) from None
    if not kind.settings[name]:
        return name, value
    if value.lower() not in YES_OR_NO:
        raise WrongArgument(f"{name} is {value!r}; expected yes or no.")
    return name, YES_OR_NO[value.lower()]
