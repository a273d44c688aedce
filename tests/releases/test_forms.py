"""The choices of a lead on the page of exports, and what a job is given of them."""

import pytest

from releases.forms import ExportForm
from tests.factories.definitions import add_binary


def form_of(study, **chosen):
    return ExportForm({"format": "trec"} | chosen, collection=study.collection, by=study.lena)


def test_a_job_is_given_every_choice_and_the_version_that_is_the_latest_now(finished):
    add_binary(finished.collection)
    chosen = {"values": "seat:1", "mapping": "binary", "least": "1", "protocol": "trec"}

    form = form_of(finished, **chosen, missing="lowest", with_notes="on", allow_incomplete="on")

    assert form.is_valid(), form.errors
    assert form.params == chosen | {
        "export_format": "trec",
        "mapping": "binary.1",
        "missing": "lowest",
        "with_notes": True,
        "allow_incomplete": True,
    }


def test_a_job_is_given_nothing_that_was_not_chosen(finished):
    form = form_of(finished, mapping="", least="")

    assert form.is_valid(), form.errors
    assert form.params == {
        "export_format": "trec",
        "with_notes": False,
        "allow_incomplete": False,
    }


@pytest.mark.parametrize(("field", "address"), [("mapping", "binary.2"), ("protocol", "trek")])
def test_a_version_that_does_not_exist_is_refused(finished, field, address):
    add_binary(finished.collection)

    form = form_of(finished, **{field: address})

    assert list(form.errors) == [field]
    assert address in form.errors[field][0]


def test_further_choices_are_open_only_where_something_was_chosen_or_is_wrong(finished):
    add_binary(finished.collection)

    assert not form_of(finished, protocol="trec", values="gold").is_further_open
    assert form_of(finished, mapping="binary").is_further_open
    assert form_of(finished, least="much").is_further_open
