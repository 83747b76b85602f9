"""The classes of a raster that an answer gives numbers for: rows beside it, one of them marked on the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeline.core.engine.state import Step
from treeline.core.policies.planner import figures
from treeline.core.serving import MapLayer
from treeline.core.serving.layers import class_title
from treeline.core.serving.styles import class_colours
from treeline.core.workspace import Workspace
from treeline.core.workspace.class_names import NamesBeside
from treeline.pages.parts.map.quantities import name_quantity
from treeline.pages.parts.map.zone_numbers import numbers_of_zones
from treeline.pages.parts.shared.run_view import RunView
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import Source

_OF_CLASSES = "classes_path"


@dataclass(frozen=True)
class ClassRow:
    """A class with what was found in it.

    Attributes
    ----------
    number : float
        Its value in the raster.
    colour : str
        That of the map, as ``#rrggbb``; empty where it is not known.
    """

    name: str
    number: float
    value: float | None
    unit: str = ""
    colour: str = ""

    @property
    def label(self) -> str:
        """Its name and what was found in it."""
        return self.name if self.value is None else f"{self.name}: {figures.plain(self.value, self.unit)}"


@dataclass(frozen=True)
class ClassRows:
    """The classes of a raster of the workspace, and the raster.

    Attributes
    ----------
    what : str
        What the numbers are, such as ``Area``.
    """

    layer: MapLayer
    rows: tuple[ClassRow, ...]
    what: str = ""

    def row(self, name: str) -> ClassRow | None:
        """Return the class of a name."""
        return next((row for row in self.rows if row.name == name), None)

    def at(self, value: float | None) -> str:
        """Return the name of the class of a value; nothing where there is none."""
        return next((row.name for row in self.rows if row.number == value), "")


def class_rows_of(view: RunView, workspace: Workspace) -> ClassRows | None:
    """Return the classes that an answer gives a number for each; ``None`` without.

    Where the answer rests on what was calculated of these for each class, such as a change, that is told.
    """
    answer = view.finished.answer if view.finished else None
    steps = [step for n in (answer.evidence if answer else ()) if (step := view.step(n)) is not None]
    found = numbers_of_zones(steps, answer)
    if answer is None or found is None:
        return None
    layers = (_layer(address, workspace) for address in _addresses(found.step, steps))
    layer = next((layer for layer in layers if layer is not None), None)
    if layer is None:  # a raster that the run made, or that is gone
        return None
    names, colours = layer.class_names, _colours(layer)
    unit = found.unit_beside(answer)
    rows = (
        ClassRow(class_title(names, number), number, value, unit, colours.get(number, ""))
        for number, value in ((float(key), value) for key, value in found.values.items())
    )
    return ClassRows(layer, tuple(rows), name_quantity(found.step, workspace, view.products, found.column))


def _addresses(step: Step, steps: Sequence[Step]) -> list[str]:
    """Return what may be the raster whose classes a step gave numbers for."""
    own = step.observation.arguments or {}
    if _OF_CLASSES in own:
        return [str(own[_OF_CLASSES])]
    # A table of areas is of what was kept of the classes; which raster they are of, a step before it says.
    others = [(each.observation.arguments or {}).get(_OF_CLASSES) for each in reversed(steps)]
    return [str(address) for address in (*others, own.get("input_path")) if address]


def _layer(address: str, workspace: Workspace) -> MapLayer | None:
    """Return a band of the workspace's rasters that holds classes."""
    try:
        description, band = workspace.resolver.describe(address)
        bands = [each for each in description.bands if band in (None, each.name, each.role, str(each.index))]
        source = Source(description, bands[0])
        return MapLayer.of((source,), description.path.stem, NamesBeside(workspace).of(source))
    except (TreelineError, OSError, IndexError):
        return None


def _colours(layer: MapLayer) -> dict[float, str]:
    """Return the colours in which the map shows classes until a person chooses others."""
    try:
        found = class_colours(layer)
    except (TreelineError, OSError):
        return {}
    return {value: f"#{red:02x}{green:02x}{blue:02x}" for value, (red, green, blue, _) in found.items()}
