"""The tables of the page of annotators; people by pseudonym, and in the order of pseudonyms."""

from collections.abc import Mapping
from functools import partial
from operator import itemgetter

from agreement.statistics import REGISTRY
from agreement.study.scales import measure_of
from agreement.study.selection import Selection
from agreement.subjects.annotators.figures import (
    MEASURES,
    Annotator,
    Annotators,
    Two,
    annotators_for,
    measures_between_two,
)
from agreement.tables.columns import UNDEFINED, ends_of, kind_of, with_interval
from agreement.tables.table import (
    Beside,
    Cell,
    Column,
    Count,
    Dots,
    Heat,
    Kind,
    Lines,
    Makers,
    Pairs,
    Panels,
    Series,
    Table,
)
from formats.words import counted

LENIENCY = (
    "Leniency: the mean of the own value less the mean of the others' values on the same pairs, in "
    "grades; above 0 is more lenient."
)


def makers_of(
    selection: Selection, parameters: Mapping[str, str], names: Mapping[int, str] | None = None
) -> Makers:
    """On a page people have their `names`, by membership; files have pseudonyms, and their
    order."""
    between_two = measures_between_two(selection.chosen.scale)
    measure = measure_of(parameters, between_two, MEASURES)
    names = names or dict(sorted(selection.choices.pseudonyms.items(), key=itemgetter(1)))
    makers = {"people": _people, "matrix": _matrix, "drift": _drift}
    return {key: partial(make, selection, measure, names) for key, make in makers.items()}


def _people(selection: Selection, measure: str, names: Mapping[int, str]) -> Table | None:
    keys = selection.choices.pseudonyms
    report = annotators_for(selection, measure, names)
    if not report.present:
        return None
    # Nobody is lenient with labels.
    has_order = selection.chosen.scale.is_ordinal
    leniency = Column("leniency", "Leniency", Kind.NUMBER, is_signed=True)
    return Table(
        "people",
        "Each annotator",
        (
            Column("annotator", "Annotator"),
            Column("ratings", "Ratings", Kind.COUNT),
            *([leniency] * has_order),
            Column("shared_pairs", "Shared pairs", Kind.COUNT, on_page=False),
            *with_interval("upheld", "Upheld", Kind.SHARE),
            Column("upheld_pairs", "Pairs upheld", Kind.COUNT, printed=False),
            Column("own_disputes", "Own disputes decided", Kind.COUNT, on_page=False),
            Column("cannot_judge", "Cannot judge", Kind.COUNT, about="“cannot judge”"),
            Column("flags", "Flags", Kind.COUNT),
            *with_interval("active_seconds", "Active time", Kind.SECONDS),
            Column("timed_ratings", "Ratings with a time", Kind.COUNT, printed=False),
        ),
        [
            (names[annotator.pk], *_person(annotator, has_order=has_order))
            for annotator in report.people
        ],
        notes=(
            *([LENIENCY] * has_order),
            "Upheld: of the own pairs with different values that an adjudicator gave a value, the "
            "share whose gold is the own value; exact 95% binomial interval.",
            "Active time per pair: median; in the place of an interval the middle half of all.",
            selection.cannot_judge_rule,
            "Ratings, “cannot judge”, flags and times are of all answers so far, the rest of pairs "
            "whose batch is wholly handed in.",
        ),
        picture=_people_picture(report, has_order=has_order),
        beside=[
            _beside(annotator, keys[annotator.pk], names[annotator.pk])
            for annotator in report.people
        ],
    )


def _beside(annotator: Annotator, key: str, name: str) -> Beside:
    upheld = annotator.upheld
    return Beside(
        {
            "ratings": Pairs("answers", key, name),
            "cannot_judge": Pairs("skips", key, name),
            "flags": Pairs("flagged-by", key, name),
        },
        missing={
            "leniency": "nobody beside them",
            "upheld": "no decision",
            "active_seconds": "not recorded",
        },
        below={"leniency": counted(annotator.shared, "pair")},
        counts={
            "upheld": [Count(upheld.upheld, f"of {upheld.pairs:,}", Pairs("upheld", key, name))]
        },
    )


def _person(annotator: Annotator, *, has_order: bool):
    upheld, times = annotator.upheld, annotator.times
    return (
        annotator.answers,
        *([annotator.leniency] * has_order),
        annotator.shared,
        upheld.share,
        *ends_of(upheld.interval),
        upheld.upheld,
        upheld.pairs,
        annotator.skips,
        annotator.flags,
        *((times.median, times.lower, times.upper) if times else (None, None, None)),
        times.ratings if times else 0,
    )


