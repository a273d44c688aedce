"""Ratings that a program sent are named in exports, and can be left out."""

import csv
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agreement.study.filters import Channel
from annotation.assigning.actions.assign import return_seat
from datasets.actions import change_programs, set_roles
from datasets.runs.actions import add_run
from evaluation.sources.source import seat
from releases.actions import IncompleteError, make_export, write_export
from releases.forms import ExportForm
from releases.reading import read_study
from tests.factories.runs import run_of
from tests.factories.studies import make_study
from tests.factories.tokens import token_of
from tests.shelf import shelved


@shelved
def mixed(study):
    """Bob's program rates the first pair, himself the others."""
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    study.collection.refresh_from_db()
    token, _ = token_of(study.members["bob"], "rate")
    study.rate_all("alice", 1)
    for number, pair in enumerate(study.batch.pairs.all()):
        study.rate("bob", pair, 1, token=None if number else token)
    for name in ("alice", "bob"):
        study.hand_in(name)
    return study


def export(study, folder, **options):
    options = {"export_format": "csv"} | options
    return write_export(collection=study.collection, folder=folder, by=study.lena, **options)


def ratings_in(folder):
    [file] = folder.glob("ratings*.csv")
    with file.open() as rows:
        return list(csv.DictReader(rows))


def test_ratings_of_programs_are_named(mixed, tmp_path):
    manifest = export(mixed, tmp_path)

    channels = [(row["document"], row["seat"], row["channel"]) for row in ratings_in(tmp_path)]
    assert [row for row in channels if row[2] == "program"] == [("q1c1", "2", "program")]
    assert manifest["counts"]["by_program"] == manifest["counts"]["facets"]["method"]["by_program"]
    assert manifest["counts"]["by_program"] == 1
    assert sorted(row.get("by_program", 0) for row in manifest["annotators"]) == [0, 1]
    assert not manifest["is_incomplete"]


def test_pairs_that_programs_rated_are_counted_where_they_may_be_seen_alone(mixed):
    other = make_study(slug="other")
    change_programs(collection=other.collection, by=other.lena, programs_may_rate=True)
    other.collection.refresh_from_db()
    token, _ = token_of(other.members["bob"], "rate")
    other.rate("bob", other.batch.pairs.first(), 1, token=token)

    def left_out(by):
        study = read_study(mixed.collection.pk, using="default", by=by, channel=Channel.PAGES)
        return study.left_to_programs

    assert (left_out(mixed.lena), left_out(None)) == (1, 1)
    set_roles(membership=mixed.members["alice"], by=mixed.lena, roles=["annotator", "lead"])
    return_seat(seat=mixed.seat("bob"), by=mixed.lena, reason="Look again.")
    assert (left_out(mixed.lena), left_out(mixed.alice)) == (1, 0)


def test_a_study_without_programs_names_none(finished, tmp_path):
    manifest = export(finished, tmp_path)

    assert "channel" not in ratings_in(tmp_path)[0]
    assert not {"by_program", "channel"} & {*manifest, *manifest["counts"]}


def test_pairs_of_programs_are_left_out_on_request_and_missed_as_gold(mixed, tmp_path):
    with pytest.raises(IncompleteError, match="1 rated by a program and left out"):
        export(mixed, tmp_path, channel="pages")

    with CaptureQueriesContext(connection) as statements:
        manifest = export(mixed, tmp_path, channel="pages", allow_incomplete=True)

    # There may be as many as the study has pairs, so no statement names them.
    left_out = mixed.batch.pairs.get(document__external_id="q1c1").pk
    assert not [row["sql"] for row in statements if f'."id" IN ({left_out})' in row["sql"]]
    assert {row["document"] for row in ratings_in(tmp_path)} == {"q1c2", "q1c3"}
    assert (manifest["channel"], manifest["is_incomplete"]) == ("pages", True)
    assert manifest["missing"] == {"rated by a program and left out": 1}
    assert (manifest["counts"]["pairs"], manifest["counts"]["gold"]) == (2, 2)
    assert "by_program" not in json.dumps(manifest)


def test_scores_are_compared_of_all_pairs_or_not_at_all(mixed, tmp_path):
    run = run_of({"q1_method": ["q1c1", "q1c2"]})
    add_run(collection=mixed.collection, run=run, by=mixed.lena)
    options = {"source": seat(1), "allow_incomplete": True, "export_format": "trec"}

    whole = export(mixed, tmp_path / "whole", **options)
    of_pages = export(mixed, tmp_path / "pages", channel="pages", **options)

    assert ("effect_on_scores" in whole, "effect_on_scores" in of_pages) == (True, False)


def test_the_record_of_an_export_says_what_was_left_out(mixed):
    made = make_export(
        collection=mixed.collection,
        export_format="trec",
        by=mixed.lena,
        channel="pages",
        allow_incomplete=True,
    )

    assert made.options["channel"] == "pages"
    assert made.counts["pairs"] == 2


def test_it_is_asked_only_where_programs_rated(mixed):
    chosen = {"format": "csv", "channel": "pages"}
    form = ExportForm(chosen, collection=mixed.collection, by=mixed.lena)
    elsewhere = make_study(slug="elsewhere")
    other = ExportForm(collection=elsewhere.collection, by=elsewhere.lena)

    assert form.errors["channel"]
    assert "channel" not in other.fields
