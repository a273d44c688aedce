"""Who left out a pair: people of its batch alone, and of a seat only where nobody rated it."""

from formats.gaps import completed_ratings, handover_notes, with_overlap
from formats.records import MAX_OVERLAP, NOT_RATED, Place, Rating


def rating(document, rater, batch="", seat="", topic="t"):
    return Rating(topic, document, rater, "1", "", "", "", Place("ratings.csv"), batch, seat)


def answers(ratings):
    """{document: who gave an answer, and in brackets who left it out}"""
    by_document = {}
    for answer in completed_ratings(ratings):
        name = f"({answer.rater})" if answer.reason == NOT_RATED else answer.rater
        by_document.setdefault(answer.document, []).append(name)
    return {document: " ".join(names) for document, names in by_document.items()}


def test_without_batches_every_rater_of_a_topic_was_asked():
    given = [rating("d2", "ben"), rating("d1", "ann"), rating("d1", "ben")]

    assert answers(given) == {"d2": "ben (ann)", "d1": "ben ann"}


def test_people_of_other_batches_were_not_asked():
    given = [
        rating("d1", "ann", "A"), rating("d1", "ben", "A"), rating("d2", "ann", "A"),
        rating("d3", "cat", "B"), rating("d3", "dan", "B"),
    ]  # fmt: skip

    assert answers(given) == {"d1": "ann ben", "d2": "ann (ben)", "d3": "cat dan"}


def test_a_batch_of_another_topic_asks_its_own_people():
    given = [rating("d1", "ann", "A"), rating("d1", "ben", "A", topic="u")]

    assert [answer.rater for answer in completed_ratings(given)] == ["ann", "ben"]


def test_a_seat_that_changed_hands_lacks_no_answer_that_one_of_its_people_gave():
    given = [
        rating("d2", "cat", "A", "2"), rating("d1", "ann", "A", "1"), rating("d1", "cat", "A", "2"),
        rating("d2", "ben", "A", "1"), rating("d3", "cat", "A", "2"), rating("d4", "ann", "A", "1"),
    ]  # fmt: skip

    assert answers(given) == {
        "d2": "ben cat",
        "d1": "ann cat",
        "d3": "(ben) cat",
        "d4": "ann (cat)",
    }
    assert handover_notes(given) == [
        "Seats with several people: seat 1 of A (ann, ben). Each person comes in with the pairs "
        "that they rated, in a batch for each set of people. That a seat changed hands is not kept."
    ]


def test_who_rated_a_pair_in_another_seat_did_not_leave_it_out():
    given = [rating("d1", "ann", "A", "1"), rating("d2", "ann", "A", "2")]

    assert answers(given) == {"d1": "ann", "d2": "ann"}


def test_seats_of_one_person_each_need_no_word():
    given = [rating("d1", "ann", "", "1"), rating("d1", "ben", "", "1", topic="u")]

    assert handover_notes(given) == []


def test_answers_that_an_overlap_still_asks_for_are_to_come():
    given = [rating("d1", "ann"), rating("d1", "ben"), rating("d2", "ben")]

    assert answers([given[0], given[1], given[2]._replace(overlap=2)])["d2"] == "ben"


def test_each_batch_of_a_crowd_is_counted_alone():
    of_five = [rating("d1", f"a{number}", "A") for number in range(5)]
    of_five += [rating("d2", f"a{number}", "A") for number in range(4)]
    others = [rating("d3", f"b{number}", "B") for number in range(6)]

    assert answers(of_five + others)["d2"] == "a0 a1 a2 a3 (a4)"


def test_nobody_of_a_crowd_left_out_what_others_rated():
    crowd = [rating("d1", f"a{number}", "A") for number in range(MAX_OVERLAP + 1)]
    crowd += [rating("d2", "a3", "A")]

    assert answers(crowd)["d2"] == "a3"
    assert answers(crowd[1:])["d2"] == "(a1) (a2) a3 (a4) (a5) (a6) (a7) (a8) (a9)"


