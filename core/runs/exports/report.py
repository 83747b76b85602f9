"""A run as one HTML file: question, answer, pictures, steps, where it comes from; nothing is fetched."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from html import escape
from importlib.metadata import version as installed
from operator import itemgetter
from pathlib import Path
from textwrap import shorten

from treeline.core.confinement import call
from treeline.core.engine.calls import texts
from treeline.core.engine.state import state_of
from treeline.core.runs.exports.exported_run import ExportedRun, digest_of
from treeline.core.runs.exports.html_parts import bars, facts, line, report_html, table
from treeline.core.runs.listings import listing_in
from treeline.core.runs.options import RunOptions
from treeline.core.runs.question_options import with_options
from treeline.core.runs.result import NUMBERS, AreaResult, RunResult, StepResult
from treeline.core.workspace.area import crs_text
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.interest import size_text
from treeline.toolkit.opening import open_raster_file

_PICTURES = 6
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LONGEST = 400
_LONGEST_TITLE = 110
# Of a degree: about a centimetre.
_DIGITS = 7
_LICENCES = ("license", "licence", "tifftag_copyright", "copyright")
_LIBRARIES = ("rasterio", "numpy", "scipy")
_RASTERS = (".tif", ".tiff")


def as_html(taken: ExportedRun, version: str) -> str:
    """Return the report of a run."""
    result, asked = taken.result, taken.creation_time
    parts = [
        *_head(result),
        *_figures(taken),
        *_series(taken),
        table("Steps", [_row(step) for step in result.steps]),
        *_details(taken),
        table("Products", [{"file": path.name, "bytes": path.stat().st_size} for path in taken.products]),
        table("Inputs", _inputs(taken)),
        table("Places", [{"folder or file": str(root)} for root in taken.roots]),
        "<h2>Made with</h2>",
        facts({"Treeline": version, **{name: installed(name) for name in _LIBRARIES}}),
        facts({"run": result.run, "asked": f"{asked:%Y-%m-%d %H:%M} UTC", "seconds": result.seconds}),
    ]
    return report_html(with_options(result.question, result.choices), parts)


def _head(result: RunResult) -> Iterator[str]:
    if result.read_as:
        yield f"<p>Read as: {escape(result.read_as)}</p>"
    told = f"{result.chosen_option}: " if result.chosen_option else ""
    reason = f" {escape(result.reason)}" if result.reason else ""
    status = f"Status: <b>{escape(str(result.status or result.state))}</b>.{reason}"
    if result.status == "unverified":  # told before the answer, which nobody should take for a result
        yield f'<p class="doubt">{status}</p>{_answer(told + (result.answer or ""))}'
    else:
        if result.answer is not None:
            yield f'<div class="answer">{_answer(told + result.answer)}</div>'
        yield f"<p>{status}</p>"
    if result.area_of_interest is not None:
        yield _area(result.area_of_interest)
    for told in result.beside:
        yield f"<p>{escape(told)}</p>"
    if result.sources:
        yield table(
            NUMBERS,
            [
                {"number": s.number, "is": s.told, "steps": ", ".join(map(str, s.steps))}
                for s in result.sources
            ],
        )
    if result.parts:
        yield table("Parts", [asdict(part) for part in result.parts])
    if result.readings:
        yield table("Readings", [{"number": r.number, "read as": r.read_as} for r in result.readings])
    for name, problem in result.problems.items():
        yield f"<p>Not used: {escape(name)}: {escape(problem)}</p>"


def _answer(text: str) -> str:
    """Return the answer; what it lists, such as a value of each date, stands one below another."""
    listing = listing_in(text)
    if listing is None:
        return f"<p>{escape(text)}</p>"
    items = "".join(f"<li>{escape(item)}</li>" for item in listing.items)
    rest = f"<p>{escape(listing.rest)}</p>" if listing.rest else ""
    return f'<p>{escape(listing.head)}:</p><ul class="listing">{items}</ul>{rest}'


def _area(area: AreaResult) -> str:
    import shapely

    outline = shapely.to_wkt(shapely.geometry.shape(area.geometry), rounding_precision=_DIGITS)
    told = f"{area.name}, {size_text(area.square_kilometres)}, taken in {crs_text(area.crs)}"
    return (
        f"<p>Area of interest: {escape(told)}</p>"
        f"<details><summary>Its outline in longitude and latitude</summary>"
        f"<code>{escape(outline)}</code></details>"
    )


def _figures(taken: ExportedRun) -> Iterator[str]:
    """Yield pictures of the product that answers, else of what the last step of the evidence wrote."""
    found = [path for path in taken.products if path.suffix.lower() in (*_RASTERS, ".png")]
    answering = [path for path in found if str(path) == taken.result.map]
    shown = answering or _rasters_of_answer(taken, set(found))
    # Imported where it is used: Matplotlib takes longer than the start of a command or a page may.
    from treeline.toolkit.raster.pictures import map_picture

    area = RunOptions.from_json(taken.record.options).area
    for path in shown:
        try:
            title = taken.result.map_title if path in answering else ""
            is_raster = path.suffix.lower() in _RASTERS
            content = call(map_picture, path, title, area) if is_raster else path.read_bytes()
        except (TreelineError, OSError) as error:
            yield f"<p>{escape(path.name)} cannot be drawn: {escape(str(error))}</p>"
            continue
        yield _figure(path, content)
    left = len(found) - len(shown)
    if left:
        more = " more" if shown else ""
        told = "raster is" if left == 1 else "rasters are"
        yield f"<p>{left}{more} {told} not drawn here.</p>"


def _rasters_of_answer(taken: ExportedRun, drawable: set[Path]) -> list[Path]:
    """Return what the last step of the evidence wrote, of many the rasters of the answer's first date."""
    steps = state_of(stored.event for stored in taken.events).steps
    dates = {product.path: product.date for step in steps for product in step.observation.products}
    named = _DATE.findall(taken.result.answer or "")
    for step in reversed(taken.calls):
        written = [path for path in map(Path, step.observation.products) if path in drawable]
        if step.number not in taken.result.evidence or not written:
            continue
        dated = [path for path in written if named and (dates.get(str(path)) or "").startswith(named[0])]
        shown = dated or written
        # A choice among many would be arbitrary: then none is shown, and their number is stated.
        return shown if len(shown) <= _PICTURES else []
    return []


