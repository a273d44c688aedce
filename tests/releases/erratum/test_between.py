"""Two exports of a study beside each other: grades from their files, reasons from the trail."""

import json
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest
from django.core.exceptions import BadRequest
from django.core.files.base import ContentFile

from adjudication.actions import reopen
from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import make_batches, raise_overlap
from annotation.schemes.actions import load_definition
from datasets.actions import change_programs, set_roles
from datasets.models import Collection
from evaluation.definitions.actions import add_mapping
from evaluation.sources.choices import source_named
from releases.actions import make_export, write_export
from releases.erratum import between, tables
from releases.erratum.between import Erratum, erratum_of
from releases.erratum.changes import Kind
from releases.erratum.reading import Exported, NotComparable
from releases.erratum.reasons import Reason, Why
from tests.agreement.test_labels import LABELS, NAMES
from tests.factories.studies import (
    Study,
    add_cast,
    assign_all,
    make_collection,
    make_member,
    make_study,
    make_topic,
)
from tests.factories.tokens import token_of
from tests.releases.erratum.conftest import decided, exported

pytestmark = [pytest.mark.once, pytest.mark.django_db]


LEAST = {"format": "csv", "files": [], "counts": {}}


def reasons_of(erratum):
    rows = erratum.known(erratum.changes.rows)
    return {(known.change.topic, known.change.document): known.reason for known in rows}


def rewrite(export, name, content):
    store, path = export.store(), export.stored_name(name)
    store.delete(path)
    if content is not None:
        store.save(path, ContentFile(content))


def test_changed_new_and_gone_judgments_have_their_reasons(corrected):
    erratum = erratum_of(corrected.older, corrected.newer, viewer=corrected.lena)

    assert [
        (change.kind, change.topic, change.document, change.old, change.new, reason)
        for change, reason, *_ in erratum.known(erratum.changes.rows)
    ] == [
        (Kind.CHANGED, "q1_method", "q1c2", ("1", "related"), ("0", "irrelevant"),
         Reason(Why.DECIDED_AGAIN, "Ann read another task")),
        (Kind.GONE, "q1_method", "q1c3", ("0", "irrelevant"), None,
         Reason(Why.LEFT_OUT, "The abstract is cut off")),
        *(
            (Kind.NEW, "q1_result", document, None, grade, Reason(Why.AGREED))
            for document, grade in [
                ("q1c1", ("1", "related")), ("q1c2", ("1", "related")), ("q1c3", ("2", "similar")),
            ]
        ),
    ]  # fmt: skip
    assert tables.sentence(erratum) == "Of 3 judgments 1 changed, 3 are new and 1 is gone."
    assert tables.notes(erratum) == [
        "The older export is not complete: some pairs had no value yet."
    ]


def test_what_happens_after_the_newer_export_changes_nothing(corrected):
    reopen(pair=corrected.redone, by=corrected.lena, reason="Once more")
    decided(corrected, corrected.redone, 3)
    return_seat(seat=corrected.seat("bob"), by=corrected.lena, reason="The scale was misread")

    erratum = erratum_of(corrected.newer, corrected.older)

    assert [row.document for row in erratum.changes.rows][:2] == ["q1c2", "q1c3"]
    reason = reasons_of(erratum)["q1_method", "q1c2"]
    assert reason == Reason(Why.DECIDED_AGAIN, "Ann read another task")


def test_gold_that_a_returned_seat_withdrew_is_gone_for_the_reason_given(corrected):
    return_seat(seat=corrected.seat("bob"), by=corrected.lena, reason="The scale was misread")

    erratum = erratum_of(corrected.newer, exported(corrected))

    # What was decided keeps standing.
    assert reasons_of(erratum) == {
        ("q1_method", "q1c1"): Reason(Why.RETURNED, "The scale was misread")
    }


def test_the_seat_that_was_returned_last_gives_the_reason(corrected):
    for name, reason in [("bob", "The scale was misread"), ("alice", "She asked for it")]:
        return_seat(seat=corrected.seat(name), by=corrected.lena, reason=reason)

    erratum = erratum_of(corrected.newer, exported(corrected))

    assert set(reasons_of(erratum).values()) == {Reason(Why.RETURNED, "She asked for it")}


