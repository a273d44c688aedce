"""Documents of runs that the collection does not have."""

import pytest

from annotation.schemes.actions import load_definition
from audit.refusals import Invalid
from datasets.models import Candidate
from datasets.runs.strangers import KnownDocuments, strangers_in_words
from tests.factories.runs import run_of
from tests.factories.studies import make_collection, make_document, make_study, make_topic
from tests.shelf import shelved


@shelved
def study(db):
    return make_study()


def lines(*documents):
    return run_of({"q1_method": documents}).lines


def test_papers_of_the_pools_of_queries_and_of_no_pool_are_known(study):
    make_document(study.collection, "unpooled")
    known = KnownDocuments(study.collection)

    assert known.strangers(lines("q1c1", "q1", "unpooled", "elsewhere")).first == ["elsewhere"]


def test_a_candidate_without_a_text_is_known(study):
    [query] = study.collection.queries.all()
    Candidate.objects.create(query=query, external_id="textless", position=9)

    assert KnownDocuments(study.collection).strangers(lines("textless")).count == 0


def test_papers_and_candidates_of_another_collection_are_strangers(study):
    other = make_study(slug="other", assign=False)
    make_topic(other.collection, "q2", candidates=1)
    [query] = other.collection.queries.filter(external_id="q2")
    Candidate.objects.create(query=query, external_id="textless", position=9)

    strangers = KnownDocuments(study.collection).strangers(lines("q2", "q2c1", "textless"))

    assert strangers.first == ["q2", "q2c1", "textless"]


def test_papers_that_come_with_the_run_are_known(study):
    known = KnownDocuments(study.collection, coming={"new"})

    assert known.strangers(lines("new", "elsewhere")).first == ["elsewhere"]


def test_lines_are_counted_and_documents_named_once(study):
    run = run_of({"q1_method": ["x1", "x2"], "q2_method": ["x1", "x3", "x4", "x5"]})
    strangers = KnownDocuments(study.collection).strangers(run.lines)

    assert strangers.count == 6
    assert strangers.first == ["x1", "x2", "x3", "x4"]  # one more than is shown


class TestRefusal:
    def refusal(self, collection, *documents):
        with pytest.raises(Invalid) as refused:
            KnownDocuments(collection).refuse_strangers_alone(lines(*documents))
        return str(refused.value)

    def test_a_run_without_any_known_document_says_what_both_have(self, study):
        assert self.refusal(study.collection, "x1", "x2", "x3", "x4") == (
            "None of its documents is one of the collection, which has 3 documents, such as q1c1, "
            "q1c2, q1c3. The file ranks x1, x2, x3. It may be a run on another corpus, or write "
            "ids in another way, such as with a prefix."
        )

    def test_a_collection_of_one_document_has_one(self, db):
        study = make_study(candidates=1)
        assert "which has 1 document, such as q1c1." in self.refusal(study.collection, "x1")

    def test_one_known_document_is_enough(self, study):
        KnownDocuments(study.collection).refuse_strangers_alone(lines("q1c1", "x1", "x2"))

    def test_a_collection_without_documents_refuses_none(self, db):
        empty = make_collection("empty", load_definition("csfcube"))
        KnownDocuments(empty).refuse_strangers_alone(lines("x1"))


@pytest.mark.parametrize(
    ("count", "line_count", "share"),
    [(1, 200, "under 1%"), (1, 199, "1%"), (3, 200, "2%"), (200, 200, "100%")],
)
def test_a_share_of_half_a_percent_or_less_is_under_one(count, line_count, share):
    report = {"strangers": {"count": count, "first": ["x1"]}, "lines": line_count}
    assert f"({share})" in strangers_in_words(report)


@pytest.mark.parametrize(("first", "end"), [("abc", ": a, b, c."), ("abcd", ": a, b, c, ….")])
def test_more_than_three_are_told_by_an_ellipsis(first, end):
    report = {"strangers": {"count": 9, "first": list(first)}, "lines": 9}
    assert strangers_in_words(report).endswith(end)
