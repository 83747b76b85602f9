"""A raster file opened once: its header and a small sample of its pixels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rasterio._err import CPLE_BaseError
from rasterio.crs import CRS
from rasterio.enums import ColorInterp, Interleaving
from rasterio.errors import CRSError, RasterioError, RasterioIOError
from rasterio.io import DatasetReader
from rasterio.windows import Window

from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.recognition.tags import COUNTED_TIME, unit_in
from treeline.toolkit.recognition.telling_names import name_in_grib, telling_name

# Pixels a side of a sample, by the number of bands up to which it is taken: all bands together are bounded.
SIDES = {16: 256, 512: 64}
LEAST_SIDE = 16
# Bytes of blocks that are decoded for one window, unless a single block has more.
DECODED = 64 * 2**20
NUMBERED = re.compile(r"Layer_\d+")
_WAVELENGTH = re.compile(r"\s*\(\d+(?:\.\d+)? [A-Z][a-z]+\)$")
# A reading looks at every band of the file once, so bands are not read one by one.
TOGETHER = 64


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself and of its bands, read once; the tuples go by band.

    Attributes
    ----------
    nodata : tuple of float, optional
        Declared no data; ``None`` where none is.
    tags : mapping
        Of the file; ``band_tags`` those of each band.
    pixel : float
        The shorter side of a pixel, in the unit of the coordinates.
    """

    driver: str
    dtypes: tuple[str, ...]
    nodata: tuple[float | None, ...]
    scales: tuple[float, ...]
    offsets: tuple[float, ...]
    units: tuple[str | None, ...]
    colours: tuple[ColorInterp, ...]
    descriptions: tuple[str | None, ...]
    tags: Mapping[str, str]
    band_tags: tuple[Mapping[str, str], ...]
    crs: CRS | None = None
    pixel: float = 0.0

    @classmethod
    def of(cls, dataset: DatasetReader) -> Header:
        """Read the header of an opened file.

        Raises
        ------
        RasterUnreadable
            A part of it is damaged.
        """
        try:
            tags = {**dataset.tags(ns="ENVI"), **dataset.tags()}
            band_tags = tuple(dataset.tags(index) for index in dataset.indexes)
            # What a file says of all it holds is said of its only band.
            common = tags if dataset.count == 1 else {}
            return cls(
                driver=dataset.driver,
                dtypes=dataset.dtypes,
                nodata=dataset.nodatavals,
                scales=dataset.scales,
                offsets=dataset.offsets,
                units=tuple(
                    unit or unit_in(own, common) for unit, own in zip(dataset.units, band_tags, strict=True)
                ),
                colours=dataset.colorinterp,
                descriptions=tuple(
                    name_in_grib(own) or _description(text) or _name_in_netcdf(own, dataset.count)
                    for text, own in zip(dataset.descriptions, band_tags, strict=True)
                ),
                tags=tags,
                band_tags=band_tags,
                crs=dataset.crs,
                pixel=min(map(abs, dataset.res)),
            )
        except (RasterioError, CPLE_BaseError, ValueError, KeyError) as error:
            raise RasterUnreadable(
                f"The header of {Path(dataset.name).name} is damaged ({type(error).__name__}).",
                "Copy or download the file again.",
            ) from error

    @property
    def in_feet(self) -> bool:
        """Whether the coordinates are in feet of some kind."""
        try:
            projected = self.crs is not None and self.crs.is_projected
            return projected and "foot" in self.crs.linear_units.casefold()  # type: ignore[union-attr]
        except CRSError:
            return False

    @property
    def metres_a_pixel(self) -> float:
        """How long the shorter side of a pixel is in a metric projection; 0 where there is none."""
        try:
            projected = self.crs is not None and self.crs.is_projected
            metric = projected and self.crs.linear_units.casefold() in ("metre", "meter")  # type: ignore[union-attr]
        except CRSError:
            return 0.0
        return self.pixel if metric else 0.0

    @property
    def count(self) -> int:
        """How many bands there are."""
        return len(self.dtypes)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a sample of the valid stored values of a band looks like."""

    minimum: float
    maximum: float
    low: float
    median: float
    magnitude99: float
    distinct: int
    count: int
    whole: bool


class Sample:
    """A small sample of a raster's stored values, each band read once.

    Small rasters are read thinned; of others windows inside and in the corners are read, since thinning would
    decode every tile. Overviews are looked at only where all windows hold one value: they may be averages, in
    which a fill that nothing declares is mixed with values. Bands are read together, all of them where they
    stand pixel by pixel.
    """

    def __init__(self, dataset: DatasetReader) -> None:
        self._dataset = dataset
        self._side = next((side for most, side in SIDES.items() if dataset.count <= most), LEAST_SIDE)
        self._bands: dict[int, tuple[np.ndarray, ...]] = {}

    def band(self, index: int) -> np.ndarray:
        """Return the sample of a band, flat.

        Raises
        ------
        RasterUnreadable
            The pixels cannot be decoded.
        """
        return np.concatenate([part.ravel() for part in self.windows(index)])

    def windows(self, index: int) -> tuple[np.ndarray, ...]:
        """Return the parts of a band that the sample is of, two-dimensional.

        Raises
        ------
        RasterUnreadable
            The pixels cannot be decoded.
        """
        if index not in self._bands:
            together = self._dataset.interleaving == Interleaving.pixel
            first = (index - 1) // TOGETHER * TOGETHER
            indexes = self._dataset.indexes if together else self._dataset.indexes[first : first + TOGETHER]
            parts = self._read(list(indexes))
            for place, each in enumerate(indexes):
                self._bands[each] = tuple(part[place] for part in parts)
        return self._bands[index]

    @property
    def is_thinned(self) -> bool:
        """Whether pixels were left out between those of a part."""
        return (
            max(self._dataset.shape) > self._side
            and self._dataset.width * self._dataset.height <= 4 * self._side**2
        )

    def _read(self, indexes: list[int]) -> list[np.ndarray]:
        dataset, side = self._dataset, self._side
        try:
            # So small a raster is read evenly as a whole; of a larger one windows at full resolution keep
            # neighbours beside each other.
            if dataset.width * dataset.height <= 4 * side * side:
                return [self._thin(indexes)]
            parts = [dataset.read(indexes, window=window) for window in self._windows()]
            # All windows may lie on fill or on the sea; with overviews the whole raster is looked at for
            # little.
            alike = dataset.overviews(indexes[0]) and _hold_one_value(parts)
            return [self._thin(indexes)] if alike else parts
        except (RasterioIOError, RasterioError) as error:
            raise RasterUnreadable(
                f"The pixels of {Path(dataset.name).name} cannot be read; the file is truncated or damaged.",
                "Copy or download it again.",
            ) from error

    def _thin(self, indexes: list[int]) -> np.ndarray:
        rows, columns = min(self._dataset.height, self._side), min(self._dataset.width, self._side)
        return self._dataset.read(indexes, out_shape=(len(indexes), rows, columns))

    @property
    def _affordable(self) -> int:
        """How many rows of a window are read: fewer where a row of blocks is very wide."""
        rows, columns = self._dataset.block_shapes[0]
        bands = self._dataset.count if self._dataset.interleaving == Interleaving.pixel else 1
        size = rows * columns * bands * np.dtype(self._dataset.dtypes[0]).itemsize
        return min(self._side // 2, max(1, DECODED // size) * rows)

    def _windows(self) -> list[Window]:
        width, height = min(self._side // 2, self._dataset.width), min(self._affordable, self._dataset.height)
        right, bottom = self._dataset.width - width, self._dataset.height - height
        inside = [(0.25, 0.25), (0.25, 0.75), (0.5, 0.5), (0.75, 0.25), (0.75, 0.75)]
        # Where fills are: scenes lie turned in their rectangle.
        corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
        rows, columns = self._dataset.block_shapes[0]
        return [
            *(
                Window(
                    _within(int(x * right), width, columns),
                    _within(int(y * bottom), height, rows),
                    width,
                    height,
                )
                for x, y in inside
            ),
            *(Window(int(x * right), int(y * bottom), width, height) for x, y in corners),
        ]


def _within(start: int, length: int, block: int) -> int:
    """Return where a part begins that lies in one block, as more of them would be decoded otherwise."""
    beyond = start % block + length - block
    return start - beyond if beyond > 0 and length <= block else start


def _description(text: str | None) -> str | None:
    """Return a band's description as somebody wrote it."""
    # ERDAS IMAGINE numbers the bands that nobody named.
    if text is None or NUMBERED.fullmatch(text):
        return None
    # Of an ENVI header GDAL joins the band's name and its wavelength.
    return _WAVELENGTH.sub("", text) or text


