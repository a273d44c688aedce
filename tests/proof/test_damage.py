"""Damage by somebody with the database's password, who puts the triggers back afterwards.

Each is done to a study whose trail was sealed before, and the check that is meant for it must
report it.
"""

import json
import shutil
import uuid
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from django.core.files.base import ContentFile
from django.db import connection, transaction
from django.utils import timezone

from adjudication.actions import decide, reopen
from adjudication.models import Audit, AuditedPair, Decision, FirstValue
from annotation.assigning.actions.waive import waive_reading
from annotation.flags.actions import answer_flag
from annotation.models import (
    Batch,
    FlagAnswer,
    MachineScore,
    Option,
    ProgramSave,
    Rating,
    RatingRevision,
    SchemeVersion,
    Seat,
    Tenure,
    Waiver,
)
from audit import triggers
from audit.chain import seal_trail
from audit.hashes import rehash
from audit.models import Event, Seal
from audit.triggers import expected_triggers
from config.integrity import findings
from datasets.actions import change_details, create_collection, link_account, set_roles
from datasets.models import (
    Collection,
    Document,
    Import,
    Judgments,
    JudgmentSet,
    Membership,
    Query,
    Ranking,
    Role,
    RolePeriod,
    Run,
    System,
)
from datasets.people import add_people, read_people
from datasets.runs.actions import add_run, change_system
from datasets.runs.judgments import add_judgments, change_judgments
from datasets.runs.rankings import hash_of_columns
from evaluation.models import MappingVersion, ProtocolVersion
from formats.records import MachineAnswers
from imports import life
from imports.evidence import answer_evidence
from imports.machine import NewScores
from releases.actions import make_export
from releases.models import Export
from tests.adjudication.audits import make_audit
from tests.damage import erase, rewrite
from tests.factories.definitions import add_binary, add_ours
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import make_member, make_study, make_user
from tests.factories.tokens import token_of
from webhooks.actions import add_hook
from webhooks.models import Hook
from webhooks.outbox import collect


@pytest.fixture
def finished(db):
    """Agreed, adjudicated and disputed pairs, with a note, an export, and all of it sealed."""
    study = make_study()
    create_collection(name="Poems", slug="poems", by=study.lena, licence="CC BY 4.0")
    change_details(collection=study.collection, by=study.lena, licence="CC BY-SA 4.0")
    add_hook(
        collection=study.collection,
        address="https://hooks.example.org/",
        kinds=["batch.completed"],
        by=study.lena,
    )
    first = study.first_pair("alice")
    study.rate("alice", first, 2, note="a first thought", active_seconds=12)
    study.rate("alice", first, 1, note="the same method", is_flagged=True, active_seconds=20)
    others = [pair for pair in study.batch.pairs.all() if pair.pk != first.pk]
    for pair in others:
        study.rate("alice", pair, 0)
    study.hand_in("alice")
    study.rate_all("bob", 1)
    study.hand_in("bob")
    decide_as_nobody_rated(study, others[0])
    reopen(pair=others[0], by=study.lena, reason="Look at the method again.")
    decide_as_nobody_rated(study, others[0])
    study.members["erin"] = erin = make_member(study.collection, "Erin", "annotator", "adjudicator")
    waive_reading(batch=study.batch, member=erin, by=study.lena, reason="She read none of them.")
    make_export(
        collection=study.collection, export_format="csv", by=study.lena, allow_incomplete=True
    )
    run = run_of({"q1_method": ["q1c1", "q1c2"]})
    add_run(collection=study.collection, run=run, by=study.lena)
    change_system(system=System.objects.get(), by=study.lena, key="bm25-of-lena")
    judgments = judgments_of({"q1_method": {"q1c1": "2"}})
    stored = add_judgments(collection=study.collection, judgments=judgments, by=study.lena)
    change_judgments(judgment_set=stored.judgment_set, by=study.lena, key="nist2", scale_note="-1")
    add_binary(study.collection, by=study.lena)
    add_ours(study.collection, by=study.lena)
    make_audit(study, name="Spot check", size=1, control_count=0, seed="s")
    flagged = Rating.objects.get(is_flagged=True)
    answer_flag(rating=flagged, by=study.lena, kind="reply", text="It is the same.")
    import_scores(study)
    finn = make_member(study.collection, "Finn", "annotator")
    set_roles(membership=finn, by=study.lena, roles=["annotator", "adjudicator"])
    place = Membership.objects.create(
        collection=study.collection,
        external_id="g",
        name="g",
        is_annotator=True,
        imported=Import.objects.get(),
    )
    link_account(membership=place, user=make_user("Gil"), by=study.lena)
    make_user("Hana")
    people = read_people(
        "hana@example.org", collection=study.collection, role=Role.ANNOTATOR, by=study.lena
    )
    add_people(collection=study.collection, people=people, by=study.lena)
    seal_trail()
    assert collect() == 1
    assert findings() == []
    return study


