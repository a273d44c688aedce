"""Store files of runs, of any size."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from datasets.models import Collection, Level, Run, System
from datasets.runs.files import add_runs, read_runs
from formats.files import open_files
from formats.problems import BadInputError


class Command(BaseCommand):
    help = (
        "Store runs in a collection: TREC runs of six columns, also gzipped or in a zip, or "
        "rankings of BIRCO. All files or none; done twice it changes nothing."
    )

    def add_arguments(self, parser):
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--collection", required=True, metavar="SLUG")
        parser.add_argument("--by", metavar="EMAIL", help="the account that the trail names")
        parser.add_argument(
            "--level",
            choices=Level.values,
            default="",
            help="what the runs rank for; by default as their ids tell",
        )
        parser.add_argument(
            "--order",
            choices=Run.Order.values,
            default=Run.Order.SCORE,
            help="order of documents: by score as trec_eval does, or by rank",
        )
        parser.add_argument(
            "--kind", choices=System.Kind.values, default=System.Kind.RETRIEVAL, help="of systems"
        )

    def handle(self, *, files, collection, by, level, order, kind, **options):
        account = by and User.objects.filter(email=by.lower()).first()
        if by and account is None:
            raise CommandError(f"There is no account {by}.")
        row = Collection.objects.filter(slug=collection).first()
        if row is None:
            raise CommandError(f"There is no collection {collection}.")
        try:
            with open_files(files) as opened:
                stored = add_runs(
                    collection=row,
                    runs=read_runs(opened),
                    by=account,
                    level=level,
                    order=order,
                    kind=kind,
                )
        except BadInputError as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            raise CommandError(error.sentence) from None
        for one in stored:
            report = one.run.report
            known = "" if one.is_new else " It was there already."
            self.stdout.write(
                f"{one.run}: {report['topics']:,} {one.run.get_level_display()}, "
                f"{report['lines']:,} lines, {report['ties']['count']:,} ties, "
                f"{report['contradictions']['count']:,} ranks against the score.{known}"
            )
