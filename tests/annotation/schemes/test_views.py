"""Reading a scheme, and changing what may change."""

import copy
import re

import pytest
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from annotation.assigning.actions.assign import assign_seat
from annotation.models import Facet, Option, Rating
from annotation.schemes.actions import change_rules, edit_wording
from annotation.schemes.forms import WordingForm
from audit.models import Event
from audit.refusals import Locked
from tests.factories.studies import make_member, make_study, make_user

PAGE = "/collections/study/scheme/"
EDIT = f"{PAGE}edit/"
RULES = f"{PAGE}rules/"


def as_shown(study, **changes):
    """What the edit page sends when only `changes` were typed."""
    form = WordingForm(scheme=study.scheme, version=study.scheme.current, reader=study.lena)
    return {name: form[name].value() for name in form.fields} | {"change_note": "Why."} | changes


# --- reading ---


@pytest.mark.parametrize("name", ["alice", "carol", "lena"])
def test_every_member_reads_the_scheme(client, study, name):
    client.force_login(study.members[name].user)

    response = client.get(PAGE)

    assertContains(response, "Any difference between the values goes to an adjudicator.")
    assertContains(response, "Nothing in how the work is done carries over.")
    assertContains(response, "How to judge a pair")


@pytest.mark.parametrize(
    ("overlap", "words"),
    [
        (1, "1 rating a pair."),
        (2, "2 ratings a pair, each given without seeing the other."),
        (3, "3 ratings a pair, each given without seeing the others."),
    ],
)
def test_the_overlap_is_told_as_it_is(lena, study, overlap, words):
    study.scheme.overlap = overlap
    study.scheme.save(update_fields=["overlap"])

    assertContains(lena.get(PAGE), words)


@pytest.mark.parametrize(("name", "expected"), [("Dave", 404), (None, 302)])
@pytest.mark.parametrize("address", [PAGE, f"{PAGE}versions/1/"])
def test_others_do_not(client, study, name, expected, address):
    if name:
        client.force_login(make_user(name))

    assert client.get(address).status_code == expected


def test_only_leads_may_edit_and_see_who_edited(client, study):
    client.force_login(study.lena)
    assertContains(client.get(PAGE), f'href="{EDIT}"')

    client.force_login(study.alice)

    assertNotContains(client.get(PAGE), f'href="{EDIT}"')
    assertNotContains(client.get(PAGE), "Ada")


def test_guidelines_are_markdown_and_never_html(lena, study):
    scheme, current = study.scheme, study.scheme.current
    edit_wording(
        scheme=scheme,
        wording=current.wording,
        guidelines="# Read\n\n**Twice.** <script>alert(1)</script> [x](javascript:alert(1))",
        change_note="Shorter.",
        by=study.lena,
    )

    response = lena.get(PAGE)

    assertContains(response, "<strong>Twice.</strong>")
    assertNotContains(response, "<script>alert(1)</script>")
    assertNotContains(response, 'href="javascript')


def test_leads_are_told_of_names_that_the_guidelines_alone_still_have(lena, study, client):
    current = study.scheme.current
    changed = {
        "wording": copy.deepcopy(current.wording),
        "guidelines": "Similar, or not.",
        "change_note": "Shorter.",
    }
    changed["wording"]["options"]["similar"]["name"] = "Alike"
    edit_wording(scheme=study.scheme, by=study.lena, **changed)
    sentence = "still speak of <b>Similar</b>, which this scheme no longer has."

    assertContains(lena.get(PAGE), sentence)
    assertContains(lena.get(EDIT), sentence)
    client.force_login(study.alice)
    assertNotContains(client.get(PAGE), sentence)


def test_an_earlier_version_is_read_as_it_was(lena, study):
    wording = copy.deepcopy(study.scheme.current.wording)
    wording["options"]["similar"]["name"] = "Alike"
    edit_wording(
        scheme=study.scheme, wording=wording, guidelines="", change_note="Shorter.", by=study.lena
    )

    first, second = lena.get(f"{PAGE}versions/1/"), lena.get(PAGE)

    assertContains(first, "This is an earlier version.")
    assertContains(first, '<th scope="row" dir="auto">Similar</th>')
    assertContains(second, '<th scope="row" dir="auto">Alike</th>')
    assertContains(second, "Shorter.")


