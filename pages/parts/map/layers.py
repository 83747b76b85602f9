"""The layers that a workspace and a run offer for the map."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath
from weakref import WeakKeyDictionary

from rasterio.errors import RasterioError
from rasterio.warp import transform_bounds

from treeline.core.confinement import call
from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.state import Step
from treeline.core.serving import MapLayer
from treeline.core.workspace import Workspace, date_text
from treeline.core.workspace.class_names import NamesBeside
from treeline.pages.parts.map.product_titles import short_title, title_of_product
from treeline.toolkit.caching import lock_of
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster import Source
from treeline.toolkit.recognition.describe import describe
from treeline.toolkit.recognition.model import Band, RasterDescription

MOST_BANDS = 24
Bounds = tuple[float, float, float, float]


@dataclass(frozen=True)
class Entry:
    """A layer as the list shows it.

    Attributes
    ----------
    key : str
        Unique in a workspace and a run.
    step : int, optional
        The step that wrote it; ``None`` for an input.
    empty : bool
        It has no valid pixel.
    """

    key: str
    layer: MapLayer
    date: str = ""
    step: int | None = None
    empty: bool = False

    @property
    def title(self) -> str:
        """What the list and the legend call it."""
        return self.layer.title

    def is_at(self, address: str) -> bool:
        """Return whether an address such as ``file.tif#B04`` means this layer."""
        name, _, band = address.partition("#")
        if len(self.layer.sources) > 1 or self.layer.description.path.name != PurePath(name).name:
            return False
        own = self.layer.sources[0].band
        return not band or band in (own.name, own.role, str(own.index))


class LayersByFile:
    """Layers that are looked up by many addresses, as a call on hundreds of files has them."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._by_name: defaultdict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            self._by_name[entry.layer.description.path.name].append(entry)

    def at(self, address: str) -> list[Entry]:
        """Return the layers that an address means."""
        name = PurePath(address.partition("#")[0]).name
        return [entry for entry in self._by_name.get(name, ()) if entry.is_at(address)]


@dataclass(frozen=True)
class Inputs:
    """The layers of a workspace's own rasters, and what they cover together."""

    rasters: tuple[RasterDescription, ...]
    entries: tuple[Entry, ...]
    bounds: Bounds | None


# Made once for each state of a workspace, however many look at it: pages ask twice a second during a run.
_INPUTS: WeakKeyDictionary[Workspace, Inputs] = WeakKeyDictionary()


def inputs_of(workspace: Workspace) -> Inputs:
    """Return a layer for each colour image and each band of the workspace's rasters."""
    rasters = workspace.rasters
    with lock_of(workspace, "inputs"):
        known = _INPUTS.get(workspace)
        if known is None or known.rasters is not rasters:
            beside = NamesBeside(workspace)
            entries = tuple(entry for raster in rasters for entry in _entries_of(raster, beside))
            known = Inputs(rasters, entries, union(map(geographic_bounds, rasters)))
            _INPUTS[workspace] = known
        return known


