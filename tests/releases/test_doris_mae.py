"""The official DORIS-MAE file: an export gives back the import, and importing that again changes
nothing."""

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import MachineRun, MachineScore, Pair
from annotation.schemes.actions import create_scheme, load_definition
from audit.refusals import Invalid
from datasets.models import Collection
from formats.doris_mae.records import AspectQuery
from imports import life
from releases.actions import write_export
from releases.aspect_rows import AspectRows
from releases.formats import Choices
from releases.formats.doris_mae import doris_mae_files
from tests.factories.doris_mae import answer, make_abstract, make_dataset, rated, write_dataset
from tests.factories.imports import import_doris_mae
from tests.factories.studies import make_aspect_study, put_in_batch
from tests.releases.test_formats import study as small_study
from tests.shelf import shelved

EXAMPLES = 100 if os.environ.get("FACETWISE_STRESS") == "full" else 8

NAME = "DORIS-MAE_dataset_v1.json"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)


def make_collection(slug="study"):
    collection = Collection.objects.create(slug=slug, name="Study")
    create_scheme(collection=collection, definition=load_definition("doris-mae"), by=None)
    return collection


def bring_in(dataset, collection, folder, **options):
    path = write_dataset(dataset, folder)
    return import_doris_mae(path=path, name=path.name, collection=collection, by=None, **options)


def exported(collection, folder, **options):
    write_export(collection=collection, export_format="doris-mae", folder=folder, **options)
    return json.loads((folder / NAME).read_text())


def without_unpooled(dataset):
    """The file as an export has it: abstracts of no pool are not stored."""
    pooled = {number for query in dataset["Query"] for number in query["candidate_pool"]}
    corpus = [entry for entry in dataset["Corpus"] if entry["abstract_id"] in pooled]
    return dataset | {"Corpus": corpus}


def test_an_export_is_what_was_imported(db, tmp_path):
    dataset = make_dataset()
    collection = make_collection()
    bring_in(dataset, collection, tmp_path / "in")

    release = exported(collection, tmp_path / "out")

    assert release == without_unpooled(dataset)
    assert list(release) == list(dataset)


def test_the_same_state_is_the_same_bytes(db, tmp_path):
    collection = make_collection()
    bring_in(make_dataset(), collection, tmp_path / "in")

    exported(collection, tmp_path / "one")
    exported(collection, tmp_path / "two")

    for name in [NAME, "manifest.json"]:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_an_export_changes_nothing_when_it_is_imported(db, tmp_path):
    collection = make_collection()
    bring_in(make_dataset(), collection, tmp_path / "in", model="gpt", run="June")

    outcome = bring_in(exported(collection, tmp_path / "out"), collection, tmp_path / "again")

    assert outcome.imported is None


def test_the_sample_comes_back_as_it_is(db, shared_data, tmp_path):
    folder = shared_data / "doris-mae-sample"
    dataset = json.loads((folder / NAME).read_text())
    synthetic = json.loads((folder / "synthetic-ratings.json").read_text())
    dataset |= {key: synthetic[key] for key in ["Annotation", "Test_set"]}
    # Three of its queries, since the whole takes its time.
    dataset["Query"] = dataset["Query"][:3]
    pairs = {
        (aspect, number)
        for query in dataset["Query"]
        for root, subs in query["aspects"].items()
        for aspect in [root, *subs]
        for number in query["candidate_pool"]
    }
    for key in ["Annotation", "Test_set"]:
        dataset[key] = [
            entry for entry in dataset[key] if (entry["aspect_id"], entry["abstract_id"]) in pairs
        ]
    collection = make_collection()
    outcome = bring_in(dataset, collection, tmp_path / "in")

    assert outcome.summary["ratings"] > 50
    assert exported(collection, tmp_path / "out") == without_unpooled(dataset)


# A generated dataset: texts, trees, pools and answers are drawn, and what Facetwise does not know
# may stand anywhere.

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
WORDS = TEXT.filter(str.strip)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(-1e6, 1e6) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=3,
)
UNKNOWN = st.dictionaries(WORDS.map(lambda key: f"x-{key}"), JSON, max_size=2)


