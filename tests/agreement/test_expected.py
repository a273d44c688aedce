"""The comparison with a file of expected figures can fail, whatever the file's nesting."""

import pytest

from tests.agreement.expected import compare, look_up_in


@pytest.fixture
def look_up():
    def measures(kappa):
        return {"measures": {"rho": {"value": 0.25}, "kappa": {"value": kappa}}}

    report = {
        "facets": {
            "method": {
                "after": measures(0.5),
                "overruling": {"mean_share": {"value": 0.02}, "outside_range": 3},
            }
        },
        "topics": {"1791179_method": {"before": measures(0.75), "pairs": 92, "overruling": {}}},
    }
    return look_up_in({("lowest", "median"): report})


def test_equal_numbers_are_matched_and_none_differs(look_up):
    expected = {
        "table2_missing_as_zero": {"method": {"post": {"rho": 0.25, "kappa": 0.5 + 1e-12}}},
        "overruling": {"method": {"mean_share": 0.02, "outside": 3}},
        "per_query": [
            {
                "query": "1791179_method",
                "pre": {"kappa": 0.75},
                "specter": {"kappa": 1},
                "pairs": 92,
            }
        ],
    }

    result = compare(expected, look_up)

    assert result.differing == []
    assert result.matched == {"table2": 2, "overruling": 2, "per_query": 2}


@pytest.mark.parametrize(
    ("expected", "key"),
    [
        ({"table2_pairs": {"method": {"after": {"kappa": 0.5 + 1e-8}}}}, "method.after.kappa"),
        ({"table2": {"post": {"kappa": {"method": None}}}}, "post.kappa.method"),
        ({"overruling": {"method": 0.03}}, "overruling.method"),
        ({"per_query": {"method": {"1791179": {"before": {"rho": 0.3}}}}}, "1791179.before.rho"),
        ({"table2": [{"facet": "method", "when": "after", "kappa": 0.6}]}, "kappa"),
    ],
)
def test_differing_number_is_named_by_its_key(look_up, expected, key):
    [line] = compare(expected, look_up).differing

    assert line.split(":")[0].endswith(key)


def test_number_that_cannot_be_placed_is_listed(look_up):
    result = compare({"table2": {"sideways": 0.5}}, look_up)

    assert (result.matched, result.unrecognised) == ({}, ["table2.sideways"])
