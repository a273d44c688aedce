"""What is kept of a drawing, as pages say it."""

from annotation.sampling.actions import draw_sample
from annotation.sampling.drawing import Stratum
from annotation.sampling.forms import SampleForm
from annotation.sampling.strata import By, drawn_as
from tests.factories.studies import make_study


def drawn_from(study, **given):
    given = {"name": "Pilot", "overlap": 2, "seed": "7"} | given
    return [
        drawn_as(batch)
        for batch in draw_sample(collection=study.collection, by=study.lena, **given)
    ]


def test_a_stratified_sample_names_its_strata(db):
    study = make_study(facets=("method", "result"), assign=False)

    first, second = drawn_from(study, size=4, parts=2, stratify=By.LEVEL)

    assert first == {
        "sample": "Pilot",
        "size": 4,
        "waiting": 6,
        "seed": "7",
        "parts": 2,
        "part": 1,
        "stratified_by": By.LEVEL,
        "proportion": "aspect or sub-aspect, or facet",
        "strata": [Stratum("Method", 3, 2), Stratum("Result", 3, 2)],
    }
    assert second["part"] == 2


def test_a_sample_drawn_at_random_alone_has_no_strata_to_name(db):
    study = make_study(assign=False)

    [drawn] = drawn_from(study, size=2)

    assert (drawn["size"], drawn["waiting"]) == (2, 3)
    assert (drawn["proportion"], drawn["strata"]) == ("", [])


def test_a_batch_that_is_no_sample_was_not_drawn(db):
    assert drawn_as(make_study().batch) is None


def test_the_form_names_every_choice_of_strata():
    assert dict(SampleForm().fields["stratify"].choices) == {
        "nothing": "at random, not stratified",
        "query_type": "type of the query",
        "level": "aspect or sub-aspect, or facet",
        "source": "source of the candidate",
    }
