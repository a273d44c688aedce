"""What pools are drawn from: the collection's own topics, runs, documents and pairs."""

from annotation.pooling.draw import Pooled
from annotation.pooling.reading import Stock, Subject, poolable_runs, stock_of, subjects_of
from datasets.models import Document, Level, Run, Topic
from datasets.runs.actions import add_run
from tests.factories.runs import run_of
from tests.factories.studies import make_study

FACETS = ("method", "result")


def add(study, ranked, tag="bm25"):
    return add_run(collection=study.collection, run=run_of(ranked, tag=tag), by=study.lena).run


def test_subjects_of_a_run_are_topics_or_queries_with_all_their_topics(db):
    study = make_study(facets=FACETS)
    make_study(slug="elsewhere", facets=("background",))
    method, result = study.topics
    query = study.collection.queries.get()

    assert subjects_of(study.collection, Level.TOPICS) == {
        "q1_method": Subject(query, [method]),
        "q1_result": Subject(query, [result]),
    }
    assert subjects_of(study.collection, Level.QUERIES) == {"q1": Subject(query, [method, result])}


def test_runs_are_pooled_by_level_in_their_own_collection(db):
    study, elsewhere = make_study(), make_study(slug="elsewhere")
    run = add(study, {"q1_method": ["q1c1"]})
    of_queries = add(study, {"q1": ["q1c1"]}, tag="e5")
    add(elsewhere, {"q1_method": ["q1c1"]})
    of_parts = add(study, {"q1_method": ["q1c1"]}, tag="parts")
    Run.objects.filter(pk=of_parts.pk).update(level=Level.SUB_QUERIES)

    assert poolable_runs(study.collection) == {Level.TOPICS: [run], Level.QUERIES: [of_queries]}


def test_documents_and_pairs_are_those_of_the_collection(db):
    study = make_study()
    before = stock_of(study.collection)
    make_study(slug="elsewhere")

    assert stock_of(study.collection) == before
    documents = Document.objects.filter(collection=study.collection)
    assert before.documents == {document.external_id: document.pk for document in documents}
    assert before.judged[study.topics[0].pk] == {"q1c1", "q1c2", "q1c3"}


def test_pairs_that_a_pool_asks_for_are_new_once_and_where_there_is_a_text():
    topic, twin = Topic(pk=1), Topic(pk=2)
    subjects = {"q1": Subject(None, [topic, twin]), "q2": Subject(None, [topic])}
    stock = Stock(documents={"a": 7, "b": 8}, pairs={(1, 7)})
    pool = {"q1": [Pooled("a"), Pooled("b"), Pooled("gone")], "q2": [Pooled("b")]}

    assert stock.new_pairs(pool, subjects) == [(topic, 8), (twin, 7), (twin, 8)]
    assert stock.without_text(pool) == ["gone"]
