"""A raster file opened once: its header and a small sample of its pixels."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rasterio.errors import RasterioError, RasterioIOError
from rasterio.io import DatasetReader
from rasterio.windows import Window

from toolkit.errors import RasterUnreadable

SIDE = 256


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


@contextlib.contextmanager
def opened(path: Path) -> Iterator[DatasetReader]:
    """Open a raster with the restrictions that hold for files of strangers.

    Raises
    ------
    RasterUnreadable
        The file is no raster, is damaged, or needs a driver that is not allowed.
    """
    from toolkit.raster import open_checked

    with open_checked(path) as dataset:
        yield dataset


def take_sample(dataset: DatasetReader, band: int) -> np.ndarray:
    """Return a small sample of a band's stored values, flat.

    Small rasters and rasters with overviews are read thinned; of others five windows are read, since
    thinning would decode every tile.

    Raises
    ------
    RasterUnreadable
        The pixels cannot be decoded.
    """
    try:
        if dataset.width * dataset.height <= 4 * SIDE * SIDE or dataset.overviews(band):
            shape = (min(dataset.height, SIDE), min(dataset.width, SIDE))
            return dataset.read(band, out_shape=shape).ravel()
        return np.concatenate([dataset.read(band, window=window).ravel() for window in _windows(dataset)])
    except (RasterioIOError, RasterioError) as error:
        raise RasterUnreadable(
            f"The pixels of {Path(dataset.name).name} cannot be read; the file is truncated or damaged.",
            "Copy or download it again.",
        ) from error


def _windows(dataset: DatasetReader) -> list[Window]:
    width, height = min(SIDE, dataset.width), min(SIDE, dataset.height)
    right, bottom = dataset.width - width, dataset.height - height
    corners = [(0.25, 0.25), (0.25, 0.75), (0.5, 0.5), (0.75, 0.25), (0.75, 0.75)]
    return [Window(int(x * right), int(y * bottom), width, height) for x, y in corners]


def statistics(
    values: np.ndarray, fill: Sequence[float], valid: tuple[float, float] | None
) -> Statistics | None:
    """Return the statistics of the values that are no fill; ``None`` when every value is."""
    kept = values[np.isfinite(values)]
    for number in fill:
        kept = kept[~np.isclose(kept, number, rtol=1e-6, atol=0.0)]
    if valid is not None and kept.size:
        inside = kept[(kept >= valid[0]) & (kept <= valid[1])]
        kept = inside if inside.size > kept.size // 2 else kept
    if not kept.size:
        return None
    kept = kept.astype(np.float64)
    low, median = np.percentile(kept, (1, 50))
    return Statistics(
        minimum=float(kept.min()),
        maximum=float(kept.max()),
        low=float(low),
        median=float(median),
        magnitude99=float(np.percentile(np.abs(kept), 99)),
        distinct=int(np.unique(kept).size),
        count=int(kept.size),
    )
