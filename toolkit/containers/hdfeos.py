"""Grids of HDF-EOS5 files, such as those of VIIRS, whose place is told in a text and not by axes.

NASA, HDF-EOS Interface Based on HDF5, volume 1: a text ``StructMetadata.0`` lists the grids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treeline.toolkit.containers.arrays import Arrays
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE

STRUCTURE = "HDFEOS INFORMATION/StructMetadata.0"
FOLDER = "HDFEOS/GRIDS/{}/Data Fields"
GEOGRAPHIC, SINUSOIDAL = "HE5_GCTP_GEO", "HE5_GCTP_SNSOID"
_GRID = re.compile(r"GROUP=GRID_\d+\s(.*?)END_GROUP=GRID_\d+\s", re.DOTALL)
_CORNER = re.compile(r"\(\s*([-+.\deE]+)\s*,\s*([-+.\deE]+)\s*\)")


@dataclass(frozen=True)
class EosGrid:
    """A grid: its name, size, edges in its CRS, and the CRS.

    Attributes
    ----------
    left, top, right, bottom : float
        Degrees or metres.
    """

    name: str
    columns: int
    rows: int
    left: float
    top: float
    right: float
    bottom: float
    crs: str

    @property
    def folder(self) -> str:
        """The group of its fields."""
        return FOLDER.format(self.name)


def grids_of(arrays: Arrays) -> tuple[EosGrid, ...]:
    """Return the grids that a file's structure tells of, with a projection that is known here."""
    structure = arrays.by_path.get(STRUCTURE)
    if structure is None or structure.dtype.kind not in "SO" or structure.shape not in ((), (1,)):
        return ()
    found = np.asarray(structure.read(())).reshape(-1)[0]
    text = found.decode("utf-8", "replace") if isinstance(found, bytes) else str(found)
    return tuple(_grids(text))


def _grids(text: str) -> Iterator[EosGrid]:
    for section in _GRID.findall(text):
        stated = dict(re.findall(r"^\s*(\w+)=(.+?)\s*$", section, re.MULTILINE))
        corners = [_CORNER.fullmatch(stated.get(key, "")) for key in ("UpperLeftPointMtrs", "LowerRightMtrs")]
        crs = _crs(stated)
        if crs is None or None in corners or not {"XDim", "YDim", "GridName"} <= stated.keys():
            continue
        left, top, right, bottom = (
            float(number) for corner in corners if corner for number in corner.groups()
        )
        if crs == LONGITUDE_LATITUDE:
            left, top, right, bottom = (_degrees(packed) for packed in (left, top, right, bottom))
        yield EosGrid(
            stated["GridName"].strip('"'),
            int(stated["XDim"]),
            int(stated["YDim"]),
            left,
            top,
            right,
            bottom,
            crs,
        )


def _crs(stated: dict[str, str]) -> str | None:
    projection = stated.get("Projection", "")
    if projection == GEOGRAPHIC:
        return LONGITUDE_LATITUDE
    radius = re.match(r"\(\s*([\d.]+)", stated.get("ProjParams", ""))
    if projection == SINUSOIDAL and radius is not None:
        return f"+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R={float(radius[1])} +units=m +no_defs"
    return None


def _degrees(packed: float) -> float:
    """Return degrees of a number DDDMMMSSS.SS of degrees, minutes and seconds."""
    size = abs(packed)
    degrees, minutes, seconds = size // 1e6, size % 1e6 // 1e3, size % 1e3
    return float(np.copysign(degrees + minutes / 60 + seconds / 3600, packed))
