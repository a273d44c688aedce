"""Command-line arguments that commands on runs, and exports, share."""

from django.core.management.base import CommandError

from audit.refusals import raised_as
from datasets.models import Collection, Level
from evaluation.definitions.reading import chosen_protocol
from evaluation.protocols import shipped
from evaluation.runs.available import levels_of
from evaluation.runs.evaluation import ALL, Evaluation
from evaluation.sources.choices import source_named
from evaluation.sources.source import Source


def add_arguments(parser):
    parser.add_argument("slug", help="the collection's slug, as in its address")
    parser.add_argument("--json", action="store_true", help="everything, in full precision")
    parser.add_argument(
        "--protocol",
        default="",
        help=f"one of {', '.join(shipped())}, or one of the collection's own: its key, or "
        "KEY.VERSION (default: the usual one of the collection, as on its pages)",
    )
    add_source_arguments(parser)
    parser.add_argument(
        "--level", choices=list(Level), help="level of the runs; default: topics, if runs rank them"
    )
    parser.add_argument("--facet", default=ALL, help="topics of this facet alone")
    parser.add_argument("--fold", default=ALL, help="topics of this fold alone")
    parser.add_argument("--tag", default="", help="topics of queries with this tag, NAME=VALUE")


def add_source_arguments(parser):
    """The arguments of a source: whose values, in which grades, and the least relevant of them."""
    parser.add_argument(
        "--source",
        default="gold",
        metavar="SOURCE",
        help="source of values: gold (default), seat:1, member:PSEUDONYM, majority, median, "
        "highest, lowest, judgments:KEY, machine:ID or machine:MODEL, NAME",
    )
    parser.add_argument(
        "--mapping",
        default="",
        metavar="KEY",
        help="mapping from options to grades: its key, or KEY.VERSION",
    )
    parser.add_argument(
        "--least",
        default="",
        metavar="GRADE",
        help="the least relevant grade (default: the protocol's)",
    )


def source_of(collection: Collection, options) -> Source:
    """ValueError with a sentence where there is no such source or mapping."""
    return source_named(
        collection, options["source"], mapping=options["mapping"], least=options["least"]
    )


def evaluation_of(options) -> Evaluation:
    """CommandError with a sentence for what there is not."""
    collection = Collection.objects.filter(slug=options["slug"]).first()
    if collection is None:
        raise CommandError(f"There is no collection {options['slug']!r}.")
    if not hasattr(collection, "scheme"):
        raise CommandError(f"The collection {options['slug']!r} has no scheme yet.")
    levels = levels_of(collection)
    if not levels:
        raise CommandError(f"The collection {options['slug']!r} has no runs yet.")
    level = Level(options["level"]) if options["level"] else levels[0]
    if level not in levels:
        raise CommandError(f"No run is of {level.label}; there are runs of {', '.join(levels)}.")
    with raised_as(CommandError, ValueError):
        protocol = chosen_protocol(collection, options["protocol"])
        source = source_of(collection, options)
    evaluation = Evaluation(
        collection=collection,
        protocol=protocol,
        source=source,
        level=level,
        facet=options["facet"],
        fold=options["fold"],
        tag=options["tag"],
    )
    if not evaluation.chosen:
        raise CommandError("No topic is of this facet, fold and tag.")
    if evaluation.facet == ALL and evaluation.judging.ratings.has_different_scales:
        facets = ", ".join(evaluation.facet_names)
        raise CommandError(
            f"Facets have scales of their own here, and no figure is of several scales. Choose "
            f"one by --facet: {facets}."
        )
    return evaluation
