"""Entries of the official file, written from records."""

import json

import pytest

from formats.doris_mae.records import AspectQuery, MachineAnswer, RatedPair
from formats.doris_mae.write import (
    ABSENT,
    abstract_entry,
    aspect_sentences,
    derived,
    links,
    listed,
    machine_entry,
    query_entry,
    rated_entry,
    whole_value,
    write_object,
)
from formats.papers import Paper

SENTENCES = [
    {"text": "One.", "topics": ["a", "b"]},
    {"text": "Two.", "topics": []},
    {"text": "Three.", "topics": ["b"]},
]


def query(*record, **changes):
    fields = {
        "query_id": "0", "text": "One. Two. Three.", "sentences": SENTENCES,
        "tree": {"a": ["b"], "c": []}, "pool": ["20", "7"], "strays": [],
        "metadata": {"query_type": "ML"}, "record": list(record), "place": "Query[0]",
    } | changes  # fmt: skip
    return AspectQuery(**fields)


def abstract(*record, **metadata):
    sentences = [{"text": text, "label": None} for text in ("One.", "Two.")]
    return Paper("7", "T", sentences, metadata, list(record))


# The maps between sentences and aspects


def test_each_sentence_has_its_aspects_and_each_aspect_its_sentences():
    assert links(SENTENCES) == {"One.": ["a", "b"], "Two.": [], "Three.": ["b"]}
    assert aspect_sentences(SENTENCES, ["a", "c"]) == {
        "a": ["One."], "c": [], "b": ["One.", "Three."],
    }  # fmt: skip
    assert derived(query()) == {
        "sent2aspect_id": links(SENTENCES),
        "aspect_id2sent": aspect_sentences(SENTENCES, ["a", "c"]),
    }


def test_a_sentence_that_stands_twice_has_the_aspects_of_both():
    twice = [*SENTENCES, {"text": "One.", "topics": ["b", "d"]}]

    assert links(twice)["One."] == ["a", "b", "d"]
    assert aspect_sentences(twice, [])["b"] == ["One.", "Three.", "One."]


def test_maps_leave_the_sentences_as_they_are():
    links([*SENTENCES, {"text": "One.", "topics": ["d"]}])

    assert SENTENCES[0]["topics"] == ["a", "b"]


# Entries


def test_an_abstract_has_the_usual_keys_that_it_has_values_for():
    assert abstract_entry(abstract(url="u", ss_id="s")) == {
        "original_abstract": "One. Two.", "title": "T", "url": "u", "ss_id": "s", "abstract_id": 7,
    }  # fmt: skip
    assert list(abstract_entry(abstract(ss_id="s", url="u"))) == [
        "original_abstract", "title", "url", "ss_id", "abstract_id",
    ]  # fmt: skip


def test_an_abstract_that_was_read_has_the_keys_and_texts_of_its_file():
    record = [["abstract_id", None], ["title", "null"], ["original_abstract", None], ["n", "[1.5]"]]

    assert list(abstract_entry(abstract(*record, url="u")).items()) == [
        ("abstract_id", 7), ("title", None), ("original_abstract", "One. Two."), ("n", [1.5]),
    ]  # fmt: skip


def test_a_query_that_was_made_here_has_the_usual_keys():
    entry = query_entry(query(), 0)

    assert list(entry.items()) == [
        ("query_text", "One. Two. Three."),
        ("query_type", "ML"),
        ("candidate_pool", [20, 7]),
        ("sent2aspect_id", links(SENTENCES)),
        ("aspect_id2sent", aspect_sentences(SENTENCES, ["a", "c"])),
        ("aspects", {"a": ["b"], "c": []}),
    ]


@pytest.mark.parametrize(("query_id", "position"), [("0", 1), ("q", 0), ("00", 0)])
def test_a_query_that_is_called_otherwise_than_by_its_position_says_so(query_id, position):
    entry = query_entry(query(query_id=query_id), position)

    assert entry["facetwise_query_id"] == query_id
    assert "facetwise_query_id" not in query_entry(query(query_id="0"), 0)


LINKS = "sent2aspect_id"
FILES = '{"Two.": [], "One.": ["a"]}'


@pytest.mark.parametrize(
    ("text", "stand_in", "written"),
    [
        # As long as the same is derived, the file's own text is written.
        (FILES, json.dumps(links(SENTENCES)), json.loads(FILES)),
        (FILES, '{"One.": ["a"]}', links(SENTENCES)),
        (ABSENT, json.dumps(links(SENTENCES)), ...),
        (ABSENT, "{}", links(SENTENCES)),
        (None, None, links(SENTENCES)),
    ],
)
def test_a_map_of_the_file_is_kept_until_the_links_are_changed(text, stand_in, written):
    item = [LINKS, text] if stand_in is None else [LINKS, text, stand_in]

    entry = query_entry(query(["query_text", None], item), 0)

    assert entry.get(LINKS, ...) == written


def test_rated_pairs_and_answers_have_the_usual_keys_or_those_of_their_file():
    rated = RatedPair("a", "7", {"x": 2, "y": None}, [], "Test_set[0]")
    answer = MachineAnswer("a", "7", None, "So.", [], "Annotation[0]")

    assert list(rated_entry(rated).items()) == [
        ("aspect_id", "a"), ("abstract_id", 7), ("human_annotation", {"x": 2, "y": None}),
    ]  # fmt: skip
    assert list(machine_entry(answer).items()) == [
        ("aspect_id", "a"), ("abstract_id", 7), ("gpt_response", "So."), ("score", -1),
    ]  # fmt: skip
    record = [["score", None], ["abstract_id", None], ["tokens", "12"]]
    scored = MachineAnswer("a", "7", 0, "So.", record, "Annotation[0]")
    assert list(machine_entry(scored).items()) == [
        ("score", 0), ("abstract_id", 7), ("tokens", 12),
    ]  # fmt: skip


# The text of the file


@pytest.mark.parametrize("entries", [[], [{}], [{"a": "Ü\u2028\n"}, [1], None, "]"]])
def test_a_list_is_written_an_entry_to_a_line(entries):
    text = "".join(listed(iter(entries)))

    assert json.loads(text) == entries
    # Line ends inside of texts are escaped.
    assert text.count("\n") == (len(entries) + 1 if entries else 0)


@pytest.mark.parametrize("content", [{}, {"a": 1}, {"ü": [], '"': {"b": None}, "": "x"}])
def test_an_object_is_written_member_by_member(content):
    members = ((key, whole_value(value)) for key, value in content.items())

    text = "".join(write_object(members))

    assert json.loads(text) == content
    assert list(json.loads(text)) == list(content)
    assert text.endswith("}\n")


def test_a_list_in_an_object_is_read_as_it_was_written():
    text = "".join(write_object([("Query", listed([{"a": 1}])), ("Corpus", listed([]))]))

    assert text == '{\n "Query": [\n  {"a": 1}\n ],\n "Corpus": []\n}\n'
