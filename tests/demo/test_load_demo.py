"""The demo is made by the product's own actions, so its rows are those of a real study."""

import io
import re
import stat

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import override_settings

from accounts.models import User
from adjudication.models import Decision
from annotation.models import MachineScore, Pair, Rating, Seat
from audit.models import Event
from config import demo
from config.demo import telling
from config.demo.sign_ins import SHOWN_ROLES
from config.demo.telling import name_of
from config.integrity import findings
from datasets.models import Collection, Document, Import, Topic


@pytest.fixture(scope="module")
def loaded(django_db_setup, django_db_blocker, tmp_path_factory):
    """The demo, loaded once for all tests that only look at it: (what was printed, state folder).

    Rolled back when the last of them is done.
    """
    state = tmp_path_factory.mktemp("state")
    with django_db_blocker.unblock(), override_settings(STATE_DIR=state), transaction.atomic():
        yield load_demo(), state
        transaction.set_rollback(True)


@pytest.fixture
def printed(loaded):
    return loaded[0]


@pytest.fixture
def sign_ins_file(loaded):
    return loaded[1] / demo.SIGN_INS


STUDY, ASPECTS = demo.STUDIES


def collection_of(study):
    return Collection.objects.get(slug=demo.read_story(study)["collection"]["slug"])


def load_demo():
    out = io.StringIO()
    call_command("load_demo", stdout=out)
    return out.getvalue()


def sign_ins_in(text):
    return dict(re.findall(r"(\S+@example\.org)\s+(\S+)", text))


def states_of(pairs):
    return sorted(pairs.values_list("state", flat=True))


def test_load_demo_brings_every_topic_as_far_as_the_story_says(printed):
    states = {topic.external_id: states_of(topic.pairs) for topic in Topic.objects.all()}

    finished = ["adjudicated"] * 2 + ["agreed"] * 9 + ["excluded"]
    assert states["fw1001_background"] == ["adjudicated"] * 4 + ["agreed"] * 8
    assert states["fw1002_method"] == finished
    assert states["fw1003_result"] == ["agreed"] * 8 + ["disputed"] * 4
    assert set(states["fw1003_background"]) <= {"partial", "agreed", "disputed"}
    assert states["fw1003_background"].count("partial") == 7
    assert states["fw1004_result"] == ["open"] * 12


def test_load_demo_brings_every_sample_as_far_as_the_story_says(printed):
    batches = {batch.name: batch for batch in collection_of(ASPECTS).batches.all()}
    waiting = Pair.objects.filter(topic__collection=collection_of(ASPECTS), batch=None)

    assert list(batches) == ["Test sample", "Development sample"]
    finished = ["adjudicated"] + ["agreed"] * 12 + ["disputed"]
    assert states_of(batches["Test sample"].pairs) == finished
    assert {*states_of(batches["Development sample"].pairs)} - {"open"} <= {
        "partial",
        "agreed",
        "disputed",
    }
    assert states_of(waiting) == ["open"] * 106


def test_load_demo_draws_the_pairs_that_the_story_rates(printed):
    for chapter in demo.read_story(ASPECTS)["batches"]:
        batch = collection_of(ASPECTS).batches.get(name=chapter["sample"]["name"])

        assert {name_of(pair, chapter) for pair in batch.pairs.all()} == {*chapter["ratings"]}
        assert batch.drawn["seed"] == chapter["sample"]["seed"]
        assert batch.way == chapter["sample"].get("way", "topic")


def test_load_demo_keeps_the_machine_s_answers_apart(printed):
    scores = MachineScore.objects.filter(run__collection=collection_of(ASPECTS))

    assert scores.count() == 140
    assert scores.filter(value=None).count() == 2
    assert {score.run.model for score in scores} == {"Invented machine"}


def test_the_importer_has_nothing_to_remark_on_the_study(printed):
    summary = Import.objects.get(collection=collection_of(STUDY)).summary

    assert (summary["papers"], summary["topics"], summary["pairs"]) == (46, 6, 72)
    assert (summary["notes"], summary["without_text"]) == ([], [])


def test_load_demo_gives_gold_to_finished_topics_alone(printed):
    in_study = Pair.objects.filter(topic__collection=collection_of(STUDY))
    with_gold = in_study.exclude(gold_origin="").values_list("topic__external_id", flat=True)

    assert {*with_gold} == {"fw1001_background", "fw1002_method", "fw1003_result"}
    assert not Pair.objects.filter(topic__external_id="fw1002_method", gold_origin="").exists()
    assert list(Topic.objects.exclude(locked_at=None)) == [
        Topic.objects.get(external_id="fw1001_background")
    ]


