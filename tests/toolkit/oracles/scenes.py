"""Random scenes: holes, odd sizes, strips and tiles, types and scales, and places all over the Earth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from affine import Affine
from numpy.typing import NDArray
from rasterio.crs import CRS

from tests.workplace import Workplace

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """Where a scene lies: its CRS, upper left corner, pixel size and turn in degrees."""

    name: str
    crs: str
    left: float
    top: float
    pixel: float
    turn: float = 0.0

    @property
    def transform(self) -> Affine:
        """From column and row to the CRS."""
        corner = Affine.translation(self.left, self.top) * Affine.rotation(self.turn)
        return corner * Affine.scale(self.pixel, -self.pixel)


PLACES = (
    Place("northern hemisphere", "EPSG:32633", 500_000.0, 5_100_000.0, 10.0),
    Place("southern hemisphere", "EPSG:32756", 334_000.0, 6_252_000.0, 30.0),
    Place("across the date line", "EPSG:4326", 179.9955, -16.5, 0.00027),
    Place("70 degrees north", "EPSG:32634", 480_000.0, 7_770_000.0, 20.0),
    Place("turned by 30 degrees", "EPSG:32633", 510_000.0, 5_090_000.0, 10.0, 30.0),
    Place("Web Mercator", "EPSG:3857", 1_690_000.0, 5_790_000.0, 10.0),
)
SHAPES = ((23, 37), (41, 19), (17, 65), (33, 31))
LAYOUTS: tuple[dict[str, Any], ...] = (
    {},
    {"blockysize": 1},
    {"tiled": True, "blockxsize": 16, "blockysize": 16, "compress": "deflate"},
)
# How values are stored: type, scale, offset, nodata.
STORED = (
    ("float32", 1.0, 0.0, float("nan")),
    ("float32", 1.0, 0.0, -9999.0),
    ("float64", 1.0, 0.0, -3.4e38),
    ("int16", None, 0.0, -32768.0),
    ("uint16", None, None, 65535.0),
)
STEPS = 20_000


class RandomScene:
    """A folder with rasters of one grid, and tools that run there.

    Parameters
    ----------
    folder : Path
    seed : int
        Decides place, size, layout, types and values.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.folder = folder
        self.work = Workplace(folder)
        self.place: Place = PLACES[seed % len(PLACES)]
        self.shape: tuple[int, int] = SHAPES[(seed // len(PLACES)) % len(SHAPES)]
        self.stored = STORED[(seed // 3) % len(STORED)]
        self.layout = LAYOUTS[(seed // 5) % len(LAYOUTS)]
        self._count = 0

    def __repr__(self) -> str:
        return f"<{self.place.name}, {self.shape}, {self.stored}, {self.layout}>"

    @property
    def metric(self) -> RandomScene:
        """The scene itself, on a grid whose map is true to the ground."""
        self.place = PLACES[0]
        return self

    def field(
        self,
        role: str,
        low: float,
        high: float,
        *,
        holes: bool = True,
        smooth: float = 0.0,
        values: Any = None,
        name: str = "",
        tags: dict[str, str] | None = None,
    ) -> tuple[str, Floats]:
        """Write a raster of a role; return its name and what it holds, NaN where it has holes.

        Parameters
        ----------
        smooth : float
            Standard deviation, in pixels, of the smoothing of the noise.
        values : array, optional
            Instead of noise between ``low`` and ``high``.
        """
        from scipy.ndimage import gaussian_filter

        if values is None:
            noise = self.rng.random(self.shape)
            if smooth:
                noise = gaussian_filter(noise, smooth)
                noise = (noise - noise.min()) / np.ptp(noise)
            values = low + (high - low) * noise
        values = np.array(values, dtype=np.float64)
        if holes:
            values[..., self.rng.random(values.shape[-2:]) < 0.05] = np.nan
            values[..., 2:4, 3:6] = np.nan
        dtype, scale, offset, nodata = self.stored
        scale = scale or (high - low) / STEPS
        offset = low - scale if offset is None else offset
        if dtype.startswith("float") or max(abs(low), abs(high)) / scale > 32000:
            dtype, scale, offset = ("float32", 1.0, 0.0) if dtype != "float64" else (dtype, 1.0, 0.0)
            nodata = -9999.0 if dtype != "float64" and nodata == 65535.0 else nodata
        packed = (values - offset) / scale
        packed = packed if dtype.startswith("float") else np.round(packed)
        there = ~np.isnan(values)
        pixels = np.where(there, packed, nodata).astype(dtype)
        known = np.where(there, pixels.astype(np.float64) * scale + offset, np.nan)
        return self.write(pixels, role, nodata, scale, offset, name, tags), known

    def fields(
        self, role: str, count: int, low: float, high: float, **options: Any
    ) -> tuple[list[str], Floats]:
        """Write several rasters; return their names and what they hold (n, rows, columns)."""
        several = [self.field(role, low, high, **options) for _ in range(count)]
        return [name for name, _ in several], np.stack([values for _, values in several])

    def classes(
        self, role: str, count: int, *, holes: bool = True, patches: float = 1.5
    ) -> tuple[str, Floats]:
        """Write a class raster of 1 to ``count`` in patches, 255 where there is none."""
        from scipy.ndimage import gaussian_filter

        noise = gaussian_filter(self.rng.random((count, *self.shape)), (0, patches, patches))
        values = (noise.argmax(axis=0) + 1).astype(np.float64)
        return self.whole(role, values, holes=holes)

    def mask(self, role: str = "mask", *, holes: bool = True, patches: float = 1.0) -> tuple[str, Floats]:
        """Write a mask of 0 and 1."""
        from scipy.ndimage import gaussian_filter

        noise = gaussian_filter(self.rng.random(self.shape), patches)
        return self.whole(role, (noise > np.median(noise)).astype(np.float64), holes=holes)

    def whole(
        self, role: str, values: Any, *, holes: bool = True, dtype: str = "uint8"
    ) -> tuple[str, Floats]:
        """Write whole numbers as they are, the type's largest where there is none."""
        known = np.array(values, dtype=np.float64)
        if holes:
            known[..., self.rng.random(known.shape[-2:]) < 0.05] = np.nan
        nodata = float(np.iinfo(dtype).max)
        pixels = np.where(np.isnan(known), nodata, known).astype(dtype)
        return self.write(pixels, role, nodata), known

    def bands(self, roles: tuple[str, ...], low: float, high: float) -> tuple[str, Floats]:
        """Write a raster of several bands of floats."""
        values = low + (high - low) * self.rng.random((len(roles), *self.shape))
        values[:, 1:3, 2:4] = np.nan
        pixels = np.where(np.isnan(values), -9999.0, values).astype("float32")
        name = self.write(pixels, roles, -9999.0)
        return name, np.where(np.isnan(values), np.nan, pixels.astype(np.float64))

    def write(
        self,
        pixels: Any,
        role: str | tuple[str, ...],
        nodata: float | None,
        scale: float = 1.0,
        offset: float = 0.0,
        name: str = "",
        tags: dict[str, str] | None = None,
    ) -> str:
        """Write stored numbers and return the file's name."""
        bands = pixels if pixels.ndim == 3 else pixels[np.newaxis]
        roles = (role,) * len(bands) if isinstance(role, str) else role
        self._count += 1
        name = name or f"{roles[0] or 'any'}_{self._count}.tif"
        with rasterio.open(
            self.folder / name,
            "w",
            driver="GTiff",
            count=len(bands),
            height=bands.shape[1],
            width=bands.shape[2],
            dtype=bands.dtype,
            nodata=nodata,
            crs=CRS.from_user_input(self.place.crs),
            transform=self.place.transform,
            **self.layout,
        ) as dataset:
            dataset.write(bands)
            for number, text in enumerate(roles, start=1):
                dataset.set_band_description(number, text)
            dataset.scales, dataset.offsets = (scale,) * len(bands), (offset,) * len(bands)
            dataset.update_tags(**(tags or {}))
        return name

    def shapes(self, name: str, geometries: list[Any], **columns: list[Any]) -> str:
        """Write geometries in pixels (column, row) as GeoJSON in the CRS of the scene."""
        from shapely import affinity
        from shapely.geometry import mapping

        a, b, c, d, e, f = tuple(self.place.transform)[:6]
        moved = [affinity.affine_transform(shape, (a, b, d, e, c, f)) for shape in geometries]
        features = [
            {
                "type": "Feature",
                "geometry": mapping(shape),
                "properties": {k: v[n] for k, v in columns.items()},
            }
            for n, shape in enumerate(moved)
        ]
        crs = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:EPSG::{self.place.crs[5:]}"}}
        content = {"type": "FeatureCollection", "features": features, "crs": crs}
        (self.folder / name).write_text(json.dumps(content))
        return name

    def run(self, tool: str, /, **arguments: Any) -> Any:
        """Run a tool; what it warns of is no matter here."""
        return self.work.run(tool, **arguments)

    def make(self, tool: str, /, band: int = 1, output: str = "output_path", **arguments: Any) -> Floats:
        """Run a tool that writes one raster and return a band of it."""
        self.run(tool, **arguments, **{output: "out.tif"})
        return self.read("out.tif", band)

    def read(self, name: str, band: int = 1) -> Floats:
        """Return a band as it was written, NaN for nodata."""
        return self.work.read(name, band)

    def places(self) -> tuple[Floats, Floats]:
        """Return x and y of the centres of all pixels, in the CRS."""
        rows, columns = np.mgrid[: self.shape[0], : self.shape[1]] + 0.5
        return self.place.transform * (columns, rows)

    def ground(self) -> tuple[Floats, Floats]:
        """Return longitude and latitude of the centres of all pixels."""
        return self.degrees(*self.places())

    def degrees(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return longitude and latitude of points in the CRS."""
        from pyproj import Transformer

        longitude, latitude = Transformer.from_crs(self.place.crs, "EPSG:4326", always_xy=True).transform(
            x, y
        )
        return longitude, latitude


def agree(found: Any, expected: Any, rel: float = 1e-5, abs: float = 1e-6, share: float = 1.0) -> None:
    """Fail unless two arrays hold the same values, and none in the same places.

    Parameters
    ----------
    share : float
        How many of the pixels must agree: less than all where a value lies on a limit by rounding.
    """
    one, other = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    assert one.shape == other.shape, f"{one.shape} against {other.shape}"
    alike = np.isclose(one, other, rtol=rel, atol=abs, equal_nan=True)
    if alike.mean() < share:
        places = np.argwhere(~alike)
        first = tuple(places[0]) if places.ndim else ()
        raise AssertionError(
            f"{len(places)} of {alike.size} differ, the first at {first}: {one[first]} against {other[first]}"
        )
    assert np.isfinite(other).any(), "nothing was compared"