def decide_as_nobody_rated(study, pair):
    decide(
        pair=pair,
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(2),
        rationale="another one",
    )


def import_scores(study):
    """The scores of a machine run, as an import brings them."""
    writer = life.begin(
        collection=study.collection, kind="tables", fingerprint="scores", by=study.lena
    )
    answer = SimpleNamespace(key=("q1_method", "q1c1"), value=2, response="Two.", record=None)
    answers = MachineAnswers("model", "run", "answers.json", 1, lambda: [answer])
    NewScores(answers, study.collection).write(writer, progress=None)
    evidence = answer_evidence(writer.imported)
    writer.activate(by=study.lena, summary={}, traces={"evidence": evidence | {"texts": {}}})
    writer.close()


def drop_triggers(study):
    for name in ("audit_event_no_update", "annotation_ratingrevision_no_delete"):
        with connection.cursor() as cursor:
            for statement in expected_triggers(connection)[name].drop_sql(connection.vendor):
                cursor.execute(statement)


def forge_notes(study):
    Rating.objects.filter(is_flagged=True).update(note="another topic")
    rewrite(RatingRevision.objects.filter(is_flagged=True), note="another topic")


def forge_notes_with_their_trail(study):
    forge_notes(study)
    event = Event.objects.get(verb="change rating")
    rewrite(Event.objects.filter(pk=event.pk), after=event.after | {"note": "another topic"})


def forge_active_seconds(study):
    Rating.objects.filter(is_flagged=True).update(active_seconds=90)
    rewrite(RatingRevision.objects.filter(is_flagged=True), active_seconds=90)


def forge_a_flag(study):
    Rating.objects.update(is_flagged=False)
    rewrite(RatingRevision.objects.all(), is_flagged=False)


def forge_components(study):
    components = [{"text": "noise", "met": "met"}]
    Rating.objects.update(components=components)
    rewrite(RatingRevision.objects.all(), components=components)


def forge_the_author(study):
    rewrite(RatingRevision.objects.all(), saved_by=study.carol)


def give_ratings_to_another_account(study):
    Membership.objects.filter(pk=study.members["alice"].pk).update(user=make_user("zoe"))


def blame_a_program(study):
    token, _ = token_of(study.members["alice"])
    ProgramSave.objects.create(revision=RatingRevision.objects.first(), token=token)


def invent_a_first_grade(study):
    FirstValue.objects.create(
        pair=study.batch.pairs.first(),
        adjudicator=study.members["carol"],
        option=study.option(2),
    )


def forge_a_waiver(study):
    rewrite(Waiver.objects.all(), reason="Nobody else was there.")


def delete_a_waiver(study):
    erase(Waiver.objects.all())


def invent_a_waiver(study):
    Waiver.objects.create(
        batch=study.batch, member=study.members["carol"], reason="Trusted.", given_by=study.lena
    )


def forge_the_trail(study):
    rewrite(Event.objects.filter(verb="hand in seat"), actor=study.carol)


def delete_other_events(study):
    erase(Event.objects.filter(verb="make batch"))


def empty_an_event(study):
    rewrite(Event.objects.filter(verb="assign seat"), after=None)


