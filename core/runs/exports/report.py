"""A run as one HTML file: question, answer, pictures, steps, where it comes from; nothing is fetched."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from html import escape
from importlib.metadata import version as installed
from pathlib import Path

from treeline.core.runs.exports.html_parts import facts, report_html, table
from treeline.core.runs.exports.taken import Taken
from treeline.core.runs.result import RunResult, StepResult
from treeline.toolkit.errors import TreelineError

_PICTURES = 6
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LONGEST_SERIES = 400
_LIBRARIES = ("rasterio", "numpy", "scipy")
_RASTERS = (".tif", ".tiff")


def as_html(taken: Taken, version: str) -> str:
    """Return the report of a run."""
    result = taken.result
    parts = [
        *_head(result),
        *_figures(taken),
        *_series(taken),
        table("Steps", [_row(step) for step in result.steps]),
        *_details(taken),
        table("Products", [{"file": path.name, "bytes": path.stat().st_size} for path in taken.products]),
        table("Inputs", [{"folder or file": str(root)} for root in taken.roots]),
        "<h2>Made with</h2>",
        facts({"Treeline": version, **{name: installed(name) for name in _LIBRARIES}}),
        facts({"run": result.run, "asked": f"{taken.created:%Y-%m-%d %H:%M} UTC", "seconds": result.seconds}),
    ]
    return report_html(result.question, parts)


def _head(result: RunResult) -> Iterator[str]:
    if result.read_as:
        yield f"<p>Read as: {escape(result.read_as)}</p>"
    told = f"{result.choice}: " if result.choice else ""
    if result.answer is not None:
        yield f"<p><strong>{escape(told + result.answer)}</strong></p>"
    reason = f" {escape(result.reason)}" if result.reason else ""
    yield f"<p>Status: <b>{escape(str(result.status or result.state))}</b>.{reason}</p>"
    if result.difference:
        yield f"<p>{escape(result.difference)}</p>"
    if result.parts:
        yield table("Parts", [asdict(part) for part in result.parts])
    if result.readings:
        yield table("Readings", [{"number": r.number, "read as": r.read_as} for r in result.readings])
    for name, problem in result.problems.items():
        yield f"<p>Not used: {escape(name)}: {escape(problem)}</p>"


def _figures(taken: Taken) -> Iterator[str]:
    """Yield pictures of the product that answers, of those of the date of the answer, or of the last."""
    found = [path for path in taken.products if path.suffix.lower() in (*_RASTERS, ".png")]
    dates = _DATE.findall(taken.result.answer or "")
    answering = [path for path in found if str(path) == taken.result.map]
    dated = [path for date in dates[:1] for path in found if date in path.name]
    shown = answering or dated[:_PICTURES] or found[-_PICTURES:]
    # Imported where it is used: Matplotlib takes longer than the start of a command or a page may.
    from treeline.toolkit.raster.pictures import map_picture

    for path in shown:
        try:
            content = map_picture(path) if path.suffix.lower() in _RASTERS else path.read_bytes()
        except (TreelineError, OSError) as error:
            yield f"<p>{escape(path.name)} cannot be drawn: {escape(str(error))}</p>"
            continue
        yield _figure(path, content)
    if len(found) > len(shown):
        yield f"<p>{len(found) - len(shown)} more products are not drawn.</p>"


def _figure(path: Path, content: bytes) -> str:
    data = base64.b64encode(content).decode("ascii")
    name = escape(path.name)
    return f'<figure><img alt="{name}" style="max-width:100%" src="data:image/png;base64,{data}"></figure>'


def _series(taken: Taken) -> Iterator[str]:
    """Yield the numbers that the answer rests on, where a step gave many."""
    for step in taken.calls:
        values = step.observation.value
        if step.number in taken.result.evidence and _is_series(values):
            rows = [{"number": i, "value": value} for i, value in enumerate(values[:_LONGEST_SERIES])]
            yield f"<details>{table(f'Result of step {step.number}: {step.name}', rows)}</details>"


def _is_series(values: object) -> bool:
    return (
        isinstance(values, list)
        and len(values) > 1
        and all(v is None or isinstance(v, int | float) for v in values)
    )


def _row(step: StepResult) -> dict[str, object]:
    return {
        "step": step.number,
        "action": step.action,
        "name": step.name,
        "why": step.thought,
        "answer": step.observation.kind,
        "seconds": step.seconds,
    }


def _details(taken: Taken) -> Iterator[str]:
    for step in taken.result.steps:
        if step.action != "call":
            continue
        arguments = json.dumps(step.arguments, ensure_ascii=False, indent=1)
        text = f"{arguments}\n\n{step.observation.text}\n{step.observation.hint}".rstrip()
        yield (
            f"<details><summary>{step.number}. {escape(step.name)}</summary>"
            f'<pre style="white-space:pre-wrap">{escape(text)}</pre></details>'
        )
