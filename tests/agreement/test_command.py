import json

import pytest
from django.core.management import CommandError, call_command

from agreement.management.commands import agreement as command_of_agreement
from agreement.statistics import CannotJudge, Figure, Reason, Summary, SummaryKind
from agreement.subjects.overview.files import as_json
from agreement.subjects.overview.report import report_on
from datasets.models import Collection
from tests.factories.studies import make_study
from tests.shelf import shelved

pytestmark = pytest.mark.django_db


def run(capsys, *arguments):
    call_command("agreement", *arguments)
    return capsys.readouterr().out


@shelved
def study():
    study = make_study(candidates=4)
    study.finish(alice=[0, 1, None, 3], bob=[0, 1, 2, 0])
    return study


def test_json_is_the_whole_report_with_the_default_choices(study, capsys):
    printed = json.loads(run(capsys, "study", "--json"))

    assert printed == json.loads(json.dumps(as_json(report_on(study.collection))))
    assert printed["cannot_judge"]["rule"] == "lowest"
    assert printed["summary"] == "median"


def test_options_choose_rule_and_summary(study, capsys):
    printed = json.loads(
        run(capsys, "study", "--json", "--cannot-judge", "drop", "--summary", "pooled")
    )

    report = report_on(study.collection, cannot_judge=CannotJudge.DROP, summary=SummaryKind.POOLED)
    assert printed == json.loads(json.dumps(as_json(report)))
    assert printed["all"]["before"]["pairs"] == 3


def test_text_names_rule_and_summary_and_what_is_not_yet(study, capsys):
    printed = run(capsys, "study")

    assert "agreement, median over topics" in printed
    assert "“Cannot judge” counts as the lowest value, 0." in printed
    assert "50.00" in printed
    assert "not yet: q1_method, after: 2 pairs to decide" in printed


def test_text_counts_undefined_values_that_were_left_out(capsys):
    study = make_study(facets=("method", "result"), slug="two")
    first, second = study.collection.batches.all()
    study.finish(alice=1, bob=1, batch=first)
    study.finish(alice=[0, 1, 2], bob=[0, 1, 2], batch=second)

    printed = run(capsys, "two")

    assert "1.000 (-1)" in printed
    assert "undefined" in printed


@pytest.mark.parametrize(
    ("value", "measure", "words"),
    [
        (-0.0004, "kappa", "0.000 (-2)"),
        (-0.0006, "kappa", "-0.001 (-2)"),
        (66.666, "percent", "66.67 (-2)"),
    ],
)
def test_what_rounds_to_0_has_no_minus(value, measure, words):
    summary = Summary(Figure(value), 3, {Reason.NO_FIGURES: 2})

    assert command_of_agreement._short(summary, measure) == words


def test_unknown_collection_and_missing_scheme_are_errors():
    Collection.objects.create(slug="bare", name="Bare")

    with pytest.raises(CommandError, match="no collection 'nowhere'"):
        call_command("agreement", "nowhere")
    with pytest.raises(CommandError, match="'bare' has no scheme"):
        call_command("agreement", "bare")