def empty_events_of_ratings(study):
    rewrite(Event.objects.filter(verb="rate"), after=None)


def empty_the_event_of_a_webhook(study):
    rewrite(Event.objects.filter(verb="add webhook"), after=None)


def delete_events_of_ratings(study):
    erase(Event.objects.filter(verb="rate"))


def delete_a_revision(study):
    erase(RatingRevision.objects.filter(version=1, note="a first thought"))


def delete_a_rating_with_its_revisions(study):
    rating = Rating.objects.get(is_flagged=True)
    erase(FlagAnswer.objects.all())
    erase(RatingRevision.objects.filter(rating=rating))
    Rating.objects.filter(pk=rating.pk).delete()


def change_a_text(study):
    Document.objects.filter(external_id="q1c1").update(title="Another paper")


def change_a_sentence_label(study):
    document = Document.objects.get(external_id="q1c1")
    document.sentences[0]["label"] = "result_label"
    Document.objects.filter(pk=document.pk).update(sentences=document.sentences)


def change_a_text_and_its_hash(study):
    document = Document.objects.get(external_id="q1c1")
    document.title = "Another paper"
    rehash(document)
    document.save()


def change_a_query_and_its_hash(study):
    document = Query.objects.get().document
    document.title = "Another query"
    document.save()


def change_the_wording(study):
    version = study.scheme.current
    version.wording["options"][study.option(1).key]["name"] = "Something else"
    SchemeVersion.objects.filter(pk=version.pk).update(wording=version.wording)


def change_the_wording_and_its_hash(study):
    version = study.scheme.current
    version.guidelines = "Rate as you like."
    version.save()


def change_the_licence(study):
    Collection.objects.filter(slug="poems").update(licence="CC0", citation="Zoe 2026")


def change_a_licence_that_was_changed(study):
    Collection.objects.filter(pk=study.collection.pk).update(licence="CC0")


def let_programs_rate(study):
    Collection.objects.filter(slug="poems").update(programs_may_rate=True)


def delete_a_collection(study):
    erase(Collection.objects.filter(slug="poems"))


def invent_a_version(study):
    """What raters read from now on is the latest version."""
    version = study.scheme.current
    version.pk, version.number, version.guidelines = None, version.number + 1, "All is similar."
    version.save(force_insert=True)


def change_what_an_option_stands_for(study):
    Option.objects.filter(pk=study.option(3).pk).update(value=2)


def change_the_order_of_options(study):
    first, last = study.option(0), study.option(3)
    Option.objects.filter(pk=first.pk).update(position=9)
    Option.objects.filter(pk=last.pk).update(position=first.position)


def change_the_rule(study):
    type(study.scheme).objects.update(rule="majority")


def empty_the_list_of_files(study):
    Export.objects.update(files=[])


def change_an_exported_file(study):
    export = Export.objects.get()
    _replace(export, export.files[1]["name"], b"forged\n")


def forge_a_manifest(study):
    """The file, the row and the hash of it in the row."""
    export = Export.objects.get()
    store, name = export.store(), export.stored_name("manifest.json")
    with store.open(name) as file:
        content = json.load(file)
    content["trail"]["sha256"] = "0" * 64
    _replace(export, "manifest.json", json.dumps(content).encode())


def forge_the_seal_of_a_manifest(study):
    export = Export.objects.get()
    with export.store().open(export.stored_name("manifest.json")) as file:
        content = json.load(file)
    content["trail"] = {"seal": [1]}
    _replace(export, "manifest.json", json.dumps(content).encode())


def lose_an_exported_file(study):
    export = Export.objects.get()
    export.store().delete(export.stored_name(export.files[1]["name"]))


def add_a_file_to_an_export(study):
    export = Export.objects.get()
    _replace(export, "extra.txt", b"more")


def _replace(export, name, data):
    export.store().delete(export.stored_name(name))
    export.store().save(export.stored_name(name), ContentFile(data))


def forge_a_rationale(study):
    rewrite(Decision.objects.all(), rationale="as both said")


