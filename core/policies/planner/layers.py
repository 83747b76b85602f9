"""Rasters of one variable as the planner holds them, inputs and products of the plan, and where they lie."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import combinations

from treeline.core.workspace import Collection, Member
from treeline.toolkit.geodesy import way_between
from treeline.toolkit.radar.amplitudes import has_factor
from treeline.toolkit.radar.calibration import can_calibrate
from treeline.toolkit.recognition.dates import named_month
from treeline.toolkit.recognition.model import RasterDescription
from treeline.toolkit.variables import variable

# Tiles of the military grid (Sentinel-2, HLS, ECOSTRESS), of MODIS and VIIRS, and paths and rows of Landsat.
# Tiles of UTM zones, of MODIS and of Landsat, those of whole degrees, numbered ones of SRTM and GHSL, and the
# parts into which Earth Engine and the makers of Pléiades and SPOT cut one image.
_TILE = re.compile(
    r"T?\d{2}[A-Z]{3}|h\d{2}v\d{2}|\d{6}"
    r"|[NS]\d{2,3}(?:_00)?_?[EW]\d{3}(?:_00)?|[EW]\d{3}[NS]\d{2}|\d{2}[NS]_\d{3}[EW]|\d{1,3}[EW]_\d{1,2}[NS]"
    r"|\d{2}_\d{2}|R\d+_C\d+|(?:.*[ _])?(?:\d{10}-\d{10}|R\d{1,2}C\d{1,2})",
    re.IGNORECASE,
)
# As people name the parts into which they cut one image: these overlap in nothing but an edge.
_CUT = re.compile(r"(?:.*[ _])?(?:(?:tile|part)[ _]?\d{1,3}|\d{1,2}[_x]\d{1,2})", re.IGNORECASE)
_MOST_TILES = 48
HALF_OF_DAY = re.compile(r"day|night", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a raster lies: a box ``(left, bottom, right, top)`` in a CRS."""

    crs: str
    bounds: tuple[float, float, float, float]

    def meets(self, other: Ground) -> bool:
        """Return whether two boxes share ground; true where that cannot be told."""
        return self.common(other) > 0

    def common(self, other: Ground) -> float:
        """Return how much of the ground of two boxes together both have, 0 to 1; 1 where none can tell."""
        bounds = self.bounds if self.crs == other.crs else _carry(self, other.crs)
        if bounds is None:
            return 1.0
        sides = [min(bounds[i + 2], other.bounds[i + 2]) - max(bounds[i], other.bounds[i]) for i in (0, 1)]
        if min(sides) <= 0:
            return 0.0
        shared = sides[0] * sides[1]
        return shared / (_area(bounds) + _area(other.bounds) - shared)

    def holds(self, other: Ground) -> bool:
        """Return whether another box lies in this one, but for a thousandth of its size; true if unknown."""
        bounds = other.bounds if self.crs == other.crs else _carry(other, self.crs)
        if bounds is None:
            return True
        slack = max(self.bounds[2] - self.bounds[0], self.bounds[3] - self.bounds[1]) / 1000
        low = all(bounds[i] >= self.bounds[i] - slack for i in (0, 1))
        return low and all(bounds[i] <= self.bounds[i] + slack for i in (2, 3))


def _area(bounds: tuple[float, float, float, float]) -> float:
    return (bounds[2] - bounds[0]) * (bounds[3] - bounds[1])


@lru_cache(maxsize=4096)
def _carry(ground: Ground, crs: str) -> tuple[float, float, float, float] | None:
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


@lru_cache(maxsize=4096)
def place_key(place: str) -> str:
    """Return what spellings of one place have in common; the half of the day is no place."""
    return "" if HALF_OF_DAY.fullmatch(place) else normal_name(place)


def normal_name(place: str) -> str:
    """Return what spellings of one name have in common."""
    return "".join(place_words(place))


def place_words(place: str) -> list[str]:
    """Return the words of the name of a place."""
    return re.findall(r"[^\W_]+", place.lower())


@dataclass(frozen=True, slots=True)
class Item:
    """One raster of one variable at one time.

    Attributes
    ----------
    label : str
        The date as people write it; the file's name where there is none.
    stamp : str
        The date as the file's name writes it; empty where the name has none.
    days : float
        The length of the time of which its values are the mean; 0 where that is not known.
    """

    address: str
    date: datetime | None
    label: str
    place: str = ""
    stamp: str = ""
    days: float = 0.0

    @property
    def mark(self) -> str:
        """The date as names of files bear it: products are called like what they are made of."""
        return self.stamp or self.label


