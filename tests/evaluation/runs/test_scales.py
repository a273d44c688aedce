"""Runs over facets with scales of their own: one facet at a time, by its own grades."""

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from datasets.runs.actions import add_run
from evaluation.sources.choices import source_named
from releases.actions import write_export
from tests.factories.runs import run_of
from tests.factories.studies import make_study
from tests.shelf import shelved

# Of four documents, as both raters give them.
GRADES = {"quality": [0, 1, 2, 2], "specificity": [1, 0, 0, 0]}


@shelved
def study(db):
    """Quality on 0 to 2 and specificity on 0 to 1; one run ranks as pooled, two the other way."""
    study = make_study(definition="litsearch", facets=tuple(GRADES), candidates=4)
    ranked = {}
    for topic in study.topics:
        options = study.scheme.scale_of(topic.facet).option_list
        batch = topic.pairs.first().batch
        pairs = list(batch.pairs.order_by("document__external_id"))
        for name in ("alice", "bob"):
            for pair, value in zip(pairs, GRADES[topic.facet], strict=True):
                study.rate(name, pair, None, option=options[value], cannot_judge="")
            study.hand_in(name, batch)
        ranked[topic.external_id] = [pair.document.external_id for pair in pairs]
    for tag, step in {"pooled": 1, "turned": -1, "again": -1}.items():
        rankings = {topic: documents[::step] for topic, documents in ranked.items()}
        add_run(collection=study.collection, run=run_of(rankings, tag=tag), by=study.lena)
    return study


def get(client, study, page, **parameters):
    client.force_login(study.lena)
    return client.get(reverse(f"evaluation:{page}", args=["study"]), parameters)


def test_each_facet_is_scored_by_its_own_grades(client, study):
    first = {}
    for facet in GRADES:
        scores = get(client, study, "runs", facet=facet, protocol="trec").context["scores"]
        first[facet] = {row.name: row.cell(scores.by).value for row in scores.rows}

    assert first["quality"]["turned"] == 1 > first["quality"]["pooled"]
    assert first["specificity"]["pooled"] == 1 > first["specificity"]["turned"]


def test_run_that_ranks_queries_is_scored_under_each_facet_as_if_it_ranked_its_topics(
    client, study
):
    (query,) = study.collection.queries.all()
    pooled = [f"{query.external_id}c{number}" for number in range(1, 5)]
    rankings = {query.external_id: pooled, "q-later": pooled}
    for tag in ("of-queries", "pooled"):
        add_run(collection=study.collection, run=run_of(rankings, tag=tag), by=study.lena)

    for facet in GRADES:
        page = get(client, study, "runs", facet=facet, protocol="trec")
        scores = page.context["scores"]
        by_run = {row.name: row.cells for row in scores.rows}
        assert by_run["of-queries"] == by_run["pooled/topics"] == by_run["pooled/queries"]
        assert [row.lacks for row in scores.rows] == [0] * 5
        assertNotContains(page, "Runs of")


def test_no_page_of_runs_pools_different_scales(client, study):
    for page in ("runs", "compare", "stability", "lab"):
        assert get(client, study, page).status_code == 200, page
        assert get(client, study, page, facet="specificity").status_code == 200, page
        assert get(client, study, page, facet="all").status_code == 400, page


def test_no_command_and_no_manifest_pools_different_scales(study, tmp_path):
    for command in ("evaluate", "stability"):
        with pytest.raises(CommandError, match=r"Choose one by --facet: quality, specificity\."):
            call_command(command, "study")

    source = source_named(study.collection, "seat:1")
    manifest = write_export(
        collection=study.collection, export_format="trec", folder=tmp_path, source=source
    )

    assert manifest["effect_on_scores"]["not_computed"] == (
        "Facets have scales of their own, and no figure is of several scales."
    )
    call_command("evaluate", "study", facet="quality")


def test_files_of_runs_say_which_facet_and_queries_their_figures_are_of(client, study):
    study.collection.queries.update(metadata={"language": "de"})
    client.force_login(study.lena)
    address = reverse("evaluation:table", args=["study", "scores", "json"])

    for chosen, words in {"": "Quality", "specificity": "Specificity"}.items():
        first = client.get(address, {"facet": chosen, "tag": "language=de"}).json()["notes"][0]
        assert first == f"Values of gold; 1 topic, under {words}, language: de."


def test_relevance_is_chosen_among_the_grades_of_the_facet(client, study):
    def offered(facet):
        controls = get(client, study, "runs", facet=facet).context["controls"]
        return {control.name: dict(control.options) for control in controls}.get("least")

    assert list(offered("quality")) == ["", "1", "2"]
    # Of two grades the upper one alone can be relevant.
    assert offered("specificity") is None


def test_labels_without_an_order_are_said_to_count_by_their_numbers(client, study):
    words = "These labels have no order"
    study.scheme.scales.filter(facet="specificity").update(is_ordinal=False)

    assertContains(get(client, study, "runs", facet="specificity"), words)
    assertContains(get(client, study, "compare", facet="specificity"), words)
    assertNotContains(get(client, study, "runs", facet="quality"), words)
