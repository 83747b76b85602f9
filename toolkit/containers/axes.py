"""The axes of arrays by the CF conventions (version 1.11): which is which, and even ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from treeline.toolkit.containers.arrays import Array
from treeline.toolkit.counted_times import SINCE

# Coordinates are often stored as float32, whose steps differ in their last digits.
EVEN_WITHIN = 0.02
KINDS: Mapping[str, tuple[str, ...]] = {
    "y": ("latitude", "projection_y_coordinate", "grid_latitude"),
    "x": ("longitude", "projection_x_coordinate", "grid_longitude"),
    "time": ("time",),
}
NAMES: Mapping[str, tuple[str, ...]] = {
    "y": ("lat", "latitude", "y", "ydim", "northing"),
    "x": ("lon", "longitude", "x", "xdim", "easting"),
    "time": ("time", "t", "valid_time"),
}
_NORTH = re.compile(r"degrees?_?(north|n)", re.IGNORECASE)
EAST = re.compile(r"degrees?_?(east|e)", re.IGNORECASE)


@dataclass(frozen=True)
class Axis:
    """The coordinates along a side of a raster: even steps, at the centres of pixels."""

    first: float
    step: float
    size: int

    @property
    def edge(self) -> float:
        """Where the first pixel begins."""
        return self.first - self.step / 2


def kind_of_axis(coordinate: Array | None, dimension: str) -> str | None:
    """Return which axis a dimension is: ``x``, ``y``, ``time`` or none of these."""
    if coordinate is not None:
        for kind, standard in KINDS.items():
            if coordinate.text("standard_name") in standard:
                return kind
        units = coordinate.text("units")
        if _NORTH.fullmatch(units):
            return "y"
        if EAST.fullmatch(units):
            return "x"
        if SINCE.match(units):
            return "time"
        axis = {"X": "x", "Y": "y", "T": "time"}.get(coordinate.text("axis"))
        if axis is not None:
            return axis
        name = dimension.rpartition("/")[2].lower()
        return next((kind for kind, names in NAMES.items() if name in names), None)
    return None
