"""Nothing acknowledged is lost when processes are killed, through real HTTP."""

import uuid

import pytest

from bench.kill_under_load import run
from bench.killing.saves import Save, judge_decisions, judge_ratings, judge_saves
from bench.killing.study import build
from bench.killing.verdict import judge


def make_save(answer="similar", *, document="d1", seat=1):
    return Save(str(uuid.uuid4()), "q1_method", seat, document, answer)


def changed(save, **fields):
    return Save(**{**vars(save), **fields})


# On a push on SQLite, whose file the killed processes themselves write.
@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_killing_web_server_and_worker_loses_and_changes_nothing_acknowledged(
    installation, tmp_path, stress
):
    ratings, annotators, kills = stress((80, 8, 2), (10_000, 16, 20))
    site = installation()
    people = build(ratings=ratings, annotators=annotators)

    # PostgreSQL itself is killed in test_faults.py: here other tests use it at the same time.
    outcome = run(site, people, kills=kills, with_database=False)

    assert outcome.kills.total() == kills
    assert judge(outcome, tmp_path / "export", site) == []
    assert outcome.count >= ratings


class TestJudge:
    """What the proof rests on: each kind of damage is found."""

    @pytest.mark.parametrize("is_acknowledged", [True, False])
    def test_nothing_is_found_where_all_is_kept(self, is_acknowledged):
        save = make_save()
        acknowledged = [save.save_id] if is_acknowledged else []

        assert judge_saves([save], acknowledged, [save]) == []
        assert judge_ratings([save], acknowledged, [save]) == []

    def test_what_was_not_acknowledged_may_be_absent(self):
        assert judge_saves([make_save()], [], []) == []
        assert judge_ratings([make_save()], [], []) == []

    def test_a_lost_rating_is_found(self):
        kept, lost = make_save(), make_save(document="d2")
        acknowledged = [kept.save_id, lost.save_id]

        assert judge_saves([kept, lost], acknowledged, [kept]) == [f"lost: {lost}"]
        assert judge_ratings([kept, lost], acknowledged, [kept]) == [f"lost: no rating for {lost}"]

    @pytest.mark.parametrize("is_acknowledged", [True, False])
    @pytest.mark.parametrize("field", [{"answer": "irrelevant"}, {"answer": ""}, {"seat": 2}])
    def test_a_changed_rating_is_found(self, is_acknowledged, field):
        save = make_save()
        other = changed(save, **field)
        acknowledged = [save.save_id] if is_acknowledged else []

        assert judge_saves([save], acknowledged, [other])[-1].startswith("changed")
        assert judge_ratings([save], acknowledged, [other])[-1].startswith("changed")

    def test_a_doubled_rating_is_found(self):
        save = make_save()

        [finding] = judge_saves([save], [save.save_id], [save, save])
        assert finding.startswith("kept 2 times")
        [finding] = judge_ratings([save], [save.save_id], [save, save])
        assert finding.startswith("2 ratings at")

    def test_a_rating_that_nobody_sent_is_found(self):
        save = make_save()

        assert judge_saves([], [], [save]) == [f"never sent: {save}"]
        assert judge_ratings([], [], [save]) != []

    def test_an_acknowledged_change_must_stand(self):
        first, second = make_save(), make_save("irrelevant")
        acknowledged = [first.save_id, second.save_id]

        assert judge_ratings([first, second], acknowledged, [second]) == []
        assert judge_ratings([first, second], acknowledged, [first]) != []

    def test_a_change_that_was_not_acknowledged_may_stand_or_not(self):
        first, second = make_save(), make_save("irrelevant")

        for stored in (first, second):
            assert judge_ratings([first, second], [first.save_id], [stored]) == []

    def test_a_lost_a_changed_and_a_doubled_decision_are_found(self):
        sent = [("s1", "p1", "similar"), ("s2", "p2", "similar"), ("s3", "p3", "related")]

        assert judge_decisions(sent, ["s1", "s2", "s3"], sent) == []
        assert judge_decisions(sent, ["s1"], sent[:1]) == []
        assert judge_decisions(sent, ["s1", "s2"], sent[:1]) == [f"lost: decision {sent[1]}"]
        [changed] = judge_decisions(sent, ["s1"], [("s1", "p1", "related")])
        assert changed.startswith("changed: decision")
        [doubled] = judge_decisions(
            [*sent, ("s4", "p1", "similar")], [], [sent[0], ("s4", "p1", "similar")]
        )
        assert doubled == "2 decisions on pair p1"
