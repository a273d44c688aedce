"""`manage.py stability SLUG`: what the raters' disagreement does to the order of the runs."""

import json

from django.core.management.base import BaseCommand, CommandError

from audit.refusals import raised_as
from evaluation.management.arguments import add_arguments, evaluation_of
from evaluation.orders.draws import DRAWS, SEED, Drawn
from evaluation.points import decimals
from evaluation.runs.disagreement import Matter
from evaluation.runs.disagreement_in_words import pairs_of, row_of, sentence_of
from evaluation.runs.files import about


class Command(BaseCommand):
    help = "Print how the order of a collection's runs depends on the source of values."

    def add_arguments(self, parser):
        add_arguments(parser)
        parser.add_argument("--measure", help="default: the first of the protocol")
        parser.add_argument(
            "--draws", type=int, default=DRAWS, help="of one rater each (default: %(default)s)"
        )
        parser.add_argument("--seed", type=int, default=SEED, help="default: %(default)s")

    def handle(self, **options):
        if not 1 <= options["draws"] <= 100_000:
            raise CommandError("--draws must be from 1 to 100,000.")
        with raised_as(CommandError):
            matter = self._matter(options)
            if matter.why_none:
                raise CommandError(matter.why_none)
            content = _content(matter)
        if options["json"]:
            self.stdout.write(json.dumps(content, allow_nan=False, indent=1, ensure_ascii=False))
            return
        self.stdout.write(content["sentence"])
        for row in content["changes"]:
            tau, swaps = decimals(row["tau_b"]), decimals(row["swaps"], 1)
            self.stdout.write(f"{row['values_of']:<28} tau-b {tau:>6}  swaps {swaps}")

    def _matter(self, options):
        evaluation = evaluation_of(options)
        with raised_as(CommandError, ValueError):
            name = options["measure"]
            measure = evaluation.protocol.measure(name) if name else evaluation.protocol.parsed[0]
        return Matter(evaluation, measure, draws=options["draws"], seed=options["seed"])


def _content(matter):
    return {
        **about(matter.evaluation),
        "measure": {"name": matter.measure.name, "definition": matter.measure.words},
        "draws": matter.draws,
        "seed": matter.seed,
        "sentence": "".join(words for words, _ in sentence_of(matter, Drawn.TOPIC)),
        "order": [
            {"run": name, "value": float(value)}
            for name, value in zip(
                matter.reference.names, matter.reference.means.tolist(), strict=True
            )
        ],
        "changes": [row_of(compared) for compared in matter.everything],
        "pairs": {str(unit): pairs_of(matter, matter.drawn(unit)) for unit in Drawn},
    }