def test_a_batch_that_is_left_out_for_a_lead_who_rates_in_it_is_the_reason(corrected):
    nora = make_member(corrected.collection, "Nora", "annotator")
    raise_overlap(batch=corrected.batch, overlap=3, by=corrected.lena, reason="Two are few")
    seat = corrected.batch.seats.get(ordinal=3)
    assign_seat(seat=seat, member=nora, by=corrected.lena)
    set_roles(membership=nora, roles=["lead", "annotator"], by=corrected.lena)
    for_nora = make_export(
        collection=corrected.collection, export_format="csv", by=nora.user, allow_incomplete=True
    )

    gone = reasons_of(erratum_of(corrected.newer, for_nora))
    new = reasons_of(erratum_of(for_nora, exported(corrected)))

    assert set(gone.values()) == {Reason(Why.NOT_IN_NEWER)}
    assert set(new.values()) == {Reason(Why.NOT_IN_OLDER)}


def test_a_batch_that_came_while_an_export_of_everything_was_made_was_not_left_out(corrected):
    _, late = corrected.collection.batches.order_by("pk")
    corrected.older.batches.remove(str(late.public_id))

    reasons = reasons_of(erratum_of(corrected.older, corrected.newer))

    assert reasons["q1_result", "q1c1"] == Reason(Why.AGREED)


def test_decisions_and_more_ratings_are_told_apart(corrected):
    reopen(pair=corrected.redone, by=corrected.lena, reason="Once more")
    exports = [exported(corrected)]
    first = decided(corrected, corrected.redone, 3)
    exports.append(exported(corrected))
    decided(corrected, corrected.redone, 2, based_on=first.public_id)
    exports.append(exported(corrected))
    raise_overlap(batch=corrected.batch, overlap=3, by=corrected.lena, reason="Two are few")
    exports.append(exported(corrected))

    assert [reasons_of(erratum_of(*two)) for two in pairwise(exports)] == [
        {("q1_method", "q1c2"): Reason(Why.DECIDED)},
        {("q1_method", "q1c2"): Reason(Why.CHANGED)},
        {("q1_method", "q1c1"): Reason(Why.MORE_RATINGS, "Two are few")},
    ]


def test_what_a_program_rated_is_new_or_gone_since_one_of_the_two_leaves_it_out(study):
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    study.collection.refresh_from_db()
    token, _ = token_of(study.members["bob"], "rate")
    study.rate_all("alice", 1)
    first, *others = study.batch.pairs.all()
    study.rate("bob", first, 1, token=token)
    for pair in others:
        study.rate("bob", pair, 1)
    for name in ("alice", "bob"):
        study.hand_in(name)
    of_pages, whole, later = (
        exported(study, channel=channel) for channel in ("pages", "", "pages")
    )

    new, gone = (reasons_of(erratum_of(*two)) for two in ((of_pages, whole), (whole, later)))

    assert new == gone == {("q1_method", "q1c1"): Reason(Why.BY_PROGRAM)}


def test_what_a_program_rates_after_an_export_was_not_left_out_of_it(study):
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    study.collection.refresh_from_db()
    token, _ = token_of(study.members["bob"], "rate")
    of_pages = exported(study, channel="pages")
    study.finish(alice=1)
    for pair in study.batch.pairs.all():
        study.rate("bob", pair, 1, token=token)
    study.hand_in("bob")

    reasons = reasons_of(erratum_of(of_pages, exported(study)))

    assert set(reasons.values()) == {Reason(Why.AGREED)}


def test_another_wording_of_the_scheme_is_noted(corrected):
    newer = Exported.of(corrected.newer)
    later = replace(newer, manifest=newer.manifest | {"scheme": newer.scheme | {"version": 2}})

    assert tables.notes(Erratum(corrected.collection, newer, later)) == [
        "The wording of the scheme changed in between, from version 1 to 2; names of grades are "
        "those of each export."
    ]


def test_a_decision_that_is_reopened_alone_says_so(corrected):
    reopen(pair=corrected.redone, by=corrected.lena, reason="Once more")

    erratum = erratum_of(corrected.newer, exported(corrected))

    assert reasons_of(erratum) == {("q1_method", "q1c2"): Reason(Why.REOPENED, "Once more")}


