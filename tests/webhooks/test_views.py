"""The pages of webhooks."""

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.dateformat import format as date_format
from lxml import html
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from accounts.actions import deactivate, reactivate
from adjudication.actions import decide
from annotation.assigning.actions.assign import return_seat
from audit.models import Event
from datasets.actions import remove_member, set_roles
from tests.factories.studies import make_member, make_user
from tests.factories.tokens import program_of
from tests.webhooks.receiver import answering
from webhooks.actions import MOST_HOOKS, add_hook, change_hook, send_test, turn_off, turn_on
from webhooks.delivering import deliver_due
from webhooks.models import Delivery, Hook
from webhooks.signing import secret_of

LIST = "/collections/study/webhooks/"
GOOD = {"address": "https://hooks.example.org/x?key=very-secret", "kinds": ["batch.completed"]}


def test_a_lead_adds_a_hook_and_sees_its_secret_once(lena, study):
    answer = lena.post(LIST, GOOD)

    hook = study.collection.hooks.get()
    assertContains(answer, secret_of(hook))
    assert (hook.address, hook.kinds) == (GOOD["address"], GOOD["kinds"])
    assertNotContains(lena.get(hook.get_absolute_url()), secret_of(hook))


def test_the_trail_names_the_host_alone(lena, study):
    lena.post(LIST, GOOD)

    event = Event.objects.about(study.collection.hooks.get()).get()
    assert event.after == {"host": "hooks.example.org", "kinds": ["batch.completed"]}


def test_a_hook_of_a_restored_copy_says_why_it_is_off_and_a_lead_turns_it_on(lena, hook):
    Hook.objects.update(off=Hook.Off.COPIED)

    assertContains(lena.get(hook.get_absolute_url()), "restored from a backup")
    turn_on(hook=hook, by=hook.created_by)

    assert Hook.objects.get().is_on


BAD = [
    ({"address": "http://example.org/"}, "begins with https://"),
    ({"address": "https://127.0.0.1/"}, "not a public one"),
    ({"address": "https://[::ffff:10.0.0.1]/"}, "not a public one"),
    ({"address": ""}, "This field is required"),
    ({"kinds": []}, "Choose at least one kind"),
    ({"kinds": ["rating.saved"]}, "not one of the available choices"),
]


@pytest.mark.parametrize(("change", "sentence"), BAD)
def test_what_cannot_be_is_refused_with_a_sentence_and_saves_nothing(lena, change, sentence):
    answer = lena.post(LIST, GOOD | change)

    assertContains(answer, sentence, status_code=422)
    assert not Hook.objects.exists()


def test_a_collection_has_few_hooks(lena, study):
    for _ in range(MOST_HOOKS):
        lena.post(LIST, GOOD)

    answer = lena.post(LIST, GOOD)

    assertContains(answer, "at most 10 webhooks", status_code=422)


def test_address_and_kinds_are_changed(lena, hook):
    answer = lena.post(hook.get_absolute_url(), GOOD)

    assertRedirects(answer, hook.get_absolute_url())
    hook.refresh_from_db()
    assert (hook.address, hook.kinds) == (GOOD["address"], GOOD["kinds"])


def test_a_change_that_cannot_be_changes_nothing(lena, hook):
    before = hook.address

    answer = lena.post(hook.get_absolute_url(), GOOD | {"address": "nonsense"})

    assertContains(answer, "begins with https://", status_code=422)
    hook.refresh_from_db()
    assert hook.address == before


def test_a_new_secret_is_asked_for_twice_and_shown_once(lena, hook):
    before = secret_of(hook)
    assertContains(lena.get(hook.get_absolute_url()), 'aria-label="New secret for the webhook"')

    answer = lena.post(f"{hook.get_absolute_url()}secret/")

    hook.refresh_from_db()
    assert secret_of(hook) != before
    assertContains(answer, secret_of(hook))
    assertNotContains(lena.get(hook.get_absolute_url()), secret_of(hook))


