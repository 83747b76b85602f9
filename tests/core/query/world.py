"""A small invented place of which every number is known, and its files.

It has what makes questions go wrong: holes, clouds (a date without any, a date with nothing else), a
date that one variable has alone, a class raster that does not cover everything, flat ground.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import rasterio
from numpy.typing import NDArray
from pyproj import Transformer
from rasterio.transform import Affine
from scipy import ndimage
from shapely.geometry import box

from tests.core.query.values import Value
from tests.rasters import ORIGIN, UTM, write_raster

Floats = NDArray[np.float64]
PLACE = "Vale"
UNITS = {"lst": "K", "dem": "m", "terrain_slope": "degree", "terrain_aspect": "degree", "landcover": "class"}
CLASS_NAMES = {1: "Water", 2: "Forest", 3: "Meadow", 4: "Rock"}
TITLES = {"ndvi": "NDVI", "lst": "LST", "dem": "DEM", "landcover": "land_cover"}


@dataclass(frozen=True, eq=False)
class World:
    """Rasters on one grid, north up.

    Attributes
    ----------
    rasters : dict
        By role; float64 of shape (dates, rows, columns).
    days : dict
        Of each role that has dates.
    clouds : dict
        By date, true where a cloud is.
    features : dict
        By file and name: first row, last row, first column, last column, the last not included.
    """

    pixel: float
    rasters: dict[str, Floats]
    days: dict[str, tuple[dt.date, ...]]
    clouds: dict[dt.date, NDArray[np.bool_]]
    features: dict[str, dict[str, tuple[int, int, int, int]]]
    class_names = CLASS_NAMES

    # --- What there is ----------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.rasters["dem"].shape[-2:]
        return rows, columns

    @property
    def dates(self) -> tuple[dt.date, ...]:
        """Every date of any variable, in order."""
        return tuple(sorted({date for dates in self.days.values() for date in dates} | set(self.clouds)))

    def dates_of(self, role: str) -> tuple[dt.date, ...]:
        return self.days.get(role) or self.days.get({"ndwi": "green"}.get(role, ""), ())

    def has(self, role: str) -> bool:
        return role in self.rasters or role in self._made

    @property
    def clear_dates(self) -> frozenset[dt.date]:
        """Dates of which it is known that there was no cloud at all."""
        return frozenset(date for date, cloud in self.clouds.items() if not cloud.any())

    @property
    def bands(self) -> tuple[str, ...]:
        return tuple(role for role in ("green", "red", "nir") if role in self.rasters)

    # --- As values --------------------------------------------------------------------------------

    def variable(self, role: str) -> Value:
        """Return a variable that is held or made from what is held."""
        raster = self._made[role]() if role in self._made else self.rasters[role]
        unit = UNITS.get(role, "1")
        if raster.ndim == 2:
            return Value(raster.reshape(1, 1, 1, -1), {"pixel": self._pixels}, unit)
        return Value(self._cube(raster), {"date": self.dates_of(role), "pixel": self._pixels}, unit)

    def cloud(self) -> Value:
        stack = np.array([self.clouds[date] for date in sorted(self.clouds)], float)
        return Value(self._cube(stack), {"date": tuple(sorted(self.clouds)), "pixel": self._pixels})

    def ground(self, inside: Any, known: Any = True) -> Value:
        """Return a mask or a raster without dates as a value."""
        data = np.where(known, np.asarray(inside, float), np.nan)
        return Value(data.reshape(1, 1, 1, -1), {"pixel": self._pixels})

    def _cube(self, raster: Floats) -> Floats:
        return raster.reshape(len(raster), 1, 1, -1)

    @property
    def _pixels(self) -> tuple[int, ...]:
        return tuple(range(self.shape[0] * self.shape[1]))

    @property
    def _made(self) -> dict[str, Any]:
        green, nir = self.rasters["green"], self.rasters["nir"]
        return {
            "ndwi": lambda: (green - nir) / (green + nir),
            "terrain_slope": lambda: np.degrees(np.arctan(np.hypot(*self.gradients))),
            "terrain_aspect": lambda: self.aspect,
        }

    # --- The ground -------------------------------------------------------------------------------

    @property
    def classes_at(self) -> Floats:
        return self.rasters["landcover"]

    def class_number(self, name: str) -> int:
        return next(number for number, title in self.class_names.items() if title == name)

    def features_of(self, source: str) -> dict[str, NDArray[np.bool_]]:
        """Return the mask of each feature of a vector file, of the only one without a name."""
        rectangles = self.features[source or next(iter(self.features))]
        masks = {}
        for name, (top, bottom, left, right) in rectangles.items():
            masks[name] = np.zeros(self.shape, bool)
            masks[name][top:bottom, left:right] = True
        return masks

    @cached_property
    def gradients(self) -> tuple[Floats, Floats]:
        """Rise eastward and northward (Horn 1981); NaN at the rim."""
        across = np.outer([1, 2, 1], [-1, 0, 1]) / (8 * self.pixel)
        dem = self.rasters["dem"]
        east, north = (
            ndimage.correlate(dem, kernel, mode="constant", cval=np.nan) for kernel in (across, -across.T)
        )
        return east, north

    @property
    def aspect(self) -> Floats:
        """Where the ground falls to, in degrees from north; NaN where it is flat."""
        east, north = self.gradients
        flat = (east == 0) & (north == 0)
        return np.where(flat, np.nan, np.degrees(np.arctan2(-east, -north)) % 360)

    @property
    def affine(self) -> Affine:
        return Affine(self.pixel, 0, ORIGIN[0], 0, -self.pixel, ORIGIN[1])

    def to_degrees(self, row: Any, column: Any) -> tuple[Any, Any]:
        """Return longitude and latitude of a position; whole numbers are corners of pixels."""
        transformer = Transformer.from_crs(UTM, "EPSG:4326", always_xy=True)
        return transformer.transform(ORIGIN[0] + self.pixel * column, ORIGIN[1] - self.pixel * row)

    @cached_property
    def degrees(self) -> tuple[Floats, Floats]:
        """Longitude and latitude of the middle of each pixel."""
        rows, columns = np.indices(self.shape)
        return self.to_degrees(rows + 0.5, columns + 0.5)

    def pixel_at(self, longitude: float, latitude: float) -> tuple[int, int]:
        transformer = Transformer.from_crs("EPSG:4326", UTM, always_xy=True)
        x, y = transformer.transform(longitude, latitude)
        return int((ORIGIN[1] - y) // self.pixel), int((x - ORIGIN[0]) // self.pixel)


# --- Making one -----------------------------------------------------------------------------------

DAYS = tuple(
    dt.date.fromisoformat(text)
    for text in (
        "2019-06-03",
        "2019-07-13",
        "2019-12-20",
        "2020-01-19",
        "2020-04-18",
        "2020-06-12",
        "2020-07-22",
        "2020-08-21",
        "2021-03-09",
    )
)
ONLY_LST = dt.date(2020, 5, 13)


def make_world(seed: int = 0, shape: tuple[int, int] = (12, 10), pixel: float = 20.0) -> World:
    """Return a place; equal for equal seeds."""
    rng = np.random.default_rng(seed)
    dem = _hill(rng, shape)
    season = np.array([0.25 * np.sin((day.timetuple().tm_yday - 100) / 58) for day in DAYS])
    ndvi = _holes(
        rng, 0.45 + season[:, None, None] + rng.normal(0, 0.18, (len(DAYS), *shape)).clip(-0.6, 0.28)
    )
    lst_days = tuple(sorted({*DAYS[1:6], DAYS[7], ONLY_LST}))
    lst = _holes(rng, rng.normal(295, 6, (len(lst_days), *shape)) - dem / 100)
    optical = tuple(DAYS[n] for n in (1, 4, 6))
    bands = {
        role: _holes(rng, rng.normal(mean, 0.03, (3, *shape)).clip(0.01, 0.9))
        for role, mean in (("green", 0.09), ("red", 0.08), ("nir", 0.33))
    }
    landcover = rng.choice([1, 2, 2, 2, 3, 3, 4], shape).astype(float)
    landcover[:2, -2:] = np.nan
    rasters = {"ndvi": ndvi, "lst": lst, "dem": dem, "landcover": landcover, **bands}
    rows, columns = shape
    features = {
        "Vale_regions.gpkg": {
            "Upper Vale": (0, rows // 2, 0, columns // 2),
            "Lower Vale": (rows // 2 + 1, rows, 0, columns // 2),
            "Mill End": (3, rows - 2, columns // 2, columns),
        }
    }
    return World(
        pixel=pixel,
        rasters={role: _as_stored(raster) for role, raster in rasters.items()},
        days={"ndvi": DAYS, "lst": lst_days, **dict.fromkeys(bands, optical)},
        clouds=_clouds(rng, sorted({*DAYS, ONLY_LST}), shape),
        features=features,
    )


def _hill(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    rows, columns = np.indices(shape)
    slopes = 60 - 9 * np.hypot(rows - shape[0] / 2 + 0.3, columns - shape[1] / 2 + 0.2)
    dem = 400 + slopes + rng.normal(0, 1.5, shape)
    dem[-4:, -4:] = 380.0
    return dem


def _holes(rng: np.random.Generator, cube: Floats) -> Floats:
    """Return a cube with single holes, and one date with a large one."""
    cube = np.where(rng.random(cube.shape) < 0.04, np.nan, cube)
    cube[len(cube) // 2, : cube.shape[1] // 2] = np.nan
    return cube


def _clouds(
    rng: np.random.Generator, days: list[dt.date], shape: tuple[int, int]
) -> dict[dt.date, NDArray[np.bool_]]:
    clouds = {day: rng.random(shape) < 0.2 for day in days}
    for day in days[1::3]:
        clouds[day][:] = False
    clouds[days[3]][:] = True
    return clouds


def _as_stored(raster: Floats) -> Floats:
    return raster.astype("float32").astype("float64")


# --- Its files ------------------------------------------------------------------------------------


def write_world(world: World, folder: Path) -> Path:
    """Write the files of a place as Treeline recognises them, and return their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for role, raster in world.rasters.items():
        title = TITLES.get(role, role)
        if role not in world.days:
            _write(folder / f"{PLACE}_{title}.tif", role, raster, world)
            continue
        for date, image in zip(world.days[role], raster, strict=True):
            _write(folder / f"{PLACE}_{title}_{date}.tif", role, image, world)
    for date, cloud in world.clouds.items():
        write_raster(folder / f"{PLACE}_cloud_mask_{date}.tif", cloud.astype("uint8"), pixel=world.pixel)
    for source, rectangles in world.features.items():
        corners = [box(*_corners(world.affine, *parts)) for parts in rectangles.values()]
        frame = geopandas.GeoDataFrame({"name": list(rectangles)}, geometry=corners, crs=UTM)
        frame.to_file(folder / source)
    return folder


def _write(path: Path, role: str, raster: Floats, world: World) -> None:
    if role == "landcover":
        named = {"TREELINE_CLASSES": json.dumps({str(n): name for n, name in CLASS_NAMES.items()})}
        stored: Any = np.nan_to_num(raster, nan=255).astype("uint8")
        write_raster(path, stored, pixel=world.pixel, nodata=255, tags=named)
    else:
        write_raster(path, raster.astype("float32"), pixel=world.pixel, nodata=float("nan"))


def _corners(
    affine: Affine, top: int, bottom: int, left: int, right: int
) -> tuple[float, float, float, float]:
    (west, north), (east, south) = affine * (left, top), affine * (right, bottom)
    return west, south, east, north


def read_back(path: Path) -> Floats:
    """Return a written raster as it is read."""
    with rasterio.open(path) as dataset:
        return dataset.read(1, masked=True).astype("float64").filled(np.nan)