def test_gold_has_its_reasons_by_a_mapping_too_unless_that_changed(corrected):
    def mapped(grade):
        grades = {"": {option.key: grade for option in corrected.scheme.options.all()}}
        collection = corrected.collection
        add_mapping(collection=collection, key="k", name="K", grades=grades, by=corrected.lena)
        return exported(corrected, "trec", source=source_named(collection, "gold", mapping="k"))

    older = mapped("1")
    reopen(pair=corrected.redone, by=corrected.lena, reason="Once more")
    newer, other = mapped("1"), mapped("2")

    place = ("q1_method", "q1c2")
    assert reasons_of(erratum_of(older, newer)) == {place: Reason(Why.REOPENED, "Once more")}
    assert set(reasons_of(erratum_of(older, other)).values()) == {Reason()}


def test_every_format_with_gold_holds_the_same_judgments(corrected, tmp_path):
    for export_format in ("csv", "trec", "csfcube", "birco", "beir"):
        folder = tmp_path / export_format
        write_export(collection=corrected.collection, export_format=export_format, folder=folder)

        erratum = Erratum(
            corrected.collection, Exported.in_folder(folder), Exported.of(corrected.newer)
        )

        assert tables.sentence(erratum) == "Both hold the same 5 judgments.", export_format
        assert erratum.older.unit == "topics"


@pytest.mark.parametrize("export_format", ["birco", "beir"])
def test_a_facet_may_be_called_aspects(export_format):
    definition = load_definition("csfcube")
    [first, *_] = definition["facets"]
    definition["definitions"]["aspects"] = definition["definitions"][first["key"]]
    definition["facets"] = [first | {"key": "aspects"}]
    collection = make_collection("study", definition)
    study = Study(collection, [make_topic(collection, facet="aspects", candidates=3)])
    add_cast(study)
    assign_all(study, make_batches(collection=collection, by=study.lena), ["alice", "bob"])
    study.finish(alice=[2, 0, 1], bob=[2, 1, 1])
    pair = study.batch.pairs.disputed().get()
    decided(study, pair, 0)
    older = exported(study, export_format)
    reopen(pair=pair, by=study.lena, reason="Ann read another task")
    decided(study, pair, 1)

    erratum = erratum_of(older, exported(study, export_format))

    assert erratum.older.unit == "topics"
    assert (erratum.older.has_averages, erratum.older.has_sums) == (False, False)
    [row] = tables.file_rows(erratum, erratum.changes.rows)
    assert row[:4] == ("changed", "q1_aspects", "aspects", "q1c2")
    assert row[-1] == Why.DECIDED_AGAIN


def test_files_have_fixed_words_and_free_text_only_where_asked_for(corrected):
    erratum = erratum_of(corrected.older, corrected.newer)

    [row] = tables.file_rows(erratum, erratum.chosen(kind="changed"))
    [whole] = tables.file_rows(erratum, erratum.chosen(kind="changed"), with_notes=True)

    assert dict(zip([c.key for c in tables.columns()], row, strict=True)) == {
        "kind": "changed", "topic": "q1_method", "facet": "method", "document": "q1c2",
        "old_grade": 1, "old_option": "related", "old_name": "Related",
        "new_grade": 0, "new_option": "irrelevant", "new_name": "Irrelevant",
        "reason": "reopened and decided again",
    }  # fmt: skip
    assert whole == (*row, "Ann read another task")
    assert len(erratum.chosen(topic="q1_method")) == 2
    assert len(erratum.chosen(facet="result")) == 3
    with pytest.raises(BadRequest, match="topic is 'q1_metod'; expected one of q1_method, "):
        erratum.chosen(topic="q1_metod")


def test_what_another_collection_calls_alike_is_not_taken_for_its_own(corrected):
    elsewhere = Collection.objects.create(slug="other", name="Other")
    for facet in ("method", "result"):
        make_topic(elsewhere, facet=facet)
    elsewhere.topics.update(facet="background")
    elsewhere.documents.update(title="Another paper")

    erratum = erratum_of(corrected.older, corrected.newer)

    known = list(erratum.known(erratum.changes.rows))
    assert set(erratum.facet_of.values()) == {"method", "result"}
    assert "Another paper" not in {row.title for row in known}
    assert known[0].pair == corrected.redone.public_id


