"""A workspace and an environment over file names alone: calls are checked as usual, pixels are not read.

Inputs are empty files; what they hold is what their names say. Tools that need no pixels really run;
the others leave the products that they declare and answer with a stand-in of the declared kind,
so that the trajectories of a policy can be scored where no data are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from treeline.core.engine.environment import Environment
from treeline.core.engine.rundata import RunData, RunResolver
from treeline.core.runs.surroundings import Surroundings
from treeline.core.workspace import Workspace
from treeline.toolkit import Product, ToolContext
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.functions import Functions
from treeline.toolkit.recognition import Correction, FileResolver, describe_name
from treeline.toolkit.recognition.model import Band, RasterDescription
from treeline.toolkit.recognition.resolver import Beside, siblings_of
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Tool, Writes
from treeline.toolkit.variables import variable

_SIDE = 100


def describe_by_name(path: Path, beside: Beside, corrections: Mapping[str, Correction]) -> RasterDescription:
    """Describe a file by its name, or a product by what it says of itself; nobody corrects either."""
    facts = describe_name(path.name, siblings_of(path, beside).names)
    role, unit = _role_and_unit(path) or (facts.role, facts.unit)
    return RasterDescription(
        path=path,
        driver="GTiff",
        width=_SIDE,
        height=_SIDE,
        dtype="float32",
        crs="EPSG:4326",
        transform=(0.01, 0.0, 0.0, 0.0, -0.01, 1.0),
        bounds=(0.0, 0.0, 1.0, 1.0),
        bands=(Band(1, facts.band or "band 1", role, unit),),
        date=facts.date,
        date_precision=facts.date_precision,
        sensor=facts.sensor,
        product=facts.product,
        place=facts.place,
        warnings=facts.warnings,
        evidence=facts.evidence,
    )


class NamesWorkspace(Workspace):
    """A workspace whose files are empty."""

    @cached_property
    def resolver(self) -> FileResolver:
        """The description of each file, by its name."""
        return FileResolver(self.inputs_folder, *self.sources, describing=describe_by_name)


class NamesData(RunData):
    """The data of a run over names; its products say what they hold and have no pixels either."""

    def __init__(self, workspace: Workspace, run: str, folder: Path | None = None) -> None:
        super().__init__(workspace, run, folder)
        self.resolver = RunResolver(
            FileResolver(self.folder, describing=describe_by_name), workspace.resolver
        )


class SymbolicEnvironment(Environment):
    """Carries out actions without reading a pixel."""

    def run_tool(self, tool: Tool, arguments: dict[str, Any], context: ToolContext) -> Any:
        """Let a tool that reads or writes rasters only pretend to."""
        # Only such tools read no pixel: arithmetic, lists, calendars.
        if not tool.inputs and not tool.outputs:
            return tool.run(arguments, context)
        return _pretending_tool(tool).call(arguments)


# In this process: without pixels a call takes less time than a process to start.
SYMBOLIC = Surroundings(NamesWorkspace, NamesData, SymbolicEnvironment, apart=False)


def lay_out(folder: str, names: Iterable[str], root: Path) -> Path:
    """Make empty files of the given names in a folder below a root, and return that folder.

    Names that are no plain file names are left out.
    """
    place = root.joinpath(*[part for part in PurePosixPath(folder).parts if part not in ("/", "..")])
    place.mkdir(parents=True, exist_ok=True)
    for name in names:
        target = (place / name).resolve()
        # Published lists of files are data of strangers: a name must not lead out of the folder.
        if target.is_relative_to(place.resolve()) and target != place.resolve():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
    return place


# By identity: each stand-in holds its tool, so that its number is never that of another.
_STAND_INS: dict[int, Tool] = {}


def _pretending_tool(tool: Tool) -> Tool:
    """Return a tool of the same contract that only pretends to work."""
    if id(tool) not in _STAND_INS:
        stand_in = replace(tool, functions=Functions(lambda **arguments: _pretend(tool, arguments)))
        # The argument model takes long to build and is the same.
        stand_in.__dict__["model"] = tool.model
        _STAND_INS[id(tool)] = stand_in
    return _STAND_INS[id(tool)]


def _pretend(tool: Tool, arguments: Mapping[str, Any]) -> Any:
    _check_lengths(tool, arguments)
    inputs = tuple(str(_path_of(a)) for p in tool.inputs for a in _as_list(arguments.get(p.name)))
    written: list[str] = []
    for parameter in tool.outputs:
        assert isinstance(parameter.contract, Writes)
        value = arguments.get(parameter.name)
        addresses = _as_list(value)
        texts = [
            _write(
                str(address), parameter.contract, _inputs_of(tool, arguments, index, len(addresses)) or inputs
            )
            for index, address in enumerate(addresses)
        ]
        written += texts if isinstance(value, list) else texts[:1]
    if written and tool.gives.kind in ("raster", "figure"):
        many = any(isinstance(arguments.get(p.name), list) for p in tool.outputs)
        return written if many else written[0]
    return _STAND_IN_OF.get(tool.gives.kind, _text)(tool, arguments)


def _check_lengths(tool: Tool, arguments: Mapping[str, Any]) -> None:
    lists = {p.name: arguments.get(p.name) for p in (*tool.inputs, *tool.outputs)}
    lengths = {name: len(value) for name, value in lists.items() if isinstance(value, list)}
    # Checked as the real tools do, so that a call which they would refuse is not scored as one that works.
    if 0 in lengths.values():
        name = next(name for name, length in lengths.items() if not length)
        raise InputError(f"{tool.name}: the list {name!r} is empty.", "Give at least one raster.")
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name}: {length}" for name, length in lengths.items())
        raise InputError(f"{tool.name}: the lists differ in length ({found}).", "Give lists of one length.")


def _inputs_of(tool: Tool, arguments: Mapping[str, Any], index: int, count: int) -> tuple[str, ...]:
    """Return the rasters that the item of an output list is made from."""
    lists = [arguments.get(parameter.name) for parameter in tool.inputs]
    return tuple(
        str(_path_of(value[index])) for value in lists if isinstance(value, list) and len(value) == count
    )


def _write(address: str, contract: Writes, inputs: tuple[str, ...]) -> str:
    context = current_context()
    path = context.output_path(address)
    path.parent.mkdir(parents=True, exist_ok=True)
    known = variable(contract.role)
    kind = "image" if path.suffix.lower() in (".png", ".jpg", ".jpeg") else "raster"
    product = Product(path, contract.role, contract.unit or (known.unit if known else ""), inputs, kind)
    # A product says of itself what a name cannot, such as the role of "ndvi_2020.tif".
    path.write_text(json.dumps([product.role, product.unit]))
    context.products.append(product)
    return report_saved(product)


def _role_and_unit(path: Path) -> tuple[str, str] | None:
    """Return the role and the unit that a product holds; ``None`` of an input, which is empty."""
    text = path.read_text()
    if not text:
        return None
    role, unit = json.loads(text)
    return role, unit


def _path_of(address: Any) -> Path:
    resolver = current_context().resolver
    assert resolver is not None
    return resolver.describe(str(address))[0].path


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else ([] if value is None else [value])


def _number_for(tool: Tool, text: str, span: tuple[float, float]) -> float:
    """Return a number within a span, the same for the same raster and tool."""
    # Not hash(), which differs from process to process.
    share = int(hashlib.sha256(f"{tool.name} {text}".encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
    low, high = span
    return round(low + share * (high - low), 4)


def _span(tool: Tool, address: Any) -> tuple[float, float]:
    """Return what a tool's number may be: what the raster's variable can be, where it is in its unit."""
    if tool.gives.unit == "%":
        return 0.0, 100.0
    if tool.gives.unit:
        return 1.0, 2.0
    resolver = current_context().resolver
    bands = resolver.describe(str(address))[0].bands if resolver is not None and address else ()
    known = variable(bands[0].role) if bands else None
    return known.plausible if known else (0.0, 100.0)


def _number(tool: Tool, arguments: Mapping[str, Any]) -> float:
    rasters = _rasters(tool, arguments)
    return _number_for(tool, str(_names(rasters)), _span(tool, next(iter(rasters), None)))


def _series(tool: Tool, arguments: Mapping[str, Any]) -> list[float]:
    rasters = _rasters(tool, arguments)
    return [
        _number_for(tool, name, _span(tool, raster))
        for name, raster in zip(_names(rasters), rasters, strict=True)
    ]


def _rasters(tool: Tool, arguments: Mapping[str, Any]) -> list[Any]:
    """Return the first input's rasters."""
    return [item for p in tool.inputs[:1] for item in _as_list(arguments.get(p.name))]


def _names(rasters: Iterable[Any]) -> list[str]:
    return [Path(str(item)).name for item in rasters]


def _table(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, float]:
    names = ("mean", "std", "min", "max", "sum", "count")
    rasters = _rasters(tool, arguments)
    span = _span(tool, next(iter(rasters), None))
    return {name: _number_for(tool, f"{name}{_names(rasters)}", span) for name in names}


def _boxes(tool: Tool, arguments: Mapping[str, Any]) -> list[list[float]]:
    return [[10.0, 10.0, 20.0, 20.0], [40.0, 40.0, 55.0, 55.0]]


def _text(tool: Tool, arguments: Mapping[str, Any]) -> str:
    return f"{tool.gives.quantity} of {', '.join(_names(_rasters(tool, arguments))[:3])}"


_STAND_IN_OF: dict[str, Callable[[Tool, Mapping[str, Any]], Any]] = {
    "number": _number,
    "series": _series,
    "table": _table,
    "boxes": _boxes,
}
