"""`manage.py evaluate SLUG`: every measure of every run, as a table or as JSON."""

import json

from django.core.management.base import BaseCommand, CommandError

from audit.refusals import Refused
from evaluation.management.asking import add_arguments, asked_of
from evaluation.runs.files import as_text, evaluation_of


class Command(BaseCommand):
    help = "Print what the runs of a collection score, by a protocol and a source of values."

    def add_arguments(self, parser):
        add_arguments(parser)

    def handle(self, **options):
        try:
            asked = asked_of(options)
            if options["json"]:
                text = json.dumps(
                    evaluation_of(asked), allow_nan=False, indent=1, ensure_ascii=False
                )
            else:
                text = as_text(asked)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(text)
