"""The classes of a raster that an answer gives numbers for: rows beside it, one of them marked on the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treeline.core.engine.actions import Call
from treeline.core.engine.state import Step
from treeline.core.policies.planner import figures
from treeline.core.serving import MapLayer
from treeline.core.serving.layers import class_title
from treeline.core.serving.tiles import unit_text
from treeline.core.workspace import Workspace
from treeline.core.workspace.class_names import NamesBeside
from treeline.pages.parts.map.zone_numbers import numbers_made_of
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
    """

    name: str
    number: float
    value: float | None
    unit: str = ""

    @property
    def label(self) -> str:
        """Its name and what was found in it."""
        return self.name if self.value is None else f"{self.name}: {figures.plain(self.value, self.unit)}"


@dataclass(frozen=True)
class ClassRows:
    """The classes of a raster of the workspace, and the raster."""

    layer: MapLayer
    rows: tuple[ClassRow, ...]

    def row(self, name: str) -> ClassRow | None:
        """Return the class of a name."""
        return next((row for row in self.rows if row.name == name), None)

    def at(self, value: float | None) -> str:
        """Return the name of the class of a value; nothing where there is none."""
        return next((row.name for row in self.rows if row.number == value), "")


def class_rows_of(view: RunView, workspace: Workspace) -> ClassRows | None:
    """Return the classes that the last step of an answer with a number for each gave; ``None`` without.

    Where the answer rests on what was calculated of these for each class, such as a change, that is told.
    """
    answer = view.finished.answer if view.finished else None
    for number in reversed(answer.evidence if answer else ()):
        step = view.step(number)
        numbers = _numbers(step) if step is not None else {}
        if answer is None or step is None or not numbers:
            continue
        later = [found for n in answer.evidence if n > number and (found := view.step(n)) is not None]
        numbers = numbers_made_of(numbers, later)
        address = str((step.observation.arguments or {}).get(_OF_CLASSES, ""))
        try:
            description, band = workspace.resolver.describe(address)
            bands = [
                each for each in description.bands if band in (None, each.name, each.role, str(each.index))
            ]
            source = Source(description, bands[0])
            layer = MapLayer.of((source,), description.path.stem, NamesBeside(workspace).of(source))
        except (TreelineError, OSError, StopIteration):  # a raster that the run made, or that is gone
            return None
        names = layer.class_names
        unit = unit_text(answer.unit)
        rows = (ClassRow(class_title(names, n), n, value, unit) for n, value in numbers.items())
        return ClassRows(layer, tuple(rows))
    return None


def _numbers(step: Step) -> dict[float, float | None]:
    rows: Any = step.observation.value
    arguments = step.observation.arguments or {}
    if not isinstance(step.action, Call) or _OF_CLASSES not in arguments:
        return {}
    if not isinstance(rows, list) or len(rows) != 1 or not isinstance(rows[0], dict):
        return {}
    try:
        return {float(key): value for key, value in rows[0].items()}
    except ValueError:
        return {}
