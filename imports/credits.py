"""Licence, citation and source from LICENSE, ATTRIBUTION and CITATION files."""

import re
from collections.abc import Iterable

from formats.credits import TextBeside

MAX_LICENCE_LENGTH = 200
MAX_CITATION_LENGTH = 2000
# "Licence  CC BY 4.0", with continued lines below, indented.
HEADED = r"^(?:{})(?:[ \t]*+:|[ \t]{{2,}}+|\t)[ \t]*+(?P<text>\S.*(?:\n[ \t]+\S.*)*)"
LICENCE = re.compile(HEADED.format("Licen[cs]e"), re.MULTILINE | re.IGNORECASE)
SOURCE = re.compile(
    HEADED.format("Source|Citation|Cite as|Reference"), re.MULTILINE | re.IGNORECASE
)
ADDRESS = re.compile(r"https?://\S+")
# Licences by what stands near the beginning of their texts.
KNOWN = [
    (r"Attribution-NonCommercial-ShareAlike 4\.0 International", "CC BY-NC-SA 4.0"),
    (r"Attribution-NonCommercial-NoDerivatives 4\.0 International", "CC BY-NC-ND 4.0"),
    (r"Attribution-NonCommercial 4\.0 International", "CC BY-NC 4.0"),
    (r"Attribution-ShareAlike 4\.0 International", "CC BY-SA 4.0"),
    (r"Attribution 4\.0 International", "CC BY 4.0"),
    (r"CC0 1\.0 Universal", "CC0 1.0"),
    (r"Open Data Commons Attribution License", "ODC-By 1.0"),
    (r"Apache License\s+Version 2\.0", "Apache License 2.0"),
    (r"MIT License", "MIT"),
]
BEGINNING = 600


def credits_of(texts: Iterable[TextBeside]) -> dict[str, str]:
    """Values for the fields `licence`, `citation` and `source` of a collection, from the texts. An
    attribution that names the licence goes before the licence's own text.
    """
    fields: dict[str, str] = {}
    ordered = sorted(texts, key=lambda text: text.kind != "attribution")
    for text in ordered:
        if text.kind == "readme":
            continue
        if licence := _licence(text):
            fields.setdefault("licence", licence)
        if text.kind == "citation":
            fields.setdefault("citation", text.text[:MAX_CITATION_LENGTH])
        elif source := SOURCE.search(text.text):
            citation = " ".join(source["text"].split())[:MAX_CITATION_LENGTH]
            fields.setdefault("citation", citation)
            if address := ADDRESS.search(citation):
                fields.setdefault("source", address[0].rstrip(".,;)"))
    return fields


def _licence(text: TextBeside) -> str:
    if match := LICENCE.search(text.text):
        first = match["text"].splitlines()[0].strip()
        return first[:MAX_LICENCE_LENGTH]
    if text.kind == "licence":
        for pattern, name in KNOWN:
            if re.search(pattern, text.text[:BEGINNING], re.IGNORECASE):
                return name
    return ""
