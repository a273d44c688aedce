"""How intervals are made can be chosen: in the address, in the job, on the page, and in words."""

import pytest
from django.core.exceptions import BadRequest
from django.http import QueryDict
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from agreement.models import KnownIntervals
from agreement.statistics import Comparing, Method, Over, SummaryKind, intervals
from agreement.statistics.measures import MEASURES
from agreement.study import intervals as of_page
from agreement.study.filters import Filters, Resampled, read_choices
from agreement.study.intervals import Wanted, known_intervals
from agreement.study.scales import OF_GRADES
from agreement.study.selection import selection_of
from agreement.subjects.overview.apart import Course, Part, course_wanted
from agreement.subjects.overview.by_facet import intervals_wanted
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.overview.raters import raters_wanted
from agreement.subjects.overview.working import working_of
from agreement.subjects.queries import queries_wanted
from annotation.assigning.actions.batches import make_batches
from jobs.models import Job
from jobs.running import run_job
from tests.agreement.statistics.plain import rated_topics
from tests.factories.studies import assign_all, make_study, make_topic
from tests.shelf import shelved

pytestmark = pytest.mark.django_db

# Two queries under one facet, one under another.
ALICE = [[0, 1, 2, 3, 1, 0], [0, 0, 1, 2, 3, 3], [3, 2, 1, 0, 0, 0]]
BOB = [[0, 1, 1, 3, 0, 0], [0, 2, 1, 1, 3, 3], [3, 1, 1, 0, 1, 0]]


@shelved
def study():
    study = make_study(facets=("background",), candidates=6, assign=False)
    make_topic(study.collection, query_id="q2", facet="background", candidates=6)
    make_topic(study.collection, query_id="q1", facet="method")
    batches = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, batches, ["alice", "bob"])
    for batch, alice, bob in zip(batches, ALICE, BOB, strict=True):
        study.finish(batch, alice=alice, bob=bob)
    return study


def selection_for(study, query=""):
    member = study.members["lena"]
    return selection_of(member, study.lena, QueryDict(query))


def rated(*numbers):
    """The first and the last are of one query."""
    return rated_topics(
        [[ALICE[n], BOB[n]] for n in numbers],
        values=[0, 1, 2, 3],
        clusters=[n % 2 for n in numbers],
    )


@pytest.mark.parametrize("method", [Method.PERCENTILE, Method.BCA])
@pytest.mark.parametrize(
    ("resampled", "over"),
    [
        ("fits", Over.TOPICS),
        ("pairs", Over.PAIRS),
        ("topics", Over.TOPICS),
        ("queries", Over.QUERIES),
        ("both", Over.BOTH),
    ],
)
def test_table_has_the_intervals_that_were_chosen(study, method, resampled, over):
    selection = selection_for(study, f"bootstrap={method}&resampled={resampled}")
    background, _, _, _, whole, _ = intervals_wanted(overview_of(selection).report)

    for wanted, topics in ((background, rated(0, 1)), (whole, rated(0, 1, 2))):
        assert wanted.compute() == intervals(
            topics,
            OF_GRADES.keys,
            summary=SummaryKind.MEDIAN,
            over=over,
            comparing=Comparing.BETWEEN_RATERS,
            method=method,
            resamples=10_000 if method is Method.BCA else 1000,
        )


@pytest.mark.parametrize("resampled", ["fits", "pairs", "topics", "queries", "both"])
def test_single_query_always_has_its_pairs_resampled(study, resampled):
    selection = selection_for(study, f"resampled={resampled}&bootstrap=BCa")
    report = overview_of(selection).report

    _, _, method, *_ = intervals_wanted(report)
    single = intervals(
        rated(2),
        OF_GRADES.keys,
        summary=SummaryKind.POOLED,
        over=Over.PAIRS,
        method=Method.BCA,
        resamples=10_000,
    )

    assert method.compute() == single
    by_query = queries_wanted(report, report.topics)
    assert {(interval.over, interval.method) for interval in by_query} == {(Over.PAIRS, Method.BCA)}
    assert by_query[2].compute() == {name: single[name] for name in MEASURES}
    working = working_of(selection, measure="kappa", when="before", topic="q1_method")
    assert working.wanted.key == method.key


def test_pairs_put_together_are_resampled_without_regard_to_queries_unless_chosen(three):
    def wanted(query):
        overview = overview_of(selection_for(three, query))
        return raters_wanted(overview.several, overview.report.filters)[:2]

    fits, by_topics, both = wanted(""), wanted("resampled=topics"), wanted("resampled=both")

    assert {(interval.over, interval.topics.topics) for interval in fits} == {(Over.PAIRS, 1)}
    # Of the four topics one is rated, so there is nothing but its pairs.
    assert [interval.key for interval in by_topics] == [interval.key for interval in fits]
    for batch in three.collection.batches.all()[1:2]:
        three.finish(batch, alice=[0, 1, 2], bob=[0, 1, 0], erin=[0, 2, 2])
    by_topics, both = wanted("resampled=topics"), wanted("resampled=both")
    assert {(interval.over, interval.topics.topics) for interval in by_topics} == {(Over.TOPICS, 2)}
    assert {(interval.over, interval.topics.topics) for interval in both} == {(Over.BOTH, 2)}


