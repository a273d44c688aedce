from audit.shelf import Shelf


def test_what_was_used_longest_ago_goes_first():
    shelf = Shelf(max_weight=3)
    for key in "abc":
        shelf.get(key, lambda key=key: key * 2)
    shelf.get("a", lambda: None)

    shelf.get("d", lambda: "dd")

    made = []
    for key in "acdb":
        shelf.get(key, lambda key=key: made.append(key))
    assert made == ["b"]


def test_value_that_weighs_more_than_all_may_is_kept_alone():
    shelf = Shelf(max_weight=3)
    shelf.get("small", lambda: "x", weigh=len)

    shelf.get("large", lambda: "xxxxx", weigh=len)

    assert shelf.get("large", lambda: "", weigh=len) == "xxxxx"
    assert shelf.get("small", lambda: "new", weigh=len) == "new"


def test_what_was_dropped_is_made_anew_and_weighs_nothing():
    shelf = Shelf(max_weight=2)
    for key in "ab":
        shelf.get(key, lambda key=key: key)

    shelf.drop("a")
    shelf.drop("never there")
    shelf.get("c", lambda: "c")

    assert shelf.get("b", lambda: "new") == "b"
    assert shelf.get("a", lambda: "new") == "new"
