"""The page of two exports compared, its files, the endpoint for programs and the command."""

import csv
import io
import json
import re

import pytest
from django.core.management import CommandError, call_command
from pytest_django.asserts import assertContains, assertNotContains

from accounts.models import User
from agreement.tables import writing
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import raise_overlap
from datasets.actions import set_roles
from tests.factories.studies import make_aspect_study, make_member, make_study, make_user
from tests.factories.tokens import program_of
from tests.releases.erratum.conftest import decided, exported

pytestmark = [pytest.mark.once, pytest.mark.django_db]

PAGE = "/collections/study/exports/changes/"
FILE = "/collections/study/exports/changes.csv"


@pytest.fixture
def lena(client, corrected):
    client.force_login(corrected.lena)
    return client


def two(study, **more):
    return {"a": study.older.public_id, "b": study.newer.public_id} | more


def test_the_newest_two_are_compared_unless_others_are_chosen(lena, corrected):
    answer = lena.get(PAGE)

    assertContains(answer, "Of 3 judgments 1 changed, 3 are new and 1 is gone.")
    assertContains(answer, "reopened and decided again")
    assertContains(answer, "Ann read another task")
    assertContains(answer, f"/pairs/{corrected.redone.public_id}/#history")
    assertContains(answer, "0 Irrelevant")
    same = lena.get(PAGE, two(corrected, a=corrected.newer.public_id))
    assertContains(same, "Both hold the same 5 judgments.")
    assertNotContains(same, "Grade by grade")
    # The other way round it is still the older one that comes first.
    swapped = two(corrected, a=corrected.newer.public_id, b=corrected.older.public_id)
    assertContains(lena.get(PAGE, swapped), "Of 3 judgments 1 changed, 3 are new and 1 is gone.")


def test_tables_of_several_scales_have_names_of_their_own(client, db):
    study = make_study(definition="litsearch", facets=("quality", "specificity"))
    for topic in study.topics:
        options = study.scheme.scale_of(topic.facet).option_list
        pairs = list(topic.pairs.all())
        for name, option in zip(("alice", "bob"), options, strict=False):
            for pair in pairs:
                study.rate(name, pair, None, option=option, cannot_judge="")
            study.hand_in(name, pairs[0].batch)
        decided(study, pairs[0], option=options[0])
    exported(study)
    decided(study, pairs[1], option=options[0])
    exported(study)
    client.force_login(study.lena)

    text = client.get(PAGE).content.decode()

    headings = re.findall(r'<h2 id="crossed-\d">(.+?)</h2>', text)
    assert headings == [
        "Quality: older grade by newer grade",
        "Specificity: older grade by newer grade",
    ]


def test_the_list_shows_a_kind_a_topic_a_facet_or_what_has_some_words(lena, corrected):
    def documents(**filters):
        page = lena.get(PAGE, two(corrected, **filters)).context["page"]
        return [f"{row.topic} {row.document}" for row in page.object_list]

    assert documents(kind="gone") == ["q1_method q1c3"]
    assert documents(topic="q1_method") == ["q1_method q1c2", "q1_method q1c3"]
    # The text of a query may be long, and stands in each row.
    assertContains(lena.get(PAGE, two(corrected, kind="gone")), '<a class="clip2" href="', count=1)
    assert documents(facet="result", words="c3") == ["q1_result q1c3"]
    assert documents(words="nothing of it") == []
    assert lena.get(PAGE, two(corrected, kind="odd")).status_code == 400
    assert lena.get(PAGE, two(corrected, facet="odd")).status_code == 400
    assert lena.get(PAGE, two(corrected, a="odd")).status_code == 400


def test_the_page_says_when_nothing_fits_and_when_an_export_is_chosen_twice(lena, corrected):
    nothing = lena.get(PAGE, two(corrected, kind="changed", facet="result"))
    twice = lena.get(PAGE, two(corrected, b=corrected.older.public_id))

    assertContains(nothing, "No change fits this choice.")
    assertNotContains(nothing, "the same export twice")
    assertContains(twice, "This is the same export twice.")


