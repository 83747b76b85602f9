"""One band of one scene at several pixel sizes: the finest counts, the others are copies of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import hypot
from pathlib import Path

from treeline.core.workspace.collections import Member
from treeline.toolkit.recognition.model import RasterDescription
from treeline.toolkit.recognition.rules import band_key

# B04_20m, the folder R60m of a Sentinel-2 product, ndvi-250m, dem_1km.
_SIZE = re.compile(r"(?<![A-Za-z0-9])R?\d+(?:[.p]\d+)?k?m(?![A-Za-z0-9])", re.IGNORECASE)
# Sizes that differ by less are those of one grid in degrees, rounded.
_ALIKE = 1.01


def coarser_copies(members: Iterable[Member]) -> Mapping[tuple[Path, int], Path]:
    """Return the bands that others show finer, by file and index, each with the file of the finest of them.

    They are of one role and date, their paths differ in the pixel size alone that they name, and the finer
    one covers the ground of the coarser one.
    """
    groups: defaultdict[tuple[object, ...], list[Member]] = defaultdict(list)
    for member in members:
        path, band = member.description.path, member.band
        if band.role is not None and _SIZE.search(path.as_posix()):
            name = _SIZE.sub("", path.as_posix())
            groups[name, band.role, band_key(band.name), member.date, member.description.crs].append(member)
    found: dict[tuple[Path, int], Path] = {}
    for group in groups.values():
        ordered = sorted(group, key=lambda member: _pixel(member.description))
        for place, member in enumerate(ordered):
            finer = next((each for each in ordered[:place] if _shows(each, member)), None)
            if finer is not None:
                found[member.description.path, member.band.index] = finer.description.path
    return found


def _pixel(description: RasterDescription) -> float:
    a, _, _, d, _, _ = description.transform
    return hypot(a, d)


def _shows(finer: Member, coarser: Member) -> bool:
    """Return whether one shows the ground of another with smaller pixels, its edge of a pixel aside."""
    own, other = finer.description, coarser.description
    size = _pixel(other)
    if size < _ALIKE * _pixel(own):
        return False
    (left, bottom, right, top), (west, south, east, north) = own.bounds, other.bounds
    return left - west <= size and bottom - south <= size and east - right <= size and north - top <= size
