from formats.grouping import grouped, in_chunks


def test_values_and_keys_stand_in_the_order_in_which_they_come():
    groups = grouped([("b", 2), ("a", 1), ("b", 1)])

    assert list(groups.items()) == [("b", [2, 1]), ("a", [1])]
    assert groups["c"] == []


def test_values_come_a_few_at_a_time():
    assert list(in_chunks("abcde", 2)) == [["a", "b"], ["c", "d"], ["e"]]
    assert list(in_chunks([], 2)) == []
