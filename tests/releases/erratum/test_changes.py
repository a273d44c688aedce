"""The differences between two sets of grades."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from releases.erratum.changes import Change, Grade, Kind, changes_between

OLDER = {
    "q1_method": {"d1": Grade("0", "no"), "d2": Grade("1", "some"), "d3": Grade("2", "much")},
    "q2_method": {"d1": Grade("1", "some")},
}
NEWER = {
    "q1_method": {"d1": Grade("0", "no"), "d2": Grade("2", "much"), "d4": Grade("0", "no")},
    "q3_method": {"d1": Grade("1", "some")},
}

grades = st.dictionaries(
    st.sampled_from("tuv"),
    st.dictionaries(
        st.sampled_from("abcde"), st.builds(Grade, st.sampled_from("012"), st.sampled_from("xy"))
    ),
)


def applied(changes, older):
    """What the older grades become by the changes."""
    pairs = {(t, d): grade for t, of_topic in older.items() for d, grade in of_topic.items()}
    for change in changes.rows:
        assert pairs.pop((change.topic, change.document), None) == change.old
        if change.new:
            pairs[change.topic, change.document] = change.new
    return pairs


def test_each_kind_of_change_by_hand():
    changes = changes_between(OLDER, NEWER)

    assert changes.rows == (
        Change(Kind.CHANGED, "q1_method", "d2", Grade("1", "some"), Grade("2", "much")),
        Change(Kind.GONE, "q1_method", "d3", Grade("2", "much"), None),
        Change(Kind.NEW, "q1_method", "d4", None, Grade("0", "no")),
        Change(Kind.GONE, "q2_method", "d1", Grade("1", "some"), None),
        Change(Kind.NEW, "q3_method", "d1", None, Grade("1", "some")),
    )
    assert [changes.count(kind) for kind in Kind] == [1, 2, 2]
    assert (changes.before, changes.after) == (4, 4)
    assert changes.crossed["q1_method"] == Counter([("0", "0"), ("1", "2"), ("2", ""), ("", "0")])


def test_another_option_of_one_value_is_a_change_where_both_tell_it():
    def kinds(old, new):
        return [row.kind for row in changes_between({"t": {"d": old}}, {"t": {"d": new}}).rows]

    assert kinds(Grade("1", "agree"), Grade("1", "dispute")) == [Kind.CHANGED]
    assert kinds(Grade("1", "agree"), Grade("1")) == []
    assert kinds(Grade("1"), Grade("1", "agree")) == []
    assert kinds(Grade("1"), Grade("2", "concur")) == [Kind.CHANGED]


@given(grades)
def test_nothing_changes_from_an_export_to_itself(export):
    changes = changes_between(export, export)

    assert changes.rows == ()
    assert changes.before == changes.after == sum(map(len, export.values()))


@given(grades, grades)
def test_the_other_way_round_new_is_gone_and_old_is_new(older, newer):
    opposite = {Kind.NEW: Kind.GONE, Kind.GONE: Kind.NEW, Kind.CHANGED: Kind.CHANGED}
    there, back = changes_between(older, newer), changes_between(newer, older)

    assert [
        Change(opposite[row.kind], row.topic, row.document, row.new, row.old) for row in there.rows
    ] == list(back.rows)
    assert (there.before, there.after) == (back.after, back.before)


@given(grades, grades)
def test_the_older_grades_become_the_newer_ones_by_the_changes(older, newer):
    changes = changes_between(older, newer)

    assert applied(changes, older) == {
        (t, d): grade for t, of_topic in newer.items() for d, grade in of_topic.items()
    }
    assert changes.after == sum(map(len, newer.values()))
