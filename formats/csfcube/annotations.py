"""test-pid2anns-csfcube-<facet>.json: what each annotator gave, and the adjudicated grade."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from formats import csfcube
from formats.csfcube.pools import check_candidates, has_keys, refuse_unequal
from formats.csfcube.reading import FETCH_AGAIN, Reading
from formats.csfcube.records import Annotations
from formats.records import MAX_OVERLAP, Place
from formats.strict import shown

# The end of the name of an unfinished study's export.
INCOMPLETE = "-incomplete"


def read_annotations(reading: Reading, facet: str, path: Path) -> None:
    name = csfcube.annotations_name(facet)
    content = reading.json_object(name, path)
    if facet.endswith(INCOMPLETE) and facet not in reading.scales:
        reading.refuse(
            Place(name),
            "the gold of this export is incomplete, and the format has no pairs without gold.",
            "Export it again once all pairs are decided; or import the queries, papers and pools "
            "alone, and the ratings as a CSV export.",
        )
        return
    if facet not in reading.scales:
        reading.refuse(
            Place(name),
            f"the facet {shown(facet)} is not in the scheme.",
            f"The scheme has {', '.join(reading.scales)}.",
        )
        return
    of_facet = reading.release.annotations.setdefault(facet, {})
    for paper_id, entry in content.items():
        at = Place(name, key=f"key {shown(paper_id)}")
        judged = _read_judged(reading, entry, facet, at)
        if judged:
            of_facet[paper_id] = judged


def _read_judged(reading: Reading, entry: Any, facet: str, at: Place) -> Annotations | None:
    extra = {"relevance_max", "relevance_min", "relevance_adju"}
    if not has_keys(reading, entry, at, required={"cands"}, optional=extra):
        return None
    candidates = entry["cands"]
    if not check_candidates(reading, candidates, at):
        return None
    lists = {key: values for key, values in entry.items() if key != "cands"}
    before = reading.problems.total
    for key, values in lists.items():
        if not isinstance(values, list) or len(values) != len(candidates):
            refuse_unequal(reading, at, key, values, candidates)
        else:
            _check_grades(reading, key, values, reading.scales[facet], candidates, at)
    ratings = {
        key.removeprefix(csfcube.RATING_KEY): values
        for key, values in lists.items()
        if key.startswith(csfcube.RATING_KEY)
    }
    if not 1 <= len(ratings) <= MAX_OVERLAP:
        reading.refuse(
            at,
            f"{len(ratings)} lists of ratings ({csfcube.RATING_KEY}1 and so on).",
            f"From 1 to {MAX_OVERLAP} annotators can rate a query.",
        )
    for annotator in ratings:
        reading.check_identifier(annotator, at)
    if reading.problems.total > before:
        return None
    _check_range(reading, lists, ratings, candidates, at)
    return Annotations(candidates, ratings, lists.get("relevance_adju"))


def _check_grades(
    reading: Reading,
    key: str,
    values: list[Any],
    scale: Iterable[int],
    candidates: list[str],
    at: Place,
) -> None:
    allowed_grades = set(scale)
    if key != "relevance_adju":
        allowed_grades.add(csfcube.CANNOT_JUDGE)
    for paper_id, value in zip(candidates, values, strict=True):
        candidate = at._replace(key=f"{at.key}, {key}, candidate {paper_id}")
        if isinstance(value, bool) or not isinstance(value, int):
            reading.refuse(
                candidate,
                f"the grade {shown(value)} is not an integer.",
                "Grades are whole numbers without quotation marks.",
            )
        elif value not in allowed_grades:
            grades = ", ".join(str(grade) for grade in sorted(scale))
            also = "" if key == "relevance_adju" else ", or -1 for none given"
            reading.refuse(
                candidate,
                f"the grade {shown(value)} is outside the scale.",
                f"The scheme has {grades}{also}.",
            )


def _check_range(
    reading: Reading,
    lists: dict[str, list[int]],
    ratings: dict[str, list[int]],
    candidates: list[str],
    at: Place,
) -> None:
    """relevance_max and relevance_min are derived, with -1 taken as a number."""
    for key, function in [("relevance_max", max), ("relevance_min", min)]:
        if key not in lists:
            continue
        for index, paper_id in enumerate(candidates):
            expected = function(values[index] for values in ratings.values())
            if lists[key][index] != expected:
                reading.refuse(
                    at._replace(key=f"{at.key}, candidate {paper_id}"),
                    f"{key} is {lists[key][index]}, but the ratings give {expected}.",
                    FETCH_AGAIN,
                )