@st.composite
def datasets(draw):
    texts = draw(st.lists(WORDS, min_size=3, max_size=5, unique=True))
    aspects = {f"a{number}": text for number, text in enumerate(texts)}
    numbers = draw(st.lists(st.integers(0, 99), min_size=2, max_size=4, unique=True))
    corpus = [
        make_abstract(
            number,
            original_abstract=draw(WORDS),
            title=draw(st.none() | TEXT),
            incoming_citations=draw(st.none() | st.lists(st.integers(0, 9), max_size=2)),
            categories=draw(JSON),
            **draw(UNKNOWN),
        )
        for number in numbers
    ]
    queries = [draw(queries_of(list(aspects), numbers)) for _ in range(draw(st.integers(1, 2)))]
    pairs = dict.fromkeys(
        (aspect, number)
        for query in queries
        for root, subs in query["aspects"].items()
        for aspect in [root, *subs]
        for number in query["candidate_pool"]
    )
    chosen = (
        st.lists(st.sampled_from(list(pairs)), max_size=4, unique=True) if pairs else st.just([])
    )
    scores = st.sampled_from([0, 1, 2, None])
    return {
        "aspect2aspect_id": {text: aspect for aspect, text in aspects.items()},
        "aspect_id2aspect": aspects,
        "Query": queries,
        "Corpus": corpus,
        "Annotation": [
            answer(*pair, draw(st.sampled_from([-1, 0, 1, 2])), **draw(UNKNOWN))
            for pair in draw(chosen)
        ],
        "Test_set": [
            rated(*pair, *(draw(scores) for _ in range(draw(st.integers(1, 3)))), **draw(UNKNOWN))
            for pair in draw(chosen)
        ],
        **draw(UNKNOWN),
    }


@st.composite
def queries_of(draw, aspects, numbers):
    roots = draw(st.lists(st.sampled_from(aspects[:2]), max_size=2, unique=True))
    subs = st.lists(st.sampled_from(aspects[2:]), max_size=2, unique=True)
    tree = {root: draw(subs) for root in roots}
    sentences = draw(st.lists(WORDS, max_size=3, unique=True))
    linked = st.lists(st.sampled_from(aspects), max_size=2, unique=True)
    return {
        "query_text": draw(WORDS),
        "query_type": draw(st.none() | TEXT),
        "idea_from": draw(st.none() | st.integers() | st.lists(st.integers(), max_size=2)),
        "candidate_pool": draw(st.lists(st.sampled_from(numbers), max_size=3, unique=True)),
        "sent2aspect_id": {sentence: draw(linked) for sentence in sentences},
        "aspect_id2sent": draw(
            st.dictionaries(st.sampled_from(aspects), st.lists(WORDS, max_size=2), max_size=2)
        ),
        "aspects": tree,
        **draw(UNKNOWN),
    }


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(dataset=datasets())
def test_whatever_comes_in_comes_back_and_in_again_changes_nothing(db, tmp_path_factory, dataset):
    folder = tmp_path_factory.mktemp("trip")
    collection = make_collection(f"s{Collection.objects.count()}")
    bring_in(dataset, collection, folder / "in")

    release = exported(collection, folder / "out")
    again = bring_in(release, collection, folder / "again")

    assert by_batch(release) == by_batch(without_unpooled(dataset))
    assert again.imported is None


def by_batch(dataset):
    """Rated pairs stand batch by batch: those of the same annotators together."""
    sets = list(
        dict.fromkeys(frozenset(entry["human_annotation"]) for entry in dataset["Test_set"])
    )
    ordered = sorted(
        dataset["Test_set"], key=lambda entry: sets.index(frozenset(entry["human_annotation"]))
    )
    return dataset | {"Test_set": ordered}


# What was made here


@shelved
def study(db):
    """Alice, Bob and Erin rated all pairs of one batch; documents have numbers."""
    study = make_aspect_study(assign=True)
    for number, document in enumerate(study.collection.documents.order_by("id"), start=10):
        study.collection.queries.first().candidates.filter(document=document).update(
            external_id=str(number)
        )
        type(document).objects.filter(pk=document.pk).update(external_id=str(number))
    return study


def test_finished_batches_of_three_seats_are_the_test_set(study, tmp_path):
    study.finish(alice=[0, 1, 2], bob=[0, None, 2], erin=["agree", "dispute", 2])

    release = exported(study.collection, tmp_path)

    topic = study.batch.pairs.first().topic.external_id
    assert release["Test_set"] == [
        rated(topic, 10, 0, 0, 1), rated(topic, 11, 1, None, 1), rated(topic, 12, 2, 2, 2),
    ]  # fmt: skip
    assert release["Query"][0]["aspects"] == {"0": ["1", "2"], "3": ["2"]}
    assert list(release) == [
        "aspect2aspect_id", "aspect_id2aspect", "Query", "Corpus", "Annotation", "Test_set",
    ]  # fmt: skip


def test_what_was_written_here_can_move_to_another_house(study, tmp_path):
    study.finish(alice=[0, 1, 2], bob=[0, 1, 2], erin=[1, 1, 2])
    release = exported(study.collection, tmp_path / "out")
    other = make_collection("other")

    bring_in(release, other, tmp_path / "in")

    assert exported(other, tmp_path / "back") == release


def test_ratings_of_unfinished_batches_stay_here(study, tmp_path):
    study.rate_all("alice", 1)

    assert exported(study.collection, tmp_path)["Test_set"] == []