@pytest.mark.parametrize("number", [0, 2, 99999999999999999999])
def test_a_version_that_does_not_exist_is_not_found(lena, study, number):
    assert lena.get(f"{PAGE}versions/{number}/").status_code == 404


# --- editing ---


def test_a_new_wording_is_a_new_version_with_its_note(lena, study):
    study.rate("alice", study.batch.pairs.first(), 1)

    response = lena.post(
        EDIT,
        as_shown(study, **{"option.similar.name": "Alike", "change_note": "Shorter."}),
    )

    assertRedirects(response, PAGE)
    version = study.scheme.current
    assert (version.number, version.change_note, version.created_by) == (2, "Shorter.", study.lena)
    assert version.wording["options"]["similar"] == {"name": "Alike", "shortcut": "2"}
    assert Rating.objects.get().scheme_version.number == 1
    assert Event.objects.get(verb="edit scheme").reason == "Shorter."


def test_what_was_not_typed_stays_as_it_was(lena, study):
    before = study.scheme.current.wording

    lena.post(EDIT, as_shown(study, **{"facet.method.question": "How alike are the methods?"}))

    after = copy.deepcopy(study.scheme.current.wording)
    after["facets"]["method"]["question"] = before["facets"]["method"]["question"]
    assert (study.scheme.current.number, after) == (2, before)


def test_saving_without_a_difference_makes_no_version(lena, study):
    as_browsers_send_it = study.scheme.current.guidelines.replace("\n", "\r\n")

    response = lena.post(EDIT, as_shown(study, guidelines=as_browsers_send_it), follow=True)

    assertContains(response, "Nothing differs")
    assert study.scheme.current.number == 1


def test_facets_options_and_values_never_change_by_editing(lena, study):
    fixed = [list(Facet.objects.values()), list(Option.objects.values())]

    lena.post(
        EDIT,
        as_shown(study)
        | {"option.new.name": "New", "option.similar.value": "9", "facet.x.name": "X"},
    )

    assert [list(Facet.objects.values()), list(Option.objects.values())] == fixed


def test_reasons_can_be_dropped_reworded_and_added(lena, study):
    form = WordingForm(scheme=study.scheme, version=study.scheme.current, reader=study.lena)
    known = [reason["key"] for reason in study.scheme.current.wording["cannot_judge_reasons"]]
    rows = [field.name for field in form.reasons]

    lena.post(
        EDIT,
        as_shown(study) | {rows[0]: "", rows[1]: "Broken text", rows[-2]: "Wrong paper"},
    )

    reasons = study.scheme.current.wording["cannot_judge_reasons"]
    assert reasons[0] == {"key": known[1], "name": "Broken text"}
    assert reasons[-1] == {"key": "wrong_paper", "name": "Wrong paper"}
    assert known[0] not in [reason["key"] for reason in reasons]


def test_a_new_reason_never_takes_the_key_of_another(lena, study):
    form = WordingForm(scheme=study.scheme, version=study.scheme.current, reader=study.lena)
    *_, first, second = [field.name for field in form.reasons]

    lena.post(EDIT, as_shown(study) | {first: "Own", second: "Own!"})

    keys = [reason["key"] for reason in study.scheme.current.wording["cannot_judge_reasons"]]
    assert len(set(keys)) == len(keys)
    assert "own" not in keys


def test_a_cause_that_decisions_may_name_cannot_be_dropped(lena, study):
    form = WordingForm(scheme=study.scheme, version=study.scheme.current, reader=study.lena)

    response = lena.post(EDIT, as_shown(study) | {form.causes[0].name: ""})

    assertContains(response, "This field is required.", status_code=422)
    assert study.scheme.current.number == 1


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"option.similar.name": " "}, "This field is required."),
        ({"option.similar.shortcut": "1"}, "Related has the key “1”."),
        ({"option.similar.shortcut": "g"}, "The key “g” opens the guidelines."),
        ({"facet.method.similar": ""}, "This field is required."),
        ({"change_note": ""}, "Say what changed"),
        ({"guidelines": "x" * 100_001}, "at most 100000 characters"),
    ],
)
def test_a_wording_that_is_not_complete_makes_no_version(lena, study, typed, words):
    response = lena.post(EDIT, as_shown(study, **typed))

    assertContains(response, words, status_code=422)
    assert study.scheme.current.number == 1


