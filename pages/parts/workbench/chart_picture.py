"""The chart beside an answer as a file to take away."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.dates import date2num
from matplotlib.figure import Figure

from treeline.core.engine.actions import Answer
from treeline.core.policies.planner.figures import number_text
from treeline.core.serving.spreadsheets import csv_text
from treeline.pages.parts.map.class_rows import ClassRow
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.workbench.series import Series
from treeline.pages.parts.workbench.zone_bars import Row, lie_close, unit_of

Form = Literal["png", "svg"]
_SIZE, _ROW, _DOTS = (7.2, 3.6), 0.32, 160
_COLOUR, _ACCENT = "#0072b2", "#c2410c"


def series_picture(series: Series, title: str, form: Form) -> bytes:
    """Return a series as a line over its dates, as PNG or SVG."""
    figure = Figure(figsize=_SIZE, dpi=_DOTS, layout="constrained")
    axes = figure.add_subplot()
    days = [_day(point.date) for point in series.points]
    every = [float("nan") if point.value is None else point.value for point in series.points]
    axes.plot(days, every, "o-", color=_COLOUR, ms=4, lw=1.3)
    axes.xaxis_date()
    for point, day, value in zip(series.points, days, every, strict=True):
        if point.date in series.marked and point.value is not None:
            axes.plot([day], [value], "o", color=_ACCENT, ms=8)
            axes.annotate(point.date[:10], (day, value), (0, 8), textcoords="offset points", ha="center")
    axes.margins(y=0.15)
    axes.set_ylabel(_with_unit(series.title.partition(", step ")[0], series.unit))
    axes.grid(alpha=0.3)
    figure.autofmt_xdate()
    return _write(figure, title, form)


def bars_picture(rows: Sequence[Row], what: str, title: str, form: Form) -> bytes:
    """Return the numbers of zones or classes as bars, or as dots where they lie close."""
    height = 1.1 + _ROW * len(rows)
    figure = Figure(figsize=(_SIZE[0], height), dpi=_DOTS, layout="constrained")
    axes = figure.add_subplot()
    values = [zone.value or 0.0 for zone in rows]
    colours = [zone.colour if isinstance(zone, ClassRow) and zone.colour else _COLOUR for zone in rows]
    places = range(len(rows))
    if lie_close(rows):
        axes.scatter(values, places, c=colours, edgecolors="#8a938f", zorder=3)
    else:
        axes.barh(places, values, color=colours, edgecolor="#8a938f", linewidth=0.5)
    unit = unit_of(rows)
    for place, value in zip(places, values, strict=True):
        axes.annotate(
            number_text(value, unit), (value, place), (5, 0), textcoords="offset points", va="center"
        )
    axes.set_yticks(list(places), [zone.name for zone in rows])
    axes.invert_yaxis()
    axes.margins(x=0.15)
    axes.set_xlabel(_with_unit(what, unit))
    axes.grid(axis="x", alpha=0.3)
    return _write(figure, title, form)


def histogram_csv(view: RunView, answer: Answer) -> str:
    """Return the bins of the histogram that an answer rests on as CSV; empty where there is none."""
    for number in reversed(answer.evidence):
        step = view.step(number)
        value: Any = step.observation.value if step else None
        if isinstance(value, Mapping) and {"edges", "counts"} <= value.keys():
            edges, counts = value["edges"], value["counts"]
            return csv_text(["from", "to", "pixels"], zip(edges, edges[1:], counts, strict=False))
    return ""


def _day(date: str) -> float:
    """Return when a date of a series is, as its axis counts: of a month or a year its first day."""
    day = dt.datetime.fromisoformat(f"{date[:10]}-01-01"[:10])
    clock = date[10:].strip("T ")
    moment = dt.datetime.combine(day, dt.time.fromisoformat(clock)) if clock else day
    return float(date2num(moment))


def _with_unit(what: str, unit: str) -> str:
    return f"{what} in {unit}" if what and unit else what or unit


def _write(figure: Figure, title: str, form: Form) -> bytes:
    figure.suptitle(title, wrap=True, fontsize=10)
    stream = io.BytesIO()
    if form == "svg":
        FigureCanvasSVG(figure).print_svg(stream)
    else:
        FigureCanvasAgg(figure).print_png(stream)
    return stream.getvalue()