def _figure(path: Path, content: bytes) -> str:
    # In the file itself, which is to be readable without others.
    data = base64.b64encode(content).decode("ascii")
    name = escape(path.name)
    picture = f'<img alt="{name}" style="max-width:100%" src="data:image/png;base64,{data}">'
    return f"<figure>{picture}<figcaption>{name}</figcaption></figure>"


def _series(taken: ExportedRun) -> Iterator[str]:
    """Yield the numbers that the answer rests on, where a step gave many: as a chart, and all as a table."""
    for step in taken.calls:
        values = step.observation.value
        if step.number not in taken.result.evidence:
            continue
        why = shorten(step.thought.rstrip(".") or step.name, _LONGEST_TITLE, placeholder="…")
        title = f"Step {step.number}: {why}"
        if _is_series(values):
            days = _days_of(step, len(values))
            yield line(title, sorted(zip(days, values, strict=True), key=itemgetter(0))) if days else ""
            dated = zip(days, values, strict=True)
            rows = [{"date": d, "value": v} for d, v in dated] if days else [{"value": v} for v in values]
            summary = f"<summary>{escape(title)}, all numbers</summary>"
            yield f"<details>{summary}{table('', rows[:_LONGEST])}</details>"
        elif _is_row(values):
            yield bars(title, {_class_name(taken, name): value for name, value in values[0].items()})


def _days_of(step: StepResult, count: int) -> list[str]:
    """Return the days of the rasters of which a step gave a number each; nothing where they have none."""
    for given in (step.observation.arguments or {}).values():
        if isinstance(given, list) and len(given) == count:
            found = [_DATE.search(Path(str(address)).name) for address in given]
            days = [match[0] for match in found if match]
            if len(days) == count and all(map(_is_day, days)):
                return days
    return []


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def _is_series(values: object) -> bool:
    return (
        isinstance(values, list)
        and len(values) > 1
        and all(v is None or isinstance(v, int | float) for v in values)
    )


def _is_row(values: object) -> bool:
    """Return whether a result is a row of numbers by class or zone."""
    if not isinstance(values, list) or len(values) != 1 or not isinstance(values[0], dict):
        return False
    numbers = values[0].values()
    return len(numbers) > 1 and all(v is None or isinstance(v, int | float) for v in numbers)


def _class_name(taken: ExportedRun, number: str) -> str:
    """Return what a zone is called, by the step that numbered the zones."""
    for step in taken.calls:
        names = step.observation.value
        if step.name == "number_features" and isinstance(names, list) and number.isdigit():
            return str(names[int(number)]) if int(number) < len(names) else number
    return number


def _inputs(taken: ExportedRun) -> list[dict[str, object]]:
    """Return the files that the calls read, as they are now, with the licence that they state themselves."""
    # As they were called after repair, with whole paths.
    read = (text for step in taken.calls for text in texts(step.observation.arguments))
    named = dict.fromkeys(Path(text.partition("#")[0]) for text in read if Path(text).is_absolute())
    made = set(taken.products)
    return [
        {
            "file": path.name,
            "bytes": path.stat().st_size,
            "sha256": digest_of(path),
            "licence": _licence(path),
        }
        for path in named
        if path.is_file() and path not in made
    ]


def _licence(path: Path) -> str:
    """Return what a file says of its licence; nothing where it says none."""
    try:
        # Read in a confined process, since the file may come from a stranger.
        tags = call(_tags, path)
    except TreelineError:
        return ""
    return next((tags[name] for name in _LICENCES if tags.get(name)), "")


def _tags(path: Path) -> dict[str, str]:
    with open_raster_file(path) as dataset:
        return {name.casefold(): value for name, value in dataset.tags().items()}


def _row(step: StepResult) -> dict[str, object]:
    return {
        "step": step.number,
        "action": step.action,
        "name": step.name,
        "why": step.thought,
        "answer": step.observation.kind,
        "seconds": step.seconds,
    }


def _details(taken: ExportedRun) -> Iterator[str]:
    for step in taken.result.steps:
        if step.action != "call":
            continue
        arguments = json.dumps(step.arguments, ensure_ascii=False, indent=1)
        text = f"{arguments}\n\n{step.observation.text}\n{step.observation.hint}".rstrip()
        yield (
            f"<details><summary>{step.number}. {escape(step.name)}</summary>"
            f'<pre style="white-space:pre-wrap">{escape(text)}</pre></details>'
        )
