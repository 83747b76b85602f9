"""A series of numbers by date, where a step gave one."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

import streamlit as st

from treeline.core.engine.actions import Answer
from treeline.core.engine.claims import Claim, claims_in
from treeline.core.engine.state import Step
from treeline.core.workspace import Workspace, date_text
from treeline.pages.parts.shared.run_view import RunView
from treeline.toolkit.errors import TreelineError

Point = tuple[str, float | None]
_FEWEST = 3
_MOST_SYMBOLS = 60


def evidence_series(view: RunView, answer: Answer, workspace: Workspace) -> list[Point]:
    """Return a dated series of the steps that an answer rests on; empty if there is none.

    It is one that holds a number of the answer where there is such, of these the longest, and the latest of
    several: what was only looked up on the way, such as how cloudy the dates are, is not what was asked.
    """
    dates = {PurePath(product.name).name: product.date for _, product in view.products if product.date}
    steps = [step for step in map(view.step, answer.evidence) if step is not None]
    found = [_series_of(step, dates, workspace) for step in reversed(steps)]
    told = [claim for claim in claims_in(answer.text) if claim.number % 1]
    return max(found, key=lambda points: (_is_told(points, told), len(points)), default=[])


def _is_told(points: Sequence[Point], told: Sequence[Claim]) -> bool:
    values = [value for _, value in points if value is not None]
    return any(abs(value - claim.number) <= claim.half for value in values for claim in told)


def _series_of(step: Step, dates: Mapping[str, str], workspace: Workspace) -> list[Point]:
    values = step.observation.value
    if not isinstance(values, list) or len(values) < _FEWEST or not all(map(_is_number, values)):
        return []
    for given in (step.observation.arguments or {}).values():
        if isinstance(given, list) and len(given) == len(values):
            when = [_date_of(address, dates, workspace) for address in given]
            if all(when):
                return sorted(zip(map(str, when), values, strict=True), key=lambda point: point[0])
    return []


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


def show_series(points: Sequence[Point], unit: str, *, height: int) -> None:
    """Show a series as a line with its points."""
    form = "{yyyy}-{MM}" if points[0][0][:4] != points[-1][0][:4] else "{MM}-{dd}"
    st.echarts_chart(
        {
            "animation": False,
            "grid": {"left": 44, "right": 12, "top": 12, "bottom": 22},
            "tooltip": {"trigger": "axis"},
            "xAxis": {"type": "time", "axisLabel": {"hideOverlap": True, "fontSize": 10, "formatter": form}},
            "yAxis": {"type": "value", "scale": True, "name": unit, "axisLabel": {"fontSize": 10}},
            "series": [_line(points)],
        },
        height=height,
        renderer="svg",
        key="series",
        alt=_describe(points, unit),
    )


def _line(points: Sequence[Point]) -> dict[str, Any]:
    data = [[date, None if value is None else float(f"{value:.5g}")] for date, value in points]
    return {"type": "line", "symbolSize": 6, "showSymbol": len(points) <= _MOST_SYMBOLS, "data": data}


def _describe(points: Sequence[Point], unit: str) -> str:
    told = f"Series of {len(points)} dates from {points[0][0]} to {points[-1][0]}"
    values = [value for _, value in points if value is not None]
    return f"{told}, {min(values):.4g} to {max(values):.4g} {unit}".strip() if values else told


def series_csv(points: Sequence[Point], unit: str) -> str:
    """Return a series as CSV: a date and a value a line, an empty value where there is none."""
    stream = io.StringIO()
    written = csv.writer(stream, lineterminator="\n")
    written.writerow(["date", f"value [{unit}]" if unit else "value"])
    written.writerows((date, "" if value is None else repr(value)) for date, value in points)
    return stream.getvalue()
