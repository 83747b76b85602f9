"""Rasters that are given by their address on the web."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treeline.core.home import home
from treeline.toolkit.errors import InputError

FOLDER = "web"
_BOUNDS = re.compile(r"[-+\d.eE]+(,[-+\d.eE]+){3}")


def fetch_addresses(data: Sequence[str]) -> list[str]:
    """Return paths as they are, and of each address the file that was made of it.

    An address may end with the bounds of the part that matters: ``https://host/file.tif#15.0,46.0,15.1,46.1``.

    Raises
    ------
    InputError, PathOutside, RasterError
        The raster cannot be had.
    """
    return [_of_address(each) if "://" in each else each for each in data]


def _of_address(text: str) -> str:
    from treeline.toolkit.raster.fetching import fetch

    address, _, part = text.partition("#")
    if part and not _BOUNDS.fullmatch(part):
        raise InputError(f"{part[:60]!r} behind '#' are no bounds.", "Give west,south,east,north in degrees.")
    west, south, east, north = map(float, part.split(",")) if part else (0.0, 0.0, 0.0, 0.0)
    return str(fetch(address, home() / FOLDER, (west, south, east, north) if part else None))