def _name_in_netcdf(band: Mapping[str, str], count: int) -> str | None:
    """Return what the variable is called that GDAL took a band of, where the bands differ in time alone.

    Of levels or wavelengths that are bands, the name tells none apart.
    """
    name = band.get("NETCDF_VARNAME")
    axes = {key for key in band if key.startswith("NETCDF_DIM_")} - {COUNTED_TIME}
    timed = count == 1 or COUNTED_TIME in band
    return telling_name(name, band) if name and timed and not axes else None


def _hold_one_value(parts: Sequence[np.ndarray]) -> bool:
    if parts[0].dtype.kind == "f" and all(np.isnan(part).all() for part in parts):
        return True
    return bool(min(part.min() for part in parts) == max(part.max() for part in parts))


def statistics(
    values: np.ndarray, fill: Sequence[float], valid: tuple[float, float] | None
) -> Statistics | None:
    """Return the statistics of the values that are no fill; ``None`` when every value is."""
    kept = values[np.isfinite(values)]
    for number in fill:
        # To the digits of a float32, in which a fill such as -3.4e38 is stored and rounded.
        kept = kept[~np.isclose(kept, number, rtol=1e-6, atol=0.0)]
    if valid is not None and kept.size:
        inside = kept[(kept >= valid[0]) & (kept <= valid[1])]
        # A valid range in which hardly any value lies is that of another encoding.
        kept = inside if inside.size > kept.size // 2 else kept
    if not kept.size:
        return None
    ordered = np.sort(kept).astype(np.float64)
    sizes = ordered if ordered[0] >= 0 else np.sort(np.abs(ordered))
    return Statistics(
        minimum=float(ordered[0]),
        maximum=float(ordered[-1]),
        low=_percentile(ordered, 1),
        median=_percentile(ordered, 50),
        magnitude99=_percentile(sizes, 99),
        distinct=1 + int(np.count_nonzero(np.diff(ordered))),
        count=int(ordered.size),
        whole=bool((ordered == np.rint(ordered)).all()),
    )


def _percentile(ordered: np.ndarray, percent: float) -> float:
    """Return what NumPy's ``percentile`` does of values that are in order already, which it need not sort."""
    place = percent / 100 * (ordered.size - 1)
    first = int(place)
    below, above = ordered[first], ordered[min(first + 1, ordered.size - 1)]
    share = place - first
    # From the nearer one, as NumPy does, to the last digit.
    return float(below + (above - below) * share if share < 0.5 else above - (above - below) * (1 - share))
