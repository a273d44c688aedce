"""What a manifest says, word by word: others read it by these names."""

import json
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from evaluation.queries.reading import TextQuery
from evaluation.scores import Aspect, ComplexQuery
from evaluation.sources.source import Kind, Source
from releases.formats import Choices
from releases.formats.registry import FORMATS
from releases.manifest import as_json, manifest, product_version
from releases.records import Answered, JudgedPair, Person, QueryGrades, WaivedRatings
from tests.releases.test_formats import FIRST, SECOND, pair, study, topic

FILES = [{"name": "qrels-all.txt", "size": 3, "sha256": "ab"}]
TRAIL = {"seal": 4, "sha256": "cd", "is_complete": True}


def made(records, key="trec", **choices):
    return manifest(
        records, FILES, export_format=FORMATS[key], choices=Choices(**choices), trail=TRAIL
    )


def small_study(**more):
    open_pair = JudgedPair("c", "", "open", "", None)
    return study(
        topic(pair("a", 1, 2, 2), pair("b", None, 0, 0), open_pair),
        topic(pair("a", 0, 0, 0), query="q2", facet="result"),
        answered=[
            Answered("q1_method", SECOND, 2, 0),
            Answered("q1_method", FIRST, 2, 1),
            Answered("q2_result", FIRST, 1, 0),
        ],
        **more,
    )


def test_manifest_counts_pairs_grades_and_ratings_by_facet_and_by_person():
    of_method = {
        "topics": 1,
        "pairs": 3,
        "gold": 2,
        "ratings": 4,
        "cannot_judge": 1,
        "origins": {"adjudicated": 2, "none": 1},
        "grades": {"0": 1, "2": 1},
    }
    of_result = {
        "topics": 1,
        "pairs": 1,
        "gold": 1,
        "ratings": 1,
        "cannot_judge": 0,
        "origins": {"adjudicated": 1},
        "grades": {"0": 1},
    }

    assert made(small_study()) == {
        "format": "trec",
        "made_with": f"Facetwise {product_version()}",
        "collection": {"slug": "s"},
        "scheme": {"facets": ["background", "method", "result"]},
        "values": {"from": "gold"},
        "is_incomplete": True,
        "missing": {"waiting for a batch": 1},
        "with_notes": False,
        "counts": {
            "topics": 2,
            "pairs": 4,
            "gold": 3,
            "ratings": 5,
            "cannot_judge": 1,
            "origins": {"adjudicated": 3, "none": 1},
            "grades": {"0": 2, "2": 1},
            "facets": {"method": of_method, "result": of_result},
        },
        "levels": {},
        "annotators": [
            {"pseudonym": "A-AAAAAA", "number": "1", "ratings": 3},
            {"pseudonym": "A-BBBBBB", "number": "2", "ratings": 2},
        ],
        "notes": [],
        "trail": TRAIL,
        "files": FILES,
    }


def test_ratings_that_programs_sent_are_counted_wherever_ratings_are():
    records = small_study()
    records.answered[0] = replace(records.answered[0], by_program=2)

    content = made(records)

    assert content["counts"]["by_program"] == 2
    assert content["counts"]["facets"]["method"]["by_program"] == 2
    assert "by_program" not in content["counts"]["facets"]["result"]
    assert [person.get("by_program") for person in content["annotators"]] == [None, 2]


def test_reasons_of_waivers_come_with_the_notes_alone():
    records = small_study(waived=[WaivedRatings(FIRST, "q1_method", 3, "He had seen them.")])
    waived = {"pseudonym": "A-AAAAAA", "batch": "q1_method", "ratings": 3}

    assert made(records)["not_blind"] == [waived]
    assert made(records, with_notes=True)["not_blind"] == [waived | {"reason": "He had seen them."}]
    assert made(records, with_notes=True)["with_notes"] is True


def test_judgments_of_queries_are_counted_as_the_files_grade_queries():
    """A document that is in no pool is in no file."""
    grades = {"q1": {"a": Decimal("1.50"), "b": Decimal(0)}, "q2": {"a": Decimal("1.5")}}
    grades["q2"]["elsewhere"] = Decimal(2)
    records = study(
        source=Source(Kind.JUDGMENTS, "nist"),
        query_grades=QueryGrades("nist", "queries", grades, are_sums=False),
        text_queries=[
            TextQuery("?", ComplexQuery(query, (Aspect("1", ("1",)),)), ["a", "b"])
            for query in ("q1", "q2", "q3")
        ],
    )

    content = made(records, "birco")

    assert content["values"]["from"] == "judgments made elsewhere"
    assert content["counts"] == {
        "topics": 0,
        "queries": 2,
        "pairs": 3,
        "gold": 3,
        "ratings": 0,
        "cannot_judge": 0,
        "origins": {"judgments": 3},
        "grades": {"0": 1, "1.5": 2},
        "facets": {},
    }


def test_seats_say_what_a_value_is_that_nobody_gave_and_machines_do_not():
    by_seat = made(small_study(source=Source(Kind.SEAT, "1")))
    by_machine = made(small_study(source=Source(Kind.MACHINE, "7")))

    assert (by_seat["values"]["from"], by_seat["values"]["missing_value"]) == ("seat", "unjudged")
    assert by_machine["values"]["from"] == "machine run"
    assert "missing_value" not in by_machine["values"]


def test_manifest_keeps_letters_of_any_script_and_ends_its_last_line():
    written = as_json({"name": "Järvelin \u4e2d"})

    assert written == '{\n  "name": "Järvelin \u4e2d"\n}\n'
    assert json.loads(written) == {"name": "Järvelin \u4e2d"}


def test_names_of_people_are_sorted_by_pseudonym_not_by_their_first_rating():
    late = Person("A-000000", "9", "9")
    records = small_study()
    records.answered.append(Answered("q1_method", late, 1, 0))

    names = [person["pseudonym"] for person in made(records)["annotators"]]

    assert names == ["A-000000", "A-AAAAAA", "A-BBBBBB"]


def test_the_documents_name_every_key():
    formats = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    table = formats.partition("**`manifest.json`**")[2].partition("**trec**")[0]
    named = {
        name
        for cell in re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", cell)
    }
    sometimes = {"effect_on_scores", "channel", "sub_queries", "not_blind"}

    assert named - sometimes == set(made(small_study()))