@dataclass(frozen=True, slots=True)
class Layer:
    """Rasters of one variable ordered by time.

    Attributes
    ----------
    handle : str
        Of the collection that it is, or is a part of; empty when there is none.
    whole : tuple of str
        Every address of that collection, in order.
    ground : Ground, optional
        Where its first raster lies, as far as that is known.
    grounds : tuple of (str, Ground)
        Where those lie, by their label, whose ground is not that of the first.
    handed : bool
        Another member of a team made it.
    calibrator : str
        Of amplitudes of a radar, the tool that makes backscatter of every image; empty where there is none.
    """

    role: str
    items: tuple[Item, ...]
    unit: str = ""
    handle: str = ""
    whole: tuple[str, ...] = ()
    sensor: str = ""
    ground: Ground | None = None
    grounds: tuple[tuple[str, Ground], ...] = ()
    handed: bool = False
    calibrator: str = ""

    @property
    def addresses(self) -> list[str]:
        """What a tool is given."""
        return [item.address for item in self.items]

    @property
    def argument(self) -> list[str] | str:
        """The shortest way to write the addresses: a handle where one means just these."""
        if not self.handle or len(self.items) < 2:
            return self.addresses
        if tuple(self.addresses) == self.whole:
            return self.handle
        part = _stretch(self)
        return part if part else self.addresses

    def ground_at(self, label: str) -> Ground | None:
        """Return where the item of a label lies, as far as that is known."""
        return next((ground for other, ground in self.grounds if other == label), self.ground)

    def only(self, items: Iterable[Item]) -> Layer:
        """Return the layer with some of its items."""
        return replace(self, items=tuple(items))

    def where(self, keep: Callable[[Item], bool]) -> Layer:
        """Return the layer with the items that a function keeps; itself where these are all."""
        kept = tuple(item for item in self.items if keep(item))
        return self if len(kept) == len(self.items) else self.only(kept)


def layer_of(collection: Collection) -> Layer:
    """Return an input collection as a layer."""
    first = collection.members[0]
    known = variable(collection.role)
    items = tuple(
        Item(
            m.address,
            m.date,
            m.date_text or m.description.path.stem,
            collection.place,
            stamp_of(m.description.path.stem, m.date),
            m.band.period_days or 0.0,
        )
        for m in collection.members
    )
    sensors = {m.description.sensor for m in collection.members if m.description.sensor}
    return Layer(
        collection.role,
        items,
        first.band.unit or (known.unit if known else ""),
        collection.handle,
        tuple(collection.addresses),
        " ".join(sorted(sensors)),
        ground_of(first.description),
        grounds=tuple(
            (i.label, there)
            for i, m in zip(items, collection.members, strict=True)
            if (there := ground_of(m.description)) and there != ground_of(first.description)
        ),
        calibrator=_common_calibrator(collection),
    )


def _common_calibrator(collection: Collection) -> str:
    found = {_calibrator(member) for member in collection.members}
    return found.pop() if len(found) == 1 else ""


def _calibrator(member: Member) -> str:
    known = variable(member.band.role)
    if known is None or known.kind != "radar" or member.band.scale_known:
        return ""
    if has_factor(member.description):
        return "square_amplitudes"
    return "calibrate_sentinel1" if can_calibrate(member.description.path) else ""


_DATE_IN_NAME = re.compile(
    r"(?<!\d)(?:19|20)\d{2}(?P<s>[-_]?)\d{2}(?P=s)\d{2}(?:[T_-]\d{4}(?:\d{2})?)?(?!\d)"
)


def stamp_of(stem: str, date: datetime | None) -> str:
    """Return the date of a raster as its file's name writes it; empty where it writes no such date."""
    match = _DATE_IN_NAME.search(stem)
    if match is None or date is None:
        return ""
    digits = re.sub(r"\D", "", match[0])
    return match[0] if f"{date:%Y%m%d%H%M%S}".startswith(digits) else ""


def layers_of(collections: Mapping[str, Collection]) -> list[Layer]:
    """Return the workspace's collections as layers; spellings of one place make one layer."""
    alike: dict[tuple[str, str], list[Layer]] = {}
    for collection in collections.values():
        alike.setdefault((collection.role, normal_name(collection.place)), []).append(layer_of(collection))
    return [_merge(layers) for layers in alike.values()]


def _merge(layers: list[Layer]) -> Layer:
    if len(layers) == 1:
        return layers[0]
    items = sorted(
        (i for layer in layers for i in layer.items), key=lambda i: (i.date or datetime.max, i.address)
    )
    place = layers[0].items[0].place
    return replace(layers[0], items=tuple(replace(i, place=place) for i in items), handle="", whole=())


