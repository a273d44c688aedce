"""What a hand-in is about: hashes of the texts that its annotators read."""

import uuid

import pytest

from annotation.models import SideText
from annotation.reading.text_hashes import in_words, judged_texts
from audit.hashes import sha256_of
from datasets.models import Document, Query
from tests.damage import rewrite, without_triggers
from tests.factories.studies import make_aspect_study, make_study, make_topic
from tests.shelf import shelved


@shelved
def study(db):
    return make_aspect_study(in_one_batch=True)


def test_rows_are_written_as_json_has_them():
    public_id = uuid.UUID(int=7)

    assert in_words([None, True, 3, "text", [1], public_id, 2.5]) == [
        None, True, 3, "text", [1], str(public_id), "2.5",
    ]  # fmt: skip


def changed_parts(study, change):
    """The parts of the hashes that a change concerns."""
    before = judged_texts(study.batch.pk)
    change(study)
    after = judged_texts(study.batch.pk)
    return {part for part in before if before[part] != after[part]}


def in_query(**fields):
    return lambda study: rewrite(Query.objects.filter(external_id="0"), **fields)


def add_side_text(study):
    with without_triggers("annotation_sidetext"):
        SideText.objects.create(pair=study.batch.pairs.first(), title="Answer", text="Some words.")


SENTENCES = [{"text": "One.", "topics": []}]


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (lambda study: None, set()),
        (lambda study: rewrite(study.collection.documents.all(), text_sha256="x"), {"pairs"}),
        (lambda study: rewrite(study.collection.topics.all(), text_sha256="x"), {"pairs"}),
        (add_side_text, {"pairs"}),
        (in_query(text="Another wish."), {"queries"}),
        (in_query(sentences=SENTENCES), {"queries"}),
        (in_query(description="More."), {"queries"}),
        (in_query(narrative="Relevant is what helps."), {"queries"}),
        (in_query(metadata={"x": 1}), set()),
    ],
)
def test_each_text_that_annotators_read_counts(study, change, parts):
    assert changed_parts(study, change) == parts


def test_links_of_sentences_to_aspects_do_not_count(study):
    query = study.collection.queries.get()
    unlinked = [sentence | {"topics": []} for sentence in query.sentences]

    assert changed_parts(study, in_query(sentences=unlinked)) == set()


def test_only_what_an_earlier_version_hashed_is_hashed_where_nothing_is_new(db):
    """Trails of earlier versions hold these hashes: no field may be hashed where it is empty, and
    no text of another batch."""
    study = make_study(candidates=1)
    make_topic(study.collection, query_id="q2")
    pair = study.batch.pairs.get()
    row = [
        *(str(pair.public_id), "q1_method", pair.topic.text_sha256),
        *("q1c1", pair.document.text_sha256),
    ]

    assert judged_texts(study.batch.pk) == {
        "pairs": sha256_of([row]),
        "queries": {"q1": Document.objects.get(external_id="q1").text_sha256},
    }
    add_side_text(study)
    assert judged_texts(study.batch.pk)["pairs"] == sha256_of([[*row, pair.side_text.text_sha256]])
