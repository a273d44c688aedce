"""What a run has and lacks, on toys."""

from datasets.runs.report import compare
from datasets.runs.strangers import strangers_in_words


def test_topics_missing_and_unknown_are_named():
    report = compare({"1": ["a"], "9": ["a"]}, {"1", "2"}, {"1"}, {}, set())

    assert report.known == 1
    assert report.missing.first == ["2"]
    assert report.unknown.first == ["9"]


def test_documents_outside_the_pool_and_unranked_ones_are_named():
    report = compare({"1": ["a", "x"]}, {"1"}, {"1"}, {"1": {"a", "b"}}, {"a", "b"})

    assert report.outside.first == ["x for 1"]
    assert report.unranked.first == ["b for 1"]
    assert report.strangers.first == ["x for 1"]


def test_nothing_is_outside_of_a_pool_that_is_not_made():
    report = compare({"1": ["a"]}, {"1"}, {"1"}, {"1": set()}, {"a"})

    assert (report.outside.count, report.unranked.count) == (0, 0)


def test_long_listings_are_cut_and_counted():
    report = compare({}, {str(number) for number in range(25)}, set(), {}, set())

    assert (report.missing.count, len(report.missing.first), report.missing.more) == (25, 10, 15)


def test_unknown_documents_are_said_with_their_share_and_the_first_of_them():
    def words(count, lines, *first):
        return strangers_in_words({"strangers": {"count": count, "first": first}, "lines": lines})

    assert words(0, 7) == strangers_in_words({}) == ""
    assert words(2, 3, "a", "b") == (
        "2 of 3 lines (67%) rank documents that the collection does not have: a, b."
    )
    assert words(1_200, 250_000, "a", "b").startswith("1,200 of 250,000 lines (under 1%) rank")
    assert words(1_200, 1_200, "a", "b").endswith(
        "(100%) rank documents that the collection does not have: a, b."
    )
    assert words(4, 4, *"abcd").endswith(": a, b, c, ….")
