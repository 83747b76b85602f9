"""The profile `earth_bench` against what the reference toolkit's functions give: figures and their table.

``python -m tests.toolkit.profiles.reference`` writes docs/earth_bench.md from the figures in reference.json.
``python -m tests.toolkit.profiles.reference --checkout DIR`` makes the figures anew first, by calling the
functions of a checkout of github.com/opendatalab/Earth-Agent: those of numbers with the recorded arguments,
those of rasters on the small rasters of the tests. What its modules
import has to be installed; what cannot be called is left as it was.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import rasterio

from tests.toolkit.calls import arguments_of
from tests.toolkit.scene import Scene, is_raster
from treeline.toolkit import registry
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.tool import Tool

FIGURES = Path(__file__).with_name("reference.json")
PAGE = Path(__file__).resolve().parents[3] / "docs" / "earth_bench.md"
SAVED = re.compile(r"saved? (?:at|to) (\S+)", re.IGNORECASE)
AGREE = 1e-6
ROUNDING = 1e-12
HEAD = """# The profile earth_bench against the reference toolkit

What the functions of Earth-Agent's toolkit (github.com/opendatalab/Earth-Agent) give, and what the profile
`earth_bench` gives for the same arguments. Figures of calls without rasters come from the benchmark's
recorded runs; those of rasters need a checkout of the reference. Numbers agree when they differ by less than
a millionth. Made by `python -m tests.toolkit.profiles.reference`; with `--checkout DIR` the figures are made
anew from a checkout.

{agree} of {calls} recorded calls agree. {without} of the {tools} tools have no recorded call and stand on the
restatements of their formulas in `tests/toolkit/profiles`. The last column says how the profile `science`
differs.

| Tool | Recorded calls | Agree | Greatest difference | `science` against `earth_bench` |
| --- | --- | --- | --- | --- |
"""

Figure = dict[str, Any]


def figures() -> dict[str, Any]:
    """Return the names of the reference's tools and the recorded calls."""
    return dict(json.loads(FIGURES.read_text("utf-8")))


def ours(figure: Figure, folder: Path) -> Any:
    """Return what the profile gives for a recorded call; a sentence where it refuses."""
    tool = registry().get(figure["tool"])
    if figure.get("scene"):
        return outcome(_on_scene(tool, folder), folder / "out")
    try:
        return tool.implementation("earth_bench")(**tool.validate(figure["arguments"]))
    except TreelineError as error:
        return f"refused: {error}"


def _on_scene(tool: Tool, folder: Path) -> Any:
    scene = Scene(folder)
    context = ToolContext(output_folder=folder / "out", resolver=scene.resolver, profile="earth_bench")
    try:
        return tool.run(scene.in_state(arguments_of(tool)), context)
    except TreelineError as error:
        return f"refused: {error}"


def outcome(result: Any, folder: Path) -> Any:
    """Return a result as numbers; of a raster that was written what it holds."""
    if isinstance(result, Mapping):
        return {str(key): outcome(value, folder) for key, value in result.items()}
    if isinstance(result, list | tuple):
        return [outcome(value, folder) for value in result]
    if isinstance(result, np.generic):
        return result.item()
    named = SAVED.search(result) if isinstance(result, str) else None
    if named is None:
        return result
    path = next((p for p in (folder / named[1], Path(named[1])) if p.is_file()), None)
    return _content(path) if path is not None and path.suffix == ".tif" else "a file"


def _content(path: Path) -> dict[str, Any]:
    with rasterio.open(path) as dataset:
        values = dataset.read(1).astype("float64")
    finite = values[np.isfinite(values)]
    measures = {"mean": np.mean, "minimum": np.min, "maximum": np.max}
    return {"pixels": int(finite.size)} | {k: float(f(finite)) for k, f in measures.items() if finite.size}


