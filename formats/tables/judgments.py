"""Tables of judgments that were made elsewhere."""

from formats.assemble import Assembly
from formats.literals import literal_of
from formats.records import Judgment, JudgmentSet, Level, topic_id
from formats.strict import BadTextError
from formats.tables.cells import Cells, Mapped
from formats.tables.opening import stem_of
from formats.tables.parts import rows_of


def read_judgments(table: Mapped, assembly: Assembly) -> None:
    """Grades made elsewhere: of topics, or of queries over all of their aspects."""
    level = _level(table, assembly)
    judgments: list[Judgment] = []
    first: dict[tuple[str, str], Cells] = {}
    for cells in rows_of(table, assembly):
        try:
            judgment = _judgment(cells, assembly)
        except BadTextError as error:
            assembly.bad_text(cells.place, error)
            continue
        if not judgment:
            continue
        earlier = first.setdefault(judgment[:2], cells)
        if earlier is not cells:
            assembly.problem(
                cells.place,
                f"the document {judgment.document} is judged for {judgment.subject} in "
                f"{earlier.place.inside} already.",
                "Keep one of the two. Of several people or models, give each a file, or call the "
                "column with their names rater.",
            )
            continue
        judgments.append(judgment)
    assembly.study.judgments.append(
        JudgmentSet(
            str(table.settings.get("name") or stem_of(table.file)),
            level,
            table.file,
            table.sha256,
            "",
            judgments,
        )
    )


def _level(table: Mapped, assembly: Assembly) -> Level:
    level = table.settings.get("level")
    if level in ("topic", "query"):
        return "query" if level == "query" else "topic"
    is_topic = any(table.columns.get(key) for key in ("topic", "facet"))
    return "topic" if is_topic else assembly.judged_level


def _judgment(cells: Cells, assembly: Assembly) -> Judgment | None:
    """The judgment of a row; None where what is wrong with its identifiers was said already."""
    if cells.has("topic"):
        subject = cells.identifier("topic")
    else:
        subject = assembly.query_meant(cells.identifier("query"), cells.place.file)
    facet = cells.text("facet").strip()
    document = cells.identifier("document")
    for field, value in (("query", subject), ("document", document)):
        if not assembly.is_identifier(value, cells.at(field), field):
            return None
    if facet and assembly.options.judged_by == "aspects":
        subject = facet
    elif facet:
        key = assembly.facet_of(facet, cells.at("facet"))
        if key is None:
            return None
        subject = topic_id(subject, key)
    literal = literal_of(cells.value("grade"))
    if not literal.strip():
        raise BadTextError(
            "there is no grade.", "Leave the row out: an unjudged document has no row."
        )
    return Judgment(subject, document, literal, literal_of(cells.value("size")), cells.place)