def _stretch(layer: Layer) -> str:
    """Return a handle with a period where the items are all that the collection has in it."""
    dates = [item.date for item in layer.items]
    if None in dates or not re.fullmatch(r"@[\w.-]+", layer.handle):
        return ""
    first, last = layer.addresses[0], layer.addresses[-1]
    positions = [layer.whole.index(a) for a in (first, last) if a in layer.whole]
    if len(positions) != 2 or tuple(layer.addresses) != layer.whole[positions[0] : positions[1] + 1]:
        return ""
    low, high = (f"{date:%Y-%m-%d}" for date in (dates[0], dates[-1]) if date is not None)
    return f"{layer.handle}[{low}:{high}]"


def adjoining_tiles(layers: Iterable[Layer]) -> list[list[str]]:
    """Return the tiles that the rasters of each sensor are cut into, where these adjoin.

    They are of one sensor in one CRS, and each touches another: scenes of several zones are left apart.
    """
    grounds: dict[str, dict[str, list[Ground]]] = {}
    for layer in layers:
        place = layer.items[0].place
        if layer.ground is not None and (_TILE.fullmatch(place) or _CUT.fullmatch(place)):
            grounds.setdefault(layer.sensor, {}).setdefault(place, []).append(layer.ground)
    return [tiles for found in grounds.values() if (tiles := _adjoining(found))]


def _adjoining(grounds: dict[str, list[Ground]]) -> list[str]:
    """Return tiles where all of them adjoin, else none; what people call so may be dates of one ground."""
    cut = [each[0] for place, each in grounds.items() if not _TILE.fullmatch(place)]
    if any(_overlap(one, other) for one, other in combinations(cut, 2)):
        return []
    if len({ground.crs for found in grounds.values() for ground in found}) != 1:
        return []
    joined, left = list(grounds)[:1], list(grounds)[1:]
    while found := [t for t in left if any(_touch(grounds[t][0], grounds[j][0]) for j in joined)]:
        joined, left = [*joined, *found], [t for t in left if t not in found]
    return sorted(joined) if not left and 1 < len(joined) <= _MOST_TILES else []


def _overlap(one: Ground, other: Ground) -> bool:
    """Return whether two boxes share more than an edge, in any CRS."""
    if one.crs != other.crs:
        return one.meets(other)
    shared = [
        min(one.bounds[i + 2], other.bounds[i + 2]) - max(one.bounds[i], other.bounds[i]) for i in (0, 1)
    ]
    size = max(one.bounds[2] - one.bounds[0], one.bounds[3] - one.bounds[1])
    return min(shared) > size / 1000


def _touch(one: Ground, other: Ground) -> bool:
    """Return whether two boxes of one CRS share ground or an edge."""
    slack = max(one.bounds[2] - one.bounds[0], one.bounds[3] - one.bounds[1]) / 1000
    return all(
        one.bounds[i] <= other.bounds[i + 2] + slack and other.bounds[i] <= one.bounds[i + 2] + slack
        for i in (0, 1)
    )


def months_of_no_year(layers: Iterable[Layer]) -> str:
    """Return in a sentence that rasters are of several months of no year; empty where they are not."""
    undated = [layer.items[0] for layer in layers if all(item.date is None for item in layer.items)]
    names = {named_month(item.place): item.address for item in undated if named_month(item.place)}
    if len(names) < 2:
        return ""
    ordered = sorted(names, key=list(month_name).index)
    first, last = ordered[0], ordered[-1]
    return (
        f"The rasters of {first} to {last} ({names[first]} and {len(names) - 1} more) are of no year, so "
        f"that they are no dates. Ask of one by its month, as in {first}, or give each its date in its "
        "name or by `treeline correct`."
    )


def near(layers: Sequence[Layer], place: str, everything: Iterable[Layer]) -> list[Layer]:
    """Return the layers that may serve at a place: those of it, else one that covers it and no other.

    Bands of two places are never paired: a layer without a place, one whose name shares a word, or the
    only one there is may stand in, and it must share ground with the place's own layers.
    """
    wanted = place_key(place)
    if not wanted:
        return list(layers)
    here = [layer for layer in layers if place_key(layer.items[0].place) == wanted]
    if here:
        return here
    grounds = [
        layer.ground for layer in everything if layer.ground and place_key(layer.items[0].place) == wanted
    ]
    covering = [
        layer
        for layer in layers
        if layer.ground is None or all(layer.ground.meets(ground) for ground in grounds)
    ]
    placeless = [layer for layer in covering if not place_key(layer.items[0].place)]
    alike = [layer for layer in covering if set(place_words(layer.items[0].place)) & set(place_words(place))]
    only = covering if len({place_key(layer.items[0].place) for layer in layers}) == 1 else []
    return placeless or alike or only
