"""What the pools hold, and what each source brought in."""

import json
import uuid
from collections import Counter, defaultdict

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains
from scipy.stats import binomtest

from adjudication.actions import decide
from agreement.study.selection import selection_of
from agreement.subjects.pool.figures import is_citation, pool_of
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from datasets.models import Candidate, Import, Membership
from tests.agreement.csfcube import FACETS, read_gold, read_ratings, read_sources
from tests.factories.studies import make_aspect_query, make_aspect_study, make_study, make_topic
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def pool(collection, name="Lena", **parameters):
    member = collection.memberships.get(name=name)
    return pool_of(selection_of(member, member.user, parameters), parameters)


def address(study, **query):
    return reverse("agreement:pool", args=[study.collection.slug], query=query)


def by_source(report):
    """{source: (counts of what it brought in, of what it alone did)}."""
    return {source.name: (source.brought.counts, source.alone.counts) for source in report.sources}


def test_figures_of_the_sample_are_those_of_its_files(half, shared_data):
    folder = shared_data / "csfcube-half"
    judged = list(read_sources(folder))
    pools = json.loads((folder / "test-pid2pool-csfcube.json").read_text(encoding="utf-8"))

    report = pool(half)

    assert report.every.total == len(judged) == 3071
    assert by_source(report) == sources_of(judged)
    assert by_source(pool(half, facet="method")) == sources_of(
        [row for row in judged if row[0] == "method"]
    )
    assert by_source(pool(half, query="1198964")) == sources_of(
        [row for row in judged if row[1] == "1198964"]
    )
    candidates = Counter(
        name
        for query, entry in pools.items()
        for paper, names in zip(entry["cands"], entry["cand_source"], strict=True)
        if any(row[1:3] == (query, paper) for row in judged)
        for name in names
    )
    assert {source.name: source.candidates for source in report.sources} == candidates
    assert report.without_text == 2 * 17

    # Appendix D: similar at least, of what the query cites and of the rest.
    for citation, facet in zip(report.cited, (*FACETS, ""), strict=True):
        of_facet = [
            (grade, "cited" in names) for of, _, _, grade, names in judged if facet in ("", of)
        ]
        cited = Counter(grade for grade, is_cited in of_facet if is_cited)
        rest = Counter(grade for grade, is_cited in of_facet if not is_cited)
        assert citation.cited.counts == tuple(cited[grade] for grade in range(4))
        assert citation.others.counts == tuple(rest[grade] for grade in range(4))
        assert (citation.recall.count, citation.recall.of) == (
            cited[2] + cited[3],
            cited[2] + cited[3] + rest[2] + rest[3],
        )
    share = report.cited[-1].cited.relevant
    low, high = binomtest(share.count, share.of).proportion_ci(0.95, "exact")
    assert share.ends == pytest.approx((low, high), abs=1e-9)

    assert table_of(report) == table1(read_gold(folder))
    dropped = pool(half, **{"cannot-judge": "drop"})
    missing = sum(
        -1 in pair
        for _, _, first, second, _ in read_ratings(folder)
        for pair in zip(first, second, strict=True)
    )
    assert (dropped.every.total, dropped.done.dropped) == (3071 - missing, missing)


def sources_of(judged):
    brought, alone = defaultdict(Counter), defaultdict(Counter)
    for _, _, _, grade, names in judged:
        for name in names:
            brought[name][grade] += 1
            if len(names) == 1:
                alone[name][grade] += 1
    return {
        name: tuple(
            tuple(counts[grade] for grade in range(4)) for counts in (with_others, alone[name])
        )
        for name, with_others in brought.items()
    }


def table1(gold):
    """{(facet, what): (all, min, max, average)}, from the grades of each pool."""
    cells = {}
    for facet in (*FACETS, "all"):
        pools = {
            key: list(grades.values()) for key, grades in gold.items() if facet in (key[1], "all")
        }
        cells[facet, "Queries"] = len({paper for paper, _ in pools})
        cells[facet, "Pools"] = cells[facet, "Pools judged"] = len(pools)
        counts = {"Pool size": [len(grades) for grades in pools.values()]}
        counts["Judged pairs"] = counts["Pool size"]
        for grade in range(4):
            counts[f"Grade {grade}"] = [grades.count(grade) for grades in pools.values()]
        for grade in (1, 2):
            counts[f"Grade {grade} or more"] = [
                sum(given >= grade for given in grades) for grades in pools.values()
            ]
        for words, numbers in counts.items():
            average = pytest.approx(sum(numbers) / len(numbers), abs=1e-9)
            cells[facet, words] = (sum(numbers), min(numbers), max(numbers), average)
    return cells


