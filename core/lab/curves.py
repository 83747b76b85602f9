"""Curves of the scaling experiment as parts of a report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM, _RIGHT = 720, 300, 70, 16, 40, 150
# Of Okabe and Ito (2008): told apart with any colour vision.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f8c8d")

Points = Sequence[tuple[float, float]]


def lines(title: str, curves: Mapping[str, Points], logarithmic: bool = False) -> str:
    """Return a chart of one line a name over the number of tools.

    Parameters
    ----------
    curves : mapping of str to sequence of (tools, value)
    logarithmic : bool
        The values on a logarithmic scale; all must then be above 0.
    """
    points = [point for curve in curves.values() for point in curve]
    if not points:
        return ""
    scale = math.log10 if logarithmic else float
    xs, ys = [x for x, _ in points], [scale(y) for _, y in points]
    # From 0 on: a hit rate of 0.98 beside one of 0.99 must not look like half of it.
    low, high = (math.floor(min(ys)), math.ceil(max(ys))) if logarithmic else (0.0, max(ys) or 1.0)
    # All values may be the same, such as one power of ten, and would have no height.
    high = high if high > low else low + 1

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - min(xs)) / ((max(xs) - min(xs)) or 1)
        up = (scale(y) - low) / (high - low)
        return _LEFT + across * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM)

    decades = [10**n for n in range(int(low), int(high) + 1)]
    ticks = decades if logarithmic else [high * n / 4 for n in range(5)]
    drawn = [_tick(value, place(min(xs), value)[1]) for value in ticks]
    drawn += [_size(x, place(x, ticks[0])[0]) for x in _sizes_with_labels(sorted(set(xs)))]
    for number, (name, curve) in enumerate(curves.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        drawn.append(_line(name, [place(x, y) for x, y in curve], colour, number))
    return (
        f'<h2>{escape(title)}</h2><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">{"".join(drawn)}</svg>'
    )


def scaling_parts(report: Mapping[str, Any]) -> dict[str, str]:
    """Return the charts of a scaling report by what they show."""
    curves: Mapping[str, Sequence[Mapping[str, float]]] = report["curves"]

    def of(value: str) -> dict[str, list[tuple[float, float]]]:
        return {
            name: [(point["tools"], point[value]) for point in curve if point.get(value) is not None]
            for name, curve in curves.items()
        }

    title = "Input tokens a turn over the number of tools"
    return {
        "tokens": lines(title, of("tokens_per_turn"), logarithmic=True),
        "hits": lines("Hit rate over the number of tools", of("hit_rate")),
        "accuracy": lines("Accuracy over the number of tools", of("accuracy")),
        "calls": lines("Expert's tools in order over the number of tools", of("tool_in_order")),
    }


def _line(name: str, places: Sequence[tuple[float, float]], colour: str, number: int) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
    left, top = _WIDTH - _RIGHT + 16, _TOP + 18 * number
    key = (
        f'<line x1="{left}" x2="{left + 18}" y1="{top}" y2="{top}" style="stroke:{colour}" stroke-width="3"/>'
        f'<text x="{left + 24}" y="{top + 4}">{escape(name)}</text>'
    )
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>{dots}{key}'


def _tick(value: float, y: float) -> str:
    return (
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" opacity=".2"/>'
        f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:,.4g}</text>'
    )


def _size(value: float, x: float) -> str:
    return f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">{value:g}</text>'


def _sizes_with_labels(sizes: Sequence[float]) -> list[float]:
    """Return those of the sizes whose labels do not lie on one another."""
    shown: list[float] = []
    for size in sizes:
        if not shown or size - shown[-1] >= 0.07 * (sizes[-1] - sizes[0]):
            shown.append(size)
    return shown
