"""One pixel of every raster of a workspace: the values under a point, the spectrum and the series there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from treeline.core.serving.spreadsheets import csv_text
from treeline.core.workspace import date_text
from treeline.core.workspace.class_names import is_of_classes
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE, way_between
from treeline.toolkit.index.catalogue import wavelengths
from treeline.toolkit.raster import Source, class_legend, pixel_at, read_arrays
from treeline.toolkit.raster.grid import transform_points
from treeline.toolkit.recognition.model import RasterDescription
from treeline.toolkit.variables import variable

# Files that are open at once; each is read for a single block.
_THREADS = 4
# A number that a step gave is that of the pixel but for the last place of a float32.
_AS_STORED = 1e-6
# All pixels are held in memory for it: a hundred megabytes of float32.
_MOST_SEARCHED = 25_000_000


@dataclass(frozen=True, slots=True)
class PixelValue:
    """What one band has under a point.

    Attributes
    ----------
    file, band : str
    variable : str
        The role; empty where nobody knows it.
    date : str
        Of the file, as far as it is known.
    value : float, optional
        Physical; ``None`` where there is no data.
    unit : str
    class_name : str
        What a value of a class is called.
    """

    file: str
    band: str
    variable: str
    date: str
    value: float | None
    unit: str
    class_name: str = ""


@dataclass(frozen=True, slots=True)
class SpectralPoint:
    """The reflectance of a pixel in a band of a scene."""

    band: str
    nanometres: float | None
    value: float


def pixel_values(
    rasters: Sequence[RasterDescription],
    longitude: float,
    latitude: float,
    names: Mapping[Path, Mapping[int, str]] | None = None,
) -> list[PixelValue]:
    """Return what each band of rasters has in the pixel under a point, file by file.

    Rasters that the point is not in, without a CRS or not readable any more, have no row. ``names`` are those
    of the classes of files that do not name them themselves.
    """
    with ThreadPoolExecutor(_THREADS, thread_name_prefix="pixel") as pool:
        found = pool.map(lambda raster: _values_of(raster, (longitude, latitude), names or {}), rasters)
        return [value for values in found for value in values]


def series_of(values: Iterable[PixelValue]) -> dict[str, list[PixelValue]]:
    """Return the values of each variable that has several dates, in their order."""
    series: dict[str, list[PixelValue]] = {}
    for value in sorted(values, key=lambda value: (value.date, value.file)):
        known = variable(value.variable)
        if value.date and value.variable and not (known is not None and known.kind == "class"):
            series.setdefault(value.variable, []).append(value)
    return {name: found for name, found in series.items() if len({value.date for value in found}) > 1}


def spectra_of(
    values: Iterable[PixelValue], rasters: Sequence[RasterDescription]
) -> dict[str, list[SpectralPoint]]:
    """Return the reflectances of each scene, by its date or file, from short to long waves."""
    sensors = {raster.path.name: raster.sensor or "" for raster in rasters}
    scenes: dict[str, dict[str, SpectralPoint]] = {}
    for value in values:
        known = variable(value.variable)
        if known is None or known.kind != "reflectance" or value.value is None:
            continue
        wave = wavelengths(sensors.get(value.file, "")).get(value.band)
        point = SpectralPoint(value.band, wave, value.value)
        scenes.setdefault(value.date or value.file, {}).setdefault(value.variable, point)
    ordered = {name: sorted(found.values(), key=_wave) for name, found in sorted(scenes.items())}
    return {name: found for name, found in ordered.items() if len(found) > 1}


def places_of_value(band: Source, value: float) -> tuple[tuple[float, float], ...]:
    """Return longitude and latitude of the middle of each pixel that has a value.

    Raises
    ------
    TreelineError
        The file is gone, has no CRS, or has more pixels than are read at once.
    """
    arrays, grid = read_arrays({"values": band}, max_pixels=_MOST_SEARCHED)
    found = np.argwhere(np.isclose(arrays["values"], value, rtol=_AS_STORED, atol=0.0)).astype("float64")
    xs, ys = transform_points(grid.affine, found[:, 1] + 0.5, found[:, 0] + 0.5)
    places = way_between(grid.crs or LONGITUDE_LATITUDE, LONGITUDE_LATITUDE).transform(xs, ys)
    return tuple((float(longitude), float(latitude)) for longitude, latitude in zip(*places, strict=True))


def pixel_csv(values: Iterable[PixelValue], longitude: float, latitude: float) -> str:
    """Return values as CSV, a band a line; a text that a spreadsheet would run is quoted as text."""
    names = [each.name for each in fields(PixelValue)]
    rows = ([*(getattr(value, name) for name in names), longitude, latitude] for value in values)
    return csv_text([*names, "longitude", "latitude"], rows)


def _values_of(
    raster: RasterDescription, point: tuple[float, float], names: Mapping[Path, Mapping[int, str]]
) -> list[PixelValue]:
    bands = [Source(raster, band) for band in raster.bands]
    try:
        found = pixel_at(bands, point, crs=LONGITUDE_LATITUDE)
    except TreelineError:
        return []
    if found is None:
        return []
    date = date_text(raster)
    return [
        PixelValue(
            raster.path.name,
            source.band.name,
            source.role or "",
            date,
            value if math.isfinite(value) else None,
            source.unit,
            _class_name(source, value, names.get(raster.path, {})),
        )
        for source, value in zip(bands, found, strict=True)
    ]


def _class_name(source: Source, value: float, beside: Mapping[int, str]) -> str:
    if not is_of_classes(source) or not math.isfinite(value):
        return ""
    return (class_legend(source).names or beside).get(int(value), "")


def _wave(point: SpectralPoint) -> tuple[float, str]:
    return (math.inf if point.nanometres is None else point.nanometres, point.band)
