"""Judgments of others are kept as they are written."""

import pytest

from annotation.models import Pair
from audit.models import Event
from audit.refusals import Invalid, Refused
from datasets.models import Judgments, JudgmentSet
from datasets.runs import reading
from datasets.runs.judgments import (
    add_judgments,
    are_judgments_stored,
    change_judgments,
    grade_counts,
    remove_judgments,
)
from formats.problems import BadInputError
from tests.factories.runs import judgments_of
from tests.factories.studies import make_aspect_study, make_study
from tests.shelf import shelved

GRADES = {"q1_method": {"q1c1": "1.50", "q1c2": "-1"}}


def add(study, grades=GRADES, *, key="nist", **details):
    judgments = judgments_of(grades, **details)
    return add_judgments(collection=study.collection, judgments=judgments, key=key, by=study.lena)


@shelved
def study(db):
    return make_study()


def test_literals_stay_as_written_and_become_no_gold(study):
    stored = add(study, name="NIST 2019", note="0 to 3")

    assert stored.is_new
    assert Judgments.objects.get().by_document == {"q1c1": "1.50", "q1c2": "-1"}
    assert not Pair.objects.exclude(gold_origin="").exists()
    assert Event.objects.about(stored.judgment_set).get().after["name"] == "NIST 2019"


def test_same_judgments_again_change_nothing(study):
    first = add(study)

    again = add(study)

    assert (again.judgment_set, again.is_new) == (first.judgment_set, False)


def test_other_judgments_under_that_key_are_refused(study):
    add(study)

    with pytest.raises(Refused, match="other judgments with the key 'nist'"):
        add(study, {"q1_method": {"q1c1": "2"}})


def test_judgments_that_come_in_again_are_known_by_name_and_content(study):
    def are_stored(grades, name="nist"):
        judgments = judgments_of(grades, name=name)
        return are_judgments_stored(collection=study.collection, judgments=judgments)

    add(make_study(slug="elsewhere"))
    assert not are_stored(GRADES)
    add(study)

    assert are_stored(GRADES)
    assert not are_stored(GRADES, name="nist 2019")
    with pytest.raises(Refused, match="other judgments with the key 'nist'"):
        are_stored({"q1_method": {"q1c1": "2"}})


@pytest.mark.parametrize("literal", ["", "  ", "1\n2"])
def test_grade_that_is_no_word_is_refused_with_its_line(study, literal):
    with pytest.raises(BadInputError) as refused:
        add(study, {"q1_method": {"q1c1": "1", "q1c2": literal}})

    assert str(refused.value.problems[0]).startswith("qrels.txt, line 2: the grade ")


def test_number_of_aspects_must_be_the_collections(db):
    study = make_aspect_study()
    query = study.collection.queries.first()
    count = query.topics.distinct().count()
    grades = {query.external_id: {"d": "7"}}

    assert add(study, grades, sizes={query.external_id: str(count)}).is_new
    with pytest.raises(BadInputError) as refused:
        add(study, grades, key="other", sizes={query.external_id: str(count + 1)})
    assert f"{count + 1} aspects and sub-aspects here and {count} in" in str(
        refused.value.problems[0]
    )


def test_set_is_renamed_and_removed_with_its_trace(study):
    judgment_set = add(study).judgment_set

    change_judgments(judgment_set=judgment_set, by=study.lena, name="NIST", scale_note="binary")
    remove_judgments(judgment_set=judgment_set, by=study.lena)

    verbs = Event.objects.about(judgment_set).values_list("verb", flat=True)
    assert list(verbs) == ["add judgments", "change judgments", "remove judgments"]
    assert not JudgmentSet.objects.exists()
    assert not Judgments.objects.exists()


def test_reading_breaks_off_where_the_set_is_removed_meanwhile(study, monkeypatch):
    monkeypatch.setattr(reading, "AT_ONCE", 1)
    judgment_set = add(study, {"q1_method": {"q1c1": "1"}, "other": {"q1c1": "2"}}).judgment_set
    rows = reading.judgments_in_turn(judgment_set)

    assert next(rows).external_id == "q1_method"
    remove_judgments(judgment_set=judgment_set, by=study.lena)
    with pytest.raises(RuntimeError, match="removed while they were read"):
        next(rows)


def test_two_sets_do_not_share_a_key(study):
    add(study)
    other = add(study, key="birco").judgment_set

    with pytest.raises(Invalid, match="have the key"):
        change_judgments(judgment_set=other, by=study.lena, key="nist")


def test_grades_are_counted_by_number_where_all_are_numbers():
    by_number = grade_counts({"q1": {"a": "10", "b": "9"}, "q2": {"a": "9"}})
    by_word = grade_counts({"q1": {"a": "10", "b": "9", "c": "no"}})

    assert by_number == [("9", 2), ("10", 1)]
    assert by_word == [("10", 1), ("9", 1), ("no", 1)]


def test_a_document_judged_twice_is_refused_with_its_line(study):
    judgments = judgments_of({"q1_method": {"q1c1": "1"}})
    judgments.judgments.append(judgments.judgments[0]._replace(literal="2"))

    with pytest.raises(BadInputError) as refused:
        add_judgments(collection=study.collection, judgments=judgments, by=study.lena)
    assert "line 1: the document q1c1 is judged twice for q1_method." in str(
        refused.value.problems[0]
    )