def decide_at_another_time(study):
    rewrite(Decision.objects.all(), decided_at="2026-01-01T00:00Z")


def forge_the_end_of_a_decision(study):
    rewrite(Decision.objects.filter(superseded_at=None), superseded_at="2026-01-01T00:00Z")


def forge_the_time_of_an_end(study):
    rewrite(Decision.objects.exclude(superseded_at=None), superseded_at="2026-01-01T00:00Z")


def blame_another_for_an_end(study):
    rewrite(Decision.objects.exclude(superseded_at=None), superseded_by=study.carol)


def change_a_tenure(study):
    seat = study.seat("alice")
    dan = make_member(study.collection, "Dan", "annotator")
    rewrite(Tenure.objects.filter(seat=seat), member=dan)


def change_a_holder(study):
    dan = make_member(study.collection, "Dan", "annotator")
    rewrite(Seat.objects.filter(pk=study.seat("alice").pk), holder=dan)


def open_a_seat_again(study):
    rewrite(Seat.objects.filter(pk=study.seat("alice").pk), handed_in_at=None)


def hand_in_at_another_time(study):
    rewrite(Seat.objects.all(), handed_in_at="2026-01-01T00:00Z")


def edit_a_batch(study):
    rewrite(Batch.objects.all(), drawn={"seed": "convenient"})


def lock_a_topic(study):
    study.topics[0].locked_by, study.topics[0].locked_at = study.lena, "2026-01-01T00:00Z"
    study.topics[0].save()


def change_a_ranking(study):
    Ranking.objects.update(documents="q1c2\nq1c1")


def forge_a_run_and_its_hash(study):
    change_a_ranking(study)
    rows = Ranking.objects.values_list("external_id", "documents", "scores", "ranks")
    Run.objects.update(content_sha256=hash_of_columns(rows))


def call_a_run_by_another_tag(study):
    Run.objects.update(tag="better", order=Run.Order.RANK)


def give_a_run_to_another_system(study):
    other = System.objects.create(collection=study.collection, key="better", name="Better")
    Run.objects.update(system=other)


def call_judgments_by_another_key(study):
    JudgmentSet.objects.update(key="ours", level="queries")


def change_a_judgment(study):
    Judgments.objects.update(literals="3")


def call_another_host(study):
    [address] = study.collection.hooks.values_list("address", flat=True)
    host = address.partition("://")[2].partition("/")[0]
    study.collection.hooks.update(address=f"https://elsewhere.example.net/{host}")


def turn_a_webhook_off(study):
    study.collection.hooks.update(off="by-lead")


def delete_a_webhook(study):
    study.collection.hooks.get().delete()


def add_a_webhook(study):
    Hook.objects.create(
        collection=study.collection, address="https://elsewhere.example.net/", created_by=study.lena
    )


def tell_a_value(study):
    delivery = study.collection.hooks.get().deliveries.first()
    body = json.loads(delivery.body)
    body["value"] = 2
    type(delivery).objects.filter(pk=delivery.pk).update(body=json.dumps(body))


def invent_a_delivery(study):
    study.collection.hooks.get().deliveries.update(event=1)


def pretend_it_was_delivered(study):
    study.collection.hooks.get().deliveries.update(state="delivered")


def delete_judgments(study):
    JudgmentSet.objects.all().delete()


def add_a_run_without_a_trace(study):
    run = Run.objects.get()
    run.pk, run.public_id, run.tag = None, uuid.uuid4(), "another"
    run.save(force_insert=True)


def forge_an_answer(study):
    rewrite(FlagAnswer.objects.all(), text="Nobody asked.")


def delete_an_answer(study):
    erase(FlagAnswer.objects.all())


def change_a_machine_score(study):
    MachineScore.objects.update(value=0)


def add_a_machine_score(study):
    score = MachineScore.objects.get()
    score.pk, score.pair, score.imported = None, study.batch.pairs.last(), None
    score.save(force_insert=True)


def invent_an_import(study):
    """What it is said to have brought has no events."""
    Import.objects.create(
        collection=study.collection,
        kind="tables",
        state=Import.State.ACTIVE,
        activated_at=timezone.now(),
        created_by=study.lena,
    )


