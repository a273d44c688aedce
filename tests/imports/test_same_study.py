"""A study comes in alike, whichever way it comes: by an importer of its own, or as tables; and the
exports of other tools give the agreement that their raters had."""

import csv
import json

import pytest

from agreement.statistics import CannotJudge
from agreement.study.filters import Filters
from agreement.study.ratings import read_ratings_of
from agreement.subjects.overview.report import report_of
from annotation.models import Pair, Rating, Seat
from annotation.schemes.actions import create_scheme, load_definition
from config.integrity import findings
from datasets.models import Collection, Topic
from formats.csfcube.read import read_release
from formats.csfcube.sources import find_in_folder
from formats.files import open_files
from imports import life
from imports.csfcube.importing import import_csfcube
from imports.kinds import all_kinds
from imports.run import carry_out
from releases.formats.trec import qrels
from releases.reading import read_study

FACETS = ["background", "method", "result"]


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


def write_table(path, columns, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)


def write_tables(release, folder):
    """The release as tables, in the order of its own files."""
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as file:
        for paper in release.papers():
            entry = {
                "id": paper.paper_id,
                "title": paper.title,
                "sentences": [sentence["text"] for sentence in paper.sentences],
                "labels": [sentence["label"] for sentence in paper.sentences],
            }
            file.write(json.dumps(entry) + "\n")
    rows = [(row.paper_id, row.paper_id, row.facet) for row in release.rows]
    write_table(folder / "queries.csv", ["id", "document", "facet"], rows)
    pool = [
        (query, document, source)
        for query, pool in release.pools.items()
        for document, sources in zip(pool.candidates, pool.sources, strict=True)
        for source in sources
    ]
    write_table(folder / "pool.csv", ["query", "document", "source"], pool)
    ratings, decisions = [], []
    for row in release.rows:
        judged = release.annotations[row.facet][row.paper_id]
        for index, document in enumerate(judged.candidates):
            for annotator, values in judged.ratings.items():
                grade = "" if values[index] == -1 else values[index]
                ratings.append((row.topic_id, document, f"annotator{annotator}", grade))
            given = {values[index] for values in judged.ratings.values()}
            if len(given) > 1 or -1 in given:
                decisions.append((row.topic_id, document, "boss", judged.adjudicated[index]))
    write_table(folder / "ratings.csv", ["topic", "document", "rater", "grade"], ratings)
    columns = ["topic", "document", "adjudicator", "grade"]
    write_table(folder / "decisions.csv", columns, decisions)


def pairs_of(collection):
    pairs = Pair.objects.filter(topic__collection=collection).order_by("topic", "position")
    return list(
        pairs.values_list(
            "topic__external_id", "document__external_id", "state", "gold_value", "gold_origin"
        )
    )


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


def table_of(collection):
    filters = Filters(cannot_judge=CannotJudge.LOWEST)
    return report_of(collection, read_ratings_of(collection), filters)


def test_csfcube_as_tables_is_the_same_study(shared_data, tmp_path):
    folder = shared_data / "csfcube-half"
    release = read_release(find_in_folder(folder), scales={key: {0, 1, 2, 3} for key in FACETS})
    write_tables(release, tmp_path)
    by_release, by_tables = make_collection("release"), make_collection("tables")

    import_csfcube(
        sources=find_in_folder(folder), collection=by_release, by=None, with_ratings=True
    )
    bring_in(by_tables, "tables", tmp_path)

    assert pairs_of(by_tables) == pairs_of(by_release)
    assert ratings_of(by_tables) == ratings_of(by_release)
    assert qrels_of(by_tables) == qrels_of(by_release)
    tables = [figures_of(collection) for collection in (by_tables, by_release)]
    assert tables[0] == pytest.approx(tables[1], abs=1e-12, nan_ok=True)
    assert list(findings()) == []
    assert bring_in(by_tables, "tables", tmp_path).imported is None


def qrels_of(collection):
    return "".join(qrels(read_study(collection.pk, using="default").topics))


def figures_of(collection):
    """Every number of the agreement table, by where it stands in it."""
    return dict(numbers(table_of(collection)))


def numbers(value, path=""):
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, (int, float)):
        yield path, float(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from numbers(item, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from numbers(item, f"{path}[{index}]")
    elif hasattr(value, "__dataclass_fields__"):
        # Keys of rows are no figures.
        for name in value.__dataclass_fields__.keys() - {"pk"}:
            yield from numbers(getattr(value, name), f"{path}.{name}")


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
