"""Where layers lie, and which of them may be laid onto each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from treeline.toolkit.geodesy import way_between
from treeline.toolkit.recognition.model import RasterDescription

HALF_OF_DAY = re.compile(r"day|night", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a raster lies: a box ``(left, bottom, right, top)`` in a CRS."""

    crs: str
    bounds: tuple[float, float, float, float]

    def meets(self, other: Ground) -> bool:
        """Return whether two boxes share ground; true where that cannot be told."""
        bounds = self.bounds if self.crs == other.crs else _carried(self, other.crs)
        if bounds is None:
            return True
        left, bottom, right, top = bounds
        return (
            left < other.bounds[2] and other.bounds[0] < right
            and bottom < other.bounds[3] and other.bounds[1] < top
        )  # fmt: skip


@lru_cache(maxsize=4096)
def _carried(ground: Ground, crs: str) -> tuple[float, float, float, float] | None:
    """Return the bounds in another CRS; ``None`` where there is no way."""
    from pyproj.exceptions import ProjError

    try:
        bounds = way_between(ground.crs, crs).transform_bounds(*ground.bounds)
    except ProjError:
        return None
    left, bottom, right, top = (float(edge) for edge in bounds)
    return left, bottom, right, top


def ground_of(description: RasterDescription) -> Ground | None:
    """Return where a raster lies; ``None`` without a georeference."""
    return Ground(description.crs, description.bounds) if description.crs else None


def place_key(place: str) -> str:
    """Return what spellings of one place have in common; the half of the day is no place."""
    return "" if HALF_OF_DAY.fullmatch(place) else spelled(place)


def spelled(place: str) -> str:
    """Return what spellings of one name have in common."""
    return "".join(place_words(place))


def place_words(place: str) -> list[str]:
    """Return the words of the name of a place."""
    return re.findall(r"[^\W_]+", place.lower())