def hide_what_an_import_brought(study):
    rewrite(Import.objects.all(), state=Import.State.INACTIVE, activated_at=None)


def pretend_that_a_batch_was_imported(study):
    rewrite(Batch.objects.all(), imported=Import.objects.get())


def change_a_mapping_and_its_hash(study):
    _forge(MappingVersion, "grades", lambda grades: {"": dict.fromkeys(grades[""], "1")})


def change_a_protocol_and_its_hash(study):
    _forge(ProtocolVersion, "data", lambda data: data | {"least": "3"})


def _forge(model, field, changed):
    version = model.objects.get()
    setattr(version, field, changed(getattr(version, field)))
    rehash(version)
    values = {name: getattr(version, name) for name in (field, "content_sha256")}
    rewrite(model.objects.all(), **values)


def delete_a_mapping(study):
    erase(MappingVersion.objects.all())


def show_an_export_to_all_leads(study):
    Export.objects.update(batches=[])


def count_other_gold(study):
    Export.objects.update(counts={"gold": 100})


def export_by_another(study):
    Export.objects.update(created_by=study.carol)


def add_a_mapping_as_another(study):
    rewrite(MappingVersion.objects.all(), created_by=study.carol)


def add_a_protocol_as_another(study):
    rewrite(ProtocolVersion.objects.all(), created_by=study.carol)


def add_a_run_as_another(study):
    Run.objects.update(created_by=study.carol)


def add_judgments_as_another(study):
    JudgmentSet.objects.update(created_by=study.carol)


def audit_another_pair(study):
    rewrite(AuditedPair.objects.all(), pair=study.batch.pairs.disputed().first())


def draw_from_more_pairs(study):
    """The bound of its report is told of so many."""
    rewrite(Audit.objects.all(), population=1_000)


def let_another_decide_an_audit(study):
    Audit.objects.get().adjudicators.add(study.members["erin"])


def close_an_audit(study):
    rewrite(AuditedPair.objects.all(), is_open=False)
    rewrite(Audit.objects.all(), closed_at=timezone.now(), closed_by=study.lena)


def delete_an_audit(study):
    audit = Audit.objects.get()
    erase(AuditedPair.objects.filter(audit=audit))
    audit.adjudicators.clear()
    erase(Audit.objects.filter(pk=audit.pk))


def add_an_audit_without_a_trace(study):
    audit = Audit.objects.get()
    audit.pk, audit.public_id, audit.name = None, uuid.uuid4(), "Another"
    audit.save(force_insert=True)


def rate_at_another_time(study):
    rewrite(RatingRevision.objects.filter(version=1), saved_at="2026-01-01T00:00Z")


def begin_to_rate_at_another_time(study):
    Rating.objects.update(created_at="2026-01-01T00:00Z")


def read_from_another_time_on(study):
    rewrite(RolePeriod.objects.filter(role="adjudicator"), since="2100-01-01T00:00Z")


def put_in_a_lead(study):
    """As one whom the import of the study brought."""
    values = {"name": "Zoe", "is_lead": True, "imported": Import.objects.get()}
    Membership.objects.create(collection=study.collection, user=make_user("zoe"), **values)


def make_an_adjudicator_a_lead(study):
    Membership.objects.filter(pk=study.members["carol"].pk).update(is_lead=True)


def give_a_member_to_another_account(study):
    finn = Membership.objects.filter(name="Finn")
    finn.update(user=make_user("zoe"))


def give_a_linked_place_to_another_account(study):
    Membership.objects.filter(name="Gil").update(user=make_user("zoe"))


def give_a_listed_person_s_place_to_another_account(study):
    Membership.objects.filter(name="Hana").update(user=make_user("zoe"))


def delete_a_member(study):
    finn = Membership.objects.get(name="Finn")
    erase(RolePeriod.objects.filter(member=finn))
    erase(Membership.objects.filter(pk=finn.pk))


def delete_a_seal(study):
    seal = Seal.objects.order_by("number").first()
    erase(Seal.objects.filter(number=seal.number))


