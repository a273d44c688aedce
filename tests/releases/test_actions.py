"""Exports of studies made here, and of imported ones, which come back byte for byte."""

import csv
import hashlib
import json
import os
import re
import uuid
from contextlib import contextmanager

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, connections
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agreement.study.selection import selection_of
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import overview_of
from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import make_batches
from annotation.assigning.actions.waive import waive_reading
from annotation.models import Pair
from annotation.schemes.actions import create_scheme, load_definition
from audit.models import Event
from audit.refusals import Invalid, NotAllowed
from datasets.models import Collection, Membership
from datasets.stores import names_in
from formats.csfcube.sources import find_in_folder
from releases.actions import IncompleteError, make_export, write_export
from releases.checks import checks
from releases.models import Export
from releases.reading import people
from releases.snapshot import snapshot
from releases.writing import FolderInUseError, WrittenWrongError
from tests.factories.csfcube import Folder
from tests.factories.imports import import_csfcube
from tests.factories.studies import make_member, make_study, make_topic

EXAMPLES = 100 if os.environ.get("FACETWISE_STRESS") == "full" else 10

FORMATS = ["trec", "csfcube", "csv"]


def contents(folder):
    """{name: bytes} of every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def export(study, folder, export_format="trec", **options):
    return write_export(
        collection=study.collection, export_format=export_format, folder=folder, **options
    )


def import_folder(folder, path, slug="imported", **options):
    collection = Collection.objects.create(slug=slug, name=slug)
    create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
    import_csfcube(
        sources=find_in_folder(folder.write(path)), collection=collection, by=None, **options
    )
    return collection


# Studies made here


def test_qrels_hold_the_gold_and_leave_out_excluded_pairs(finished, tmp_path):
    manifest = export(finished, tmp_path / "out")

    assert (tmp_path / "out" / "qrels-method.txt").read_text() == (
        "q1_method 0 q1c1 2\nq1_method 0 q1c2 1\n"
    )
    assert manifest["counts"]["origins"] == {"adjudicated": 1, "consensus": 1, "excluded": 1}
    assert manifest["counts"]["grades"] == {"1": 1, "2": 1}
    assert manifest["counts"]["facets"]["method"]["cannot_judge"] == 1


def test_grades_of_different_scales_are_counted_by_facet_alone(db, tmp_path):
    study = make_study(definition="litsearch", facets=("quality", "specificity"))
    for topic in study.topics:
        no, yes = study.scheme.scale_of(topic.facet).option_list[:2]
        pairs = list(topic.pairs.all())
        for name in ("alice", "bob"):
            for pair, option in zip(pairs, (no, yes, yes), strict=True):
                study.rate(name, pair, None, option=option, cannot_judge="")
            study.hand_in(name, pairs[0].batch)

    counts = export(study, tmp_path / "out")["counts"]

    assert "grades" not in counts
    assert counts["gold"] == 6
    assert counts["facets"]["quality"]["grades"] == {"0": 1, "1": 2}


def test_csfcube_files_of_a_study_made_here_can_be_imported(finished, tmp_path):
    export(finished, tmp_path / "out", "csfcube")
    release = json.loads((tmp_path / "out" / "test-pid2anns-csfcube-method.json").read_text())

    assert release == {
        "q1": {
            "cands": ["q1c1", "q1c2"],
            "relevance_max": [2, 1],
            "relevance_min": [2, 0],
            "relevance_ann1": [2, 0],
            "relevance_ann2": [2, 1],
            "relevance_adju": [2, 1],
        }
    }
    collection = Collection.objects.create(slug="again", name="Again")
    import_csfcube(
        sources=find_in_folder(tmp_path / "out"),
        collection=collection,
        by=None,
        with_ratings=True,
    )
    assert [p.gold_value for p in Pair.objects.filter(topic__collection=collection)] == [2, 1]


def test_csv_tells_everything_under_pseudonyms(finished, tmp_path):
    manifest = export(finished, tmp_path / "out", "csv")

    with (tmp_path / "out" / "ratings.csv").open() as file:
        ratings = list(csv.DictReader(file))
    assert len(ratings) == 6
    people = {row["annotator"] for row in ratings}
    assert len(people) == 2
    assert all(re.fullmatch("A-[A-Z2-7]{6}", name) for name in people)
    assert {row["pseudonym"] for row in manifest["annotators"]} == people


@pytest.mark.parametrize("export_format", FORMATS)
def test_no_export_names_anybody_or_any_time(finished, tmp_path, export_format):
    export(finished, tmp_path / "out", export_format)

    everything = b"\n".join(contents(tmp_path / "out").values()).decode()
    for member in Membership.objects.select_related("user"):
        for secret in [member.name, member.user.email, str(member.public_id)]:
            assert secret not in everything
    assert "Secret rationale" not in everything
    assert finished.collection.pseudonym_key not in everything
    assert str(tmp_path) not in everything
    assert not re.search(r"20\d\d-\d\d-\d\d|\d\d:\d\d", everything)


def test_notes_go_out_only_on_request(finished, tmp_path):
    export(finished, tmp_path / "out", "csv", with_notes=True)

    assert "Secret rationale" in (tmp_path / "out" / "decisions.csv").read_text()


def test_a_person_has_the_same_pseudonym_in_every_export_and_another_in_another_collection(
    finished, tmp_path
):
    first = export(finished, tmp_path / "a", "csv")["annotators"]
    again = export(finished, tmp_path / "b", "trec")["annotators"]
    Collection.objects.update(pseudonym_key="ab" * 32)
    other = export(finished, tmp_path / "c", "csv")["annotators"]

    assert first == again
    assert {row["pseudonym"] for row in first}.isdisjoint(row["pseudonym"] for row in other)


@pytest.mark.parametrize("export_format", FORMATS)
def test_the_same_state_gives_the_same_bytes(finished, tmp_path, export_format):
    export(finished, tmp_path / "a", export_format)
    export(finished, tmp_path / "b", export_format)

    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_the_manifest_says_whose_ratings_are_not_blind(study, tmp_path):
    study.rate_all("alice", [0, 1, 2])
    lead = make_member(study.collection, "Nora", "lead", "annotator")
    study.members["nora"] = lead
    seat = study.seat("bob")
    assign_seat(seat=seat, member=None, by=study.lena, reason="ill")
    waive_reading(batch=study.batch, member=lead, by=study.lena, reason="Bob is ill")
    assign_seat(seat=seat, member=lead, by=study.lena, reason="ill")
    study.hand_in("alice")
    study.finish(nora=[0, 1, 2])

    plain = export(study, tmp_path / "out")
    with_notes = export(study, tmp_path / "notes", "csv", with_notes=True)

    pseudonym = people(study.collection, "default")[lead.pk].pseudonym
    row = {"pseudonym": pseudonym, "batch": study.batch.name, "ratings": 3}
    assert plain["not_blind"] == [row]
    assert with_notes["not_blind"] == [row | {"reason": "Bob is ill"}]
    selection = selection_of(study.members["lena"], study.lena, {})
    assert "3 ratings by 1 annotator came from members who" in methods_paragraph(
        selection, overview_of(selection)
    )


def test_a_manifest_of_blind_ratings_says_nothing_of_it(finished, tmp_path):
    assert "not_blind" not in export(finished, tmp_path / "out")


@pytest.mark.parametrize("export_format", FORMATS)
def test_the_manifest_names_the_hash_and_size_of_every_other_file(
    finished, tmp_path, export_format
):
    export(finished, tmp_path / "out", export_format)

    files = contents(tmp_path / "out")
    manifest = json.loads(files.pop("manifest.json"))
    assert {file["name"]: (file["sha256"], file["size"]) for file in manifest["files"]} == {
        name: (hashlib.sha256(data).hexdigest(), len(data)) for name, data in files.items()
    }
    assert manifest["collection"]["licence"] == "CC BY 4.0"
    assert manifest["collection"]["citation"] == "The study (2026)"
    assert manifest["scheme"]["rule"] == "any_difference"
    assert manifest["is_incomplete"] is False


def test_export_has_as_many_rows_as_the_database(finished, tmp_path):
    export(finished, tmp_path / "out")

    lines = (tmp_path / "out" / "qrels-all.txt").read_text().splitlines()
    assert len(lines) == Pair.objects.exclude(gold_value=None).count()


# Incomplete gold


def test_incomplete_gold_is_refused_and_leaves_no_file(study, tmp_path):
    study.rate_all("alice", 1)

    with pytest.raises(IncompleteError, match=r"not complete \(3 partly rated\)"):
        export(study, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []

    study.rate_all("bob", [1, 1, 3])
    assert export(study, tmp_path / "early", allow_incomplete=True)["missing"] == {
        "not handed in": 3
    }

    study.hand_in("alice")
    study.hand_in("bob")
    with pytest.raises(IncompleteError, match=r"not complete \(1 disputed and open\)") as refused:
        export(study, tmp_path / "out")
    assert refused.value.missing == {"not adjudicated": 1}


def test_incomplete_gold_is_marked_in_names_and_manifest(finished, tmp_path):
    make_topic(finished.collection, query_id="q2")

    manifest = export(finished, tmp_path / "out", allow_incomplete=True)

    assert manifest["is_incomplete"] is True
    assert manifest["missing"] == {"waiting for a batch": 3}
    assert set(contents(tmp_path / "out")) == {
        "manifest.json", "qrels-method-incomplete.txt", "qrels-all-incomplete.txt",
    }  # fmt: skip


def test_returned_seats_make_the_gold_incomplete_again(finished, tmp_path):
    return_seat(seat=finished.seat("alice"), by=finished.lena, reason="look again")

    manifest = export(finished, tmp_path / "out", allow_incomplete=True)

    assert manifest["missing"] == {"not handed in": 1}


def test_a_lead_who_still_rates_gets_an_incomplete_export_without_that_batch(finished, tmp_path):
    lead = finished.members["lena"]
    Membership.objects.filter(pk=lead.pk).update(is_annotator=True)
    lead.refresh_from_db()
    make_topic(finished.collection, query_id="q2")
    [batch] = make_batches(collection=finished.collection, by=finished.lena)
    for seat, member in zip(batch.seats.all(), [lead, finished.members["bob"]], strict=True):
        assign_seat(seat=seat, member=member, by=finished.lena)
    finished.rate_all("bob", 3, batch)

    with pytest.raises(IncompleteError, match="1 in a batch in which you still rate"):
        export(finished, tmp_path / "out", by=finished.lena)
    manifest = export(finished, tmp_path / "out", "csv", by=finished.lena, allow_incomplete=True)

    assert "q2" not in (tmp_path / "out" / "ratings-incomplete.csv").read_text()
    # Its seal would tell how much the others have rated.
    assert manifest["trail"] is None
    completeness = checks(finished.collection, finished.lena)
    assert (completeness.pairs, completeness.withheld, completeness.is_complete) == (3, 1, False)


# Folders


def test_a_folder_with_other_files_is_left_alone(finished, tmp_path):
    (tmp_path / "thesis.tex").write_text("dear")

    with pytest.raises(FolderInUseError):
        export(finished, tmp_path)

    assert contents(tmp_path) == {"thesis.tex": b"dear"}


def test_an_earlier_export_with_somebodys_file_beside_it_is_left_alone(finished, tmp_path):
    export(finished, tmp_path / "out")
    (tmp_path / "out" / "thesis.tex").write_text("dear")

    with pytest.raises(FolderInUseError):
        export(finished, tmp_path / "out")

    assert contents(tmp_path / "out")["thesis.tex"] == b"dear"


def test_an_earlier_export_of_the_same_kind_is_replaced_as_a_whole(finished, tmp_path):
    export(finished, tmp_path / "out")
    (tmp_path / "out" / "qrels-all.txt").write_text("old")

    export(finished, tmp_path / "out")

    assert (tmp_path / "out" / "qrels-all.txt").read_text().startswith("q1_method")
    with pytest.raises(FolderInUseError):
        export(finished, tmp_path / "out", "csv")


def test_files_that_are_not_on_disk_as_written_are_not_offered(finished, tmp_path, monkeypatch):
    monkeypatch.setattr("releases.writing.digest_of", lambda path: "something else")

    with pytest.raises(WrittenWrongError):
        export(finished, tmp_path / "out")

    assert list(tmp_path.iterdir()) == []


def test_files_that_are_not_in_the_store_as_written_are_not_offered(finished, monkeypatch):
    def save_damaged(store, name, content):
        return FileSystemStorage._save(store, name, ContentFile(b"damaged"))

    monkeypatch.setattr("config.storage.StateFolder._save", save_damaged)
    before = list(names_in(Export.store()))

    with pytest.raises(WrittenWrongError, match=r"is not in the store as it was written"):
        make_export(collection=finished.collection, export_format="trec", by=finished.lena)

    assert not Export.objects.exists()
    assert list(names_in(Export.store())) == before


def test_an_export_whose_commit_was_not_answered_keeps_its_files(finished):
    """The database made it and its answer was lost, as where its server ends at that moment."""

    @contextmanager
    def unanswered():
        yield {}
        raise OperationalError("server closed the connection unexpectedly")

    with pytest.raises(OperationalError):
        make_export(
            collection=finished.collection,
            export_format="trec",
            by=finished.lena,
            effect=unanswered,
        )

    [made] = Export.objects.all()
    stored = {name.rpartition("/")[2] for name in names_in(Export.store(), str(made.public_id))}
    assert stored == {made.archive_name, *(file["name"] for file in made.files)}


def test_identifiers_never_become_paths(finished, tmp_path):
    finished.collection.queries.update(external_id="../../q1")
    finished.collection.documents.filter(external_id="q1").update(external_id="../../q1")

    export(finished, tmp_path / "out", "csfcube")

    assert "readable_annotations/..%2F..%2Fq1-method-adju.txt" in contents(tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_unknown_formats_are_refused(finished, tmp_path):
    with pytest.raises(Invalid):
        export(finished, tmp_path / "out", "xlsx")


def test_a_format_that_does_not_fit_is_refused_before_a_pair_is_read(finished, tmp_path):
    refusal = (
        r"DORIS-MAE does not fit: it holds texts with aspects\. "
        r"Formats that fit: trec, csfcube, csv, birco, beir\."
    )

    with CaptureQueriesContext(connection) as statements, pytest.raises(Invalid, match=refusal):
        export(finished, tmp_path / "out", "doris-mae")

    assert not [row for row in statements if "annotation_pair" in row["sql"]]
    assert contents(tmp_path) == {}


# Exports on the server


@pytest.mark.parametrize("is_incomplete", [False, True])
def test_the_trail_tells_of_each_export_what_it_holds(study, is_incomplete):
    study.finish(alice=1, bob=2 if is_incomplete else 1)

    export = make_export(
        collection=study.collection, export_format="trec", by=study.lena, allow_incomplete=True
    )

    [event] = Event.objects.about(export)
    assert (event.verb, event.actor) == ("export", study.lena)
    assert event.after == {
        "format": "trec",
        "is_incomplete": is_incomplete,
        "files": {file["name"]: file["sha256"] for file in export.files},
        "batches": [str(study.batch.public_id)],
    }


def test_only_leads_make_exports(finished):
    for name in ["alice", "carol"]:
        with pytest.raises(NotAllowed):
            make_export(
                collection=finished.collection,
                export_format="trec",
                by=finished.members[name].user,
            )

    assert not Export.objects.exists()


# Imported studies


def test_an_imported_study_comes_back_byte_for_byte(db, tmp_path):
    folder = Folder()
    del folder.papers["other"]
    collection = import_folder(folder, tmp_path / "in", with_ratings=True)

    manifest = write_export(collection=collection, export_format="csfcube", folder=tmp_path / "out")

    files = contents(tmp_path / "out")
    assert {name: files[name] for name in folder.files()} == folder.files()
    assert manifest["notes"] == [
        "No readable_annotations were imported: the text files number the annotators as the "
        "rating files do."
    ]


# Any text that a database keeps: no NUL, no lone surrogates.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)


@pytest.mark.django_db
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    title=texts,
    sentences=st.lists(texts, min_size=1, max_size=3),
    metadata=st.dictionaries(texts, texts | st.integers() | st.floats(allow_nan=False,
        allow_infinity=False) | st.none() | st.lists(texts, max_size=2), max_size=4),
    fields=st.tuples(texts, texts, texts),
    source=texts,
)  # fmt: skip
def test_whatever_was_imported_comes_back_and_can_be_imported_again(
    tmp_path_factory, title, sentences, metadata, fields, source
):
    path = tmp_path_factory.mktemp("study")
    slug = f"study-{uuid.uuid4().hex}"
    folder = Folder()
    del folder.papers["other"]
    folder.papers["q1c1"] |= {
        "title": title,
        "abstract": sentences,
        "pred_labels": ["method_label"] * len(sentences),
        "metadata": metadata,
    }
    folder.queries[0][2:] = fields
    folder.pools["q1"]["cand_source"][0] = [source]

    collection = import_folder(folder, path / "in", slug=slug, with_ratings=True)
    write_export(collection=collection, export_format="csfcube", folder=path / "out")
    again = import_csfcube(
        sources=find_in_folder(path / "out"), collection=collection, by=None, with_ratings=False
    )

    files = contents(path / "out")
    assert {name: files[name] for name in folder.files()} == folder.files()
    assert again.imported is None


def test_what_cannot_come_back_is_said(db, tmp_path):
    folder = Folder()
    folder.splits = None
    collection = import_folder(folder, tmp_path / "in")

    manifest = write_export(
        collection=collection,
        export_format="csfcube",
        folder=tmp_path / "out",
        allow_incomplete=True,
    )

    assert manifest["notes"] == [
        "abstracts-csfcube-preds.jsonl has the 8 papers of the pools; the imported file had 9 "
        "lines.",
        "No evaluation_splits.json was imported, so there is none here.",
        "The ratings were made in Facetwise, not imported: annotators are numbered in the order "
        "in which they got their first seat.",
    ]


def test_the_official_files_come_back_byte_for_byte(db, shared_data, tmp_path):
    official = shared_data / "csfcube-half"
    collection = Collection.objects.create(slug="half", name="CSFCube, half")
    create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
    import_csfcube(
        sources=find_in_folder(official), collection=collection, by=None, with_ratings=True
    )

    manifest = write_export(collection=collection, export_format="csfcube", folder=tmp_path / "out")

    files = contents(tmp_path / "out")
    del files["manifest.json"]
    assert len(files) == 32  # 3 rating files, pool, queries, splits, abstracts, 25 texts
    assert {name: hashlib.sha256(data).hexdigest() for name, data in files.items()} == {
        name: hashlib.sha256((official / name).read_bytes()).hexdigest() for name in files
    }
    assert manifest["notes"] == []
    assert manifest["counts"]["grades"] == {"0": 2157, "1": 667, "2": 207, "3": 40}
    assert manifest["counts"]["cannot_judge"] == 10
    again = write_export(collection=collection, export_format="csfcube", folder=tmp_path / "again")
    assert again == manifest


# Commands and snapshots


def test_the_command_writes_and_names_the_files(finished, tmp_path, capsys):
    call_command("export", "study", format="trec", out=tmp_path / "out")

    printed = capsys.readouterr().out
    assert "2 pairs with a grade, complete" in printed
    assert hashlib.sha256((tmp_path / "out" / "qrels-all.txt").read_bytes()).hexdigest() in printed


def test_the_command_refuses_with_a_sentence(study, tmp_path):
    with pytest.raises(CommandError, match=r"The gold is not complete \(3 not rated\)"):
        call_command("export", "study", format="trec", out=tmp_path / "out")
    with pytest.raises(CommandError, match="There is no collection 'nowhere'"):
        call_command("export", "nowhere", format="trec", out=tmp_path / "out")


@pytest.mark.django_db(transaction=True)
def test_a_snapshot_does_not_see_what_changes_meanwhile():
    Collection.objects.create(slug="before", name="Before")

    with snapshot() as using:
        before = Collection.objects.using(using).count()
        _change_elsewhere()
        after = Collection.objects.using(using).count()

    assert (before, after) == (1, 1)
    assert Collection.objects.count() == 2


@pytest.mark.sqlite_only
@pytest.mark.parametrize("journal", ["wal", "truncate"])
@pytest.mark.usefixtures("file_of_its_own")
def test_a_snapshot_in_either_journal_is_whole_and_holds_nobody_up(journal):
    Collection.objects.create(slug="before", name="Before")
    with connection.cursor() as cursor:
        assert cursor.execute(f"PRAGMA journal_mode={journal}").fetchone() == (journal,)

    with snapshot() as using:
        before = Collection.objects.using(using).count()
        _change_elsewhere()
        after = Collection.objects.using(using).count()
        with connections[using].cursor() as cursor:
            whole = cursor.execute("PRAGMA integrity_check").fetchone()

    assert (before, after, whole) == (1, 1, ("ok",))
    assert Collection.objects.count() == 2


def _change_elsewhere():
    """A change by another connection, committed."""
    connections["elsewhere"] = connection.copy("elsewhere")
    try:
        Collection(slug="after", name="After").save(using="elsewhere")
    finally:
        connections["elsewhere"].close()
        del connections["elsewhere"]


@pytest.mark.parametrize(
    ("export_format", "is_read"), [("trec", False), ("beir", False), ("csv", True)]
)
def test_single_answers_are_read_for_formats_that_hold_them_alone(
    finished, tmp_path, export_format, is_read
):
    with CaptureQueriesContext(connection) as captured:
        content = write_export(
            collection=finished.collection, export_format=export_format, folder=tmp_path / "out"
        )

    rows_read = [sql for sql in (q["sql"] for q in captured) if '"annotation_rating"."note"' in sql]
    assert bool(rows_read) is is_read
    # What the manifest counts is the same for every format.
    assert (content["counts"]["ratings"], content["counts"]["cannot_judge"]) == (6, 1)
    assert sorted(person["ratings"] for person in content["annotators"]) == [3, 3]
