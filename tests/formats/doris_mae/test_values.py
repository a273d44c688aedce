"""Values inside the entries of a DORIS-MAE file."""

from decimal import Decimal

import pytest

from formats.doris_mae.values import (
    abstract_id_of,
    amount_of,
    check_idea,
    check_ids,
    check_score,
    first_repeated,
    map_of_lists,
    object_of,
    record_of,
    survives_json,
    text_or_null,
    with_maps,
)
from formats.strict import BadTextError

SCALE = {Decimal(0), Decimal(1), Decimal("2")}


def refusal(function, *args, **more):
    with pytest.raises(BadTextError) as caught:
        function(*args, **more)
    return caught.value.place, caught.value.message, caught.value.remedy


def test_the_number_of_an_abstract_is_an_identifier():
    ids = [abstract_id_of({"abstract_id": number}) for number in (0, 363132, 10**199)]

    assert ids == ["0", "363132", "1" + "0" * 199]


@pytest.mark.parametrize(
    ("value", "kind"),
    [("7", "text"), (7.0, "a decimal number"), (True, "true or false"), (None, "null")],
)
def test_another_value_is_no_number_of_an_abstract(value, kind):
    assert refusal(abstract_id_of, {"abstract_id": value}) == (
        "abstract_id",
        f"{kind}; expected a whole number.",
        "Write it without quotation marks.",
    )


def test_an_entry_is_an_object():
    assert object_of({"a": 1}) == {"a": 1}
    assert refusal(object_of, [1]) == ("", "a list; expected an object.", "")
    assert refusal(abstract_id_of, "x") == ("", "text; expected an object.", "")


@pytest.mark.parametrize("score", [0, 1, 2])
def test_a_score_is_a_whole_number_of_the_scale(score):
    check_score(score, SCALE, "score", "")


@pytest.mark.parametrize("score", [3, -1, 1.0, True, "1", None, [1], 10**30])
def test_another_score_is_refused_with_the_scale(score):
    place, message, remedy = refusal(check_score, score, SCALE, "score", ", or -1")

    assert place == "score"
    assert message.startswith("the score ")
    assert message.endswith(" is outside the scale.")
    assert remedy == "The scheme takes 0, 1, 2, or -1."


@pytest.mark.parametrize("value", [None, 7, "paper", [], [7, "paper", None]])
def test_an_idea_is_from_abstracts_or_from_nothing(value):
    check_idea(value)


@pytest.mark.parametrize("value", [True, 1.5, {}, [[7]], [7, False]])
def test_an_idea_is_from_nothing_else(value):
    place, message, _ = refusal(check_idea, value)

    assert place == "idea_from"
    assert message.endswith("; expected an abstract id, a list of them, or null.")


def test_lists_of_abstracts_may_be_missing_and_hold_numbers_alone():
    check_ids(None, "pool")
    check_ids([], "pool")
    check_ids([0, 7], "pool")

    assert refusal(check_ids, {}, "pool") == (
        "pool", "an object; expected a list of abstract ids.", "",
    )  # fmt: skip
    for value, shown in [("7", "'7'"), (True, "true"), (1.5, "1.5"), (None, "null")]:
        assert refusal(check_ids, [7, value], "pool") == (
            "pool", f"{shown} is no abstract id.", "Ids are whole numbers.",
        )  # fmt: skip


def test_a_map_has_a_list_of_texts_for_each_name():
    entry = {"links": {"a": [], "b": ["x"]}, "null": None}

    assert map_of_lists(entry, "links") == entry["links"]
    assert map_of_lists(entry, "null", required=False) == {}
    assert map_of_lists(entry, "missing", required=False) == {}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "null; expected an object."),
        ([], "a list; expected an object."),
        ({"a": "x"}, "'a' has text; expected a list of texts."),
        ({"a": ["x", 7]}, "'a' has 2 of them; expected a list of texts."),
        ({"a": []} | {"b": {"x": 1}}, "'b' has 1 of them; expected a list of texts."),
    ],
)
def test_another_map_is_refused_with_its_name(value, message):
    assert refusal(map_of_lists, {"links": value}, "links")[:2] == ("links", message)


def test_a_text_may_be_missing_or_null():
    assert text_or_null({"title": "T"}, "title") == "T"
    assert text_or_null({"title": None}, "title") is text_or_null({}, "title") is None
    assert refusal(text_or_null, {"title": 7}, "title") == (
        "title", "a number; expected text or null.", "",
    )  # fmt: skip


def test_the_first_value_that_comes_again_is_told():
    assert first_repeated([1, 2, 3, 2, 1]) == 2
    assert first_repeated([0, 0]) == 0
    assert first_repeated([1, 2]) is None


@pytest.mark.parametrize(
    ("value", "amount"),
    [([], "0 of them"), ([0] * 1234, "1,234 of them"), ({"a": 1}, "1 of them"), ("ab", "text")],
)
def test_an_amount_is_of_lists_and_objects(value, amount):
    assert amount_of(value) == amount


def test_a_record_has_the_keys_in_their_order_and_the_text_of_what_no_field_holds():
    entry = {"b": 1.5, "a": "ä", "facetwise_query_id": "q", "c": None}

    assert record_of(entry, {"a"}) == [["b", "1.5"], ["a", None], ["c", "null"]]


def test_a_map_that_is_derived_alike_needs_no_text():
    entry = {"links": {"s": ["a"]}, "text": "s"}
    record = record_of(entry, {"text"})

    assert list(with_maps(record, entry, {"links": {"s": ["a"]}})) == [
        ["links", None],
        ["text", None],
    ]


def test_a_map_that_differs_is_kept_with_the_one_that_is_derived():
    entry = {"links": {"s": ["b"]}}

    assert list(with_maps(record_of(entry, set()), entry, {"links": {"s": ["a"]}})) == [
        ["links", '{"s": ["b"]}', '{"s": ["a"]}']
    ]


def test_the_order_of_a_map_makes_it_another():
    entry = {"links": {"s": [], "t": []}}

    [[_, text, stand_in]] = with_maps(record_of(entry, set()), entry, {"links": {"t": [], "s": []}})

    assert (text, stand_in) == ('{"s": [], "t": []}', '{"t": [], "s": []}')


def test_a_map_that_the_file_does_not_have_is_noted_as_absent():
    record = record_of({"text": "s"}, {"text"})

    assert list(with_maps(record, {"text": "s"}, {"links": {}})) == [
        ["text", None],
        ["links", "", "{}"],
    ]


@pytest.mark.parametrize("value", [None, 7, "a", [], ["a", 7, None]])
def test_what_every_database_gives_back_as_it_was(value):
    assert survives_json(value)


@pytest.mark.parametrize("value", [1.0, {"a": 1}, ["a", 1.5], [["a"]], [{}]])
def test_numbers_and_objects_may_come_back_written_otherwise(value):
    assert not survives_json(value)
