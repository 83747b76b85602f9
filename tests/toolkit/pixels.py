"""Tools on rasters of one pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.workplace import Workplace
from treeline.toolkit import registry


@dataclass(frozen=True)
class Pixel:
    """A raster of one pixel."""

    value: float
    role: str | None = None


def write_pixels(place: Workplace, name: str, value: Any) -> Any:
    """Return an argument with the pixels in it written."""
    match value:
        case Pixel(number, role):
            array = np.full((1, 1), number, "float32")
            return place.raster(f"{name}.tif", array, descriptions=[role] if role else [])
        case [Pixel(), *_]:
            return [write_pixels(place, f"{name}{n}", pixel) for n, pixel in enumerate(value)]
        case dict():
            return {key: write_pixels(place, f"{name}{key}", part) for key, part in value.items()}
    return value


def run_pixels(place: Workplace, tool: str, **arguments: Any) -> list[float]:
    """Return the bands that a tool writes for rasters of one pixel."""
    output = registry().get(tool).outputs[0]
    path = ["out.tif"] if output.type_text.startswith("list") else "out.tif"
    given = {name: write_pixels(place, name, value) for name, value in arguments.items()}
    place.run(tool, **given, **{output.name: path})
    return [float(band[0, 0]) for band in place.stored_bands("out.tif")]
