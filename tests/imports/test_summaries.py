"""Who may not read ratings learns from no import who rated, or how much."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.assigning.actions.assign import assign_seat
from api.resources.activity import NAMING
from imports import unattended
from imports.run import carry_out
from imports.study.importing import StudyMoving
from imports.summaries import rates_in
from jobs.running import run_job
from tests.factories.neutral import Neutral
from tests.factories.studies import make_member, make_study
from tests.factories.tokens import program_of
from tests.shelf import shelved

pytestmark = pytest.mark.once
IMPORTS = "/api/v1/collections/study/imports"


def topic_of_one_pair():
    neutral = Neutral().document("c1").query("q9", text="Why?", facets=["method"])
    return neutral.pool("q9", "c1")


@shelved
def study(db):
    """Zelda's rating of a pair came first, and Quirin's of the same pair after it."""
    study = make_study()
    for rater, grade in [("Zelda", 1), ("Quirin", 2)]:
        neutral = topic_of_one_pair().rate("q9_method", "c1", **{rater: grade})
        neutral.study.fingerprint = rater
        carry_out(StudyMoving(neutral.study, study.collection, study.lena))
    return study


@shelved
def nora(study):
    """A lead who rates in a batch that is not finished."""
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    assign_seat(seat=study.seat("bob"), member=nora, by=study.lena, reason="ill")
    return nora


def summaries(program):
    return [row["summary"] for row in program.get(IMPORTS).json()["results"]]


def test_a_program_that_may_read_ratings_reads_who_brought_further_ones(study):
    text = json.dumps(summaries(program_of(study.members["lena"], "read", "ratings")))

    assert "Quirin rates pairs that have ratings already" in text


def test_a_program_that_may_not_read_ratings_reads_the_name_of_no_rater(study):
    first, further = summaries(program_of(study.members["lena"], "read"))

    assert (first["papers"], first["ratings"], further["ratings"]) == (1, 1, 1)
    assert "Quirin" not in json.dumps([first, further])


def test_a_program_that_may_not_read_ratings_has_no_hash_of_files_with_ratings(study):
    lena = study.members["lena"]

    def fingerprints(*scopes):
        rows = program_of(lena, *scopes).get(IMPORTS).json()["results"]
        return [row["fingerprint"] for row in rows]

    assert fingerprints("read") == [None, None]
    assert all(fingerprints("read", "ratings"))


def test_the_job_of_an_import_names_raters_to_programs_that_may_read_ratings_alone(study):
    lena = study.members["lena"]
    rows = "topic,document,rater,grade\nq9_method,c1,Wilma,1\n"
    file = SimpleUploadedFile("ratings.csv", rows.encode())
    job = unattended.start(
        collection=study.collection,
        by=study.lena,
        files=unattended.store([file]),
        settings={"format": "tables"},
    )
    run_job(job.public_id)

    def message(*scopes):
        [row] = program_of(lena, *scopes).get(IMPORTS.replace("imports", "jobs")).json()["results"]
        return row["message"]

    assert message("read", "ratings").startswith("Added 1 rating. Wilma rates pairs that have")
    assert message("read") == f"Added 1 rating. {NAMING}"


def test_a_lead_who_rates_reads_by_program_neither_raters_nor_counts_of_ratings(study, nora):
    program = program_of(nora, "read", "ratings")
    first, further = summaries(program)
    trail = program.get(IMPORTS.replace("imports", "trail")).content.decode()

    assert first["papers"] == 1
    assert not {"ratings", "decisions", "with_ratings", "notes"} & {*first, *further}
    assert '"verb":"import"' not in trail
    assert "Quirin" not in trail


def test_a_lead_who_rates_elsewhere_reads_all_of_it_here(study, nora):
    other = make_study(slug="other", assign=False)
    lead = make_member(other.collection, "Lea", "lead", user=nora.user)

    assert rates_in(study.collection, nora.user)
    assert not rates_in(lead.collection, nora.user)


def test_the_page_tells_a_lead_who_rates_neither_raters_nor_counts_of_ratings(client, study, nora):
    address = "/collections/study/import/"
    client.force_login(study.lena)
    to_another_lead = client.get(address).content.decode()
    client.force_login(nora.user)
    to_nora = client.get(address).content.decode()

    assert "Quirin rates pairs" in to_another_lead
    assert "1 rating" in to_another_lead
    assert "Quirin" not in to_nora
    assert "1 rating" not in to_nora
    assert "1 document" in to_nora
