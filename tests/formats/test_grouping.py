from formats.grouping import grouped


def test_values_and_keys_stand_in_the_order_in_which_they_come():
    groups = grouped([("b", 2), ("a", 1), ("b", 1)])

    assert list(groups.items()) == [("b", [2, 1]), ("a", [1])]
    assert groups["c"] == []
