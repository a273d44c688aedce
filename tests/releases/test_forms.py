"""The choices of a lead on the page of exports, and what a job is given of them."""

import pytest

from releases.formats.registry import FORMATS
from releases.forms import ExportForm
from tests.factories.definitions import add_binary
from tests.factories.studies import make_aspect_study


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


@pytest.mark.parametrize(
    "chosen", [{"values": "seat:1"}, {"mapping": "binary"}, {"least": "1"}], ids=str
)
def test_a_format_of_gold_takes_no_other_values(finished, chosen):
    add_binary(finished.collection)

    assert list(form_of(finished, format="csv", **chosen).errors) == ["values"]
    assert form_of(finished, format="trec", **chosen).is_valid()


def test_only_gold_for_a_format_of_gold_must_be_complete(finished):
    def wants_complete_gold(**chosen):
        form = form_of(finished, **chosen)
        assert form.is_valid(), form.errors
        return form.wants_complete_gold

    assert wants_complete_gold()
    assert not wants_complete_gold(allow_incomplete="on")
    assert not wants_complete_gold(values="seat:1")


def test_what_a_collection_has_no_use_for_is_no_field(finished):
    without = form_of(finished)
    add_binary(finished.collection)

    assert not {"mapping", "channel", "level", "rule"} & without.fields.keys()
    assert "mapping" in form_of(finished).fields
    assert {"level", "rule"} <= form_of(make_aspect_study()).fields.keys()
    addresses = [address for address, _ in without.fields["values"].choices]
    assert addresses[:2] == ["gold", "seat:1"]
    assert [name for _, name in without.fields["values"].choices][:2] == ["Gold", "First seat"]


def test_a_format_that_does_not_fit_is_neither_offered_nor_taken(finished):
    form = form_of(finished, format="doris-mae")

    offered = [key for key, _ in form.fields["format"].widget.choices]
    assert offered == [key for key in FORMATS if key != "doris-mae"]
    assert list(form.errors) == ["format"]
    assert "DORIS-MAE does not fit" in form.errors["format"][0]


def test_a_format_of_one_level_takes_whole_queries_unless_another_is_chosen(db):
    study = make_aspect_study()
    forms = [form_of(study, format="birco"), form_of(study, format="birco", level="aspects")]

    assert all(form.is_valid() for form in forms)
    assert [form.params["level"] for form in forms] == ["queries", "aspects"]


def test_what_most_exports_leave_as_it_is_stands_apart(finished):
    form = form_of(finished)

    assert [field.name for field in form.first_fields] == ["format", "with_notes"]
    assert [field.name for field in form.further_fields] == [
        *("values", "least", "protocol", "missing"),
    ]
