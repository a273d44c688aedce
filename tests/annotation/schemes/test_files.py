"""A scheme as a file: what docs/formats.md shows of it can be used as it stands, and is all."""

import json
import re
from pathlib import Path

from annotation.schemes.files import FIELDS, OF_FACET, OF_OPTION, read_definition

FORMATS = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
SCHEME = FORMATS.partition("## In: a scheme")[2].partition("\n## ")[0]
EXAMPLE = re.search(r"^```json\n(.*?)^```", SCHEME, re.MULTILINE | re.DOTALL)[1]


def test_the_scheme_of_the_documents_is_one():
    definition = read_definition(EXAMPLE.encode())

    assert definition["rule"] == {"name": "difference_of_at_least", "distance": "2"}
    assert [option["name"] for option in definition["options"]] == [
        option["name"] for option in json.loads(EXAMPLE)["options"]
    ]


def test_the_documents_know_every_name_of_a_scheme():
    named = set(re.findall(r"[`\"](\w+)[`\"]", SCHEME))

    assert {*FIELDS, *OF_FACET, *OF_OPTION} - named == set()
