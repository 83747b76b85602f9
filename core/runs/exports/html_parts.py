"""Parts of a report as one HTML file: facts, tables and bar charts, nothing fetched from a network."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from html import escape
from itertools import pairwise
from typing import Any

_WIDTH, _BAR, _LABEL = 720, 22, 240
# Letters of 13 px are no wider than this on average; a label takes half of a chart at most.
_LETTER, _WIDEST_LABEL = 7.4, 400
_HEIGHT, _MARGIN = 200, 64
# What is longer, such as a digest, is broken where a table has no room for it.
_LONGEST_WORD = 48
_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #8884; vertical-align: top }
td:first-child:not(.n) { min-width: 14rem } .table { overflow-x: auto }
td.long, code { overflow-wrap: anywhere }
td.n, th.n { text-align: right } svg text { fill: currentColor; font-size: 13px }
.answer { font-weight: 600 }
ul.listing { columns: 12rem; margin: 0; padding: 0; list-style: none; font-variant-numeric: tabular-nums }
rect, circle { fill: #2a7f8e } rect.beside { fill: #d0722a }
line { stroke: currentColor } details { margin: .5rem 0 } code { font-size: .9em }
.doubt { border-left: 4px solid #c2570c; padding: .3rem .8rem; background: #c2570c1a }
"""

Interval = Sequence[float] | None


def report_html(title: str, parts: Sequence[str]) -> str:
    """Return a page of parts that are HTML already."""
    body = "\n".join(parts)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1>{body}</html>\n"
    )


def facts(values: Mapping[str, Any]) -> str:
    """Return a line of names with their values."""
    told = [f"{escape(name.replace('_', ' '))}: <b>{_plain(value)}</b>" for name, value in values.items()]
    return f"<p>{' · '.join(told)}</p>"


def bars(
    title: str,
    values: Mapping[str, float | None],
    intervals: Mapping[str, Interval] | None = None,
    beside: Collection[str] = (),
) -> str:
    """Return a chart of horizontal bars; shares are drawn on a scale from 0 to 1, others to the largest.

    Parameters
    ----------
    beside : collection of str
        Those that have another colour, being of somebody else.
    """
    known = {name: value for name, value in values.items() if value is not None}
    tops = [bound[1] for bound in (intervals or {}).values() if bound]
    highest = max([1.0, *known.values(), *tops])
    left = min(max(_LABEL, *(_LETTER * len(name) + 10 for name in known)), _WIDEST_LABEL) if known else _LABEL
    scale = (_WIDTH - left - 70) / highest
    rows = [
        _bar(i, name, value, scale, (intervals or {}).get(name), left, beside=name in beside)
        for i, (name, value) in enumerate(known.items())
    ]
    height = len(known) * _BAR + 4
    return (
        f'<h2>{escape(title)}</h2><svg viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}">{"".join(rows)}</svg>'
    )


def line(title: str, points: Sequence[tuple[str, float | None]]) -> str:
    """Return a chart of numbers by date, a gap where there is none; nothing for fewer than two.

    A day may be there twice, as two passes of a satellite are.
    """
    known = [value for _, value in points if value is not None]
    if len(known) < 2:
        return ""
    days = [date.fromisoformat(day).toordinal() for day, _ in points]
    low, high = min(known), max(known)
    across = (_WIDTH - _MARGIN - 10) / max(days[-1] - days[0], 1)
    up = (_HEIGHT - 40) / ((high - low) or 1.0)
    places = [
        None if value is None else (_MARGIN + (day - days[0]) * across, _HEIGHT - 24 - (value - low) * up)
        for day, (_, value) in zip(days, points, strict=True)
    ]
    strokes = "".join(
        f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}"/>'
        for a, b in pairwise(places)
        if a and b
    )
    dots = "".join(f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="2.5"/>' for at in places if at)
    first, last = points[0][0], points[-1][0]
    return (
        f'<h2>{escape(title)}</h2><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">{strokes}{dots}'
        f'<text x="0" y="{_HEIGHT - 20}">{low:.4g}</text><text x="0" y="20">{high:.4g}</text>'
        f'<text x="{_MARGIN}" y="{_HEIGHT - 4}">{first}</text>'
        f'<text x="{_WIDTH - 84}" y="{_HEIGHT - 4}">{last}</text></svg>'
    )


def table(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a table under its title, where it has one; the columns are those of the first row."""
    if not rows:
        return ""
    names = list(rows[0])
    numeric = {name for name in names if any(_is_number(row.get(name)) for row in rows)}
    head = "".join(_head(name, number=name in numeric) for name in names)
    lines = "".join(f"<tr>{''.join(_cell(row.get(name)) for name in names)}</tr>" for row in rows)
    heading = f"<h2>{escape(title)}</h2>" if title else ""
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
    return f'{heading}<div class="table" tabindex="0">{body}</div>'


def _bar(
    number: int, name: str, value: float, scale: float, interval: Interval, left: float, *, beside: bool
) -> str:
    top = number * _BAR
    spread, kind = "", ' class="beside"' if beside else ""
    if interval:
        low, high = (left + bound * scale for bound in interval)
        middle = top + _BAR / 2
        spread = f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}"/>'
    end = left + max(value, 0) * scale
    shown = escape(name.replace("_", " "))
    # What is wider than its place is set narrower, never covered.
    fitted = f' textLength="{left - 10:.0f}" lengthAdjust="spacingAndGlyphs"'
    narrow = fitted if _LETTER * len(name) + 10 > left else ""
    return (
        f'<text x="0" y="{top + 16}"{narrow}>{shown}</text>'
        f'<rect{kind} x="{left:.1f}" y="{top + 4}" width="{max(value, 0) * scale:.1f}" height="{_BAR - 8}"/>'
        f'{spread}<text x="{max(end, (left + interval[1] * scale) if interval else 0) + 6:.1f}" '
        f'y="{top + 16}">{value:.4g}</text>'
    )


def _head(name: str, *, number: bool) -> str:
    kind = ' class="n"' if number else ""
    return f"<th{kind}>{escape(name.replace('_', ' '))}</th>"


def _cell(value: Any) -> str:
    if _is_number(value):
        return f'<td class="n">{_plain(value)}</td>'
    long = any(len(word) > _LONGEST_WORD for word in str(value).split())
    return f'<td class="long">{_plain(value)}</td>' if long else f"<td>{_plain(value)}</td>"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:,.3f}"
        case _:
            return escape(str(value))