@pytest.mark.parametrize("study", demo.STUDIES, ids=lambda study: study.name)
def test_load_demo_keeps_answers_with_all_that_is_said_beside_them(printed, study):
    collection, story = collection_of(study), demo.read_story(study)
    wording = collection.scheme.current.wording
    reasons = {reason["key"]: reason["name"] for reason in wording["cannot_judge_reasons"]}

    for chapter, batch in zip(story["batches"], collection.batches.all(), strict=False):
        for seat, written in zip(batch.seats.all(), chapter["seats"], strict=False):
            ratings = seat.ratings.select_related("pair__topic", "pair__document")
            assert sorted(rating.position for rating in ratings) == [
                *range(1, written["rated"] + 1)
            ]
            for rating in ratings:
                answer = chapter["ratings"][name_of(rating.pair, chapter)][seat.ordinal - 1]
                assert rating.annotator.user.email == f"{written['annotator']}@example.org"
                assert (rating.option and rating.option.key) == answer.get("option")
                assert rating.cannot_judge == reasons.get(answer.get("cannot_judge"), "")
                assert rating.note == answer.get("note", "")
                assert rating.is_flagged == answer.get("flag", False)
                assert rating.components == answer.get("components", [])
                assert rating.active_seconds == answer["active_seconds"]


def test_load_demo_leaves_the_trail_of_real_work(printed):
    def count(verb):
        return Event.objects.filter(verb=verb).count()

    in_study, in_aspects = 3 * 24 + 9 + 4 + 5 + 12, 3 * 14 + 8 + 14
    assert count("rate") == Rating.objects.count() == in_study + in_aspects
    assert count("hand in seat") == Seat.objects.handed_in().count() == 7 + 3
    assert count("decide") == Decision.objects.count() == 8 + 1
    changed = Rating.objects.filter(version__gt=1)
    assert count("change rating") == changed.count() >= 2
    assert count("reopen") == 1
    assert count("accept invitation") == 6 * 2
    assert count("lock topic") == 1
    assert not Event.objects.filter(actor=None).exists()


def test_load_demo_breaks_no_invariant(printed):
    assert list(findings()) == []


def test_load_demo_twice_changes_nothing(printed, sign_ins_file):
    before = [model.objects.count() for model in (User, Document, Rating, Event)]

    second = load_demo()

    assert second == "The demo is there already; nothing was changed.\n"
    assert [model.objects.count() for model in (User, Document, Rating, Event)] == before
    assert sign_ins_file.read_text() == printed


def test_load_demo_prints_a_sign_in_for_every_role_that_works(printed):
    sign_ins = sign_ins_in(printed)

    assert [line.split("  ")[1] for line in printed.splitlines()[2:6]] == [*SHOWN_ROLES.values()]
    assert set(sign_ins) == {person["email"] for person in demo.read_people()}
    for email, password in sign_ins.items():
        assert authenticate(username=email, password=password) == User.objects.get(email=email)


def test_load_demo_keeps_the_sign_ins_where_their_owner_alone_reads_them(printed, sign_ins_file):
    assert sign_ins_file.read_text() == printed
    assert stat.S_IMODE(sign_ins_file.stat().st_mode) == 0o600
    assert list(sign_ins_file.parent.glob("*sign-ins*")) == [sign_ins_file]


def test_passwords_differ_between_people_and_installations():
    passwords = {demo.random_password() for _ in range(100)}

    assert len(passwords) == 100
    assert all(re.fullmatch(r"([a-z2-9]{4}-){3}[a-z2-9]{4}", word) for word in passwords)


@pytest.mark.django_db
def test_load_demo_that_fails_half_way_leaves_nothing(settings, tmp_path, monkeypatch):
    settings.STATE_DIR = tmp_path

    def fail(*args, **details):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(telling.doris_mae, "read_moving", fail)

    with pytest.raises(RuntimeError):
        load_demo()

    assert not User.objects.exists()
    assert not Collection.objects.exists()
    assert not Document.including_inactive.exists()


@pytest.mark.django_db
def test_load_demo_stays_out_of_an_installation_with_people():
    User.objects.create_user("lena@example.org", name="Lena")

    with pytest.raises(CommandError, match="There are accounts already"):
        load_demo()

    assert User.objects.count() == 1