def seal_unknown_fields(study):
    rewrite(Seal.objects.filter(number=1), coverage=7)


def seal_no_ranges(study):
    rewrite(Seal.objects.filter(number=1), ranges=[1])


def forge_a_seal(study):
    rewrite(Seal.objects.filter(number=1), sha256="0" * 64)


DAMAGES = [
    (drop_triggers, "The trigger audit_event_no_update is missing"),
    (forge_notes, "is not what the trail says (note)"),
    (forge_notes_with_their_trail, "has another hash than"),
    (forge_active_seconds, "is not what the trail says (active_seconds)"),
    (forge_a_flag, "is not what the trail says (is_flagged)"),
    (forge_components, "is not what the trail says (components)"),
    (forge_the_author, "is not what the trail says (saved_by)"),
    (give_ratings_to_another_account, "is not what the trail says (annotator)"),
    (blame_a_program, "is not what the trail says (token)"),
    (invent_a_first_grade, "is not in the trail so"),
    (forge_a_waiver, "is not what the trail says."),
    (delete_a_waiver, "The trail knows waiver"),
    (invent_a_waiver, "has no event in the trail"),
    (forge_the_trail, "has another hash than"),
    (delete_other_events, "gone from the trail"),
    # What cannot be read is told, and the checks after it go on.
    (empty_an_event, "does not say what “assign seat” says"),
    (empty_events_of_ratings, "The check answer_findings stopped at TypeError"),
    (empty_the_event_of_a_webhook, "The check hook_findings stopped at TypeError"),
    (seal_unknown_fields, "has another hash than"),
    (seal_no_ranges, "The check chain_findings stopped at TypeError"),
    (forge_the_seal_of_a_manifest, "manifest.json cannot be read"),
    (delete_events_of_ratings, "gone from the trail"),
    (delete_a_revision, "without all revisions"),
    (delete_a_rating_with_its_revisions, "The trail knows revision 2 of rating"),
    (change_a_text, "is not what was written (title, sentences)"),
    (change_a_sentence_label, "is not what was written (title, sentences)"),
    (change_a_text_and_its_hash, "are not those that were rated"),
    (change_a_query_and_its_hash, "is not the one under which batch"),
    (change_the_wording, "is not what was written (wording, guidelines)"),
    (change_the_wording_and_its_hash, "is not the one that was saved"),
    (change_the_licence, "is not what the trail says (licence, citation)"),
    (change_a_licence_that_was_changed, "is not what the trail says (licence)"),
    (let_programs_rate, "is not what the trail says (programs_may_rate)"),
    (delete_a_collection, "The trail knows collection"),
    (invent_a_version, "has no event in the trail"),
    (change_what_an_option_stands_for, "has other options than the trail says"),
    (change_the_order_of_options, "has other order than the trail says"),
    (change_the_rule, "has other rule than the trail says"),
    (empty_the_list_of_files, "its list of files is not the one that the trail says"),
    (change_an_exported_file, "is not the file that was offered"),
    (forge_a_manifest, "which the trail does not have"),
    (lose_an_exported_file, "is gone."),
    (add_a_file_to_an_export, "extra.txt was put in afterwards"),
    (forge_a_rationale, "is not what the trail says."),
    (decide_at_another_time, "was made at another time than the trail says"),
    (forge_the_end_of_a_decision, "stands where the trail has ended it, or the reverse"),
    (forge_the_time_of_an_end, "was not ended as the trail says"),
    (blame_another_for_an_end, "was not ended as the trail says"),
    (change_a_tenure, "the trail does not"),
    (change_a_holder, "; the trail says"),
    (open_a_seat_again, "is handed in where the trail says it is not"),
    (hand_in_at_another_time, "was handed in at another time than the trail says"),
    (edit_a_batch, "has drawn {'seed': 'convenient'}; the trail says"),
    (lock_a_topic, "is locked where the trail says it is not"),
    (change_a_ranking, "is not what was stored (content)"),
    (forge_a_run_and_its_hash, "is not what was stored (content)"),
    (call_a_run_by_another_tag, "is not what was stored (tag, order)"),
    (give_a_run_to_another_system, "is not what was stored (system)"),
    (call_judgments_by_another_key, "is not what was stored (key, level)"),
    (change_a_judgment, "is not what was stored (content)"),
    (call_another_host, "has another host or other kinds than the trail says"),
    (turn_a_webhook_off, "is on where the trail says it is off, or the reverse"),
    (delete_a_webhook, "The trail knows the webhook"),
    (add_a_webhook, "has no event in the trail"),
    (tell_a_value, "holds fields that its kind does not have"),
    (invent_a_delivery, "is about no event of its kind"),
    (pretend_it_was_delivered, "no try of it was answered so"),
    (delete_judgments, "The trail knows the judgment set"),
    (add_a_run_without_a_trace, "has no event in the trail"),
    (forge_an_answer, "to a flag is not what the trail says"),
    (delete_an_answer, "to a flag, which is gone"),
    (change_a_machine_score, "The machine scores of import"),
    (add_a_machine_score, "The machine scores of import None"),
    (invent_an_import, "has no event in the trail"),
    (hide_what_an_import_brought, "whose rows are gone or hidden"),
    (pretend_that_a_batch_was_imported, "is none of those that import"),
    (change_a_mapping_and_its_hash, "is not what the trail says."),
    (change_a_protocol_and_its_hash, "is not what the trail says."),
    (delete_a_mapping, "The trail knows the mapping"),
    (show_an_export_to_all_leads, "its batches are not those that the trail says"),
    (count_other_gold, "has other counts than its row"),
    (export_by_another, "was not made by whom or when the trail says"),
    (add_a_mapping_as_another, "was not made by whom or when the trail says"),
    (add_a_protocol_as_another, "was not made by whom or when the trail says"),
    (add_a_run_as_another, "was stored by another than the trail says"),
    (add_judgments_as_another, "was stored by another than the trail says"),
    (audit_another_pair, "has other pairs than were drawn"),
    (draw_from_more_pairs, "is not what the trail says (population)"),
    (let_another_decide_an_audit, "is not what the trail says (adjudicators)"),
    (close_an_audit, "is closed where the trail says it is open, or the reverse"),
    (delete_an_audit, "The trail knows audit"),
    (add_an_audit_without_a_trace, "has no event in the trail"),
    (rate_at_another_time, "is not what the trail says (time)"),
    (begin_to_rate_at_another_time, "is not what the trail says (time)"),
    (read_from_another_time_on, "has other times than the trail says"),
    (put_in_a_lead, "has no event in the trail"),
    (make_an_adjudicator_a_lead, "has other roles than the trail says"),
    (give_a_member_to_another_account, "is of another account than the trail says"),
    (give_a_linked_place_to_another_account, "is of another account than the trail says"),
    (give_a_listed_person_s_place_to_another_account, "is of another account than the trail says"),
    (delete_a_member, "The trail knows member"),
    (delete_a_seal, "gone from the chain"),
    (forge_a_seal, "has another hash than"),
]


@contextmanager
def undone(folder):
    """Rows and files are afterwards as they were."""
    with TemporaryDirectory() as kept, transaction.atomic():
        shutil.copytree(folder, kept, dirs_exist_ok=True)
        yield
        transaction.set_rollback(True)
        shutil.rmtree(folder)
        shutil.copytree(kept, folder)


def test_each_damage_is_reported(finished, monkeypatch):
    """One study for all: making it takes longer than to look through it."""
    # No damage changes what the migrations say, and reading them takes a tenth of the time.
    monkeypatch.setattr(triggers, "expected_triggers", cache(expected_triggers))
    files = Path(Export.store().path(str(Export.objects.get().public_id)))
    untold = []
    for damage, finding in DAMAGES:
        with undone(files):
            damage(finished)
            sentences = list(findings())
        if not any(finding in sentence for sentence in sentences):
            untold.append((damage.__name__, sentences))
    assert untold == []
    assert list(findings()) == []
