"""Importing: whole or not at all, and done twice it changes nothing."""

import re

import pytest

from adjudication.models import Decision
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import Batch, Pair, Rating, Tenure
from annotation.schemes.actions import create_scheme, load_definition
from audit.models import Event
from config.integrity import findings
from datasets.models import Candidate, Collection, Document, Import, Membership, Query
from formats.csfcube.sources import find_in_folder
from formats.problems import BadInputError
from imports import life
from tests.factories.csfcube import Folder, make_paper
from tests.factories.imports import import_csfcube
from tests.factories.studies import Study, make_member
from tests.imports.rows import NO_ROWS, count_rows
from tests.shelf import shelved


@pytest.fixture
def folder():
    return Folder()


@shelved
def collection(db):
    collection = Collection.objects.create(slug="study", name="Study")
    create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
    return collection


@shelved
def lena(collection):
    return make_member(collection, "Lena", "lead").user


@pytest.fixture
def run(collection, lena, tmp_path, monkeypatch):
    """`run(folder, with_ratings=False)` imports the folder as it is then."""
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    taken = []

    def run(folder, **options):
        path = folder.write(tmp_path / f"folder-{len(taken)}")
        taken.append(path)
        return import_csfcube(
            sources=find_in_folder(path), collection=collection, by=lena, **options
        )

    return run


def problems_of(run, folder, **options):
    with pytest.raises(BadInputError) as caught:
        run(folder, **options)
    return [str(problem) for problem in caught.value.problems]


def pairs_of(topic_id):
    pairs = Pair.objects.filter(topic__external_id=topic_id).order_by("position")
    return list(pairs.values_list("document__external_id", flat=True))


def test_documents_pools_and_topics_are_stored_in_the_files_order(run, folder, collection):
    run(folder)

    assert list(Document.objects.order_by("position").values_list("external_id", flat=True)) == [
        "q1",
        "q1c1",
        "q1c2",
        "q1c3",
        "q2",
        "q2c1",
        "q2c2",
        "q2c3",
    ]
    assert [topic.external_id for topic in collection.topics.all()] == [
        "q1_background", "q2_background", "q1_method",
    ]  # fmt: skip
    query = Query.objects.get(external_id="q1")
    assert [(c.external_id, c.sources, c.document is None) for c in query.candidates.all()] == [
        ("textless", ["cited"], True),
        ("q1c3", ["specter", "cited"], False),
        ("q1c1", ["abs_tfidf"], False),
        ("q1c2", ["title_tfidf"], False),
    ]
    document = Document.objects.get(external_id="q1c1")
    assert document.sentences[1] == {
        "text": "What it sets out to do. q1c1", "label": "objective_label",
    }  # fmt: skip
    assert document.metadata["venue"] == "Secret Venue"


def test_pairs_wait_for_a_batch_in_the_rating_files_order(run, folder):
    run(folder)

    assert pairs_of("q1_background") == ["q1c1", "q1c2", "q1c3"]
    assert Pair.objects.waiting().count() == 9
    assert Rating.objects.count() == Batch.objects.count() == 0


def test_a_candidate_without_text_has_no_pair_and_is_listed(run, folder):
    outcome = run(folder)

    assert outcome.summary["without_text"] == ["textless"]
    assert not Pair.objects.filter(document__external_id="textless").exists()


def test_an_import_leaves_its_event_in_the_trail(run, folder, lena):
    outcome = run(folder)

    event = Event.objects.get(verb="import")
    assert (event.actor, event.subject_id) == (lena, str(outcome.imported.public_id))
    assert event.after["pairs"] == 9


def test_ratings_fill_handed_in_seats_of_members_without_sign_in(run, folder, collection):
    run(folder, with_ratings=True)

    batch = collection.batches.get(name="q2_background")
    assert [
        (seat.ordinal, seat.holder.external_id, seat.holder.user, seat.handed_in_at is None)
        for seat in batch.seats.all()
    ] == [(1, "annotator4", None, False), (2, "annotator2", None, False)]
    assert {member.name for member in collection.memberships.filter(user=None)} == {
        "Annotator 1", "Annotator 2", "Annotator 3", "Annotator 4", "Adjudicator",
    }  # fmt: skip
    assert Tenure.objects.count() == 6
    assert list(findings()) == []


def test_minus_one_is_cannot_judge_and_no_value(run, folder):
    run(folder, with_ratings=True)

    rating = Rating.objects.get(
        pair__topic__external_id="q1_method",
        pair__document__external_id="q1c3",
        seat__ordinal=1,
    )
    assert (rating.option, rating.cannot_judge) == (None, "No rating in the imported file")
    assert rating.revisions.get().version == 1