def test_a_lead_who_rates_gets_no_ratings_and_no_answers_of_that_batch(study, tmp_path):
    for name in ["alice", "bob", "erin"]:
        study.rate_all(name, 1)
    study.hand_in("alice")
    run = MachineRun.objects.create(collection=study.collection, model="gpt", name="June")
    pairs = [study.batch.pairs.first(), Pair.objects.exclude(batch=study.batch).first()]
    put_in_batch(study, Pair.objects.filter(pk=pairs[1].pk), None)
    for pair in pairs:
        MachineScore.objects.create(run=run, pair=pair, value=1)

    for_alice = exported(study.collection, tmp_path / "alice", by=study.alice)
    for_lena = exported(study.collection, tmp_path / "lena", by=study.lena)

    assert for_alice["Test_set"] == []
    assert [entry["aspect_id"] for entry in for_alice["Annotation"]] == [pairs[1].topic.external_id]
    assert len(for_lena["Annotation"]) == 2


def test_a_query_with_a_name_keeps_it(study, tmp_path):
    study.collection.queries.update(external_id="wind")

    release = exported(study.collection, tmp_path / "out")
    other = make_collection("other")
    bring_in(release, other, tmp_path / "in")

    assert release["Query"][0]["facetwise_query_id"] == "wind"
    assert other.queries.get().external_id == "wind"


def test_people_are_numbered_within_their_collection(study, tmp_path):
    """A member of another collection already has the name that a file gave them there."""
    bring_in(make_dataset(), make_collection("other"), tmp_path / "in")
    study.finish(alice=[0, 1, 2], bob=[0, 1, 2], erin=[1, 1, 2])

    first, *_ = exported(study.collection, tmp_path / "out")["Test_set"]

    assert list(first["human_annotation"]) == ["annotator_1", "annotator_2", "annotator_3"]


def test_an_address_by_which_a_table_calls_a_person_is_not_in_the_file(study, tmp_path):
    members = study.collection.memberships
    members.filter(pk=study.members["alice"].pk).update(external_id="alice@example.org")
    members.filter(pk=study.members["erin"].pk).update(external_id="annotator_1")
    study.finish(alice=[0, 1, 2], bob=[0, 1, 2], erin=[1, 1, 2])

    first, *_ = exported(study.collection, tmp_path)["Test_set"]

    assert first["human_annotation"] == {"annotator_2": 0, "annotator_3": 0, "annotator_1": 1}


def test_notes_say_which_run_is_in_the_file_and_what_the_imported_one_had(db, tmp_path):
    collection = make_collection()
    dataset = make_dataset()
    dataset["Corpus"].append(make_abstract(999))
    bring_in(dataset, collection, tmp_path / "in", model="gpt", run="June")

    manifest = write_export(
        collection=collection, export_format="doris-mae", folder=tmp_path / "out"
    )

    had = len(dataset["Corpus"])
    assert (
        f"Corpus has the abstracts of the pools; the imported file had {had}."
        in (manifest["notes"])
    )
    assert "Annotation has the answers of gpt, June." in manifest["notes"]


def rows_of(**more):
    """One query of two abstracts without a text."""
    query = AspectQuery("0", "Why?", [], {}, ["5", "77"], [], {}, [], "")
    values = {
        "aspects": {}, "queries": [query], "rated": [],
        "answers": lambda: iter([]), "run": None, "other_runs": [], "extra": {},
    }  # fmt: skip
    return AspectRows(**(values | more))


def written(rows):
    [file] = doris_mae_files(
        small_study(aspect_rows=lambda: rows, papers=lambda: iter([])), Choices()
    )
    return json.loads("".join(file.parts))


def test_what_the_imported_file_did_not_have_is_added_once_there_is_something():
    extra = {"keys": [["Query", None], ["Test_set", None], ["x-more", "[1]"]]}

    assert list(written(rows_of(extra=extra))) == ["Query", "Test_set", "x-more"]
    assert list(written(rows_of(extra=extra, run=("gpt", "June")))) == [
        "Query", "Test_set", "x-more", "Annotation",
    ]  # fmt: skip


def test_abstracts_of_pools_that_have_no_text_are_named_as_they_came_or_by_number():
    extra = {"without_text": [["5", '{"abstract_id": 5, "title": "T"}']]}

    assert written(rows_of(extra=extra))["Corpus"] == [
        {"abstract_id": 5, "title": "T"}, {"original_abstract": None, "abstract_id": 77},
    ]  # fmt: skip


def test_identifiers_that_are_no_numbers_are_refused(db, tmp_path):
    study = make_aspect_study()

    with pytest.raises(Invalid, match="numbers its documents, and d1 is not a whole number"):
        exported(study.collection, tmp_path)