def test_a_hook_is_turned_off_and_on(lena, hook):
    lena.post(f"{hook.get_absolute_url()}turn-off/")
    hook.refresh_from_db()
    assert not hook.is_on
    assertContains(lena.get(hook.get_absolute_url()), "It is off: a lead turned it off")

    lena.post(f"{hook.get_absolute_url()}turn-on/")

    hook.refresh_from_db()
    assert hook.is_on


@pytest.mark.parametrize(
    "leave",
    [remove_member, lambda **which: set_roles(roles=["annotator"], **which)],
    ids=["removed", "leads no more"],
)
def test_the_hooks_of_who_leads_no_more_are_off(study, hook, leave):
    other = make_member(study.collection, "Olga", "lead")

    leave(membership=study.members["lena"], by=other.user)

    hook.refresh_from_db()
    assert not hook.is_on
    assert Event.objects.get(verb="turn webhook off").actor == other.user


def test_somebody_without_an_account_has_no_hooks(study, hook):
    ann = study.collection.memberships.create(name="ann", external_id="ann", is_lead=True)

    set_roles(membership=ann, by=study.lena, roles=["annotator"])

    hook.refresh_from_db()
    assert hook.is_on


def test_the_hooks_of_a_lead_whose_account_is_deactivated_are_off(study, hook):
    other = make_member(study.collection, "Olga", "lead")
    kept = add_hook(collection=study.collection, by=other.user, **GOOD)[0]
    ada = make_user("Adele", is_site_admin=True)

    deactivate(account=study.lena, by=ada)
    reactivate(account=study.lena, by=ada)

    hook.refresh_from_db()
    kept.refresh_from_db()
    assert (hook.is_on, kept.is_on) == (False, True)
    event = Event.objects.get(verb="turn webhook off")
    assert (event.actor, event.collection) == (ada, study.collection.public_id)


def test_a_hook_is_off_once_whoever_changed_it_last_leads_no_more(study, hook):
    """They may have given it an address of their own."""
    other = make_member(study.collection, "Olga", "lead")
    elsewhere = {"address": "https://elsewhere.example.org/", "kinds": ["topic.locked"]}
    change_hook(hook=hook, by=other.user, **elsewhere)

    remove_member(membership=other, by=study.lena)

    hook.refresh_from_db()
    assert not hook.is_on


def test_a_hook_that_another_lead_turned_on_stays_on_whatever_becomes_of_who_made_it(study, hook):
    other = make_member(study.collection, "Olga", "lead")
    lena = study.members["lena"]
    set_roles(membership=lena, by=other.user, roles=["annotator"])
    turn_on(hook=hook, by=other.user)

    set_roles(membership=lena, by=other.user, roles=["annotator", "adjudicator"])
    remove_member(membership=lena, by=other.user)

    hook.refresh_from_db()
    assert hook.is_on


def test_a_hook_is_removed_with_what_was_sent_to_it(lena, study, hook):
    send_test(hook=hook, by=study.lena)
    assertContains(lena.get(hook.get_absolute_url()), 'aria-label="Remove the webhook"')

    answer = lena.post(f"{hook.get_absolute_url()}remove/")

    assertRedirects(answer, LIST)
    assert not Hook.objects.exists()


def test_every_try_is_shown_with_what_came_of_it(lena, study, receiver, hook):
    receiver.answer = answering(500)
    lena.post(f"{hook.get_absolute_url()}test/")
    deliver_due()
    delivery = hook.deliveries.get()
    receiver.answer = answering(200)
    lena.post(f"/webhooks/deliveries/{delivery.public_id}/resend/")
    deliver_due()

    page = lena.get(hook.get_absolute_url())

    assertContains(page, "The answer was 500.")
    assertContains(page, "by Lena", count=2 + 1)  # both tries, and who added the hook
    assertContains(page, "2 tries")
    assertContains(page, "delivered")