def test_for_htmx_the_page_is_its_part_that_changes(lena, corrected):
    part = lena.get(PAGE, two(corrected), headers={"HX-Request": "true"})

    assertContains(part, 'id="changes"')
    assertNotContains(part, "<h1")
    assertContains(part, 'id="live"')


def test_files_have_all_changes_of_the_filters(lena, corrected):
    text = lena.get(FILE, two(corrected)).getvalue().decode()
    rows = list(csv.DictReader(io.StringIO(text)))

    assert [(row["kind"], row["document"], row["reason"]) for row in rows][:2] == [
        ("changed", "q1c2", "reopened and decided again"),
        ("gone", "q1c3", "left out by a decision"),
    ]
    assert "Ann" not in text
    assert "Ann" in lena.get(FILE, two(corrected, with_notes="1")).getvalue().decode()
    lines = lena.get(FILE.replace("csv", "ndjson"), two(corrected, kind="gone")).getvalue()
    assert json.loads(lines)["old_name"] == "Irrelevant"
    assert lena.get(FILE.replace("csv", "xml"), two(corrected)).status_code == 404


def test_free_text_comes_for_a_yes_alone(lena, corrected):
    program = program_of(corrected.members["lena"])
    address = f"/api/v1/collections/study/exports/{corrected.newer.public_id}/changes"

    assert "Ann" in program.get(address, {"with_notes": "1"}).getvalue().decode()
    assert "Ann" not in program.get(address, {"with_notes": "0"}).getvalue().decode()
    assert "Ann" not in lena.get(FILE, two(corrected, with_notes="0")).getvalue().decode()
    assert program.get(address, {"with_notes": "2"}).status_code == 400
    assert lena.get(FILE, two(corrected, with_notes="2")).status_code == 400


@pytest.mark.parametrize(
    ("name", "expected"), [("alice", 403), ("carol", 403), ("dave", 404), (None, 302)]
)
def test_only_leads_compare_exports(client, corrected, name, expected):
    make_user("Dave")
    if name:
        client.force_login(User.objects.get(email=f"{name}@example.org"))

    assert client.get(PAGE, two(corrected)).status_code == expected
    assert client.get(FILE, two(corrected)).status_code == expected


def test_an_export_with_a_batch_that_a_lead_rates_in_does_not_exist_for_them(client, corrected):
    nora = make_member(corrected.collection, "Nora", "annotator")
    batch = corrected.batch
    raise_overlap(batch=batch, overlap=3, by=corrected.lena, reason="more")
    assign_seat(seat=batch.seats.get(ordinal=3), member=nora, by=corrected.lena)
    set_roles(membership=nora, roles=["lead", "annotator"], by=corrected.lena)
    nora.refresh_from_db()
    client.force_login(nora.user)

    assertContains(client.get(PAGE), "There are no two exports to compare yet")
    assert client.get(PAGE, two(corrected)).status_code == 404
    assert client.get(FILE, two(corrected)).status_code == 404
    address = f"/api/v1/collections/study/exports/{corrected.newer.public_id}/changes"
    assert program_of(nora).get(address).status_code == 404


def test_an_export_of_another_collection_does_not_exist(lena, corrected):
    other = make_study(slug="other")
    theirs = exported(other)

    assert lena.get(PAGE, two(corrected, a=theirs.public_id)).status_code == 404


def test_an_export_that_lost_its_files_says_so(lena, corrected):
    lost = exported(corrected)
    lost.store().delete(lost.stored_name("manifest.json"))

    answer = lena.get(PAGE, two(corrected, b=lost.public_id))

    assertContains(answer, "has no manifest.json any more")
    assert lena.get(FILE, two(corrected, b=lost.public_id)).status_code == 409


def test_the_list_of_exports_leads_here(lena, corrected):
    link = f"{PAGE}?a={corrected.older.public_id}&amp;b={corrected.newer.public_id}"

    assertContains(lena.get("/collections/study/exports/"), f'href="{link}"')


