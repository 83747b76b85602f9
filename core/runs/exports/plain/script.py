"""A run's calls as a script in rasterio and numpy alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from pprint import pformat
from typing import Any

from treeline.core.engine.rundata import RunData
from treeline.core.errors import NotExpressible
from treeline.core.runs.exports.exported_run import ExportedRun
from treeline.core.runs.exports.plain.rasters import Rasters
from treeline.core.runs.exports.plain.tools import TOOLS, PlainCall
from treeline.core.runs.exports.script import (
    LISTING,
    check_roots,
    comment_lines,
    how_to_run,
    one_line,
    roots_as_code,
    steps_that_gave,
)
from treeline.core.runs.result import StepResult
from treeline.toolkit.errors import InputError

_HELPERS = Path(__file__).with_name("helpers.py")
_WIDTH = 100
_LAYER = '''def layer(name):
    """Return the values of a raster by its name here: what a step made, else what its file holds."""
    if name not in made:
        how = dict(RASTERS[name])
        how["area"] = AREAS.get(how.get("area"))
        return read(**how)
    return made[name]'''


def as_plain_script(taken: ExportedRun, version: str) -> str:
    """Return a script that makes the run's calls again in rasterio and numpy, as far as these can say them.

    A step that they cannot say is named in it, and in what it prints; what such a step gave is taken from the
    run. Each number is compared with that of the run.

    Raises
    ------
    InputError
        The run called no tool, or used the formulas of a benchmark.
    """
    steps = steps_that_gave(taken)
    if taken.data is None or taken.record.options.get("profile", "science") != "science":
        raise InputError(
            "Only a run with the science formulas, whose data are here, can be said in rasterio and numpy.",
            "Export it as script, which calls Treeline's own functions.",
        )
    data = taken.data()
    rasters = Rasters(data)
    said: list[str] = []
    named: dict[int, str] = {}
    known: set[int] = set()
    for step in steps:
        code = _code_of(step, rasters, known, named)
        said.append(
            "\n".join([f"# Step {step.number}: {step.name}. {one_line(step.thought)}".rstrip(), *code])
        )
        known.add(step.number)
    parts = [
        "\n".join(comment_lines(taken, version)),
        *_note_lines(named),
        how_to_run(taken.roots),
        f"import sys\nfrom pathlib import Path\n\n{_helpers()}",
        _LAYER,
        f"DATA = [Path(text) for text in sys.argv[1:]] or {roots_as_code(taken.roots)}",
        *filter(None, [check_roots(taken.roots).rstrip()]),
        f"PRODUCTS = Path({str(data.folder)!r})",
        f"AREAS = {pformat(rasters.areas, width=_WIDTH, compact=True)}",
        "\n".join(["RASTERS = {", *(_raster(*item, taken, data) for item in rasters.read.items()), "}"]),
        f"RECORDED = {pformat(_recorded_values(steps), width=_WIDTH, compact=True, sort_dicts=False)}",
        *said,
        *(f"print({f'Not expressed: step {number}, {why}'!r})" for number, why in named.items()),
    ]
    return "\n\n".join(parts) + "\n"


def _code_of(step: StepResult, rasters: Rasters, known: set[int], named: dict[int, str]) -> list[str]:
    """Return a step as code; where it cannot be said, what the run gave, and note why."""
    number = step.number
    if step.name in LISTING:
        return []
    try:
        if step.name not in TOOLS:
            raise NotExpressible("there is no plain code for this tool")
        code = TOOLS[step.name](PlainCall(step, rasters, frozenset(known)))
    except NotExpressible as error:
        named[number] = f"{step.name}: {error}"
        taken_over = [f"# NOT EXPRESSED: {one_line(error)}. What follows takes what the run gave."]
        return [*taken_over, f"step_{number} = RECORDED[{number}]"]
    # A step gives a value, which is compared, or writes rasters, whose pixels are.
    if any(line.startswith(f"step_{number} =") for line in code):
        return [*code, f"compare({number}, step_{number}, RECORDED[{number}])"]
    return [
        *code,
        f"for name in {[Path(name).name for name in step.observation.products]!r}:",
        f"    compare_raster({number}, name, str(PRODUCTS / name))",
    ]


def _note_lines(named: dict[int, str]) -> Iterator[str]:
    if named:
        told = "\n".join(f"#   step {number}, {one_line(why)}" for number, why in named.items())
        yield f"# These steps are not expressed here; what they gave is taken from the run:\n{told}"


def _raster(name: str, facts: dict[str, Any], taken: ExportedRun, data: RunData) -> str:
    path = _path(Path(facts["path"]), taken, data)
    others = "".join(f", {key!r}: {value!r}" for key, value in facts.items() if key != "path")
    return f"    {name!r}: {{'path': {path}{others}}},"


def _path(path: Path, taken: ExportedRun, data: RunData) -> str:
    """Return a path as code, below the folders that the script is given."""
    for place, root in enumerate(taken.roots):
        if path == root:
            return f"str(DATA[{place}])"
        if path.is_relative_to(root):
            return f"str(DATA[{place}] / {path.relative_to(root).as_posix()!r})"
    if path.is_relative_to(data.folder):
        return f"str(PRODUCTS / {path.relative_to(data.folder).as_posix()!r})"
    return repr(str(path))


def _recorded_values(steps: list[StepResult]) -> dict[int, Any]:
    """Return what the steps gave, as literals."""
    given = {step.number: step.observation.value for step in steps if step.name not in LISTING}
    return {number: json.loads(json.dumps(value)) for number, value in given.items()}


def _helpers() -> str:
    """Return the helpers as a script has them, without what only their own module needs."""
    text = _HELPERS.read_text("utf-8")
    return text.partition("from __future__ import annotations\n")[2].strip()
