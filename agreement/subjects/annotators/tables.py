"""The tables of the page of annotators; people by pseudonym, and in the order of pseudonyms."""

from collections.abc import Mapping
from functools import partial

from agreement.statistics import REGISTRY
from agreement.study.selection import Selection, one_of
from agreement.subjects.annotators.figures import MEASURES, Annotator, Annotators, annotators_for
from agreement.tables.columns import ends_of, kind_of, with_interval
from agreement.tables.table import Column, Dots, Heat, Kind, Lines, Makers, Panels, Series, Table


def makers_of(selection: Selection, parameters: Mapping[str, str]) -> Makers:
    measure = one_of(parameters, "measure", MEASURES)
    makers = {"people": _people, "matrix": _matrix, "drift": _drift}
    return {key: partial(make, selection, measure) for key, make in makers.items()}


def _names(selection: Selection) -> dict[int, str]:
    """{membership: pseudonym} in the order of pseudonyms."""
    return {member.pk: key for key, member in sorted(selection.choices.annotators.items())}


def _people(selection: Selection, measure: str) -> Table | None:
    names = _names(selection)
    report = annotators_for(selection, measure, names)
    if not report.present:
        return None
    return Table(
        "people",
        "Each annotator",
        (
            Column("annotator", "Annotator"),
            Column("ratings", "Ratings", Kind.COUNT),
            Column("leniency", "Leniency", Kind.NUMBER),
            Column("shared_pairs", "Shared pairs", Kind.COUNT),
            *with_interval("upheld", "Upheld", Kind.SHARE),
            Column("upheld_pairs", "Pairs upheld", Kind.COUNT, printed=False),
            Column("own_disputes", "Own disputes decided", Kind.COUNT),
            Column("cannot_judge", "Cannot judge", Kind.COUNT),
            Column("flags", "Flags", Kind.COUNT),
            *with_interval("active_seconds", "Active time", Kind.SECONDS),
            Column("timed_ratings", "Ratings with a time", Kind.COUNT, printed=False),
        ),
        [(names[annotator.pk], *_person(annotator)) for annotator in report.people],
        notes=(
            "Leniency: the mean of the own value less the mean of the others' values on the same "
            "pairs, in grades; above 0 is more lenient.",
            "Upheld: of the own pairs with different values that an adjudicator gave a value, the "
            "share whose gold is the own value; exact 95% binomial interval.",
            "Active time per pair: median; in the place of an interval the middle half of all.",
            selection.cannot_judge_rule,
            "Ratings, “cannot judge”, flags and times are of all answers so far, the rest of pairs "
            "whose batch is wholly handed in.",
        ),
        picture=_people_picture(report),
    )


def _person(annotator: Annotator):
    upheld, times = annotator.upheld, annotator.times
    return (
        annotator.answers,
        annotator.leniency,
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


def _people_picture(report: Annotators) -> Panels:
    reach = max(
        (abs(annotator.leniency) for annotator in report.people if annotator.leniency is not None),
        default=0,
    )
    reach = max(0.1, 1.15 * reach)
    panels = [
        Dots((Series("leniency", "leniency"),), "leniency (grades)", -reach, reach, line=0),
        Dots((Series("upheld", "upheld"),), "upheld (%)", 0, 1),
    ]
    longest = max(
        (annotator.times.upper for annotator in report.people if annotator.times), default=None
    )
    if longest is not None:
        seconds = (Series("active_seconds", "active time"),)
        panels.append(Dots(seconds, "active time per pair (s)", 0, 1.1 * longest))
    return Panels(tuple(panels))


def _matrix(selection: Selection, measure: str) -> Table | None:
    names = _names(selection)
    report = annotators_for(selection, measure, names)
    if not report.present:
        return None
    people = [(pk, names[pk]) for pk in report.present]
    columns, cells = [Column("annotator", "Annotator")], []
    for _, name in people:
        columns += [
            Column(name, name, kind_of(measure)),
            Column(f"{name}_pairs", f"{name}, shared pairs", Kind.COUNT, printed=False),
        ]
    for pk, name in people:
        row: list = [name]
        for other, _ in people:
            two = report.matrix.get((pk, other))
            row += [two.figure.value, two.pairs] if two else [None, None]
        cells.append(tuple(row))
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
            tuple(Series(name, name) for _, name in people),
            rows="",
            columns=MEASURES[measure],
            highest=REGISTRY[measure].highest or 1.0,
        ),
    )


def _drift(selection: Selection, measure: str) -> Table | None:
    names = _names(selection)
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