def table_of(report):
    """The product's Table 1 in the same shape."""
    cells = {}
    for row in report.table:
        for column, cell in zip(report.columns, row.cells, strict=True):
            if not isinstance(cell, int):
                cell = (cell.total, cell.least, cell.most, cell.average)
            cells[column.key or "all", row.words] = cell
    return cells


@shelved
def study():
    """Four candidates of one query: by two methods, by one of them, by none, by a citation."""
    study = make_study(facets=("background", "method"), candidates=4)
    sources = [["tfidf", "dense"], ["dense"], [], ["cited"]]
    for candidate, names in zip(Candidate.objects.order_by("position"), sources, strict=True):
        candidate.sources = names
        candidate.save()
    study.finish(study.batch, alice=[3, 2, 1, 0], bob=[3, 2, 1, 0])
    return study


def test_pairs_are_listed_by_source_the_most_relevant_first(study):
    report = pool(study.collection)

    assert [
        (source.name, source.candidates, source.brought.counts, source.alone.counts)
        for source in report.sources
    ] == [
        ("dense", 2, (0, 0, 1, 1), (0, 0, 1, 0)),
        ("tfidf", 1, (0, 0, 0, 1), (0, 0, 0, 0)),
        ("cited", 1, (1, 0, 0, 0), (1, 0, 0, 0)),
        ("no source recorded", 1, (0, 1, 0, 0), (0, 1, 0, 0)),
    ]
    assert (report.best.name, report.only_it.name) == ("dense", "dense")
    dense = report.sources[0]
    assert (dense.recall.count, dense.recall.of) == (2, 2)
    assert (dense.alone_share.count, dense.alone_share.of) == (1, 2)


def test_grade_from_which_pairs_are_relevant_is_chosen(client, study):
    assert pool(study.collection, relevant="3").sources[0].name == "tfidf"
    assert pool(study.collection, relevant="3").only_it is None
    client.force_login(study.lena)

    page = client.get(address(study, relevant="3"))

    assertContains(page, "No relevant pair depends on one source.")
    assertContains(page, "pool/sources.csv?relevant=3")
    assert client.get(address(study, relevant="0")).status_code == 400


def test_what_is_cited_is_held_against_the_rest(client, study):
    [background, method, whole] = pool(study.collection).cited

    assert (background.cited.counts, background.others.counts) == ((1, 0, 0, 0), (0, 1, 1, 1))
    assert method.cited.total == method.others.total == 0
    assert (whole.recall.count, whole.missed.count, whole.recall.of) == (0, 2, 2)
    client.force_login(study.lena)
    assertContains(client.get(address(study)), "2 of 2 relevant pairs are not cited")


@pytest.mark.parametrize("name", ["cited", "Citation", "s2-citations", "cited_by", "references"])
def test_citations_are_known_by_their_name(name):
    assert is_citation(name)


@pytest.mark.parametrize("name", ["specter", "abs_tfidf", "preference", "explicit", "recited"])
def test_methods_are_no_citations(name):
    assert not is_citation(name)


def test_study_without_citations_has_no_such_table(client, study):
    Candidate.objects.update(sources=["bm25"])
    client.force_login(study.lena)

    assert pool(study.collection).cited == []
    assertNotContains(client.get(address(study)), "Cited or not")


def test_pool_of_unfinished_topics_is_counted_and_their_grades_are_not(client, study):
    study.rate_all("alice", 3, study.collection.batches.last())

    background, method, whole = pool(study.collection).columns

    assert (background.topics, background.decided, background.judged.total) == (1, 1, 4)
    assert (method.topics, method.decided, method.judged.total) == (1, 0, 0)
    assert (method.pool.total, method.judged.average, method.grades[3].total) == (4, None, 0)
    assert (whole.queries, whole.topics, whole.pool.average) == (1, 2, 4.0)
    client.force_login(study.lena)
    assertContains(client.get(address(study)), "4 pairs with a seat not handed in")


def test_pairs_with_one_to_decide_count_once_it_is_decided(study):
    second = study.collection.batches.last()
    study.finish(second, alice=[3, 2, 1, 0], bob=[3, 2, 1, 1])

    assert pool(study.collection).every.total == 4

    pair = second.pairs.disputed().get()
    decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(1))

    report = pool(study.collection)
    assert report.every.counts == (1, 3, 2, 2)
    # A document under two facets is two pairs and one candidate.
    assert (report.sources[0].candidates, report.sources[0].brought.total) == (2, 4)


