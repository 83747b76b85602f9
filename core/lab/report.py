"""A report on a bench as one HTML file: tables and bar charts, nothing fetched from a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

_WIDTH, _BAR, _LABEL = 720, 22, 240
_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #8884; vertical-align: top }
td.n { text-align: right } svg text { fill: currentColor; font-size: 13px } rect { fill: #2a7f8e }
line { stroke: currentColor } details { margin: .5rem 0 } code { font-size: .9em }
"""

Interval = Sequence[float] | None


def write_report(path: Path, title: str, parts: Sequence[str]) -> None:
    """Write a report of parts that are HTML already."""
    body = "\n".join(parts)
    path.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1>{body}</html>\n",
        "utf-8",
    )


def bars(
    title: str, values: Mapping[str, float | None], intervals: Mapping[str, Interval] | None = None
) -> str:
    """Return a chart of horizontal bars; shares are drawn on a scale from 0 to 1, others to the largest."""
    known = {name: value for name, value in values.items() if value is not None}
    highest = max([1.0, *known.values()]) if known else 1.0
    scale = (_WIDTH - _LABEL - 70) / highest
    rows = [
        _bar(i, name, value, scale, (intervals or {}).get(name))
        for i, (name, value) in enumerate(known.items())
    ]
    height = len(known) * _BAR + 4
    return (
        f'<h2>{escape(title)}</h2><svg viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}">{"".join(rows)}</svg>'
    )


def table(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a table; the columns are those of the first row."""
    if not rows:
        return ""
    names = list(rows[0])
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    lines = "".join(f"<tr>{''.join(_cell(row.get(name)) for name in names)}</tr>" for row in rows)
    return f"<h2>{escape(title)}</h2><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def earth_bench_report(path: Path, report: Mapping[str, Any]) -> None:
    """Write the report on a run of Earth-Bench."""
    questions = [
        {
            "id": row["id"],
            "modality": row["modality"],
            "status": row["status"],
            **row["scores"],
            "calls": " → ".join(call["tool"] for call in row["calls"]),
            "expert": " → ".join(call["tool"] for call in row["expected"] or ()),
            "seconds": row["seconds"],
        }
        for row in report["questions"]
    ]
    parts = [
        bars("Metrics, with 95 % bootstrap intervals", report["metrics"], report["intervals"]),
        table(
            "By modality", [{"modality": name, **values} for name, values in report["by_modality"].items()]
        ),
        bars("RSMem's metrics", report["experience"]),
        table("Questions", questions),
    ]
    write_report(path, "Earth-Bench", parts)


def _bar(number: int, name: str, value: float, scale: float, interval: Interval) -> str:
    top = number * _BAR
    spread = ""
    if interval:
        low, high = (_LABEL + bound * scale for bound in interval)
        middle = top + _BAR / 2
        spread = f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}"/>'
    end = _LABEL + max(value, 0) * scale
    return (
        f'<text x="0" y="{top + 16}">{escape(name.replace("_", " "))}</text>'
        f'<rect x="{_LABEL}" y="{top + 4}" width="{max(value, 0) * scale:.1f}" height="{_BAR - 8}"/>'
        f'{spread}<text x="{max(end, (_LABEL + interval[1] * scale) if interval else 0) + 6:.1f}" '
        f'y="{top + 16}">{value:.4g}</text>'
    )


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f'<td class="n">{value:.3f}</td>'
    return f"<td>{escape('' if value is None else str(value))}</td>"