def difference(mine: Any, theirs: Any) -> float:
    """Return the greatest relative difference of two results; infinite where they have not the same form."""
    if isinstance(theirs, Mapping) and isinstance(mine, Mapping) and mine.keys() == theirs.keys():
        return max((difference(mine[key], theirs[key]) for key in theirs), default=0.0)
    if isinstance(theirs, list | tuple) and isinstance(mine, list | tuple) and len(mine) == len(theirs):
        return max((difference(a, b) for a, b in zip(mine, theirs, strict=True)), default=0.0)
    numbers = isinstance(mine, int | float) and isinstance(theirs, int | float)
    if not numbers:
        return 0.0 if mine == theirs else math.inf
    if math.isnan(mine) and math.isnan(theirs):
        return 0.0
    return abs(mine - theirs) / max(abs(theirs), 1e-12) if mine != theirs else 0.0


def page() -> str:
    """Return the table as Markdown."""
    known = figures()
    by_tool: dict[str, list[float]] = {name: [] for name in known["tools"]}
    with tempfile.TemporaryDirectory() as name:
        for figure in known["calls"]:
            by_tool[figure["tool"]].append(difference(ours(figure, Path(name)), figure["output"]))
    rows = [_row(name, found) for name, found in by_tool.items()]
    every = [value for found in by_tool.values() for value in found]
    return HEAD.format(
        agree=sum(value < AGREE for value in every),
        calls=len(every),
        tools=len(by_tool),
        without=sum(not found for found in by_tool.values()),
    ) + "".join(rows)


def _row(name: str, found: list[float]) -> str:
    agree = str(sum(value < AGREE for value in found)) if found else "-"
    # Below this lies the rounding of doubles, which differs between processors.
    worst = "-" if not found else f"{max(found):.1g}" if max(found) > ROUNDING else "0"
    said = registry().get(name).difference.replace("|", "\\|") or "none"
    return f"| `{name}` | {len(found) or 'none'} | {agree} | {worst} | {said} |\n"


def functions_of(checkout: Path, names: set[str], output: Path) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the functions of a checkout that have the names of tools, which write below a folder.

    The modules start a server when they are imported; so their statements are carried out one by one, without
    decorators, and those that fail are passed over.
    """
    for file in sorted(checkout.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8", "replace"))
        wanted = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)} & names
        if not wanted:
            continue
        space: dict[str, Any] = {"__name__": file.stem, "TEMP_DIR": output}
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef):
                statement.decorator_list = []
            try:
                exec(compile(ast.Module([statement], []), str(file), "exec"), space)
            except (Exception, SystemExit):
                continue
        space["TEMP_DIR"] = output
        yield from ((name, space[name]) for name in sorted(wanted & space.keys()))


def made_anew(checkout: Path) -> dict[str, Any]:
    """Return the figures with what the functions of a checkout give."""
    known = figures()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = dict(functions_of(checkout, set(known["tools"]), folder / "out"))
        (folder / "out").mkdir()
        recorded = [figure for figure in known["calls"] if not figure.get("scene")]
        calls = [_call(figure, found, folder) or figure for figure in recorded]
        numbers = {figure["tool"] for figure in recorded}
        scenes = ({"tool": tool, "scene": True} for tool in known["tools"] if tool not in numbers)
        calls += [called for scene in scenes if (called := _call(scene, found, folder))]
    return {**known, "calls": calls}


def _call(figure: Figure, found: Mapping[str, Callable[..., Any]], folder: Path) -> Figure | None:
    if figure["tool"] not in found:
        return None
    arguments = figure.get("arguments")
    if arguments is None:
        scene = Scene(folder)
        arguments = _absolute(scene.in_state(arguments_of(registry().get(figure["tool"]))), folder)
    try:
        output = outcome(found[figure["tool"]](**arguments), folder / "out")
        return {**figure, "output": json.loads(json.dumps(output))}
    except Exception:
        return None


def _absolute(value: Any, folder: Path) -> Any:
    """Return arguments in which the rasters of a scene stand by their whole path."""
    if isinstance(value, Mapping):
        return {key: _absolute(item, folder) for key, item in value.items()}
    if isinstance(value, list):
        return [_absolute(item, folder) for item in value]
    return str(folder / value) if is_raster(value) else value


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkout", type=Path, metavar="DIR")
    given = parser.parse_args()
    if given.checkout:
        FIGURES.write_text(json.dumps(made_anew(given.checkout), indent=1) + "\n", "utf-8")
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
