"""Where the middle of a mask is."""

from __future__ import annotations

from dataclasses import dataclass

from treeline.core.policies.planner.layers import Item
from treeline.core.policies.planner.plan import CannotAnswer, Steps
from treeline.core.policies.planner.values import Rasters
from treeline.core.policies.planner.work import Work


def one_of(value: Rasters, what: str) -> Item:
    """Return the only raster; several are asked to be named.

    Raises
    ------
    CannotAnswer
        There are several.
    """
    if len(value.items) != 1:
        raise CannotAnswer(
            f"{what} is of one date; there are {len(value.items)}.",
            f"Name one, such as {value.items[0].label}.",
        )
    return value.items[0]


@dataclass(frozen=True, slots=True)
class Centre:
    """Where the middle of a mask is: in degrees, and in the raster's own reference system."""

    longitude: float
    latitude: float
    x: float
    y: float
    pixels: int


def centre_of(work: Work, value: Rasters) -> Steps[Centre]:
    """Return where the middle of a mask is.

    Raises
    ------
    CannotAnswer
        There are several masks, or the raster has no georeference.
    """
    item = one_of(value, "A centre")
    result = yield from work.plan.call("mask_centroid", "Where its middle is.", mask_path=item.address)
    found = {name: float(v) for name, v in result.table.items() if isinstance(v, int | float)}
    if not {"longitude", "latitude"} <= set(found):
        raise CannotAnswer("The raster has no georeference, so nothing tells where its middle is.")
    return Centre(found["longitude"], found["latitude"], found["x"], found["y"], int(found["pixels"]))
