"""readable_annotations: the texts that were read by people, held against the other files."""

from formats import csfcube
from formats.csfcube.reading import FETCH_AGAIN, Reading
from formats.csfcube.records import Annotations, JudgedCandidate, QueryRow
from formats.csfcube.sources import readable_name
from formats.csfcube.write import write_readable
from formats.records import Place
from formats.strict import shown


def read_readable(reading: Reading) -> None:
    """Compare each text file with what the other files say of its topic.

    The text is written anew from them; what it gives beyond them are the numbers it uses for
    the annotators. A rating, source or candidate that differs is a problem. Other text that
    differs is noted, since the release corrected some labels of query papers by hand.
    """
    rows = {row.topic_id: row for row in reading.release.rows}
    renumbered: dict[str, str] = {}
    for topic_id, path in sorted(reading.sources.readable.items()):
        name = readable_name(topic_id)
        row = rows.get(topic_id)
        of_facet = reading.release.annotations.get(row.facet, {}) if row else {}
        annotations = of_facet.get(row.paper_id) if row else None
        if row is None or annotations is None or annotations.adjudicated is None:
            reading.refuse(
                Place(name),
                "there are no adjudicated ratings for this query to compare it with.",
                "Add the rating file of its facet, or leave this file out.",
            )
            continue
        text = reading.text_of(name, path)
        if text is None:
            continue
        numbers = _numbers_in(text)
        if numbers is None or len(numbers) != len(annotations.ratings):
            at = Place(name, key="line 1")
            reading.refuse(at, "this is not a readable annotation file.", FETCH_AGAIN)
            continue
        _check_numbers(reading, name, list(annotations.ratings), numbers, renumbered)
        _compare(reading, name, text, _as_readable(reading, row, annotations, numbers))
        reading.release.readable_numbers[topic_id] = numbers


def _check_numbers(
    reading: Reading,
    name: str,
    annotators: list[str],
    numbers: list[str],
    renumbered: dict[str, str],
) -> None:
    for annotator, number in zip(annotators, numbers, strict=True):
        first_number = renumbered.setdefault(annotator, number)
        same_number = [other for other, their in renumbered.items() if their == number]
        if first_number != number or same_number != [annotator]:
            reading.refuse(
                Place(name),
                f"annotator {annotator} of the rating files is annotator{number} here "
                f"and annotator{first_number} in another file, or shares a number.",
                "The first and second annotator must be in the same order as in the rating file.",
            )


def _as_readable(
    reading: Reading, row: QueryRow, annotations: Annotations, numbers: list[str]
) -> str:
    pool = reading.release.pools[row.paper_id]
    sources = dict(zip(pool.candidates, pool.sources, strict=True))
    per_pair = list(zip(*annotations.ratings.values(), strict=True))
    candidates = [
        JudgedCandidate(reading.release.paper(paper_id), list(ratings), grade, sources[paper_id])
        for paper_id, ratings, grade in zip(
            annotations.candidates, per_pair, annotations.adjudicated or [], strict=True
        )
    ]
    return write_readable(reading.release.paper(row.paper_id), candidates, numbers=numbers)


def _compare(reading: Reading, name: str, text: str, expected: str) -> None:
    if text == expected:
        return
    judged = ("paper_id: ", "adju relevance: ", "difference: ", "sources: ")
    file_facts, expected_facts = _facts(text, judged), _facts(expected, judged)
    if file_facts == expected_facts:
        reading.release.notes.append(
            f"{name} has other text than {csfcube.ABSTRACTS} for some papers; the text of "
            f"{csfcube.ABSTRACTS} is kept, so that an export gives this file in other words."
        )
        return
    for (line, fact), (_, expected_fact) in zip(
        file_facts + [(len(text.splitlines()), "nothing")] * len(expected_facts),
        expected_facts,
        strict=False,
    ):
        if fact != expected_fact:
            reading.refuse(
                Place(name, key=f"line {line}"),
                f"{shown(fact, 90)}, but the other files give {shown(expected_fact, 90)}.",
                "Rating file, pool file and this file must be of the same release.",
            )
            return
    reading.refuse(Place(name), "there are candidates that the rating file does not have.")


def _numbers_in(text: str) -> list[str] | None:
    """The annotators that a readable file names, first and second; None where it names none."""
    for line in text.splitlines():
        if line.startswith("difference: "):
            parts = line.split("; ")[1:]
            names = [part.partition(": ")[0] for part in parts]
            if all(name.startswith("annotator") for name in names):
                return [name.removeprefix("annotator") for name in names]
            return None
    return None


def _facts(text: str, starts: tuple[str, ...]) -> list[tuple[int, str]]:
    """The lines of a readable file that carry judgments, each with its number.

    Publication years stand beside identifiers and are text here: they are left out.
    """
    return [
        (number, line.partition("; YEAR: ")[0])
        for number, line in enumerate(text.split("\n"), start=1)
        if line.startswith(starts)
    ]