def test_programs_get_the_same_as_the_page(lena, corrected):
    program = program_of(corrected.members["lena"])
    address = f"/api/v1/collections/study/exports/{corrected.newer.public_id}/changes"

    answer = json.loads(program.get(address).getvalue())
    table = program.get(address, headers={"Accept": "text/csv"}).getvalue()

    assert answer["title"] == "Of 3 judgments 1 changed, 3 are new and 1 is gone."
    assert answer["judgments"] == {"older": 3, "newer": 5}
    assert answer["changes"] == {"changed": 1, "new": 3, "gone": 1}
    assert answer["rows"][0]["reason"] == "reopened and decided again"
    assert table == lena.get(FILE, two(corrected)).getvalue()
    assert program.get(address, {"kind": "odd"}).status_code == 400
    assert program.get(address, {"since": "odd"}).status_code == 400
    first = f"/api/v1/collections/study/exports/{corrected.older.public_id}/changes"
    assert program.get(first).status_code == 404


def test_programs_compare_an_export_with_the_last_one_that_holds_grades(db):
    study = make_aspect_study(query={"documents": ("1", "2", "3")})
    older, _, newer = (exported(study, name) for name in ("trec", "doris-mae", "csv"))
    program = program_of(study.members["lena"])

    address = f"/api/v1/collections/{study.collection.slug}/exports/{newer.public_id}/changes"
    answer = json.loads(program.get(address).getvalue())

    assert answer["older"] == str(older.public_id)


def test_programs_get_all_changes_as_they_are_read(corrected, monkeypatch):
    monkeypatch.setattr(writing, "ROWS_OF_A_PART", 2)
    program = program_of(corrected.members["lena"])
    address = f"/api/v1/collections/study/exports/{corrected.newer.public_id}/changes"

    answer = program.get(address)

    parts = list(answer.streaming_content)
    lines = program.get(address, headers={"Accept": "application/x-ndjson"}).getvalue()
    assert answer["Content-Type"] == "application/json"
    assert [part.count(b'"reason":') for part in parts] == [1, 2, 2, 1, 0]
    rows = json.loads(b"".join(parts))["rows"]
    assert rows == [json.loads(line) for line in lines.splitlines()]


def test_a_page_of_three_changes_asks_as_much_as_one_of_one(
    lena, corrected, django_assert_num_queries
):
    lena.get(PAGE, two(corrected))

    with django_assert_num_queries(18):
        lena.get(PAGE, two(corrected, kind="new"))
    with django_assert_num_queries(18):
        lena.get(PAGE, two(corrected, kind="gone"))


def test_the_command_says_the_same_and_writes_every_change(lena, corrected, capsys):
    ids = [str(corrected.older.public_id), str(corrected.newer.public_id)]

    call_command("erratum", *ids)
    said = capsys.readouterr().out
    call_command("erratum", *ids, "--format", "csv")

    assert said.splitlines() == [
        "Of 3 judgments 1 changed, 3 are new and 1 is gone.",
        "The older export is not complete: some pairs had no value yet.",
        "",
        "Method: 3 before, 1 changed, 0 new, 1 gone, 2 now",
        "Result: 0 before, 0 changed, 3 new, 0 gone, 3 now",
        "",
        "Older grade by newer grade",
        "  new -> 1: 2",
        "  0 -> gone: 1",
        "  1 -> 0: 1",
        "  new -> 2: 1",
    ]
    assert capsys.readouterr().out.encode() == lena.get(FILE, two(corrected)).getvalue()


def test_the_command_ends_with_2_for_no_export_and_with_1_where_nothing_can_be_compared(
    corrected, tmp_path
):
    older, newer = str(corrected.older.public_id), str(corrected.newer.public_id)
    with pytest.raises(CommandError, match="neither the id") as wrong:
        call_command("erratum", older, "nowhere")
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(CommandError, match="cannot be read") as unread:
        call_command("erratum", str(tmp_path), newer)

    assert (wrong.value.returncode, unread.value.returncode) == (2, 1)
