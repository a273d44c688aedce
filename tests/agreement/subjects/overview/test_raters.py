"""Three raters: every two of them, the majority, all at once; against a computation of its own."""

import json
from itertools import combinations
from statistics import fmean

import krippendorff
import numpy as np
import pytest
from django.core.management import call_command
from scipy.stats import spearmanr

from agreement.statistics import SummaryKind
from agreement.study.selection import selection_of
from agreement.subjects.overview.files import as_json
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.overview.report import report_on
from annotation.schemes.actions import create_scheme, load_definition
from datasets.models import Collection, Membership
from tests.factories.studies import make_document, make_study, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def f1(first, second):
    """Macro F1, one value after the other."""
    scores = []
    for value in set(first) | set(second):
        both = sum(a == b == value for a, b in zip(first, second, strict=True))
        scores.append(2 * both / (first.count(value) + second.count(value)))
    return fmean(scores)


def compared(first, second):
    same = 100 * fmean(a == b for a, b in zip(first, second, strict=True))
    return f1(first, second), same, spearmanr(first, second).statistic


def majority(values):
    return next((value for value in values if values.count(value) > 1), None)


def averages(lists):
    """Mean of F1, same value and rho over every two; the same of each with the majority."""
    two = [compared(lists[a], lists[b]) for a, b in combinations(range(len(lists)), 2)]
    winners = [majority(values) for values in zip(*lists, strict=True)]
    kept = [number for number, winner in enumerate(winners) if winner is not None]
    with_winner = [
        compared([ratings[number] for number in kept], [winners[number] for number in kept])
        for ratings in lists
    ]
    return [fmean(column) for column in zip(*two, strict=True)], [
        fmean(column) for column in zip(*with_winner, strict=True)
    ]


def overview(collection, **parameters):
    member = collection.memberships.get(name="Lena")
    return overview_of(selection_of(member, member.user, parameters))


def values_of(summaries):
    return [summary.figure.value for summary in summaries.values()]


@pytest.fixture
def sample(shared_data, tmp_path):
    """The sample of DORIS-MAE with its random ratings in the place of the human ones."""
    folder = shared_data / "doris-mae-sample"
    data = json.loads((folder / "DORIS-MAE_dataset_v1.json").read_text(encoding="utf-8"))
    ratings = json.loads((folder / "synthetic-ratings.json").read_text(encoding="utf-8"))
    data["Test_set"] = ratings["Test_set"]
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    collection = Collection.objects.create(slug="doris", name="DORIS-MAE, sample")
    create_scheme(collection=collection, definition=load_definition("doris-mae"), by=None)
    call_command("import_doris_mae", str(path), collection=collection.slug, verbosity=0)
    Membership.objects.create(
        collection=collection, user=make_user("Lena"), name="Lena", is_lead=True
    )
    lists = [
        [entry["human_annotation"][f"annotator_{number}"] for entry in ratings["Test_set"]]
        for number in (1, 2, 3)
    ]
    return collection, lists


def test_random_ratings_of_the_sample_have_the_figures_of_their_file(sample):
    collection, lists = sample
    between, with_majority = averages(lists)
    [batch] = collection.batches.all()

    comparison = overview(collection, batch=str(batch.public_id)).several

    # No topic of a sample is done, but its pairs are.
    assert overview(collection).several.every_two.average == comparison.every_two.average
    assert (comparison.raters, comparison.pairs) == (3, len(lists[0]))
    assert values_of(comparison.every_two.average) == pytest.approx(between, abs=1e-9)
    assert values_of(comparison.with_majority.average) == pytest.approx(with_majority, abs=1e-9)
    for name, level in (("alpha_ordinal", "ordinal"), ("alpha_nominal", "nominal")):
        expected = krippendorff.alpha(
            np.array(lists, dtype=float), level_of_measurement=level, value_domain=[0.0, 1.0, 2.0]
        )
        assert comparison.together[name].figure.value == pytest.approx(expected, abs=1e-9)
    assert comparison.with_majority.without == sum(
        majority(values) is None for values in zip(*lists, strict=True)
    )


def test_before_is_the_mean_over_every_two_and_after_over_each_with_gold(three):
    report = report_on(three.collection, summary=SummaryKind.POOLED)
    [topic] = [topic for topic in report.topics if topic.before]

    # Alice and Bob agree on 2 of 4, Alice and Erin on 2, Bob and Erin on 1.
    assert topic.before.measures["percent"].figure.value == pytest.approx(100 * 5 / 12)
    assert topic.before.disagreement.by_distance == {0: 1, 1: 1, 2: 2}
    # The pair with three different values has no gold yet.
    assert topic.after is None
    assert topic.topic.not_yet_decided == "1 pair to decide"


def test_json_has_the_comparison_of_several_raters(three):
    content = as_json(report_on(three.collection))["several_raters"]

    assert (content["raters"], content["pairs"], content["pairs_without_majority"]) == (3, 4, 1)
    assert content["every_two"]["percent"]["value"] == pytest.approx(100 * 5 / 12)
    assert set(content["with_majority"]) == {"macro_f1", "percent", "rho"}
    assert content["together"]["alpha_ordinal"]["value"] is not None


def test_two_raters_have_no_comparison_with_a_majority(db):
    two = make_study()
    two.finish(alice=[0, 1, 2], bob=[0, 1, 1])

    assert overview(two.collection).several is None
    assert as_json(report_on(two.collection))["several_raters"] is None


def test_page_shows_every_two_and_the_majority_with_intervals(client, three):
    client.force_login(three.lena)

    page = client.get(f"/collections/{three.collection.slug}/agreement/").content.decode()

    assert "Seat 1 and seat 3" in page
    assert "Seat 2 and the majority" in page
    assert "1 pair without a majority is left out" in page
    assert "the mean over every two seats" in page


def test_pages_lead_to_batches_that_are_handed_in_where_no_topic_is_done(client, three):
    topic = three.topics[0]
    topic.pairs.create(document=make_document(three.collection, "late"), position=11)
    client.force_login(three.lena)
    home = f"/collections/{three.collection.slug}/agreement/"

    page = client.get(f"{home}disagreements/").content.decode()
    chosen = "disagreements/?batch=handed-in"

    assert "belong to aspects that are not" in page
    assert chosen in page
    assert "Nothing to compare yet" in page
    assert "What the adjudicator did" in client.get(home + chosen).content.decode()
