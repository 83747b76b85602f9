"""Small GeoTIFFs for tests, and a resolver that takes files as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from rasterio.crs import CRS
from rasterio.transform import from_origin

from treeline.toolkit.errors import RasterMissing
from treeline.toolkit.raster import open_raster_file
from treeline.toolkit.recognition.model import Band, RasterDescription

UTM = "EPSG:32633"
ORIGIN = (500_000.0, 5_100_000.0)


def write_raster(
    path: Path,
    array: Any,
    *,
    crs: str | None = UTM,
    origin: tuple[float, float] = ORIGIN,
    pixel: float = 10.0,
    nodata: float | None = None,
    mask: Any = None,
    descriptions: Sequence[str] = (),
    tags: Mapping[str, str] | None = None,
    scale: float | None = None,
    offset: float | None = None,
    **profile: Any,
) -> Path:
    """Write an array (rows, columns) or (bands, rows, columns) as a GeoTIFF and return its path.

    Parameters
    ----------
    origin : tuple of float
        Upper left corner.
    mask : array, optional
        Internal mask; 0 means "no data".
    profile
        Further creation options of GDAL.
    """
    bands = np.asarray(array)
    bands = bands if bands.ndim == 3 else bands[np.newaxis]
    count, height, width = bands.shape
    transform = from_origin(*origin, pixel, pixel)
    placed = {} if crs is None else {"crs": CRS.from_user_input(crs), "transform": transform}
    with (
        rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True),
        rasterio.open(
            path,
            "w",
            driver="GTiff",
            width=width,
            height=height,
            count=count,
            dtype=bands.dtype,
            nodata=nodata,
            **placed,
            **profile,
        ) as dataset,
    ):
        dataset.write(bands)
        if mask is not None:
            dataset.write_mask(np.asarray(mask, dtype="uint8") * 255)
        for index, text in enumerate(descriptions, start=1):
            dataset.set_band_description(index, text)
        if scale is not None:
            dataset.scales = (scale,) * count
        if offset is not None:
            dataset.offsets = (offset,) * count
        dataset.update_tags(**(tags or {}))
    return path


@dataclass
class PlainResolver:
    """Describes a file by its own metadata; a band's description is its role.

    Attributes
    ----------
    folder : Path
        Where relative addresses start.
    bands : dict
        File name to what replaces attributes of its bands, such as ``{"fill": (0,)}``.
    """

    folder: Path
    bands: dict[str, dict[str, Any]] = field(default_factory=dict)

    def describe(self, address: str) -> tuple[RasterDescription, str | None]:
        name, _, band = address.partition("#")
        path = self.folder / name
        if not path.is_file():
            raise RasterMissing(f"There is no raster {name!r}.")
        with open_raster_file(path) as dataset:
            return self._describe(dataset, path), band or None

    def list_folder(self, address: str) -> list[str]:
        return sorted(path.name for path in (self.folder / address).iterdir())

    def path_of(self, address: str) -> Path:
        if not (self.folder / address).exists():
            raise RasterMissing(f"There is no file {address!r}.")
        return self.folder / address

    def _describe(self, dataset: Any, path: Path) -> RasterDescription:
        changes = self.bands.get(path.name, {})
        bands = tuple(
            Band(
                **{
                    "index": index,
                    "name": text or f"band {index}",
                    "role": text or None,
                    "scale": scale,
                    "offset": offset,
                    **changes,
                }
            )
            for index, text, scale, offset in zip(
                dataset.indexes, dataset.descriptions, dataset.scales, dataset.offsets, strict=True
            )
        )
        crs = dataset.crs.to_string() if dataset.crs else None
        return RasterDescription(
            path=path,
            driver=dataset.driver,
            width=dataset.width,
            height=dataset.height,
            dtype=dataset.dtypes[0],
            crs=crs,
            transform=tuple(dataset.transform)[:6],
            bounds=tuple(dataset.bounds),
            bands=bands,
        )


def write_lake(folder: Path) -> Path:
    """Write green, red, near and short-wave infrared of three dates, and return the folder."""
    folder.mkdir()
    rng = np.random.default_rng(5)
    for date in ("2021-05-01", "2021-06-01", "2021-07-01"):
        array = rng.integers(500, 4000, (4, 48, 48)).astype("uint16")
        write_raster(
            folder / f"Lake_{date}.tif",
            array,
            descriptions=("green", "red", "nir", "swir1"),
            scale=0.0001,
            offset=0.0,
        )
    return folder
