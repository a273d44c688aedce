"""What an event of the trail says."""

import uuid

import pytest

from annotation.schemes.actions import load_definition
from audit.actions import event, record, record_all
from audit.models import Event
from audit.request_ids import working_for
from audit.verbs import Verb
from tests.factories.studies import make_collection, make_user

pytestmark = pytest.mark.django_db


def test_event_says_who_did_what_to_which_object_from_what_to_what_and_why():
    collection = make_collection("study", load_definition("csfcube"))
    lena = make_user("Lena")

    request = uuid.uuid4()
    with working_for(request):
        written = record(
            "change details",
            collection,
            by=lena,
            collection=collection,
            before={"name": "Old"},
            after={"name": "New"},
            reason="It was wrong.",
        )

    kept = Event.objects.get(pk=written.pk)
    assert (kept.verb, kept.actor, kept.reason) == ("change details", lena, "It was wrong.")
    assert (kept.before, kept.after) == ({"name": "Old"}, {"name": "New"})
    assert (kept.subject_type, kept.subject_id) == (
        "datasets.collection",
        str(collection.public_id),
    )
    assert kept.collection == collection.public_id
    assert kept.request_id == request
    assert list(Event.objects.about(collection))[-1] == kept


def test_event_of_no_collection_and_of_nobody_says_no_more_than_what_happened():
    ada = make_user("Ada")
    events = [event(Verb.CREATE_ACCOUNT, ada, by=None), event(Verb.CHANGE_SETTINGS, ada, by=ada)]

    record_all(events)

    first, second = list(Event.objects.about(ada))[-2:]
    assert (first.collection, first.actor, first.before, first.after, first.reason) == (
        None, None, None, None, "",
    )  # fmt: skip
    assert second.actor == ada


def test_a_verb_that_is_in_no_list_is_not_written():
    ada = make_user("Ada")

    with pytest.raises(ValueError, match="'forge'"):
        record("forge", ada, by=ada)

    assert not Event.objects.about(ada).filter(verb="forge").exists()