def test_an_erratum_takes_room_by_the_number_of_its_changes(monkeypatch):
    def weight(key, make, *, weigh):
        return weigh(SimpleNamespace(changes=SimpleNamespace(rows=["a", "b"])))

    older, newer = (SimpleNamespace(pk=pk, public_id=pk, collection=None) for pk in (1, 2))
    monkeypatch.setattr(between, "_shelf", SimpleNamespace(get=weight))

    assert erratum_of(older, newer) == 3


def test_counts_of_facets_and_of_grades(corrected):
    erratum = erratum_of(corrected.older, corrected.newer)

    by_facet = tables.by_facet(erratum, {"method": "Method", "result": "Result"})
    [crossed] = tables.crossed(erratum, {})

    assert by_facet.rows == [("Method", 3, 1, 0, 1, 2), ("Result", 0, 0, 3, 0, 3)]
    assert [column.title for column in crossed.columns] == ["Older", "0", "1", "2", "gone"]
    assert crossed.rows == [
        ("0", 0, 0, 0, 1), ("1", 1, 0, 0, 0), ("2", 0, 0, 1, 0), ("new", 0, 2, 1, 0),
    ]  # fmt: skip


def test_labels_without_an_order_are_called_by_their_names(tmp_path, db):
    study = make_study(order="nominal", rule={"name": "majority"}, options=LABELS)
    write_export(
        collection=study.collection,
        export_format="csv",
        folder=tmp_path / "older",
        allow_incomplete=True,
    )
    study.finish(alice=[0, 1, 2], bob=[0, 1, 2])
    write_export(collection=study.collection, export_format="trec", folder=tmp_path / "newer")

    erratum = Erratum(
        study.collection, *(Exported.in_folder(tmp_path / name) for name in ("older", "newer"))
    )

    [crossed] = tables.crossed(erratum, {})
    assert [column.title for column in crossed.columns] == ["Older", *NAMES]
    assert erratum.newer.in_words(erratum.changes.rows[0].new, "method") == "Theory"


def test_values_of_another_source_have_no_reasons_and_say_whose_they_are(corrected):
    source = source_named(corrected.collection, "seat:1")
    seats = exported(corrected, "trec", source=source)

    erratum = erratum_of(corrected.older, seats)

    assert (
        "Their values are of different sources: gold in the older one, first seat in the newer "
        "one." in tables.notes(erratum)
    )
    assert set(reasons_of(erratum).values()) == {Reason()}


def test_an_export_that_is_not_as_it_was_offered_is_not_compared(corrected):
    older, newer = exported(corrected), exported(corrected)
    names = {file["name"] for file in older.files}
    [gold] = [name for name in names if name.startswith("gold")]

    rewrite(older, gold, b"topic,document,value,option\nq1_method,q1c1,3,identical\n")
    with pytest.raises(NotComparable, match=r"gold\.csv is not the file that was offered"):
        erratum_of(older, newer)

    rewrite(older, gold, None)
    with pytest.raises(NotComparable, match=r"has no gold\.csv any more"):
        erratum_of(older, newer)

    rewrite(newer, "manifest.json", json.dumps(LEAST).encode())
    with pytest.raises(NotComparable, match=r"its manifest\.json is not the file that was offered"):
        erratum_of(newer, exported(corrected))


def test_a_file_without_gold_and_grades_of_other_things_are_not_compared(corrected, tmp_path):
    content = {"format": "doris-mae", "files": [], "counts": {}}
    (tmp_path / "manifest.json").write_text(json.dumps(content))
    with pytest.raises(NotComparable, match="holds no gold"):
        Exported.in_folder(tmp_path)

    content |= {"format": "birco", "levels": {"queries": {}}, "counts": {"facets": {"aspects": {}}}}
    (tmp_path / "manifest.json").write_text(json.dumps(content))
    queries = Exported.in_folder(tmp_path)
    assert queries.unit == "queries"
    with pytest.raises(NotComparable, match="grades queries, and the export of"):
        Erratum(corrected.collection, queries, Exported.of(corrected.newer))
