"""What somebody asks of an export, before anything is read."""

import pytest

from audit.refusals import Invalid
from evaluation.sources.choices import source_named
from evaluation.sources.source import GOLD, Source, seat
from releases.orders import order_of


def options_of(study, export_format="trec", *, allow_incomplete=False, **options):
    order = order_of(study.collection, export_format, study.lena, allow_incomplete, **options)
    return order.options


def test_the_record_keeps_what_was_chosen_and_nothing_else(finished):
    assert options_of(finished) == {"allow_incomplete": False, "with_notes": False}
    assert options_of(finished, "birco", level="aspects", rule="code", allow_incomplete=True) == {
        "allow_incomplete": True,
        "with_notes": False,
        "level": "aspects",
        "rule": "code",
    }
    assert options_of(finished, "csv", with_notes=True, channel="pages") == {
        "allow_incomplete": False,
        "with_notes": True,
        "channel": "pages",
    }


def test_the_record_names_the_source_and_how_a_missing_value_counts(finished):
    first = source_named(finished.collection, "seat:1")
    mapped = source_named(finished.collection, "gold", least="1")

    of_seat = options_of(finished, source=first, missing="lowest")
    of_gold = options_of(finished, source=mapped)

    assert of_seat["source"] == {
        "address": "seat:1",
        "name": "first seat",
        "in_words": "first seat",
    }
    assert (of_seat["protocol"], of_seat["missing_value"]) == ("trec", "lowest")
    assert of_gold["source"]["least_relevant_grade"] == 1
    assert "missing_value" not in of_gold


@pytest.mark.parametrize(
    ("export_format", "options", "sentence"),
    [
        ("xml", {}, "no format 'xml'"),
        ("birco", {"level": "facets"}, "no level 'facets'"),
        ("birco", {"rule": "law"}, "no rule 'law'"),
        ("csv", {"source": seat(1)}, "csv holds gold as it was made"),
        ("trec", {"source": Source.read("seat:9")}, "seat"),
    ],
)
def test_what_does_not_exist_or_fit_is_refused(finished, export_format, options, sentence):
    with pytest.raises(Invalid, match=sentence):
        options_of(finished, export_format, **{"source": GOLD} | options)