def test_gold_comes_from_the_rule_and_the_adjudicator_only_where_raters_differ(run, folder):
    run(folder, with_ratings=True)

    pairs = Pair.objects.filter(topic__external_id="q1_background")
    assert [(pair.state, pair.gold_origin, pair.gold_value) for pair in pairs] == [
        ("agreed", "consensus", 1),
        ("adjudicated", "adjudicated", 3),
        ("adjudicated", "adjudicated", 0),
    ]
    assert Decision.objects.filter(pair__in=pairs).count() == 2


def test_a_grade_against_the_raters_agreement_is_a_decision(run, folder):
    folder.annotations["method"]["q1"]["relevance_adju"][0] = 2

    run(folder, with_ratings=True)

    pair = Pair.objects.get(topic__external_id="q1_method", document__external_id="q1c1")
    assert (pair.state, pair.gold_value) == ("adjudicated", 2)
    assert list(findings()) == []


def test_ratings_without_adjudication_leave_disputes_open(run, folder):
    del folder.annotations["method"]["q1"]["relevance_adju"]

    run(folder, with_ratings=True)

    pairs = Pair.objects.filter(topic__external_id="q1_method")
    assert [pair.state for pair in pairs] == ["agreed", "disputed", "disputed"]


def test_readable_files_give_the_annotators_their_other_numbers(run, folder):
    folder.readable["q1-method-adju.txt"] = readable_text()

    run(folder, with_ratings=True)

    numbers = dict(Membership.objects.values_list("external_id", "readable_id"))
    assert numbers["annotator3"] == "1"
    assert numbers["annotator2"] == "3"


def readable_text():
    folder = Folder()

    def block(paper_id):
        paper = folder.papers[paper_id]
        lines = [
            f"{label}: {text}"
            for text, label in zip(paper["abstract"], paper["pred_labels"], strict=True)
        ]
        return f"TITLE: {paper['title']}\nABSTRACT: " + "\n".join(lines) + "\n"

    text = "=" * 70 + "\npaper_id: q1; YEAR: 2014\n" + block("q1")
    for paper_id, grade, difference, first, second, sources in [
        ("q1c2", "Identical (+3)", 3, 0, 3, "title_tfidf"),
        ("q1c1", "Related (+1)", 0, 1, 1, "abs_tfidf"),
        ("q1c3", "Irrelevant (0)", 3, -1, 2, "specter - cited"),
    ]:
        text += (
            "=" * 35 + f"\npaper_id: {paper_id}; YEAR: 2014\nadju relevance: {grade}\n"
            f"difference: {difference}; annotator1: {first}; annotator3: {second}\n"
            f"sources: {sources}\n" + block(paper_id) + "\n"
        )
    return text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("difference: 3; annotator1: 0", "difference: 2; annotator1: 1", "line 11: 'difference: 2"),
        ("sources: title_tfidf", "sources: cited", "line 12: 'sources: cited'"),
        ("paper_id: q1c1;", "paper_id: q1c9;", "line 20: 'paper_id: q1c9'"),
    ],
)
def test_a_readable_file_that_contradicts_the_others_is_refused(run, folder, old, new, message):
    folder.readable["q1-method-adju.txt"] = readable_text().replace(old, new)

    [problem] = problems_of(run, folder, with_ratings=True)

    assert problem.startswith(f"readable_annotations/q1-method-adju.txt, {message}")
    assert count_rows() == NO_ROWS


def test_a_readable_file_with_another_label_is_noted(run, folder):
    text = readable_text().replace(
        "objective_label: What it sets out to do. q1\n", "other_label: x\n"
    )
    folder.readable["q1-method-adju.txt"] = text

    outcome = run(folder, with_ratings=True)

    assert "has other text than" in outcome.summary["notes"][0]


@pytest.mark.parametrize("with_ratings", [False, True])
def test_the_same_input_twice_changes_nothing(run, folder, with_ratings):
    run(folder, with_ratings=with_ratings)
    before = count_rows()

    outcome = run(folder, with_ratings=with_ratings)

    assert outcome.imported is None
    assert count_rows() == before
    assert Import.objects.count() == 1


@pytest.mark.parametrize("with_ratings", [False, True])
def test_the_same_content_in_other_bytes_changes_nothing(run, folder, with_ratings):
    run(folder, with_ratings=with_ratings)
    before = count_rows()
    folder.papers["other"]["title"] = "another title of a paper that nobody pooled"
    folder.splits = None

    outcome = run(folder, with_ratings=with_ratings)

    assert outcome.imported is None
    assert outcome.sentence.startswith("Everything in these files is in the collection already.")
    assert count_rows() == before
    assert Import.objects.count() == 1


