"""Whole real studies through the one way in: what comes out is what the study's own way gives."""

import csv
import json

import pytest
from django.core.management import call_command

from agreement.statistics import CannotJudge, SummaryKind
from agreement.subjects.overview.files import as_json
from agreement.subjects.overview.report import report_on
from annotation.models import Pair, Rating
from config.integrity import findings
from datasets.models import Collection
from tests.formats.studies import csfcube_study, written

pytestmark = pytest.mark.once


def bring_in(format_key, *paths, slug, **options):
    call_command(
        "import", format_key, *map(str, paths), collection=slug, create=slug, scheme="csfcube",
        verbosity=0, **options,
    )  # fmt: skip
    return Collection.objects.get(slug=slug)


def ratings_of(collection):
    """{(topic, document, seat): value}, None for "cannot judge"."""
    rows = Rating.objects.filter(pair__topic__collection=collection).values_list(
        "pair__topic__external_id", "pair__document__external_id", "seat__ordinal", "option__value"
    )
    return {key: value for *key_parts, value in rows for key in [tuple(key_parts)]}


def gold_of(collection):
    rows = Pair.objects.filter(topic__collection=collection).values_list(
        "topic__external_id", "document__external_id", "gold_value", "state"
    )
    return {(topic, document): rest for topic, document, *rest in rows}


def qrels_of(collection, folder):
    call_command("export", collection.slug, format="trec", out=folder, verbosity=0)
    return {path.name: path.read_bytes() for path in sorted(folder.glob("qrels-*.txt"))}


def figures_of(collection):
    """The agreement table as data, without what names the collection."""
    report = json.loads(json.dumps(as_json(report_on(collection))))
    return report["facets"], report["all"]


MEASURES = {
    "percent": "percent", "kappa": "cohen_kappa", "alpha": "alpha_ordinal", "rho": "spearman",
}  # fmt: skip


def measured(figures):
    """The four measures before adjudication."""
    measures = figures["before"]["measures"]
    return {key: measures[key]["value"] for key in MEASURES}


def published(figures):
    return {key: figures[name] for key, name in MEASURES.items()}


def close(figures, expected):
    """Whether two trees of figures are the same to 1e-12."""
    if isinstance(figures, dict):
        return figures.keys() == expected.keys() and all(
            close(figures[key], expected[key]) for key in figures
        )
    if isinstance(figures, list):
        return len(figures) == len(expected) and all(map(close, figures, expected))
    if isinstance(figures, float) and isinstance(expected, (int, float)):
        return figures == pytest.approx(expected, abs=1e-12)
    return figures == expected


def test_csfcube_as_tables_is_the_same_study(half, shared_data, tmp_path):
    folder = written(csfcube_study(shared_data / "csfcube-half"), tmp_path / "tables")

    tables = bring_in("tables", folder, slug="tables")

    assert len(gold_of(tables)) == 3071
    assert gold_of(tables) == gold_of(half)
    assert ratings_of(tables) == ratings_of(half)
    assert qrels_of(tables, tmp_path / "a") == qrels_of(half, tmp_path / "b")
    assert close(figures_of(tables), figures_of(half))
    assert bring_in("tables", folder, slug="tables").imports.count() == 1
    assert list(findings()) == []


PEERS = {
    "label-studio": ["label-studio/choices.json", "label-studio/users.json"],
    "doccano": ["doccano/per-annotator.zip"],
    "potato": ["potato"],
}


@pytest.mark.django_db
@pytest.mark.parametrize("tool", PEERS)
def test_exports_of_other_tools_agree_as_the_original_does(shared_data, tool):
    folder = shared_data / "peer-exports"
    with (folder / "expected.csv").open() as file:
        expected = {
            (row["topic"], row["document"], seat): row[f"rater{seat}"] or None
            for row in csv.DictReader(file)
            for seat in (1, 2)
        }
    figures = json.loads((folder / "expected-figures.json").read_text())

    study = bring_in(tool, *(folder / path for path in PEERS[tool]), slug=tool)

    grades = ratings_of(study)
    assert {
        key: None if grade is None else f"{grade:.0f}" for key, grade in grades.items()
    } == expected
    for rule, name in [(CannotJudge.LOWEST, "missing_as_0"), (CannotJudge.DROP, "missing_dropped")]:
        report = as_json(report_on(study, cannot_judge=rule, summary=SummaryKind.POOLED))
        assert measured(report["all"]) == pytest.approx(published(figures["all"][name]), rel=1e-12)
        for topic, figure in report["topics"].items():
            assert measured(figure) == pytest.approx(published(figures[topic][name]), rel=1e-12)