def test_candidate_without_text_is_said_to_have_no_pair(client, study):
    query = study.collection.queries.get()
    for position, names in enumerate([["dense"], []]):
        Candidate.objects.create(
            query=query, external_id=f"bare{position}", sources=names, position=9 + position
        )
    client.force_login(study.lena)

    assert pool(study.collection).without_text == 2
    assert pool(study.collection).sources[0].candidates == 2
    assertContains(client.get(address(study)), "2 candidates have no text and so no pair")


def test_candidates_of_an_unfinished_import_do_not_exist(study):
    run = Import.objects.create(collection=study.collection, kind="csfcube", fingerprint="x")
    Candidate.objects.filter(sources=["cited"]).update(imported=run)

    assert "cited" not in by_source(pool(study.collection))


def test_pair_that_two_queries_ask_for_has_the_sources_of_both():
    study = make_aspect_study()
    make_aspect_query(study.collection, "1", tree={"0": []}, documents=("d1", "d4"))
    Candidate.objects.filter(query__external_id="0").update(sources=["dense"])
    Candidate.objects.filter(query__external_id="1").update(sources=["bm25"])
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[0, 1, 2], bob=[0, 1, 2], erin=[0, 1, 2])

    # The first aspect has a pair in no batch, so that it is not yet done.
    assert by_source(pool(study.collection)) == {"dense": ((3, 3, 3), (3, 3, 3))}

    batch = study.batch.public_id
    assert by_source(pool(study.collection, batch=str(batch))) == {
        "dense": ((1, 1, 1), (0, 1, 1)),
        "bm25": ((1, 0, 0), (0, 0, 0)),
    }
    assert by_source(pool(study.collection, query="1", batch=str(batch))) == by_source(
        pool(study.collection, batch=str(batch))
    )


def test_aspects_without_sources_say_so(client):
    study = make_aspect_study()
    Candidate.objects.update(sources=[])
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[0, 1, 2], bob=[0, 1, 2], erin=[0, 1, 2])
    client.force_login(study.lena)

    page = client.get(address(study))

    assert [column.name for column in pool(study.collection).columns] == [
        "Aspects",
        "Sub-aspects",
        "All",
    ]
    assertContains(page, "No source is recorded for any of these pairs.")
    assertNotContains(page, "What only one source brought in")


def test_collection_without_gold_says_so(client):
    study = make_study(assign=False)
    client.force_login(study.lena)

    page = client.get(address(study))

    assertContains(page, "No gold yet")
    assertContains(page, "3 pairs in no batch")
    assertNotContains(page, "secret_source")


def test_lead_with_an_open_seat_sees_no_source_of_that_pool(client):
    """Alice leads as well and rates q2, whose candidates came from a source of their own."""
    study = make_study(assign=False)
    make_topic(study.collection, "q2", "method", candidates=3)
    Membership.objects.filter(pk=study.members["alice"].pk).update(is_lead=True)
    Candidate.objects.filter(query__external_id="q1").update(sources=["dense"])
    Candidate.objects.filter(query__external_id="q2").update(sources=["cited"])
    first, second = make_batches(collection=study.collection, by=study.lena)
    for batch in (first, second):
        for seat, name in zip(batch.seats.all(), ("alice", "bob"), strict=True):
            assign_seat(seat=seat, member=study.members[name], by=study.lena)
        study.finish(batch, bob=[1, 2, 3])
    study.finish(first, alice=[1, 2, 3])
    client.force_login(study.alice)

    page = client.get(address(study))

    assertContains(page, "Left out for you")
    assert list(by_source(pool(study.collection, name="Alice"))) == ["dense"]
    assert pool(study.collection, name="Alice").columns[-1].decided == 1
    assertNotContains(page, "cited")

    study.finish(second, alice=[1, 2, 3])

    assertContains(client.get(address(study)), "Documents with the source cited")


def test_files_hold_the_sources_and_table_1(client, study):
    client.force_login(study.lena)

    def rows(table):
        url = reverse("agreement:table", args=["study", "pool", table, "json"])
        return json.loads(client.get(url).content)["rows"]

    assert [(row["source"], row["relevant"], row["found_count"]) for row in rows("sources")] == [
        ("dense", 1.0, 2),
        ("tfidf", 1.0, 1),
        ("cited", 0.0, 0),
        ("no source recorded", 0.0, 0),
        ("All", 0.5, None),
    ]
    assert [(row["documents"], row["pairs"]) for row in rows("cited")][:2] == [
        ("Background, cited", 1),
        ("Background, not cited", 3),
    ]
    table = {row["counted"]: row for row in rows("table1")}
    assert table["Pool size"]["all_total"] == 8
    assert table["Grade 3"]["background_average"] == 1.0
    assert table["Grade 3"]["method_average"] is None