def test_where_answers_are_to_come_nobody_left_out_a_pair():
    given = [
        rating("d1", "ann"),
        rating("d1", "ben"),
        rating("d2", "ann"),
        *(rating("d3", name) for name in ("ann", "ben", "cat")),
    ]

    assert answers(with_overlap(given, 2)) == {"d1": "ann ben", "d2": "ann", "d3": "ann ben cat"}
    assert [answer.overlap for answer in with_overlap(given, 2)] == [2, 2, 2, 3, 3, 3]


def test_an_overlap_that_a_file_names_goes_before_that_of_the_scheme():
    named = rating("d1", "ann")._replace(overlap=4)

    assert with_overlap([named], 2) == [named]
    assert with_overlap([rating("d1", "ann")], 0) == [rating("d1", "ann")]


def test_a_gap_is_in_the_batch_and_the_seat_that_lack_the_answer():
    given = [
        rating("d1", "ann", "A", "1"), rating("d1", "ben", "A", "2"), rating("d2", "ann", "A", "1"),
    ]  # fmt: skip

    [gap] = [answer for answer in completed_ratings(given) if answer.reason == NOT_RATED]

    assert gap == Rating(
        "t", "d2", "ben", None, NOT_RATED, "", "", Place("ratings.csv"), "A", "2"
    )  # fmt: skip


def test_a_person_of_two_seats_stands_for_one_gap_alone():
    given = [
        rating("d1", "ann", "A", "1"), rating("d2", "ann", "A", "2"), rating("d3", "ben", "A", "3"),
    ]  # fmt: skip

    assert answers(given)["d3"] == "(ann) ben"


def test_who_changed_seats_stands_where_they_answered():
    given = [
        rating("d1", "ann", "A", "1"), rating("d1", "ben", "A", "2"), rating("d2", "ann", "A", "3"),
        rating("d2", "ben", "A", "2"),
    ]  # fmt: skip

    assert answers(given)["d2"] == "ben ann"


def test_seats_stand_by_their_numbers_and_others_as_they_appear():
    given = [
        rating("d1", "ten", "A", "10"), rating("d1", "two", "A", "2"), rating("d1", "b", "A", "b"),
        rating("d1", "a", "A", "a"),
    ]  # fmt: skip

    assert answers(given) == {"d1": "b a two ten"}


def test_a_seat_may_have_a_name_of_any_digits():
    given = [
        rating("d1", "two", "A", "2"), rating("d1", "long", "A", "9" * 5000),
        rating("d1", "one", "A", "1"), rating("d1", "other", "A", "\u0663"),
    ]  # fmt: skip

    assert answers(given) == {"d1": "long other one two"}


def test_who_says_of_a_pair_that_it_was_not_rated_held_no_seat():
    nothing = rating("d2", "cat", "A", "1")._replace(grade=None)
    reasons = [nothing, nothing._replace(reason=NOT_RATED), nothing._replace(reason="unclear")]

    notes = [handover_notes([rating("d1", "ann", "A", "1"), gap]) for gap in reasons]

    assert [len(of_gap) for of_gap in notes] == [0, 0, 1]


def test_seats_that_changed_hands_are_named_by_batch_or_topic_and_the_first_five_listed():
    given = [
        rating("d", rater, batch, "1", topic=topic)
        for topic, batch in [("t", ""), *(("u", f"B{number}") for number in range(6))]
        for rater in ("ann", "ben")
    ]

    [note] = handover_notes(given)

    assert note.startswith(
        "Seats with several people: seat 1 of t (ann, ben); seat 1 of B0 (ann, ben); seat 1 of B1"
    )
    assert "; seat 1 of B3 (ann, ben) and 2 more. Each person" in note


def test_without_ratings_there_is_nothing_to_complete():
    assert completed_ratings([]) == with_overlap([], 2) == handover_notes([]) == []
