"""The tables of the page of annotators; people by pseudonym, and in the order of pseudonyms."""

from collections.abc import Mapping

from agreement.statistics import REGISTRY
from agreement.study.selection import Selection, one_of
from agreement.subjects.annotators.figures import MEASURES, Annotator, Annotators, annotators_for
from agreement.tables.measured import ends_of, kind_of, with_interval
from agreement.tables.table import Column, Dots, Heat, Kind, Lines, Panels, Series, Table


def tables_of(selection: Selection, parameters: Mapping[str, str]) -> list[Table]:
    measure = one_of(parameters, "measure", MEASURES)
    names = {member.pk: key for key, member in sorted(selection.choices.annotators.items())}
    found = annotators_for(selection, measure, names)
    if not found.people:
        return []
    tables = [_people(selection, found, names), _matrix(selection, found, names, measure)]
    if any(one.tenths for one in found.people):
        tables.append(_drift(selection, found, names))
    return tables


def _people(selection: Selection, found: Annotators, names: dict[int, str]) -> Table:
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
        [(names[one.pk], *_person(one)) for one in found.people],
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
        picture=_people_picture(found),
    )


def _person(one: Annotator):
    upheld, times = one.upheld, one.times
    return (
        one.answers,
        one.leniency,
        one.shared,
        upheld.share,
        *ends_of(upheld.interval),
        upheld.upheld,
        upheld.pairs,
        one.skips,
        one.flags,
        *((times.median, times.lower, times.upper) if times else (None, None, None)),
        times.ratings if times else 0,
    )


def _people_picture(found: Annotators) -> Panels:
    reach = max((abs(one.leniency) for one in found.people if one.leniency is not None), default=0)
    reach = max(0.1, 1.15 * reach)
    panels = [
        Dots((Series("leniency", "leniency"),), "leniency (grades)", -reach, reach, line=0),
        Dots((Series("upheld", "upheld"),), "upheld (%)", 0, 1),
    ]
    longest = max((one.times.upper for one in found.people if one.times), default=None)
    if longest is not None:
        seconds = (Series("active_seconds", "active time"),)
        panels.append(Dots(seconds, "active time per pair (s)", 0, 1.1 * longest))
    return Panels(tuple(panels))


def _matrix(selection: Selection, found: Annotators, names: dict[int, str], measure: str) -> Table:
    people = [(one.pk, names[one.pk]) for one in found.people]
    columns, cells = [Column("annotator", "Annotator")], []
    for _, name in people:
        columns += [
            Column(name, name, kind_of(measure)),
            Column(f"{name}_pairs", f"{name}, shared pairs", Kind.COUNT, printed=False),
        ]
    for pk, name in people:
        row: list = [name]
        for other, _ in people:
            two = found.matrix.get((pk, other))
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


def _drift(selection: Selection, found: Annotators, names: dict[int, str]) -> Table:
    left_out = [names[one.pk] for one in found.people if not one.tenths]
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
            (names[one.pk], number, tenth.ratings, tenth.same, tenth.share)
            for one in found.people
            for number, tenth in enumerate(one.tenths, start=1)
        ],
        notes=(
            "By tenth of a person's ratings in the order given. The gold of agreed pairs is the "
            "annotators' own value; a change speaks, a level says little.",
            *([f"Too few ratings, or all of one time: {', '.join(left_out)}."] * bool(left_out)),
            selection.cannot_judge_rule,
        ),
        picture=Lines(
            (Series("share", "equal to the gold"),), "tenth of own ratings", by="annotator"
        ),
    )
