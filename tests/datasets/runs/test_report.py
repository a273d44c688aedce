"""What a run has and lacks, on toys."""

from datasets.runs.report import compare


def test_topics_missing_and_unknown_are_named():
    report = compare({"1": ["a"], "9": ["a"]}, {"1", "2"}, {"1"}, {})

    assert report.known == 1
    assert report.missing.first == ["2"]
    assert report.unknown.first == ["9"]


def test_documents_outside_the_pool_and_unranked_ones_are_named():
    report = compare({"1": ["a", "x"]}, {"1"}, {"1"}, {"1": {"a", "b"}})

    assert report.outside.first == ["x for 1"]
    assert report.unranked.first == ["b for 1"]


def test_nothing_is_outside_of_a_pool_that_is_not_made():
    report = compare({"1": ["a"]}, {"1"}, {"1"}, {"1": set()})

    assert (report.outside.count, report.unranked.count) == (0, 0)


def test_long_listings_are_cut_and_counted():
    report = compare({}, {str(number) for number in range(25)}, set(), {})

    assert (report.missing.count, len(report.missing.first), report.missing.more) == (25, 10, 15)
