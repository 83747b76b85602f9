"""A series of numbers by date, where a step gave one."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from os.path import commonprefix
from pathlib import PurePath
from typing import Any, NamedTuple

import streamlit as st

from treeline.core.engine.actions import Answer, action_name
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import Claim, claims_in
from treeline.core.serving.spreadsheets import csv_text
from treeline.core.serving.tiles import unit_text
from treeline.core.workspace import Workspace, date_text
from treeline.pages.parts.map.quantities import (
    keeps_unit,
    name_quantity,
    unit_of_step,
    variable_of,
)
from treeline.pages.parts.map.zone_numbers import count_told
from treeline.pages.parts.shared.origin import dates_of_answer, is_same_date
from treeline.pages.parts.shared.run_view import RunView
from treeline.toolkit.errors import TreelineError

# Two dates are a difference, which the answer tells.
_FEWEST = 3
_MOST_SYMBOLS = 60
_MOST_MARKED = 3
_EDGE = 0.15
_ACCENT = "#c2410c"
# How many letters of a date tell the day, the month, the year.
_PERIODS = (10, 7, 4)
KEY = "series"


_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d+)?")


class Point(NamedTuple):
    """A number at a date, and the address of the raster that it was made of."""

    date: str
    value: float | None
    address: str = ""


@dataclass(frozen=True)
class Series:
    """A dated series of numbers.

    Attributes
    ----------
    points : tuple of Point
        By date.
    unit : str
        Of the numbers, which that of the answer need not be; empty where it is not known or there is none.
    marked : tuple of str
        The dates that the answer names, where it names few.
    title : str
        What they are, and which step gave them.
    """

    points: tuple[Point, ...] = ()
    unit: str = ""
    marked: tuple[str, ...] = ()
    title: str = ""


# The points of a series, the step that gave them, and the one whose rasters they are of.
_Found = tuple[tuple[Point, ...], Step, Step]


def evidence_series(view: RunView, answer: Answer, workspace: Workspace) -> Series:
    """Return a dated series of the steps that an answer rests on; one without points if there is none.

    It is the one that holds most numbers of the answer where one holds any, else one that a later step was
    given; of these the longest, and the latest of several. What was only looked up on the way, such as how
    cloudy the dates are, is not what was asked.
    """
    products = {PurePath(product.name).name: product for _, product in view.products}
    dates = {name: product.date for name, product in products.items() if product.date}
    steps = [step for step in map(view.step, answer.evidence) if step is not None]
    dated = [(_series_of(step, dates, workspace), step, step) for step in reversed(steps)]
    together = [
        (_periods_of(step, points), step, source) for step in reversed(steps) for points, _, source in dated
    ]
    found = [*dated, *_joined(dated), *together]
    # Whole numbers are years and counts mostly, which any series may hold by chance.
    told = [claim for claim in claims_in(answer.text) if claim.number % 1]
    points, step, source = max(
        found,
        key=lambda each: (_count_told(each[0], told), _is_given(each[1], steps), len(each[0])),
        default=((), None, None),
    )
    carries = step is not None and (_count_told(points, told) > 0 or _is_given(step, steps))
    if not points or step is None or source is None or ((answer.map or answer.readings) and not carries):
        return Series()
    told_value = answer.value is not None and any(point.value == answer.value for point in points)
    unit = answer.unit if told_value else _unit_of(source, workspace, view)
    named = dates_of_answer(answer.text)
    marked = tuple(
        point.date
        for point in points
        if any(is_same_date(point.date, day) for day in named) or (told_value and point.value == answer.value)
    )
    what = name_quantity(source, workspace, view.products) or action_name(step.action)
    parts = sorted({each[1].number for each in dated if each[0] and set(each[0]) < set(points)})
    given = f"steps {', '.join(map(str, parts))}" if len(parts) > 1 else f"step {step.number}"
    title = f"{what}, {given}"
    return Series(points, unit_text(unit), marked if len(marked) <= _MOST_MARKED else (), title)


def _joined(found: Sequence[_Found]) -> list[_Found]:
    """Return as one what several steps measured alike at different dates, as in two summers."""
    alike: dict[tuple[str, ...], list[_Found]] = {}
    for each in found:
        if each[0]:
            names = {_DATE.sub("", PurePath(point.address).name) for point in each[0]}
            alike.setdefault((action_name(each[1].action), *sorted(names)), []).append(each)
    joined = []
    for parts in alike.values():
        points = sorted(point for part in parts for point in part[0])
        if len(parts) > 1 and len({point.date for point in points}) == len(points):
            joined.append((tuple(points), *max(parts, key=lambda part: part[1].number)[1:]))
    return joined


def _unit_of(step: Step, workspace: Workspace, view: RunView) -> str:
    """Return the unit of the numbers of a step, as it tells it, or as its rasters have it."""
    told = unit_of_step(step)
    return told or (variable_of(step, workspace, view.products)[1] if keeps_unit(step) else "")


def _count_told(points: Sequence[Point], told: Sequence[Claim]) -> int:
    """Return how many of some numbers are among those of a series."""
    return count_told([point.value for point in points], told)


def _is_given(step: Step, steps: Sequence[Step]) -> bool:
    """Return whether one of some steps worked on the numbers of another."""
    return any(step.observation.value in (each.observation.arguments or {}).values() for each in steps)


def _series_of(step: Step, dates: Mapping[str, str], workspace: Workspace) -> tuple[Point, ...]:
    values = step.observation.value
    for given in (step.observation.arguments or {}).values():
        if _are_of_one_length(values, given):
            when = [_date_of(address, dates, workspace) for address in given]
            if all(when):
                points = zip(map(str, when), values, map(str, given), strict=True)
                return tuple(sorted(map(Point._make, points), key=lambda point: point.date))
    return ()


def _periods_of(step: Step, points: Sequence[Point]) -> tuple[Point, ...]:
    """Return what a step made of a series month by month or year by year; nothing where it did neither."""
    values = step.observation.value
    groups: Any = next(iter((step.observation.arguments or {}).values()), None)
    if not _are_of_one_length(values, groups) or not all(isinstance(group, list) for group in groups):
        return ()
    # The groups are lists of numbers without dates: only that they are the series, cut into parts, tells
    # whose dates are theirs.
    if [value for group in groups for value in group] != [point.value for point in points]:
        return ()
    rest = iter(points)
    members = [list(islice(rest, len(group))) for group in groups]
    shared = [commonprefix([point.date for point in group]) for group in members]
    letters = next((count for count in _PERIODS if all(len(text) >= count for text in shared)), 0)
    periods = [text[:letters] for text in shared]
    if not letters or len(set(periods)) < len(periods):
        return ()
    firsts = (next((point.address for point in group if point.value is not None), "") for group in members)
    return tuple(map(Point, periods, values, firsts))


def _are_of_one_length(values: Any, given: Any) -> bool:
    """Return whether a step made as many numbers, enough for a series, as it was given things."""
    if not isinstance(values, list) or not isinstance(given, list):
        return False
    return len(values) == len(given) >= _FEWEST and all(map(_is_number, values))


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _date_of(address: Any, dates: Mapping[str, str], workspace: Workspace) -> str | None:
    if not isinstance(address, str):
        return None
    name = PurePath(address).name
    if name in dates:
        return dates[name]
    try:
        return date_text(workspace.resolver.describe(address)[0]) or None
    except TreelineError:
        return None


def show_series(
    series: Series,
    *,
    height: int,
    shown: str = "",
    on_click: Callable[[Point], None] | None = None,
    key: str = KEY,
) -> None:
    """Show a series as a line with its points.

    Parameters
    ----------
    shown : str
        The date that is on the map, which the chart marks.
    on_click : callable, optional
        What a click on a point does.
    """
    points = series.points

    def tell_click() -> None:
        for group in st.session_state[key].selection.selected:
            for index in group["data_indices"]:
                if on_click is not None and 0 <= index < len(points):
                    on_click(points[index])

    several_years = points[0].date[:4] != points[-1].date[:4]
    form = "{yyyy}-{MM}" if several_years or len(points[0].date) < len("2021-06-03") else "{MM}-{dd}"
    st.echarts_chart(
        {
            "animation": False,
            "grid": {"left": 44, "right": 14, "top": 22, "bottom": 22},
            "title": {
                "text": series.title,
                "right": 12,
                "top": 0,
                "textStyle": {"fontSize": 10, "fontWeight": "normal"},
            },
            "tooltip": {"trigger": "axis"},
            "xAxis": {"type": "time", "axisLabel": {"hideOverlap": True, "fontSize": 10, "formatter": form}},
            "yAxis": {
                "type": "value",
                "scale": True,
                "name": series.unit,
                "nameGap": 8,
                "axisLabel": {"fontSize": 10},
            },
            "series": [_line(series, shown)],
        },
        height=height,
        renderer="svg",
        key=key,
        on_select=tell_click if on_click is not None else "ignore",
        alt=f"{_describe(points, series.unit)} {series.title}".strip(),
    )


def _line(series: Series, shown: str) -> dict[str, Any]:
    """Return the line with the date on the map as a stroke and the dates of the answer as larger points."""
    line: dict[str, Any] = {
        "type": "line",
        "symbol": "circle",
        "symbolSize": 6 if len(series.points) <= _MOST_SYMBOLS else 4,
        "showSymbol": True,
        "selectedMode": "single",
        "cursor": "pointer",
        "select": {"itemStyle": {"borderWidth": 0}},
        "lineStyle": {"width": 1.4},
        "data": [_datum(point, series) for point in series.points],
    }
    if any(point.date == shown for point in series.points):
        line["markLine"] = {
            "symbol": "none",
            "silent": True,
            "label": {"show": False},
            "lineStyle": {"color": "#8a938f", "type": "dashed", "width": 1},
            "data": [{"xAxis": shown[:10]}],
        }
    return line


def _datum(point: Point, series: Series) -> dict[str, Any]:
    value = None if point.value is None else float(f"{point.value:.5g}")
    datum: dict[str, Any] = {"value": [point.date, value]}
    if value is not None and point.date in series.marked:
        datum |= {
            "symbolSize": 11,
            "itemStyle": {"color": _ACCENT},
            "label": {
                "show": True,
                "formatter": point.date[:10],
                "fontSize": 10,
                "position": "top",
                "align": _side(point, series.points),
            },
        }
    return datum


def _side(point: Point, points: Sequence[Point]) -> str:
    """Return to which side of a point its label is written, so that it does not leave the chart."""
    first, last, own = (
        dt.date.fromisoformat(f"{each.date}-01-01"[:10]).toordinal()
        for each in (points[0], points[-1], point)
    )
    share = (own - first) / max(last - first, 1)
    return "left" if share < _EDGE else "right" if share > 1 - _EDGE else "center"


def _describe(points: Sequence[Point], unit: str) -> str:
    told = f"Series of {len(points)} dates from {points[0][0]} to {points[-1][0]}"
    values = [point.value for point in points if point.value is not None]
    return f"{told}, {min(values):.4g} to {max(values):.4g} {unit}".strip() if values else told


def series_csv(series: Series) -> str:
    """Return a series as CSV: a date and a value a line, an empty value where there is none."""
    value = f"value [{series.unit}]" if series.unit else "value"
    return csv_text(["date", value], [(point.date, point.value) for point in series.points])
