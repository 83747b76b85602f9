"""One band of one scene at several pixel sizes: the finest counts, copies of it and others stand apart."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import time
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

    They are of one role and date, and the finer one covers the ground of the coarser one. Their paths differ
    in the pixel size alone that they name; where they name none, they lie in one folder, are of one place and
    sensor, and may differ in the time of day that one of them does not tell.
    """
    groups: defaultdict[tuple[object, ...], list[Member]] = defaultdict(list)
    for member in members:
        about, band = member.description, member.band
        path = about.path.as_posix()
        if band.role is None:
            continue
        if _SIZE.search(path):
            key: tuple[object, ...] = (_SIZE.sub("", path), member.date)
        elif member.date is not None:
            key = (about.path.parent, about.place, about.sensor, member.date.date())
        else:
            continue
        groups[*key, band.role, band_key(band.name), about.crs].append(member)
    found: dict[tuple[Path, int], Path] = {}
    for group in groups.values():
        ordered = sorted(group, key=lambda member: _pixel(member.description))
        for place, member in enumerate(ordered):
            finer = next((each for each in ordered[:place] if _shows(each, member)), None)
            if finer is not None:
                found[member.description.path, member.band.index] = finer.description.path
    return found


def apart_by_size(members: Iterable[Member]) -> list[Member]:
    """Return bands of which those of larger pixels have the size as their place, where one date has several.

    What shows more ground than the finer one is no copy of it, and no date of its own in one series with it.
    """
    kept = list(members)
    series: defaultdict[tuple[object, ...], list[Member]] = defaultdict(list)
    for member in kept:
        if member.date is not None and member.band.role is not None:
            name = _SIZE.sub("", member.description.path.as_posix())
            series[name, member.band.role, member.description.place, member.date].append(member)
    larger: set[tuple[object, ...]] = set()
    for group in series.values():
        finest = min(_pixel(member.description) for member in group)
        larger |= {key for member in group if (key := _series_of(member)) and key[-1] > _ALIKE * finest}
    return [_add_size_to_place(member) if _series_of(member) in larger else member for member in kept]


def is_size(text: str) -> bool:
    """Return whether a text is the size of a pixel, as folders of Sentinel-2 products are called by it."""
    return _SIZE.fullmatch(text) is not None


def _series_of(member: Member) -> tuple[str, str, float] | None:
    """Return role, place and size of pixels, where the path names one; to a hundredth, as degrees are."""
    description = member.description
    if member.band.role is None or not _SIZE.search(description.path.as_posix()):
        return None
    return member.band.role, description.place, float(f"{_pixel(description):.2e}")


def _add_size_to_place(member: Member) -> Member:
    *_, size = _SIZE.findall(member.description.path.as_posix())
    place = f"{member.description.place} {size}".strip()
    return replace(member, description=replace(member.description, place=place))


def _pixel(description: RasterDescription) -> float:
    a, _, _, d, _, _ = description.transform
    return hypot(a, d)


def _shows(finer: Member, coarser: Member) -> bool:
    """Return whether one shows the ground of another with smaller pixels, its edge of a pixel aside."""
    own, other = finer.description, coarser.description
    size = _pixel(other)
    date = coarser.date
    # A product that names the day alone may be a copy of one that names the minute.
    told = date == finer.date or (date is not None and date.time() == time.min)
    if size < _ALIKE * _pixel(own) or not told:
        return False
    (left, bottom, right, top), (west, south, east, north) = own.bounds, other.bounds
    return left - west <= size and bottom - south <= size and east - right <= size and north - top <= size
