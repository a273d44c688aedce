"""The bars and lines of the sizes of pools."""

import pytest

from annotation.pooling.chart import BOTTOM, HEIGHT, LEFT, WIDTH, sizes_chart


def test_bars_stand_side_by_side_largest_first_and_equal_ones_by_name():
    chart = sizes_chart({"b": 10, "c": 40, "a": 10}, median=20, large=["c"])

    assert [(bar.name, bar.count, bar.is_large) for bar in chart.bars] == [
        ("c", 40, True),
        ("a", 10, False),
        ("b", 10, False),
    ]
    assert [bar.height for bar in chart.bars] == [HEIGHT, HEIGHT / 4, HEIGHT / 4]
    assert [round(bar.y + bar.height, 1) for bar in chart.bars] == [BOTTOM] * 3
    assert [bar.x for bar in chart.bars] == [
        LEFT,
        round(LEFT + WIDTH / 3, 1),
        round(LEFT + 2 * WIDTH / 3, 1),
    ]
    assert {bar.width for bar in chart.bars} == {round(WIDTH / 3 * 0.8, 2)}
    assert chart.median_y == BOTTOM - HEIGHT / 2


@pytest.mark.parametrize(
    ("top", "values"),
    [
        (0, [0, 1]),
        (1, [0, 1]),
        (5, [0, 1, 2, 3, 4, 5]),
        (6, [0, 2, 4, 6]),
        (12, [0, 5, 10]),
        (26, [0, 10, 20]),
        (51, [0, 20, 40]),
        (240, [0, 50, 100, 150, 200]),
    ],
)
def test_axis_has_round_values_up_to_the_largest(top, values):
    lines = sizes_chart({"t": top}, median=0, large=()).lines

    assert [value for value, _ in lines] == values
    assert lines[0] == (0, BOTTOM)
    heights = [BOTTOM - value * HEIGHT / max(top, 1) for value in values]
    assert [y for _, y in lines] == pytest.approx(heights, abs=0.06)


def test_no_topics_have_no_bars():
    assert sizes_chart({}, median=0, large=()).bars == []
