from accounts.listing import listing

ROWS = ["Bird song", "Bat calls", "Song of whales", *(f"Paper {n}" for n in range(20))]
ORDERS = {"long": ("longest first", lambda row: -len(row))}


def listed(**parameters):
    return listing(ROWS, parameters, text=str, orders=ORDERS, size=10)


def test_every_word_must_occur_in_any_case_and_order():
    assert list(listed(words="SONG  bird").page) == ["Bird song"]
    assert list(listed(words="song").page) == ["Bird song", "Song of whales"]
    assert list(listed(words="nothing").page) == []


def test_an_order_sorts_and_an_unknown_one_keeps_that_of_the_study():
    assert listed(order="long").page[0] == "Song of whales"
    assert list(listed(order="none").page) == ROWS[:10]


def test_pages_and_searches_keep_the_filters_that_are_set():
    second_page = listed(words="paper", order="long", page="2")

    context = second_page.context(state="open", show="")

    assert context["page"].number == 2
    assert context["address"] == "words=paper&order=long&state=open"
    assert list(context["kept"]) == [("state", "open")]


def test_a_short_list_has_no_search_until_it_was_searched():
    assert not listing(ROWS[:3], {}, text=str).is_long
    assert listing(ROWS[:3], {"words": "x"}, text=str).is_long