def test_an_older_input_after_another_is_compared_anew(run, folder, collection):
    run(folder)
    folder.papers["q1c1"]["title"] = "Second title"
    run(folder)
    folder.papers["q1c1"]["title"] = "Title of q1c1"

    outcome = run(folder)

    assert outcome.summary["changed"] == 1
    assert Document.objects.get(external_id="q1c1").title == "Title of q1c1"


def test_new_candidates_are_added_and_their_pairs_wait(run, folder):
    run(folder, with_ratings=True)
    folder.papers["q1c4"] = make_paper("q1c4")
    folder.pools["q1"]["cands"].append("q1c4")
    folder.pools["q1"]["cand_source"].append(["cited"])
    folder.annotations = {}

    outcome = run(folder)

    assert (outcome.summary["papers"], outcome.summary["pairs"]) == (1, 2)
    assert list(Pair.objects.waiting().values_list("document__external_id", flat=True)) == [
        "q1c4", "q1c4",
    ]  # fmt: skip
    assert pairs_of("q1_method") == ["q1c1", "q1c2", "q1c3", "q1c4"]


def test_new_topics_are_added_with_their_ratings(run, folder):
    judged = folder.annotations.pop("method")
    row = folder.queries.pop()
    run(folder, with_ratings=True)
    folder.annotations["method"] = judged
    folder.queries.append(row)

    outcome = run(folder, with_ratings=True)

    assert outcome.summary["topics"] == 1
    assert outcome.summary["ratings"] == 6
    assert Batch.objects.count() == 3
    assert list(findings()) == []


def test_new_candidates_are_added_with_their_ratings(run, folder):
    run(folder, with_ratings=True)
    folder.papers["q1c4"] = make_paper("q1c4")
    folder.pools["q1"]["cands"].append("q1c4")
    folder.pools["q1"]["cand_source"].append(["cited"])
    for key, values in folder.annotations["method"]["q1"].items():
        values.append("q1c4" if key == "cands" else 2)

    outcome = run(folder, with_ratings=True)

    assert outcome.sentence == "Added 1 document, 1 pair, 2 ratings."
    assert Pair.objects.get(topic__external_id="q1_method", position=3).gold_value == 2
    assert list(findings()) == []


def test_text_that_arrives_later_makes_the_pairs(run, folder):
    folder.annotations = {}
    run(folder)
    folder.papers["textless"] = make_paper("textless")

    run(folder)

    assert Candidate.objects.filter(external_id="textless", document=None).count() == 0
    assert "textless" in pairs_of("q2_background")


def test_a_changed_text_is_taken_while_nobody_has_held_a_seat(run, folder):
    run(folder)
    folder.papers["q1c1"]["abstract"][0] = "Another sentence."

    outcome = run(folder)

    assert outcome.summary["changed"] == 1
    assert Document.objects.get(external_id="q1c1").sentences[0]["text"] == "Another sentence."


@pytest.mark.parametrize("paper_id", ["q1c1", "q1"])
@pytest.mark.parametrize("key", ["title", "abstract", "pred_labels"])
def test_a_changed_text_or_label_of_a_held_batch_is_refused(run, folder, paper_id, key):
    run(folder, with_ratings=True)
    before = count_rows()
    changed = {
        "title": "Another title",
        "abstract": ["Another sentence."] * 4,
        "pred_labels": ["other_label"] * 4,
    }
    folder.papers[paper_id][key] = changed[key]

    [problem] = problems_of(run, folder)

    assert f"the title, the text or a label of {paper_id} differs from what is stored" in problem
    assert "Somebody holds or held a seat of batch q1_background." in problem
    assert count_rows() == before
    assert Document.objects.get(external_id=paper_id).title == f"Title of {paper_id}"


def test_all_differences_on_rated_pairs_are_listed(run, folder):
    run(folder, with_ratings=True)
    folder.papers["q1c1"]["title"] = folder.papers["q2c2"]["title"] = "Another title"
    folder.annotations["background"]["q1"] |= {
        "relevance_ann1": [2, 0, -1],
        "relevance_max": [2, 3, 2],
        "relevance_adju": [1, 3, 1],
    }

    problems = problems_of(run, folder, with_ratings=True)

    assert len(problems) == 4
    assert (
        'test-pid2anns-csfcube-background.json, key "q1", candidate q1c1: the rater '
        "annotator1 gives q1_background with q1c1 2, but 1 is stored." in problems[2]
    )
    assert "the decision on q1_background with q1c3 is 1, but 0 is stored." in problems[3]


