"""Charts of a report as HTML: lengths and places are in the proportion of the numbers."""

from __future__ import annotations

import re

import pytest

from treeline.core.runs.exports.html_parts import bars, line


def numbers(pattern: str, text: str) -> list[float]:
    return [float(found) for found in re.findall(pattern, text)]


def test_a_bar_is_as_long_as_its_value_and_its_interval_as_wide_as_its_bounds():
    text = bars("Scores", {"a": 0.5, "b": 0.25, "c": None}, {"a": (0.25, 0.75)})
    first, second = numbers(r'<rect[^>]* width="([\d.]+)"', text)
    assert first > 50 and second == pytest.approx(first / 2, abs=0.1)
    (begin, end), *_ = re.findall(r'<line x1="([\d.]+)" x2="([\d.]+)"', text)
    (left, *_) = numbers(r'<rect[^>]* x="([\d.]+)"', text)
    assert (float(begin) - left, float(end) - left) == (
        pytest.approx(first / 2, abs=0.2),
        pytest.approx(first * 1.5, abs=0.2),
    )


def test_places_on_a_line_follow_dates_and_values():
    text = line("NDVI", [("2021-01-01", 0.2), ("2021-01-03", 0.4), ("2021-01-11", 0.3)])
    strokes = [
        tuple(map(float, each))
        for each in re.findall(r'<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"', text)
    ]
    (x1, low, x2, high), (_, _, x3, middle) = strokes
    assert x3 - x2 == pytest.approx(4 * (x2 - x1), abs=0.3), "two days, then eight"
    assert 0 < high < middle < low and middle == pytest.approx((low + high) / 2, abs=0.1)
    ((width, height),) = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    assert 0 < x1 < x3 <= float(width) and low == float(height) - 24, "the lowest stands above the dates"


def test_shares_are_drawn_on_a_scale_to_one_and_larger_values_to_the_largest():
    for values in ({"a": 1.0, "b": 0.5}, {"a": 4.0, "b": 2.0}):
        text = bars("Scores", values)
        ((width, _),) = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
        (left, *_), (first, second) = (
            numbers(rf'<rect[^>]* {name}="([\d.]+)"', text) for name in ("x", "width")
        )
        assert left + first == pytest.approx(float(width) - 70, abs=0.1), "room for the number"
        assert second == pytest.approx(first / 2, abs=0.1)
