"""Reading a ranking as BIRCO publishes them: `{query: [document, ...]}`, best first.

Such a file has neither scores nor a tag. Scores count down to 1, and the tag is the file's name.
"""

from formats import strict
from formats.files import SourceFile
from formats.problems import Problems
from formats.records import Place, Run, RunLine
from formats.strict import BadTextError, kind_of, shown
from formats.trec.runs import tag_after


def looks_like_ranking(file: SourceFile) -> bool:
    """Whether the file begins as a JSON object, which no run in columns does."""
    return file.start(512).removeprefix(strict.BOM).lstrip().startswith(b"{")


def read_ranking(file: SourceFile, problems: Problems) -> Run | None:
    """The run of a file; None where it cannot be read. What is wrong is noted."""
    lines: list[RunLine] = []
    with problems.of(file.name), file.open() as stream:
        value = strict.parse_json(strict.decode(stream.read()))
        if not isinstance(value, dict):
            raise BadTextError(f"this is {kind_of(value)}; expected an object of rankings.")
        for query, documents in value.items():
            lines += _lines_of(file.name, query, documents, problems)
    if not lines and not problems.total:
        problems.add(file.name, "", "there is no ranking in the file.", "Write {query: [ids]}.")
    return Run(tag_after(file), file.name, file.sha256, lines) if lines else None


def _lines_of(name: str, query: str, documents: object, problems: Problems) -> list[RunLine]:
    place = Place(name, key=f"query {shown(query)}")
    if not isinstance(documents, list):
        problems.at(place, f"this is {kind_of(documents)}; expected a list of ids.", "")
        return []
    lines, seen = [], set[str]()
    for rank, document in enumerate(documents, start=1):
        entry = place._replace(key=f"{place.key}, entry {rank:,}")
        try:
            strict.check_identifier(query)
            strict.check_identifier(document)
        except BadTextError as error:
            problems.at(entry, error.message, error.remedy)
            continue
        if document in seen:
            problems.at(
                entry,
                f"the document {shown(document)} is ranked twice.",
                "Keep one of the two.",
            )
            continue
        seen.add(document)
        lines.append(RunLine(query, document, rank, float(len(documents) - rank + 1), 0))
    return lines