def test_ratings_onto_a_topic_that_is_there_without_them_are_refused(run, folder):
    run(folder)
    before = count_rows()

    problems = problems_of(run, folder, with_ratings=True)

    assert len(problems) == 9
    assert (
        "q1_background with q1c1 is in the collection already, without these ratings" in problems[0]
    )
    assert count_rows() == before


def test_ratings_asked_for_without_rating_files_are_refused(run, folder):
    folder.annotations = {}

    [problem] = problems_of(run, folder, with_ratings=True)

    assert "ratings are asked for, but there is no rating file" in problem


def test_ratings_made_here_since_are_never_replaced(run, folder, collection, lena):
    run(folder)
    study = Study(collection, list(collection.topics.all()))
    for name, role in [("Alice", "annotator"), ("Bob", "annotator")]:
        study.members[name.lower()] = make_member(collection, name, role)
    [batch] = make_batches(collection=collection, by=lena, topics=study.topics[:1])
    for seat, name in zip(batch.seats.all(), ["alice", "bob"], strict=True):
        assign_seat(seat=seat, member=study.members[name], by=lena)
    study.rate_all("alice", 2, batch)

    problems = problems_of(run, folder, with_ratings=True)

    assert any("but no rating of theirs is stored" in problem for problem in problems)
    # What follows from that is not said as well.
    assert not any("not in the file" in problem for problem in problems)
    assert Rating.objects.count() == 3


@pytest.fixture
def rated_by_bob(run, folder, collection, lena):
    """Lena leads and annotates beside Bob, who alone has rated q1c1 and q1c2."""
    folder.annotations["background"].pop("q2")
    run(folder)
    study = Study(collection, list(collection.topics.all()))
    study.members["lena"] = Membership.objects.get(user=lena)
    Membership.objects.filter(user=lena).update(is_annotator=True)
    study.members["lena"].refresh_from_db()
    study.members["bob"] = make_member(collection, "Bob", "annotator")
    [batch] = make_batches(collection=collection, by=lena, topics=study.topics[:1])
    for seat, name in zip(batch.seats.all(), ["lena", "bob"], strict=True):
        assign_seat(seat=seat, member=study.members[name], by=lena)
    for pair in batch.pairs.exclude(document__external_id="q1c3"):
        study.rate("bob", pair, 2)
    return study


def test_a_lead_who_rates_learns_no_rating_by_comparing(run, folder, rated_by_bob):
    refusals = []
    for guess in [0, 2]:
        folder.annotations["background"]["q1"] = {"cands": ["q1c1"], "relevance_ann7": [guess]}
        refusals.append(problems_of(run, folder, with_ratings=True))

    assert refusals[0] == refusals[1]
    assert "you hold or held a seat with q1_background with q1c1" in refusals[0][0]


def test_a_lead_who_rates_learns_no_progress_by_changing_texts(run, folder, rated_by_bob):
    refusals = []
    for paper_id in ["q1c1", "q1c3"]:
        folder.papers[paper_id]["title"] = "Another title"
        [problem] = problems_of(run, folder)
        refusals.append(re.sub("line [0-9]+", "line", problem).replace(paper_id, "it"))
        folder.papers[paper_id]["title"] = f"Title of {paper_id}"

    assert refusals[0] == refusals[1]


def test_bad_input_stores_nothing(run, folder):
    folder.papers.pop("q1c1")

    problems_of(run, folder, with_ratings=True)

    assert count_rows() == NO_ROWS
    assert not Import.objects.exists()


def test_a_collection_without_a_scheme_gets_that_of_csfcube(folder, tmp_path, db):
    collection = Collection.objects.create(slug="bare", name="Bare")

    import_csfcube(sources=find_in_folder(folder.write(tmp_path)), collection=collection, by=None)

    assert Collection.objects.get().scheme.title.endswith("(CSFCube)")


def test_grades_that_several_options_share_are_refused(folder, tmp_path, db):
    definition = load_definition("csfcube")
    definition["options"][2]["value"] = "1"
    collection = Collection.objects.create(slug="shared", name="Shared")
    create_scheme(collection=collection, definition=definition, by=None)

    with pytest.raises(BadInputError) as caught:
        import_csfcube(
            sources=find_in_folder(folder.write(tmp_path)), collection=collection, by=None
        )

    assert "the grade 1 is outside the scale" in str(caught.value.problems[0])
