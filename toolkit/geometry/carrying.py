"""Bands that go to another grid as what they are: role, unit and, for classes, whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from numpy.typing import NDArray
from rasterio.enums import Resampling as Method

from treeline.toolkit.context import Product
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Grid, Source, map_pixels
from treeline.toolkit.variables import variable

Resampling = Literal["auto", "nearest", "bilinear", "cubic", "average", "mode", "min", "max", "med", "sum"]

# One size larger than stored, so that the value that means "no data" is none of the band's own.
_WIDER = {"uint8": "int16", "int8": "int16", "uint16": "int32", "int16": "int32"}
_LARGEST_SIDE = 200_000


def carry(
    bands: Sequence[Source],
    output: str,
    grid: Grid,
    resampling: Resampling = "auto",
    function: Callable[..., NDArray[Any]] | None = None,
) -> Product:
    """Write bands of one file onto a grid as physical values, with their roles and units.

    Parameters
    ----------
    bands : sequence of Source
        They become the bands of the output.
    resampling : str
        ``auto``: nearest for classes and quality bits, bilinear for quantities.
    function : callable, optional
        ``function(bands)`` of the stack, applied on the way.
    """
    check_size(grid)
    return map_pixels(
        function or (lambda bands: bands),
        {"bands": list(bands)},
        output,
        role=roles_of(bands),
        unit=common_unit(bands),
        dtype=type_of(bands, resampling),
        grid=grid,
        resampling=method_of(bands, resampling),
    )


def roles_of(bands: Sequence[Source]) -> list[str]:
    """Return what an output of these bands says of each: the role, else the name."""
    return [band.role or _name(band) for band in bands]


def common_unit(bands: Sequence[Source]) -> str:
    """Return the unit that bands share; empty where they differ, so that each has that of its role."""
    units = {band.unit for band in bands}
    return units.pop() if len(units) == 1 else ""


def type_of(bands: Sequence[Source], resampling: Resampling) -> str:
    """Return the type in which bands are stored without loss: whole numbers for classes."""
    stored = {band.description.dtype for band in bands}
    whole = all(is_class(band) for band in bands) and resampling in ("auto", "nearest", "mode")
    if whole and len(stored) == 1:
        return _WIDER.get(next(iter(stored)), "float64")
    return "float32"


def method_of(bands: Sequence[Source], resampling: Resampling) -> Method:
    """Return the method of GDAL for all the bands.

    Raises
    ------
    InputError
        Class numbers would be mixed.
    """
    if resampling == "auto":
        return Method.nearest if any(_may_be_classes(band) for band in bands) else Method.bilinear
    mixing = resampling not in ("nearest", "mode", "min", "max")
    coded = next((band for band in bands if is_class(band)), None)
    if mixing and coded is not None:
        raise InputError(
            f"{coded.name} holds classes ({coded.role}); {resampling!r} would mix their numbers.",
            "Use resampling='nearest' or 'mode'.",
        )
    return Method[resampling]


def is_class(band: Source) -> bool:
    """Return whether a band holds classes or bits."""
    known = variable(band.role)
    return known is not None and known.kind in ("class", "quality")


def _may_be_classes(band: Source) -> bool:
    # Whole numbers of which nothing is known may be classes, and a class must not be interpolated.
    unknown_numbers = variable(band.role) is None and not band.description.dtype.startswith("float")
    return is_class(band) or (unknown_numbers and band.band.scale == 1.0)


def check_size(grid: Grid) -> None:
    """Refuse a grid that nobody can have meant.

    Raises
    ------
    InputError
        A side has no pixel, or more than any scene.
    """
    if min(grid.shape) < 1 or max(grid.shape) > _LARGEST_SIDE:
        raise InputError(
            f"The result would have {grid.width} x {grid.height} pixels.",
            "Give the size of a pixel in the unit of the CRS (degrees for EPSG:4326).",
        )


def _name(band: Source) -> str:
    return "" if band.band.name.startswith("band ") else band.band.name
