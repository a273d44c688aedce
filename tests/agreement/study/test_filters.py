"""Which pairs an address names, and how an address is written."""

from dataclasses import fields, replace
from datetime import UTC, date, datetime

import numpy as np
import pytest
from django.core.exceptions import BadRequest
from django.http import QueryDict

from accounts.parameters import one_of
from agreement.statistics import CannotJudge, SummaryKind
from agreement.study.counted import progress_of
from agreement.study.filters import Choices, Filters, list_address, read_choices
from agreement.study.ratings import read_ratings_of
from agreement.study.selection import selection_of
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.overview.report import report_of
from annotation.models import Rating, SchemeVersion
from datasets.actions import change_programs
from datasets.models import Query
from datasets.pseudonyms import pseudonym
from tests.factories.ratings import ratings_of
from tests.factories.studies import make_aspect_study, make_document, make_study
from tests.factories.tokens import token_of
from tests.shelf import shelved

pytestmark = pytest.mark.django_db


@shelved
def study():
    study = make_study(facets=("background", "method"), candidates=3)
    first, second = study.collection.batches.all()
    study.finish(alice=[0, 1, 2], bob=[0, 1, 3], batch=first)
    study.rate_all("alice", 1, second)
    return study


def read(study, query=""):
    choices = read_choices(study.collection)
    return Filters.read(QueryDict(query), choices), choices


def chosen(study, query):
    filters, choices = read(study, query)
    return filters.chosen(read_ratings_of(study.collection), choices)


def test_address_without_choices_is_empty_and_reads_as_everything(study):
    filters, _ = read(study)

    assert filters == Filters()
    assert filters.address() == ""
    assert chosen(study, "").size == 6


def test_address_written_and_read_again_is_the_same(study):
    alice = pseudonym(study.collection, study.members["alice"])
    text = (
        f"facet=method&query=q1&annotator={alice}&batch={study.batch.public_id}&from=2026-01-02"
        "&to=2026-03-04&version=1&summary=pooled&cannot-judge=drop"
    )

    filters, _ = read(study, text)

    assert filters.address() == text
    assert filters.summary is SummaryKind.POOLED
    assert filters.cannot_judge is CannotJudge.DROP


def test_address_takes_changes_and_parameters_of_a_page():
    filters = Filters(facet="method")

    assert filters.address(facet="result", sort="worst") == "facet=result&sort=worst"
    assert filters.address(facet="all", sort="") == ""


def test_address_of_a_list_names_it_its_cell_and_the_filters():
    assert list_address("values", "0,3", "facet=method") == "list=values&cell=0%2C3&facet=method"
    assert list_address("decided", "") == "list=decided"


def test_address_names_people_by_pseudonym(study):
    _, choices = read(study)

    assert {key[:2] for key in choices.annotators} == {"A-"}
    assert {annotator.name for annotator in choices.annotators.values()} == {"Alice", "Bob"}


@pytest.mark.parametrize(
    "query",
    [
        "facet=result",  # of the scheme, but no topic has it
        "query=q2",
        "annotator=Alice",
        "batch=first",
        "version=2",
        "version=one",
        "from=yesterday",
        "from=2026-02-02&to=2026-02-01",
        "summary=best",
        "cannot-judge=never",
    ],
)
def test_value_that_names_nothing_is_a_bad_request_with_a_sentence(study, query):
    with pytest.raises(BadRequest, match=r"is '|before it begins"):
        read(study, query)


def test_facet_and_query_choose_topics(study):
    ratings = chosen(study, "facet=method")

    assert [topic.key for topic in ratings.topics] == ["q1_method"]
    assert ratings.size == 3
    assert chosen(study, "query=q1").size == 6


def test_query_chooses_the_aspects_that_stand_under_it():
    study = make_aspect_study()

    assert [topic.key for topic in chosen(study, "query=0").topics] == ["0", "1", "2", "3"]


def test_batch_annotator_and_version_choose_pairs(study):
    bob = pseudonym(study.collection, study.members["bob"])

    assert chosen(study, f"batch={study.batch.public_id}").size == 3
    assert [topic.key for topic in chosen(study, f"annotator={bob}").topics] == ["q1_background"]
    assert chosen(study, "version=1").size == 6


def test_pairs_of_a_version_have_answers_all_of_which_were_given_under_it(study):
    version = study.scheme.current
    second = SchemeVersion.objects.create(
        scheme=study.scheme, number=2, wording=version.wording, guidelines="Read."
    )
    rated_anew, half_anew = study.batch.pairs.all()[:2]
    Rating.objects.filter(pair=rated_anew).update(scheme_version=second)
    Rating.objects.filter(pk=half_anew.ratings.first().pk).update(scheme_version=second)
    study.topics[0].pairs.create(document=make_document(study.collection, "late"), position=9)

    assert chosen(study, "version=2").pair.tolist() == [rated_anew.pk]
    assert chosen(study, "version=1&facet=background").size == 1


def test_period_holds_both_of_its_days(study):
    pairs = list(study.batch.pairs.all())
    for pair, day in zip(pairs, ("2026-01-01", "2026-01-02", "2026-01-03"), strict=True):
        Rating.objects.filter(pair=pair).update(created_at=f"{day}T23:59:59Z")

    def positions(query):
        ratings = chosen(study, query + "&facet=background")
        return [[pair.pk for pair in pairs].index(pk) for pk in ratings.pair.tolist()]

    assert positions("from=2026-01-02&to=2026-01-02") == [1]
    assert positions("to=2026-01-02") == [0, 1]
    assert positions("from=2026-01-03") == [2]