def _people_picture(report: Annotators, *, has_order: bool) -> Panels:
    reach = max(
        (abs(annotator.leniency) for annotator in report.people if annotator.leniency is not None),
        default=0,
    )
    reach = max(0.1, 1.15 * reach)
    leniency = Dots(
        (Series("leniency", "leniency"),),
        "leniency (grades)",
        -reach,
        reach,
        line=0,
        after="leniency",
    )
    panels = [*([leniency] * has_order), Dots((Series("upheld", "upheld"),), "upheld (%)", 0, 1)]
    longest = max(
        (annotator.times.upper for annotator in report.people if annotator.times), default=None
    )
    if longest is not None:
        seconds = (Series("active_seconds", "active time"),)
        axis = "active time per pair (s)"
        panels.append(Dots(seconds, axis, 0, 1.1 * longest, after="active_seconds"))
    return Panels(tuple(panels))


def _matrix(selection: Selection, measure: str, names: Mapping[int, str]) -> Table | None:
    keys = selection.choices.pseudonyms
    report = annotators_for(selection, measure, names)
    if not report.present:
        return None
    people = [(pk, keys[pk], names[pk]) for pk in report.present]
    columns, cells, beside = [Column("annotator", "Annotator")], [], []
    for _, key, name in people:
        columns += [
            Column(key, name, kind_of(measure)),
            Column(f"{key}_pairs", f"{name}, shared pairs", Kind.COUNT, printed=False),
        ]
    for pk, key, name in people:
        row: list[Cell] = [name]
        for other, _, _ in people:
            two = report.matrix.get((pk, other))
            row += [two.figure.value, two.pairs] if two else [None, None]
        cells.append(tuple(row))
        shared = {other: report.matrix.get((pk, other)) for other, _, _ in people}
        beside.append(_beside_matrix(key, {keys[other]: two for other, two in shared.items()}))
    return Table(
        "matrix",
        f"{MEASURES[measure]} between every two annotators",
        tuple(columns),
        cells,
        notes=(
            "Over the pairs that both rated, of batches that are wholly handed in. No value: no "
            "shared pairs, or undefined.",
            selection.cannot_judge_rule,
        ),
        picture=Heat(
            tuple(Series(key, name) for _, key, name in people),
            rows="",
            columns=MEASURES[measure],
            highest=REGISTRY[measure].highest or 1.0,
        ),
        beside=beside,
    )


def _beside_matrix(key: str, every_two: Mapping[str, Two | None]) -> Beside:
    """Of a person by their pseudonym, and of the others that they share pairs with by theirs."""
    shared = {other: two for other, two in every_two.items() if two}
    undefined = {other: two.figure for other, two in shared.items() if not two.figure.is_defined}
    return Beside(
        missing=dict.fromkeys(undefined, UNDEFINED),
        why={other: str(figure.reason) for other, figure in undefined.items()},
        counts={
            other: [Count(two.pairs, "", Pairs("two", f"{key},{other}", "both rated them"))]
            for other, two in shared.items()
        },
    )


def _drift(selection: Selection, measure: str, names: Mapping[int, str]) -> Table | None:
    report = annotators_for(selection, measure, names)
    if not any(annotator.tenths for annotator in report.people):
        return None
    left_out = [names[annotator.pk] for annotator in report.people if not annotator.tenths]
    return Table(
        "drift",
        "Agreement with the gold over an annotator's own ratings",
        (
            Column("annotator", "Annotator"),
            Column("tenth", "Tenth", Kind.COUNT),
            Column("ratings", "Ratings", Kind.COUNT),
            Column("same", "Equal to the gold", Kind.COUNT),
            Column("share", "Share", Kind.SHARE),
        ),
        [
            (names[annotator.pk], number, tenth.ratings, tenth.same, tenth.share)
            for annotator in report.people
            for number, tenth in enumerate(annotator.tenths, start=1)
        ],
        notes=(
            "By tenth of a person's ratings in the order given. The gold of agreed pairs is the "
            "annotators' own value; a change speaks, a level says little.",
            *(
                [f"Too few ratings, or all of annotator time: {', '.join(left_out)}."]
                * bool(left_out)
            ),
            selection.cannot_judge_rule,
        ),
        picture=Lines(
            (Series("share", "equal to the gold"),), "tenth of own ratings", by="annotator"
        ),
    )