def test_course_resamples_the_queries_of_a_part_when_chosen():
    course = Course([Part(None, None, 12, {}, rated(0, 1))])

    [fits] = course_wanted(course, Filters())
    [queries] = course_wanted(course, Filters(resampled=Resampled.TOPICS, method=Method.BCA))

    assert (fits.over, fits.topics.topics, fits.method) == (Over.PAIRS, 1, Method.PERCENTILE)
    assert (queries.over, queries.topics.topics, queries.method) == (Over.TOPICS, 2, Method.BCA)


# --- the address ---------------------------------------------------------------------------------


def test_choice_is_in_the_address_and_back(study):
    choices = read_choices(study.collection)
    text = "facet=method&bootstrap=BCa&resampled=both"

    filters = Filters.read(QueryDict(text), choices)

    assert filters.address() == text
    assert not filters.chooses_pairs


@pytest.mark.parametrize("query", ["bootstrap=exact binomial", "bootstrap=bca", "resampled=all"])
def test_choice_that_there_is_not_is_refused(study, query):
    with pytest.raises(BadRequest):
        Filters.read(QueryDict(query), read_choices(study.collection))


def test_job_computes_what_the_page_wants(client, study, monkeypatch):
    monkeypatch.setattr(of_page, "QUICK", 0)
    client.force_login(study.lena)
    home = reverse("agreement:agreement", args=["study"])

    client.get(home, {"bootstrap": "BCa", "resampled": "both"})
    job = Job.objects.get()
    run_job(job.public_id)
    ready = client.get(home, {"bootstrap": "BCa", "resampled": "both"})

    assert job.params["address"] == "bootstrap=BCa&resampled=both"
    assertNotContains(ready, "being computed")
    assertContains(client.get(home), "being computed")
    assert KnownIntervals.objects.count() == len(
        {
            interval.key
            for interval in overview_of(selection_for(study, "bootstrap=BCa&resampled=both")).wanted
        }
    )


def test_page_of_queries_leaves_what_takes_long_to_a_job(client, study, monkeypatch):
    monkeypatch.setattr(of_page, "QUICK", 0)
    client.force_login(study.lena)
    home = reverse("agreement:queries", args=["study"])

    waiting = client.get(home)
    run_job(Job.objects.get().public_id)
    ready = client.get(home)

    assertContains(waiting, "being computed")
    assertNotContains(ready, "being computed")
    assert None not in ready.context["tables"]["queries"].cells("before_percent_low")


def test_slow_ways_are_left_to_a_job_sooner(study, monkeypatch):
    def computed(over, method, quick):
        monkeypatch.setattr(of_page, "QUICK", quick)
        KnownIntervals.objects.all().delete()
        topics = rated(0, 1, 2)
        wanted = Wanted(topics, ("kappa",), SummaryKind.MEDIAN, over, method=method)
        return known_intervals(study.collection, [wanted])[1] == 0

    assert computed(Over.TOPICS, Method.PERCENTILE, 3)
    assert computed(Over.QUERIES, Method.PERCENTILE, 3)
    assert not computed(Over.TOPICS, Method.BCA, 3)
    assert computed(Over.TOPICS, Method.BCA, 30)
    assert not computed(Over.BOTH, Method.PERCENTILE, 30)
    assert computed(Over.BOTH, Method.PERCENTILE, 60)
    assert computed(Over.PAIRS, Method.PERCENTILE, 60)
    assert not computed(Over.PAIRS, Method.BCA, 60)


# --- what is said --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "95% percentile bootstrap intervals over topics ("),
        ("bootstrap=BCa", "95% BCa bootstrap intervals over topics ("),
        ("resampled=pairs", "95% percentile bootstrap intervals over pairs within topics ("),
        ("resampled=both", "over topics and, within them, pairs ("),
        ("resampled=queries", "over whole queries, with all of their facets (1,000 resamples"),
        ("bootstrap=BCa", "(10,000 resamples, seed 0). BCa is"),
        # One query: what is chosen cannot be done, and is not claimed.
        ("facet=method&resampled=both", "95% percentile bootstrap intervals over pairs ("),
    ],
)
def test_methods_paragraph_says_what_was_done(study, query, words):
    selection = selection_for(study, query)

    text = methods_paragraph(selection, overview_of(selection))

    # Nothing is decided of what differs, so that only figures before adjudication exist.
    assert words in text
    assert ("Efron" in text) == ("BCa" in query)


def test_pages_say_how_their_intervals_were_made(client, study):
    client.force_login(study.lena)
    chosen = {"bootstrap": "BCa", "resampled": "both"}

    def page(name, **query):
        return client.get(reverse(f"agreement:{name}", args=["study"], query=chosen | query))

    assertContains(
        page("agreement"),
        "95% BCa bootstrap intervals over topics and, within them, pairs, of a single topic over "
        "its pairs",
    )
    assertContains(page("queries"), "95% BCa interval over its pairs")
    working = page("working", measure="kappa", when="before")
    assertContains(working, "BCa bootstrap over topics and, within them, pairs, 10,000 resamples")
    single = page("working", measure="kappa", when="before", topic="q1_method")
    assertContains(single, "BCa bootstrap over its pairs, 10,000 resamples")
