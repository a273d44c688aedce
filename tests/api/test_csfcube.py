"""A real study by API: CSFCube's half gives programs what it gives the pages, byte for byte."""

import json
from collections import defaultdict

import pandas
import pytest
from pandas.testing import assert_frame_equal

from annotation.models import Rating
from datasets.actions import accept_invitation, change_programs
from datasets.tokens.actions import make_token
from jobs.running import run_job
from releases.actions import write_export
from releases.models import Export
from tests.factories.studies import make_user
from tests.factories.tokens import program_of

HOME = "/api/v1/collections/half"
# By value.
OPTIONS = ["irrelevant", "related", "similar", "identical"]


def test_the_half_by_api_is_the_half_of_the_pages(half, client, tmp_path):
    lena = half.memberships.get(name="Lena")
    program = program_of(lena)
    client.force_login(lena.user)
    write_export(
        collection=half,
        export_format="trec",
        folder=tmp_path / "out",
        by=lena.user,
        allow_incomplete=True,
    )

    qrels = program.get(f"{HOME}/qrels?all=1", headers={"Accept": "text/plain"})
    agreement = program.get(f"{HOME}/agreement").json()
    ratings = program.get(f"{HOME}/ratings", headers={"Accept": "application/x-ndjson"})

    [file] = (tmp_path / "out").glob("qrels-all*.txt")
    assert qrels.content == file.read_bytes()
    assert agreement == client.get("/collections/half/agreement.json").json()
    rows = [json.loads(line) for line in ratings.getvalue().splitlines()]
    assert len(rows) == Rating.objects.count()
    values = Rating.objects.order_by("pk").values_list("option__value", flat=True)
    assert [row["value"] for row in rows] == [
        None if value is None else float(value) for value in values
    ]


@pytest.fixture
def published(shared_data):
    """What CSFCube's files say of each topic: its candidates, two lists of values, and what the
    adjudicator chose."""
    folder = shared_data / "csfcube-half"
    return {
        f"{query}_{facet}": judged
        for facet in ("background", "method", "result")
        for query, judged in json.loads(
            (folder / f"test-pid2anns-csfcube-{facet}.json").read_text()
        ).items()
    }


@pytest.fixture
def papers(shared_data):
    with (shared_data / "csfcube-half" / "abstracts-csfcube-preds.jsonl").open() as file:
        return {paper["paper_id"]: paper for paper in map(json.loads, file)}


def bring_in(study, published, papers):
    """Documents, queries and pools as tables, without a rating."""
    topics = [(topic, *topic.split("_")) for topic in published]
    pool = [
        {"query": query, "facet": facet, "document": document, "source": "published"}
        for topic, query, facet in topics
        for document in published[topic]["cands"]
    ]
    queries = sorted({query for _, query, _ in topics})
    wanted = sorted({row["document"] for row in pool} | set(queries))
    job = study.import_tables(
        documents=pandas.DataFrame(
            {
                "id": wanted,
                "title": [papers[paper]["title"] for paper in wanted],
                "sentences": [papers[paper]["abstract"] for paper in wanted],
                "labels": [papers[paper]["pred_labels"] for paper in wanted],
            }
        ),
        queries=pandas.DataFrame(
            {
                "id": queries,
                "document": queries,
                "facets": [
                    [facet for _, of_query, facet in topics if of_query == query]
                    for query in queries
                ],
            }
        ),
        pool=pandas.DataFrame(pool),
    )
    run_job(job.id)
    job.wait(timeout=0)


def create(client_of):
    """The collection, its first lead's client, and programs let rate."""
    ada = make_user("Ada", is_site_admin=True)
    _, token = make_token(account=ada, membership=None, name="x", scopes=["collections"], days=1)
    made, link = client_of(token=token).create("Rated", slug="rated", scheme="csfcube")
    lead = accept_invitation(token=link.rstrip("/").rpartition("/")[2], by=make_user("Leo"))
    change_programs(collection=lead.collection, by=lead.user, programs_may_rate=True)
    return lead, client_of(lead).collection(made.slug)


def rate_as_published(study, published, papers, number):
    """Give every pair of one's seats the value of a list of ratings; -1 is "cannot judge".

    Some papers are twins: nobody who reads them can tell which is which. They take turns.
    """
    given = defaultdict(list)
    for topic, judged in published.items():
        query, facet = topic.split("_")
        for document, value in zip(judged["cands"], values_of(judged, number), strict=True):
            given[papers[query]["title"], facet, *text_of(papers[document])].append(value)
    for seat in study.own_seats():
        for pair in seat.waiting():
            document = (pair.document.title, pair.document.text)
            value = given[pair.query.title, pair.facet, *document].pop()
            if value < 0:
                seat.rate(pair, "cannot-judge:own", own_reason="No rating in the file")
            else:
                seat.rate(pair, OPTIONS[value])
        seat.hand_in()


def values_of(judged, number):
    """The first or second list; the file names each by its annotator."""
    return [judged[key] for key in judged if key.startswith("relevance_ann")][number - 1]


def text_of(paper):
    return paper["title"], " ".join(paper["abstract"])


def decide_as_published(study, published, papers):
    chosen = {
        (topic, *text_of(papers[document])): value
        for topic, judged in published.items()
        for document, value in zip(judged["cands"], judged["relevance_adju"], strict=True)
    }
    for case in study.desk.waiting():
        value = chosen[case.topic, case.document.title, case.document.text]
        study.desk.decide(case, OPTIONS[value], reason="As published.")


# On a push test_whole_study.py makes a small study so, up to its qrels, and the test above holds
# the figures of the half against those of the pages.
@pytest.mark.full
def test_the_half_is_made_by_programs_alone(half, client, client_of, published, papers):
    lead, study = create(client_of)
    bring_in(study, published, papers)
    people = [make_user(name) for name in ("Rita", "Sam", "Tess")]
    lines = [user.email for user in people]
    members = study.add_members([*lines[:2], f"{lines[2]} adjudicator"])
    study.make_batches()
    for seat in study.seats().itertuples():
        study.assign(seat.id, members[seat.ordinal - 1])
    rita, sam, tess = (
        client_of(lead.collection.memberships.get(user=user)).collection("rated") for user in people
    )

    for number, rater in enumerate((rita, sam), 1):
        rate_as_published(rater, published, papers, number)
    decide_as_published(tess, published, papers)

    # Figures and files are those of the pages, and those of the half that its own importer read.
    figures = study._get("agreement").json()
    imported = client_of(half.memberships.get(name="Lena")).collection("half")
    ours, theirs = (
        collection.agreement("queries", "queries").set_index("topic").loc[sorted(published)]
        for collection in (study, imported)
    )
    assert_frame_equal(ours, theirs)
    lines = imported.qrels_file(is_incomplete=True).splitlines(keepends=True)
    wanted = [line for line in lines if line.split()[0].decode() in published]
    assert study.qrels_file() == b"".join(wanted)
    assert study.ratings()["is_by_program"].all()
    job = study.export("trec")
    run_job(job.id)
    export = Export.objects.get(collection=lead.collection)
    with export.store().open(export.stored_name("qrels-all.txt")) as file:
        assert file.read() == study.qrels_file()
    client.force_login(lead.user)
    assert figures == client.get("/collections/rated/agreement.json").json()