def test_with_chosen_pairs_a_topic_counts_once_they_are_done(study):
    """A pair of the first topic waits for a batch; those of its finished batch are done."""
    study.topics[0].pairs.create(document=make_document(study.collection, "late"), position=9)
    everything = report_of(study.collection, chosen(study, ""), Filters())
    of_batch = chosen(study, f"batch={study.batch.public_id}")

    assert everything.whole.before.topics == 0
    assert [topic.is_rated for topic in progress_of(of_batch)] == [True]


def test_batches_that_are_handed_in_are_chosen_together(study):
    """The first topic has a second wave, and the second topic's only batch is at work."""
    study.topics[0].pairs.create(document=make_document(study.collection, "late"), position=9)
    handed_in = chosen(study, "batch=handed-in")

    assert set(handed_in.batch) == {study.batch.pk}
    assert [topic.is_rated for topic in progress_of(handed_in)] == [True]


def test_filters_of_answers_tell_a_blind_lead_nothing(study):
    """Alice leads as well and rates the second batch; who rated what there is not hers to know."""
    alice = study.members["alice"]
    alice.is_lead = True
    alice.save()
    study.rate_all("bob", 1, study.collection.batches.last())
    _, choices = read(study)

    def of_bob(viewer):
        filters, _ = read(study, f"annotator={pseudonym(study.collection, study.members['bob'])}")
        return filters.chosen(read_ratings_of(study.collection, viewer=viewer), choices).size

    assert of_bob(study.lena) == 6
    assert of_bob(study.alice) == 3


def test_choices_are_those_of_the_collection_alone(study):
    def choices():
        values = {**vars(read_choices(study.collection))}
        return values | {"by_program": values["by_program"]()}

    before = choices()
    other = make_study(facets=("background", "result"), slug="other")
    Query.objects.filter(collection=other.collection).update(external_id="elsewhere")
    change_programs(collection=other.collection, by=other.lena, programs_may_rate=True)
    other.collection.refresh_from_db()
    token, _ = token_of(other.members["alice"])
    other.rate("alice", other.first_pair("alice"), 1, token=token)

    assert choices() == before
    assert len(before["annotators"]) == 2
    assert list(before["facets"]) == ["background", "method"]


# By which way ratings came


def test_pairs_that_a_program_rated_can_be_left_out():
    study = make_study()
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    study.collection.refresh_from_db()
    token, _ = token_of(study.members["alice"])
    study.rate_all("bob", 1)
    for number, pair in enumerate(study.batch.pairs.all()):
        study.rate("alice", pair, 1, token=None if number else token)
    study.hand_in("alice")
    study.hand_in("bob")

    def size(**parameters):
        return selection_of(study.members["lena"], study.lena, parameters).chosen.size

    def methods(**parameters):
        selection = selection_of(study.members["lena"], study.lena, parameters)
        return methods_paragraph(selection, overview_of(selection))

    assert "Of 1 pair a rating was sent by a program, not on the pages." in methods()
    assert "program" not in methods(channel="pages")
    assert (size(), size(channel="pages")) == (3, 2)
    assert selection_of(study.members["lena"], study.lena, {}).has_program_ratings
    with pytest.raises(BadRequest, match="channel is 'x'"):
        size(channel="x")


def test_pairs_that_programs_rate_beside_a_blind_lead_stay(study):
    """Left out, they would tell her which pairs somebody has rated."""
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    study.collection.refresh_from_db()
    token, _ = token_of(study.members["bob"])
    study.members["alice"].is_lead = True
    study.members["alice"].save()
    study.rate("bob", study.collection.batches.last().pairs.first(), 1, token=token)
    filters, choices = read(study, "channel=pages")

    def size(viewer):
        return filters.chosen(read_ratings_of(study.collection, viewer=viewer), choices).size

    assert (size(study.lena), size(study.alice)) == (5, 6)


def test_a_parameter_is_one_of_its_choices_or_the_first():
    choices = {"grid": "Grid", "list": "List"}

    assert one_of({"view": "list"}, "view", choices) == "list"
    assert one_of({}, "view", choices) == "grid"
    with pytest.raises(BadRequest, match="view is 'map'; expected one of grid, list"):
        one_of({"view": "map"}, "view", choices)


# --- periods, without a database -----------------------------------------------------------------

FIRST, SECOND = date(2026, 1, 1), date(2026, 1, 2)
FIRST_NOON = datetime(2026, 1, 1, 12, tzinfo=UTC).timestamp()


def in_period(ratings, **period):
    """The pairs last rated in a period, by their number."""
    return Filters(**period).chosen(ratings, Choices({}, {}, {}, {}, [1])).pair.tolist()


def test_midnight_begins_a_day_and_the_last_rating_of_a_pair_counts():
    midnight = datetime(2026, 1, 2, tzinfo=UTC).timestamp()
    before = midnight - 0.001
    ratings = ratings_of(
        [1, 1, 1], [1, 1, None], given_at=[[before, midnight, midnight], [before] * 3]
    )

    assert in_period(ratings, until=FIRST) == [1]
    assert in_period(ratings, since=SECOND) == [2, 3]
    assert in_period(ratings, since=SECOND, until=SECOND) == [2, 3]
    assert in_period(ratings, since=FIRST, until=SECOND) == [1, 2, 3]


@pytest.mark.parametrize("period", [{"since": FIRST}, {"until": FIRST}])
def test_what_nobody_rated_is_of_no_period(period):
    ratings = ratings_of([1, None], [None, None], given_at=FIRST_NOON)
    nobody = {
        column.name: getattr(ratings, column.name)[:0]
        for column in fields(ratings)
        if np.ndim(getattr(ratings, column.name)) == 2
    }

    assert in_period(ratings, **period) == [1]
    assert in_period(replace(ratings, **nobody), **period) == []