def test_the_answer_stands_beside_the_try_on_a_narrow_page_too(lena, study, receiver, hook):
    receiver.answer = answering(500)
    send_test(hook=hook, by=study.lena)
    deliver_due()

    page = html.fromstring(lena.get(hook.get_absolute_url()).content)

    heads = [head.text for head in page.xpath("//details//thead//th")]
    assert heads == ["Try", "Answer", "When, UTC", "Took"]


def test_a_delivery_is_named_in_the_words_of_the_form(lena, study, hook):
    Delivery.objects.create(hook=hook, event=1, kind="batch.completed", body="{}")
    send_test(hook=hook, by=study.lena)

    page = html.fromstring(lena.get(hook.get_absolute_url()).content)

    names = [name.text for name in page.xpath("//summary/b")]
    assert names == ["A test", "Every seat of a batch is handed in"]


def test_what_waits_for_the_pause_of_its_hook_says_until_when(lena, study, hook):
    now = timezone.now()
    quiet_until = now + timedelta(minutes=30)
    Hook.objects.update(failures=1, failing_since=now, quiet_until=quiet_until)
    waiting = Delivery.objects.create(hook=hook, event=1, kind="batch.completed", body="{}")

    assertContains(
        lena.get(hook.get_absolute_url()),
        f"Next try after {date_format(quiet_until, 'j M Y, H:i:s')} UTC.",
    )
    Delivery.objects.filter(pk=waiting.pk).update(asked_by=study.lena)
    assertContains(lena.get(hook.get_absolute_url()), "The next try comes in a moment.")


def test_a_hook_that_is_off_offers_no_test(lena, study, hook):
    on = lena.get(hook.get_absolute_url())
    turn_off(hook=hook, by=study.lena)
    off = lena.get(hook.get_absolute_url())

    assertContains(on, "None yet. Send a test to see whether the receiver hears.")
    assertNotContains(off, "Send a test")
    assertContains(off, "None yet. Turn it on to send a test.")


def test_while_it_is_off_nothing_is_sent_by_hand(lena, study, hook):
    send_test(hook=hook, by=study.lena)
    turn_off(hook=hook, by=study.lena)
    delivery = hook.deliveries.get()

    answer = lena.post(f"/webhooks/deliveries/{delivery.public_id}/resend/", follow=True)

    assertContains(answer, "Turn it on first.")


def test_pages_that_show_an_address_are_not_compressed(lena, hook):
    for page in (LIST, hook.get_absolute_url()):
        answer = lena.get(page, headers={"Accept-Encoding": "gzip"})
        assert answer.headers["Content-Encoding"] == "identity"


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_of_a_hook_asks_little_however_much_was_sent(
    lena, study, hook, count, django_assert_num_queries
):
    for _ in range(count):
        send_test(hook=hook, by=study.lena)
        deliver_due()

    with django_assert_num_queries(9):
        lena.get(hook.get_absolute_url())


def test_a_lead_whose_seat_was_returned_sees_nothing_that_was_sent_of_its_batch(
    study, hook, lena, collected
):
    study.finish(alice=[0, 1, 2], bob=[0, 3, 2])
    disputed = study.batch.pairs.get(state="disputed")
    decide(pair=disputed, by=study.carol, save_id=uuid.uuid4(), option=study.option(1))
    collected()
    return_seat(seat=study.seat("alice"), by=study.lena, reason="Look again.")
    set_roles(membership=study.members["alice"], by=study.lena, roles=["annotator", "lead"])
    alice, program = Client(), program_of(study.members["alice"])
    alice.force_login(study.members["alice"].user)
    [decided] = hook.deliveries.filter(kind="decision.made")
    address = "/api/v1/collections/study/deliveries"

    page, rows = alice.get(hook.get_absolute_url()), program.get(address).json()["results"]

    assert rows == []
    assertNotContains(page, str(decided.public_id))
    assert alice.post(f"/webhooks/deliveries/{decided.public_id}/resend/").status_code == 404
    assertContains(lena.get(hook.get_absolute_url()), str(decided.public_id))
