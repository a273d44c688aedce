"""The exports of other tools give the agreement that their raters had, and published questions come
in with what is said of them."""

import csv
import json

import pytest

from annotation.models import Pair, Rating, Seat
from annotation.schemes.actions import create_scheme, load_definition
from config.integrity import findings
from datasets.models import Collection, Topic
from formats.files import open_files
from imports import life
from imports.kinds import all_kinds
from imports.run import carry_out


@pytest.fixture(autouse=True)
def quick(db, monkeypatch):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)


def make_collection(slug):
    collection = Collection.objects.create(slug=slug, name="Same", licence="L", citation="C")
    create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
    return Collection.objects.get(pk=collection.pk)


def bring_in(collection, format, *paths):
    with open_files(paths) as files:
        kind = all_kinds()[format]
        recognition = kind.recognise(files)
        settings = {"mapping": recognition.mapping()}
        return carry_out(kind.moving(files, collection, None, settings, lambda *_: None))


def ratings_of(collection):
    ratings = Rating.objects.filter(pair__topic__collection=collection).order_by(
        "pair__topic", "pair__position", "seat__ordinal"
    )
    return list(
        ratings.values_list(
            "pair__topic__external_id",
            "pair__document__external_id",
            "seat__ordinal",
            "annotator__external_id",
            "option__key",
            "cannot_judge",
        )
    )


EXPORTS = {
    "label-studio": ["label-studio/choices.json", "label-studio/users.json"],
    "doccano": ["doccano/per-annotator.zip"],
    "potato": ["potato"],
}


@pytest.mark.parametrize("format", EXPORTS)
def test_an_export_of_another_tool_has_the_agreement_of_its_raters(shared_data, format):
    folder = shared_data / "peer-exports"
    expected = json.loads((folder / "expected-figures.json").read_text(encoding="utf-8"))
    collection = make_collection("peer")

    bring_in(collection, format, *(folder / path for path in EXPORTS[format]))

    with (folder / "expected.csv").open(encoding="utf-8") as file:
        rows = {(row["topic"], row["document"]): row for row in csv.DictReader(file)}
    stored = {}
    for topic, document, ordinal, _, option, _ in ratings_of(collection):
        stored.setdefault((topic, document), {})[ordinal] = option
    keys = ["irrelevant", "related", "similar", "identical"]
    assert stored == {
        key: {n: keys[int(row[f"rater{n}"])] if row[f"rater{n}"] else None for n in (1, 2)}
        for key, row in rows.items()
    }
    assert Seat.objects.filter(handed_in_at=None).count() == 0
    assert Pair.objects.filter(state="disputed").count() == 24
    shares = {
        topic.external_id: agreed_percent(collection, topic)
        for topic in Topic.objects.filter(collection=collection)
    }
    for topic, share in shares.items():
        assert share == pytest.approx(expected[topic]["missing_as_0"]["percent"], abs=1e-12)
    assert list(findings()) == []


def agreed_percent(collection, topic):
    """Percent agreement, a missing rating counted as 0."""
    values = {}
    ratings = Rating.objects.filter(pair__topic=topic).select_related("option")
    for rating in ratings:
        values.setdefault(rating.pair_id, []).append(rating.option.value if rating.option else 0)
    return 100 * sum(len(set(pair)) == 1 for pair in values.values()) / len(values)


def test_questions_of_litsearch_come_in_with_their_metadata(shared_data):
    collection = make_collection("litsearch")
    folder = shared_data / "litsearch-sample"

    bring_in(
        collection,
        "litsearch",
        folder / "synthetic-query.jsonl",
        folder / "synthetic-corpus_clean.jsonl",
    )

    query = collection.queries.first()
    assert {"quality", "specificity"} <= query.metadata.keys()
    assert list(findings()) == []
