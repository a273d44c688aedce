"""Importing a DORIS-MAE file: whole or not at all, and done twice it changes nothing."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import Batch, MachineRun, MachineScore, Pair, Rating
from annotation.schemes.actions import create_scheme, load_definition
from audit.models import Event
from audit.refusals import Refused
from config.integrity import findings
from datasets.models import Candidate, Collection, Document, Import, Query, Topic, TopicPlace
from formats.problems import BadInputError
from formats.sentences import joined
from imports import life, unattended
from imports.doris_mae import read_moving
from imports.run import carry_out, sweep_dead_imports
from jobs.running import run_job
from tests.damage import rewrite
from tests.factories.doris_mae import (
    answer,
    make_abstract,
    make_dataset,
    make_query,
    rated,
    write_dataset,
)
from tests.factories.imports import import_doris_mae
from tests.factories.studies import Study, make_member, make_study
from tests.imports.rows import NO_ROWS, count_rows, count_visible_rows
from tests.shelf import shelved


@pytest.fixture
def dataset():
    return make_dataset()


@shelved
def collection(db):
    collection = Collection.objects.create(slug="study", name="Study")
    create_scheme(collection=collection, definition=load_definition("doris-mae"), by=None)
    return collection


@shelved
def lena(collection):
    return make_member(collection, "Lena", "lead").user


@pytest.fixture
def run(collection, lena, tmp_path, monkeypatch):
    """`run(dataset)` imports the dataset as it is then."""
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    taken = []

    def run(dataset, **options):
        path = write_dataset(dataset, tmp_path / f"{len(taken)}")
        taken.append(path)
        return import_doris_mae(
            path=path, **{"name": path.name, "collection": collection, "by": lena} | options
        )

    return run


def problems_of(run, dataset, **options):
    with pytest.raises(BadInputError) as caught:
        run(dataset, **options)
    return [str(problem) for problem in caught.value.problems]


def pairs_of(aspect):
    pairs = Pair.objects.filter(topic__external_id=aspect).order_by("position")
    return list(pairs.values_list("document__external_id", flat=True))


def tree_of(query_id):
    """(aspect, the one above it) of all places, aspects before sub-aspects."""
    places = TopicPlace.objects.filter(query__external_id=query_id)
    places = sorted(
        places, key=lambda place: (place.parent.position if place.parent else -1, place.position)
    )
    return [
        (place.topic.external_id, place.parent and place.parent.topic.external_id)
        for place in places
    ]


# What comes in


def test_queries_pools_aspects_and_trees_are_stored_in_the_files_order(run, dataset, collection):
    run(dataset)

    assert list(Document.objects.order_by("position").values_list("external_id", flat=True)) == [
        "30", "10", "20",
    ]  # fmt: skip
    assert [(query.external_id, query.text) for query in collection.queries.all()] == [
        ("0", "I look after machines. I want to hear them. Be cheap."),
        ("1", "I need a number."),
    ]
    first = collection.queries.first()
    assert first.sentences[1] == {"text": "I want to hear them.", "topics": ["a"]}
    assert first.metadata == {"query_type": "ML", "idea_from": 900}
    assert [candidate.external_id for candidate in first.candidates.all()] == ["20", "10"]
    assert [(topic.external_id, topic.facet, topic.text) for topic in Topic.objects.all()] == [
        ("a", "", "The paper listens to machines."),
        ("a1", "", "The method works on sound."),
        ("b", "", "The method is cheap."),
        ("c", "", "The paper says how sure it is."),
    ]
    assert sorted(tree_of("0"), key=str) == [("a", None), ("a1", "a"), ("a1", "b"), ("b", None)]


def test_citations_are_kept_as_metadata(run, dataset):
    run(dataset)

    document = Document.objects.get(external_id="10")
    assert document.metadata["incoming_citations"] == [11]
    assert document.title == "Title of 10"
    assert [sentence["text"] for sentence in document.sentences] == [
        "Abstract 10 says why.", "It says how, e.g. by ear.", "It ends.",
    ]  # fmt: skip


def test_pairs_of_an_aspect_are_the_union_of_the_pools_of_its_queries(run, dataset):
    run(dataset)

    assert {aspect: pairs_of(aspect) for aspect in ["a", "a1", "b", "c"]} == {
        "a": ["20", "10"], "a1": ["20", "10"], "b": ["20", "10", "30"], "c": ["10", "30"],
    }  # fmt: skip


def test_ratings_become_one_finished_batch_with_a_seat_for_each_annotator(run, dataset, collection):
    run(dataset)

    [batch] = collection.batches.all()
    assert (batch.name, batch.overlap, batch.pairs.count()) == ("Test set", 3, 3)
    assert [
        (seat.ordinal, seat.holder.external_id, seat.holder.user, seat.handed_in_at is None)
        for seat in batch.seats.all()
    ] == [
        (1, "annotator_1", None, False),
        (2, "annotator_2", None, False),
        (3, "annotator_3", None, False),
    ]
    assert Pair.objects.waiting().count() == 6
    assert list(findings()) == []


def test_the_majority_rule_settles_them(run, dataset):
    run(dataset)

    pairs = Pair.objects.exclude(batch=None).order_by("topic__external_id", "document__external_id")
    assert [
        (str(pair), pair.state, pair.gold_value, pair.gold_option and pair.gold_option.key)
        for pair in pairs
    ] == [
        ("a 20", "agreed", 1, "level-1"),
        ("b 10", "disputed", None, None),
        ("b 30", "agreed", 2, "level-2"),
    ]


def test_values_are_ratings_whose_label_was_not_recorded(run, dataset):
    run(dataset)

    assert set(Rating.objects.values_list("option__key", flat=True)) == {
        "level-0", "level-1", "level-2",
    }  # fmt: skip


def test_annotators_of_their_own_get_a_batch_of_their_own(run, dataset, collection):
    dataset["Test_set"].append(rated("c", 30, 1, 1))

    run(dataset)

    assert [(batch.name, batch.overlap) for batch in collection.batches.all()] == [
        ("Test set", 3), ("Test set (2)", 2),
    ]  # fmt: skip
    assert list(findings()) == []


def test_machine_answers_are_a_run_of_their_own_and_take_no_seat(run, dataset):
    outcome = run(dataset)

    [made] = MachineRun.objects.all()
    assert (made.model, made.name) == ("Annotation", "DORIS-MAE_dataset_v1")
    assert [
        (str(score.pair), score.value, score.response)
        for score in MachineScore.objects.select_related("pair").order_by("id")
    ] == [
        ("c 10", 2, "I would say 2."),
        ("a 20", None, "I would say -1."),
        ("b 30", 0, "I would say 0."),
    ]
    assert outcome.summary["unparsed"] == ["aspect a, abstract 20"]


def test_the_run_is_called_as_the_lead_says(run, dataset):
    run(dataset, model="gpt-3.5-turbo", run="June 2023")

    assert str(MachineRun.objects.get()) == "gpt-3.5-turbo, June 2023"


def test_another_model_has_a_run_of_its_own_whatever_the_run_is_called(run, dataset):
    for model in ("gpt", "llama", "gpt"):
        run(dataset, model=model, run="June")

    assert [str(machine) for machine in MachineRun.objects.order_by("pk")] == [
        "gpt, June", "llama, June",
    ]  # fmt: skip
    assert [machine.scores.count() for machine in MachineRun.objects.all()] == [3, 3]


def test_another_machine_run_comes_in_by_a_token_for_machine_scores(run, dataset, collection, lena):
    run(dataset, model="gpt", run="June")
    file = SimpleUploadedFile("doris.json", json.dumps(dataset).encode())

    job = unattended.start(
        collection=collection,
        by=lena,
        files=unattended.store([file]),
        settings={"model": "llama", "run": "June"},
        only=unattended.MACHINE_SCORES,
    )

    assert run_job(job.public_id).result["message"].startswith("Added 3 machine scores.")


def test_an_outcome_is_reported_in_a_sentence(run, dataset):
    assert run(dataset).sentence == (
        "Added 3 documents, 2 queries, 4 topics, 9 pairs, 9 ratings, 3 machine scores."
    )


def test_an_import_leaves_its_event_in_the_trail(run, dataset, lena):
    outcome = run(dataset)

    event = Event.objects.get(verb="import")
    assert (event.actor, event.subject_id) == (lena, str(outcome.imported.public_id))
    assert event.after["machine_scores"] == 3


def test_a_candidate_without_text_has_no_pair_and_is_listed(run, dataset):
    dataset["Corpus"][3]["original_abstract"] = None
    dataset["Annotation"], dataset["Test_set"] = [], []

    outcome = run(dataset)

    assert outcome.summary["without_text"] == ["20"]
    assert Candidate.objects.get(external_id="20").document is None
    assert pairs_of("a") == ["10"]


def test_the_sample_with_made_up_ratings_comes_in_whole(shared_data, run, collection):
    folder = shared_data / "doris-mae-sample"
    content = json.loads((folder / "DORIS-MAE_dataset_v1.json").read_text())
    synthetic = json.loads((folder / "synthetic-ratings.json").read_text())
    content |= {key: synthetic[key] for key in ["Annotation", "Test_set"]}

    outcome = run(content)

    assert {key: outcome.summary[key] for key in ["papers", "queries", "topics", "pairs"]} == {
        "papers": 1520, "queries": 20, "topics": 327, "pairs": 25603,
    }  # fmt: skip
    majority = {}
    for entry in content["Test_set"]:
        values = list(entry["human_annotation"].values())
        key = entry["aspect_id"], str(entry["abstract_id"])
        majority[key] = next((value for value in values if values.count(value) > 1), None)
    gold = Pair.objects.exclude(batch=None).values_list(
        "topic__external_id", "document__external_id", "gold_value"
    )
    assert {(topic, document): value for topic, document, value in gold} == majority
    assert list(findings()) == []


# Again


def test_the_same_file_twice_changes_nothing(run, dataset):
    run(dataset)
    before = count_rows()

    outcome = run(dataset)

    assert outcome.imported is None
    assert outcome.sentence.startswith("Everything in these files is in the collection already.")
    assert count_rows() == before
    assert Import.objects.count() == 1


def test_the_same_content_in_other_bytes_changes_nothing(run, dataset):
    run(dataset)
    before = count_rows()
    dataset["Corpus"][0]["title"] = "another title of a paper that nobody pooled"

    outcome = run(dataset, name="renamed.json")

    assert outcome.imported is None
    assert count_rows() == before


def test_sentences_that_were_divided_otherwise_are_no_other_text(run, dataset):
    run(dataset)
    for document in Document.objects.all():
        text = joined(sentence["text"] for sentence in document.sentences)
        document.sentences = [{"text": text, "label": None}]
        document.save()
    dataset["Corpus"][0]["title"] = "another title of a paper that nobody pooled"

    assert run(dataset, name="renamed.json").imported is None


def test_new_queries_aspects_candidates_and_answers_are_added(run, dataset):
    run(dataset)
    dataset["aspect_id2aspect"]["d"] = "The paper is long."
    del dataset["aspect2aspect_id"]
    dataset["Corpus"].append(make_abstract(40))
    dataset["Query"][0]["candidate_pool"].append(40)
    dataset["Query"][1]["aspects"]["d"] = []
    dataset["Query"].append(make_query({"I read slowly.": ["d"]}, {"d": []}, [40]))
    dataset["Annotation"].append(answer("d", 40, 1))
    dataset["Test_set"].append(rated("d", 30, 1, 1, 1))

    outcome = run(dataset)

    counted = ["papers", "queries", "candidates", "topics", "pairs", "ratings", "machine_scores"]
    assert [outcome.summary[key] for key in counted] == [1, 1, 2, 1, 6, 3, 1]
    assert pairs_of("b") == ["20", "10", "30", "40"]
    assert sorted(pairs_of("d")) == ["10", "30", "40"]
    assert tree_of("1") == [("c", None), ("d", None), ("b", "c")]
    assert MachineRun.objects.count() == 1
    assert [batch.name for batch in Batch.objects.all()] == ["Test set", "Test set (2)"]
    assert list(findings()) == []


def test_what_is_shown_as_before_until_the_end_are_the_topics_of_changed_queries(
    run, dataset, collection, lena, tmp_path
):
    """The first query has another candidate, the others stay."""
    dataset["Query"].append(make_query({"I read slowly.": ["c"]}, {"c": []}, [10]))
    run(dataset)

    def stakes_of(name):
        path = write_dataset(dataset, tmp_path / name)
        moving = read_moving(path, path.name, collection, lena)
        moving.compare()
        pks = set(moving.stakes)
        topics = Topic.objects.filter(pk__in=pks)
        return sorted(topics.values_list("external_id", flat=True))

    nothing = stakes_of("same")
    dataset["Query"][0]["candidate_pool"].append(30)
    of_first = stakes_of("grown")

    assert nothing == []
    assert of_first == sorted(aspects_of(dataset["Query"][0]))


def aspects_of(query):
    return {aspect for root, subs in query["aspects"].items() for aspect in [root, *subs]}


def test_text_that_arrives_later_makes_the_pairs(run, dataset):
    dataset["Annotation"], dataset["Test_set"] = [], []
    text = dataset["Corpus"][3].pop("original_abstract")
    run(dataset)
    dataset["Corpus"][3]["original_abstract"] = text

    run(dataset)

    assert not Candidate.objects.filter(document=None).exists()
    assert pairs_of("a") == ["10", "20"]


def without_ratings(dataset):
    return dataset | {"Test_set": []}


def other_abstract(dataset):
    dataset["Corpus"][3]["original_abstract"] = "Another text. It differs."


def other_title(dataset):
    dataset["Corpus"][3]["title"] = "Another title"


def other_aspect(dataset):
    dataset["aspect_id2aspect"]["a"] = "The paper looks at machines."
    del dataset["aspect2aspect_id"]


def other_query(dataset):
    dataset["Query"][0]["query_text"] = "I look after mice."


def other_links(dataset):
    dataset["Query"][0]["sent2aspect_id"]["I want to hear them."] = ["a", "a1"]


def other_tree(dataset):
    dataset["Query"][0]["aspects"] = {"b": ["a1"], "a": ["a1"]}


CHANGES = {
    other_abstract: "Corpus[3]: the title, the text or a label of 20 differs from what is stored.",
    other_title: "Corpus[3]: the title, the text or a label of 20 differs from what is stored.",
    other_aspect: "aspect_id2aspect[a]: the text of the aspect a differs from what is stored.",
    other_query: "Query[0]: the text, sentences or tree of the query 0 differ from what is stored.",
    other_links: "Query[0]: the text, sentences or tree of the query 0 differ from what is stored.",
    other_tree: "Query[0]: the text, sentences or tree of the query 0 differ from what is stored.",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_taken_while_nobody_has_held_a_seat(run, dataset, change):
    run(without_ratings(dataset))
    change(dataset)

    outcome = run(without_ratings(dataset))

    assert outcome.summary["changed"] == 1
    assert run(without_ratings(dataset | {"more": 1})).summary["changed"] == 0


def test_what_was_changed_is_what_is_stored(run, dataset):
    run(without_ratings(dataset))
    for change in [other_abstract, other_aspect, other_query, other_tree]:
        change(dataset)

    run(without_ratings(dataset))

    assert Document.objects.get(external_id="20").sentences[0]["text"] == "Another text."
    assert Topic.objects.get(external_id="a").text == "The paper looks at machines."
    assert Query.objects.get(external_id="0").text == "I look after mice."
    assert tree_of("0")[:2] == [("b", None), ("a", None)]
    assert findings() == []


@pytest.mark.parametrize(("change", "message"), CHANGES.items())
def test_a_change_of_what_is_in_a_held_batch_is_refused(run, dataset, change, message):
    run(dataset)
    before = count_rows()
    change(dataset)

    [problem] = problems_of(run, dataset)

    assert f"DORIS-MAE_dataset_v1.json, {message}" in problem
    assert "Somebody holds or held a seat of batch Test set" in problem
    assert count_rows() == before
    assert Import.objects.count() == 1


def test_a_seat_that_is_given_while_the_file_is_compared_fixes_its_texts(
    run, dataset, collection, lena, tmp_path, monkeypatch
):
    run(without_ratings(dataset))
    [batch, *_] = make_batches(collection=collection, by=lena)
    alice = make_member(collection, "Alice", "annotator")
    other_aspect(dataset)
    path = write_dataset(without_ratings(dataset), tmp_path / "other")
    moving = read_moving(path, path.name, collection, lena)
    compare = moving.compare

    def compare_and_give():
        compare()
        assign_seat(seat=batch.seats.first(), member=alice, by=lena)

    monkeypatch.setattr(moving, "compare", compare_and_give)

    with pytest.raises(BadInputError) as caught:
        carry_out(moving)

    assert "Somebody holds or held a seat" in str(caught.value.problems[0])
    assert Topic.objects.get(external_id="a").text != "The paper looks at machines."


def test_all_differences_are_listed(run, dataset):
    run(dataset)
    for change in [other_abstract, other_aspect, other_query]:
        change(dataset)
    dataset["Test_set"][0]["human_annotation"]["annotator_2"] = 0
    dataset["Annotation"][0]["score"] = 0

    problems = problems_of(run, dataset)

    assert len(problems) == 5
    assert (
        "Test_set[0]: the rater annotator_2 gives b with 30 0, but 2 is stored. "
        "Stored ratings are never replaced." in problems[3]
    )
    assert (
        "Annotation[0]: the run DORIS-MAE_dataset_v1 of Annotation has another score" in problems[4]
    )


def test_a_label_and_a_note_that_the_file_cannot_have_are_no_difference(run, dataset, collection):
    run(dataset)
    labelled = collection.scheme.options.get(value=2, is_import_only=False)
    ratings = Rating.objects.filter(option__value=2)
    rewrite(ratings, option=labelled, note="Said again, with its label.")

    outcome = run(dataset | {"more": 1})

    assert outcome.summary["ratings"] == 0
    assert ratings.filter(option=labelled).count() == 4


def test_a_stored_rating_that_the_file_lacks_is_refused(run, dataset):
    run(dataset)
    dataset["Test_set"][0]["human_annotation"].pop("annotator_2")

    [problem] = problems_of(run, dataset)

    assert "Test_set[0]: 1 stored rating of b with 30 is not in the file." in problem


def test_another_run_may_differ(run, dataset):
    run(dataset)
    dataset["Annotation"][0]["score"] = 0

    outcome = run(dataset, model="other", run="second")

    assert outcome.summary["machine_scores"] == 3
    assert MachineRun.objects.count() == 2


def test_ratings_onto_pairs_that_are_there_without_them_are_refused(run, dataset):
    run(without_ratings(dataset))

    problems = problems_of(run, dataset)

    assert len(problems) == 3
    assert "b with 30 is in the collection already, without these ratings" in problems[0]


def test_an_aspect_that_is_missing_by_now_is_refused(run, dataset):
    run(without_ratings(dataset))
    dataset["Query"][0]["aspects"] = {"a": ["a1"]}
    dataset["Query"][0]["sent2aspect_id"]["Be cheap."] = []
    dataset["Query"][0]["aspect_id2sent"].pop("b")

    [problem] = problems_of(run, without_ratings(dataset))

    assert "Query[0]: the query 0 has no longer b, which is stored among its aspects" in problem


@pytest.fixture
def rated_by_bob(run, dataset, collection, lena):
    """Lena leads and annotates beside Bob, who alone has rated a pair."""
    run(without_ratings(dataset))
    study = Study(collection, list(collection.topics.all()))
    collection.memberships.filter(user=lena).update(is_annotator=True)
    study.members["lena"] = collection.memberships.get(user=lena)
    study.members["bob"] = make_member(collection, "Bob", "annotator")
    [batch] = make_batches(collection=collection, by=lena, topics=study.topics[:1])
    for seat, name in zip(batch.seats.all(), ["lena", "bob"], strict=False):
        assign_seat(seat=seat, member=study.members[name], by=lena)
    study.rate("bob", batch.pairs.get(document__external_id="20"), 2)
    return study


def test_a_lead_who_rates_learns_nothing_by_comparing_ratings(rated_by_bob, run, dataset):
    """Of her own batch each rating is refused alike, whether Bob gave the same, another or none."""
    dataset["Test_set"] = [rated("a", 20, 2, 2, 2), rated("a", 10, 0, 0, 0)]

    problems = problems_of(run, dataset)

    assert len(problems) == 2
    assert all("you hold or held a seat" in problem for problem in problems)
    assert problems[0].replace("20", "10").replace("[0]", "[1]") == problems[1]


def test_a_lead_who_rates_learns_nothing_by_comparing_texts(rated_by_bob, run, dataset):
    """Neither from the abstract that Bob rated nor from the one that nobody has."""
    dataset["Corpus"][2]["title"] = dataset["Corpus"][3]["title"] = "Another title"

    problems = problems_of(run, without_ratings(dataset))

    assert [problem.partition(": ")[0].split(", ")[1] for problem in problems] == [
        "Corpus[2]", "Corpus[3]",
    ]  # fmt: skip


# Refused


def test_a_collection_that_judges_facets_is_refused(db, dataset, run):
    study = make_study(slug="papers")

    with pytest.raises(Refused, match="judges facets of papers, and a DORIS-MAE file brings"):
        run(dataset, collection=study.collection, by=None)


def test_a_collection_without_scheme_gets_that_of_the_release(dataset, run, db):
    bare = Collection.objects.create(slug="bare", name="Bare")

    run(dataset, collection=bare, by=None)

    bare.refresh_from_db()
    assert bare.scheme.rule == "majority"


def test_what_is_refused_stores_nothing(run, dataset):
    dataset["Test_set"][0]["human_annotation"]["annotator_1"] = 3

    problems_of(run, dataset)

    assert count_rows() == NO_ROWS


# Deaths


class Injected(Exception):
    pass


@pytest.mark.django_db(transaction=True)
def test_a_failure_in_any_transaction_leaves_no_row(dataset, tmp_path, monkeypatch):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    collection = Collection.objects.create(slug="study", name="Study")
    create_scheme(collection=collection, definition=load_definition("doris-mae"), by=None)
    path = write_dataset(dataset, tmp_path)
    hold = life.Writer._hold
    failed = 0

    while True:
        held = []

        def fail_late(writer, held=held, last=failed):
            hold(writer)
            held.append(writer)
            if len(held) > last:
                raise Injected

        monkeypatch.setattr(life.Writer, "_hold", fail_late)
        try:
            import_doris_mae(path=path, name=path.name, collection=collection, by=None)
        except Injected:
            assert count_rows() == NO_ROWS
            failed += 1
        else:
            break

    assert failed == len(held) >= 13  # one for each transaction, the last one included
    assert count_visible_rows()["MachineScore"] == 3
    assert list(findings()) == []


@pytest.mark.django_db(transaction=True)
def test_what_is_being_written_is_seen_by_nobody_and_swept_after_a_death(dataset, tmp_path):
    collection = Collection.objects.create(slug="study", name="Study")
    create_scheme(collection=collection, definition=load_definition("doris-mae"), by=None)
    path = write_dataset(dataset, tmp_path)
    seen = []

    import_doris_mae(
        path=path,
        name=path.name,
        collection=collection,
        by=None,
        progress=lambda done, total, stage: seen.append(count_visible_rows()),
    )

    assert len(seen) > 5
    assert all(counts == dict.fromkeys(counts, 0) for counts in seen)
    rewrite(Import.objects.all(), state=Import.State.DEAD, activated_at=None, summary={})
    sweep_dead_imports()
    assert count_rows() == NO_ROWS
