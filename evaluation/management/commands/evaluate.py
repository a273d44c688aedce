"""`manage.py evaluate SLUG`: every measure of every run, as a table or as JSON."""

import json

from django.core.management.base import BaseCommand, CommandError

from audit.refusals import raised_as
from evaluation.management.arguments import add_arguments, evaluation_of
from evaluation.runs.files import all_figures, as_text


class Command(BaseCommand):
    help = "Print the scores of a collection's runs, by a protocol and a source of values."

    def add_arguments(self, parser):
        add_arguments(parser)

    def handle(self, **options):
        with raised_as(CommandError):
            evaluation = evaluation_of(options)
            if options["json"]:
                text = json.dumps(
                    all_figures(evaluation), allow_nan=False, indent=1, ensure_ascii=False
                )
            else:
                text = as_text(evaluation)
        self.stdout.write(text)