def test_what_another_lead_saved_meanwhile_is_not_overwritten(lena, study):
    typed = as_shown(study, **{"option.similar.name": "Mine"})
    lena.post(EDIT, as_shown(study, **{"option.similar.name": "Theirs"}))

    response = lena.post(EDIT, typed)

    assertContains(response, "Version 2 was saved meanwhile.", status_code=409)
    assertContains(response, 'value="Mine"', status_code=409)
    assert study.scheme.current.wording["options"]["similar"]["name"] == "Theirs"


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_preview_shows_the_guidelines_and_saves_nothing(lena, study, headers):
    response = lena.post(
        EDIT, as_shown(study, guidelines="**Twice.**", preview="1"), headers=headers
    )

    assertContains(response, "<strong>Twice.</strong>")
    assert ("<html" in response.content.decode()) == (not headers)
    assert study.scheme.current.number == 1


def test_a_preview_without_script_keeps_what_was_typed(lena, study):
    response = lena.post(EDIT, as_shown(study, preview="1", **{"option.similar.name": "Alike"}))

    assertContains(response, 'value="Alike"')


# --- rules ---


def test_the_rule_can_change_before_the_first_rating(lena, study):
    sent = {"rule": "difference_of_at_least", "rule_distance": "2", "overlap": 3}

    assertRedirects(lena.post(RULES, sent), PAGE)

    study.scheme.refresh_from_db()
    distance = study.scheme.scales.get().distance
    assert (study.scheme.rule, distance, study.scheme.overlap) == (
        "difference_of_at_least",
        2,
        3,
    )
    assertContains(lena.get(PAGE), "Values that lie 2 or more apart")


def test_no_other_form_stands_beside_the_wording_whose_button_would_lose_it(lena, study):
    page = lena.get(EDIT).content.decode()

    assert re.findall(r'<form[^>]* action="(/collections/[^"]*)"', page) == [EDIT]
    assertContains(lena.get(PAGE), f'href="{RULES}"')
    assertContains(lena.get(RULES), 'name="rule"')


def test_the_rule_is_fixed_after_the_first_rating_and_says_why(lena, study):
    study.rate("alice", study.batch.pairs.first(), 1)
    assertContains(
        lena.get(RULES),
        "There are ratings, or you rate yourself, so facets, values and the rule are fixed",
    )
    assertNotContains(lena.get(RULES), 'name="rule"')

    lena.post(RULES, {"rule": "majority", "overlap": 3, "hides_ratings": "on"})

    study.scheme.refresh_from_db()
    assert (study.scheme.rule, study.scheme.overlap, study.scheme.hides_ratings) == (
        "any_difference",
        3,
        True,
    )


@pytest.mark.parametrize(
    "sent",
    [
        {"rule": "no-such-rule", "overlap": 2},
        {"rule": "difference_of_at_least", "overlap": 2},
        {"rule": "difference_of_at_least", "rule_distance": "-1", "overlap": 2},
        {"rule": "difference_of_at_least", "rule_distance": "NaN", "overlap": 2},
        {"rule": "majority", "overlap": 0},
        {"rule": "majority", "overlap": 10},
        {"rule": "majority"},
    ],
)
def test_rules_that_do_not_fit_change_nothing(lena, study, sent):
    assert lena.post(RULES, sent).status_code == 422

    study.scheme.refresh_from_db()
    assert (study.scheme.rule, study.scheme.overlap) == ("any_difference", 2)


@pytest.mark.parametrize("versions", [1, 3, 50])
def test_the_page_costs_the_same_for_one_version_and_for_fifty(
    lena, study, versions, django_assert_num_queries
):
    for number in range(versions - 1):
        edit_wording(
            scheme=study.scheme,
            wording=study.scheme.current.wording,
            guidelines=f"Text {number}",
            change_note="Again.",
            by=study.lena,
        )

    with django_assert_num_queries(10):
        lena.get(PAGE)


def test_a_lead_who_rates_cannot_tell_from_the_rule_whether_anybody_has_rated(db):
    study = make_study()
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    assign_seat(seat=study.seat("bob"), member=None, by=study.lena)
    assign_seat(seat=study.batch.seats.get(holder=None), member=nora, by=study.lena)

    with pytest.raises(Locked, match="or you rate yourself"):
        change_rules(scheme=study.scheme, by=nora.user, rule="adjudicate_all", overlap=2)

    change_rules(scheme=study.scheme, by=study.lena, rule="adjudicate_all", overlap=2)