def series_of(entry: Entry, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the layers of one variable and place at several dates that a layer belongs to, in order.

    Inputs go with inputs, products with those of the same step. A date that is there twice is there once.
    """
    if not entry.date or not entry.layer.on_map:
        return ()
    alike = [
        other
        for other in entries
        if other.date
        and other.step == entry.step
        and roles_of(other) == roles_of(entry)
        and _is_of_place(other, entry)
        and other.layer.on_map
    ]
    # From behind, so that the first of a date stays; the layer that is looked at stands for its own
    # in any case.
    by_date = {other.date: other for other in reversed(alike)} | {entry.date: entry}
    return tuple(by_date[date] for date in sorted(by_date))


def _is_of_place(one: Entry, other: Entry) -> bool:
    """Return whether two layers are of one place, which the names of products need not tell."""
    first, second = one.layer.description, other.layer.description
    on_one_ground = one.step is not None and (first.crs, first.bounds) == (second.crs, second.bounds)
    return first.place == second.place or on_one_ground


def roles_of(entry: Entry) -> tuple[str, ...]:
    """Return what each band of a layer is; of a colour image red, green and blue of the screen."""
    return tuple(source.role or source.band.name for source in entry.layer.sources)


def product_entries(products: Iterable[tuple[int, ProductRecord]], steps: Iterable[Step] = ()) -> list[Entry]:
    """Return a layer for each raster that a run wrote and that still stands.

    Parameters
    ----------
    steps : iterable of Step
        Of the run: what a step was given tells more of what it wrote than the name of the file.
    """
    by_number = {step.number: step for step in steps}
    entries = []
    for number, record in products:
        path = Path(record.path)
        if record.kind != "raster" or not path.is_file():
            continue
        title, date = title_of_product(record, by_number.get(number))
        try:
            layers = _bands_as_layers(_describe(path, path.stat().st_mtime_ns), title)
        except (TreelineError, OSError):
            continue
        # The first band last: the newest come first, and of a file its first band.
        for place, layer in reversed(list(enumerate(layers, start=1))):
            key = f"product {record.name}" + (f"#{place}" if place > 1 else "")
            entries.append(Entry(key, layer, date, number, empty=record.valid_share == 0))
    return entries


def _bands_as_layers(description: RasterDescription, title: str) -> list[MapLayer]:
    """Return a layer for each band; of several each says which it is."""
    if len(description.bands) == 1:
        return [MapLayer.of((Source(description, description.bands[0]),), title)]
    return [
        MapLayer.of((Source(description, band),), f"{title} · {_band_in_words(band)}")
        for band in description.bands[:MOST_BANDS]
    ]


def _band_in_words(band: Band) -> str:
    return band.name.replace("_", " ").removeprefix("trend ") if band.name else f"band {band.index}"


def _entries_of(raster: RasterDescription, beside: NamesBeside) -> list[Entry]:
    date = date_text(raster)
    entries = []
    try:
        for key, sources, what in _drawable(raster):
            names = beside.of(sources[0]) if len(sources) == 1 else None
            layer = MapLayer.of(sources, _title(what, date, raster), names)
            entries.append(Entry(f"input {raster.path.name}{key}", layer, date))
    except OSError:  # the file went away since the catalogue was made
        return []
    return entries


def _drawable(raster: RasterDescription) -> list[tuple[str, tuple[Source, ...], str]]:
    by_role = {band.role: Source(raster, band) for band in raster.bands}
    several = len(raster.bands) > 1
    found: list[tuple[str, tuple[Source, ...], str]] = []
    if {"red", "green", "blue"} <= by_role.keys():
        found.append(("#colour", (by_role["red"], by_role["green"], by_role["blue"]), "true colour"))
    elif "rgb" in by_role and len(raster.bands) >= 3:
        first, second, third = (Source(raster, band) for band in raster.bands[:3])
        return [("#colour", (first, second, third), "colour image")]
    for band in raster.bands:
        key = f"#{band.index}" if several else ""
        found.append((key, (Source(raster, band),), band.role or band.name))
    return found


def _title(role: str, date: str, raster: RasterDescription) -> str:
    return f"{short_title(role)} · {date or raster.path.stem.replace('_', ' ')}"


@lru_cache(maxsize=2048)
def _describe(path: Path, modified: int) -> RasterDescription:
    return call(describe, path)


@lru_cache(maxsize=4096)
def geographic_bounds(description: RasterDescription) -> Bounds | None:
    """Return west, south, east and north in degrees; ``None`` for a raster that is not on the map."""
    if description.crs is None:
        return None
    try:
        return transform_bounds(description.crs, "EPSG:4326", *description.bounds)
    except RasterioError:
        return None


def ground_of(entry: Entry, area: AreaOfInterest | None) -> Bounds | None:
    """Return where a layer has pixels, in degrees; a product of a run inside an area has none outside."""
    if area is None or entry.step is None or not entry.layer.on_map:
        return geographic_bounds(entry.layer.description)
    west, south, east, north = area.in_crs(LONGITUDE_LATITUDE).bounds
    return west, south, east, north


def union(bounds: Iterable[Bounds | None]) -> Bounds | None:
    """Return the bounds that hold all of some bounds."""
    known = [b for b in bounds if b is not None]
    if not known:
        return None
    west, south, east, north = zip(*known, strict=True)
    return min(west), min(south), max(east), max(north)
