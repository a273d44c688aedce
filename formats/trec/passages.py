"""Documents as lines of an id, a tab and a text, as MS MARCO's passages come.

Topics come in the same form, so that only the name of a file tells which of the two it has.
"""

from formats.assemble import Assembly
from formats.files import SourceFile
from formats.flat import sentences_of
from formats.records import Document
from formats.tables.fields import FILE_NAMES
from formats.tables.opening import stem_of
from formats.trec.topics import looks_like_lines, read_lines


def looks_like_passages(file: SourceFile) -> bool:
    stem = stem_of(file.name)
    is_called_so = any(word in stem for word in FILE_NAMES["documents"])
    return is_called_so and looks_like_lines(file)


def read_passages(assembly: Assembly, file: SourceFile) -> None:
    """Keep the passages that something names."""
    wanted_ids = assembly.wanted
    for passage in read_lines(file):
        if not assembly.is_identifier(passage.id, passage.place, "identifier"):
            continue
        if wanted_ids is not None and passage.id not in wanted_ids:
            assembly.study.unpooled_documents += 1
            continue
        text = passage.title
        assembly.add_document(Document(passage.id, "", sentences_of(text), text, {}, passage.place))
