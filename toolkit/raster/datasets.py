"""Open datasets, lent to one thread at a time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rasterio.enums import ColorInterp, MaskFlags
from rasterio.errors import RasterioError
from rasterio.io import DatasetReader
from rasterio.windows import Window

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.raster.area_mask import outside
from treeline.toolkit.raster.grid import Grid
from treeline.toolkit.raster.settings import OPEN_FILES
from treeline.toolkit.raster.source import Source
from treeline.toolkit.recognition.model import Band

ReadPart = Callable[..., NDArray[Any]]
# Bytes of blocks, with all their bands, that stay well within GDAL's cache.
DECODED_AT_ONCE = 4 * 2**20


class OpenDataset:
    """One open dataset and what is asked of it for every block."""

    def __init__(self, path: Path, area: AreaOfInterest | None = None) -> None:
        self.path = path
        self.area = area
        self.dataset: DatasetReader = open_raster_file(path)
        self.nodata = self.dataset.nodatavals

    @cached_property
    def block_shape(self) -> tuple[int, int]:
        """Rows and columns of the stored blocks of the first band."""
        return self.dataset.block_shapes[0]

    def read(self, indexes: list[int], window: Window, shape: tuple[int, int] | None = None) -> NDArray[Any]:
        """Return stored values of bands, of shape (bands, rows, columns).

        Parameters
        ----------
        shape : tuple of int, optional
            Rows and columns to thin the window to, from an overview where there is one.

        Raises
        ------
        RasterUnreadable
            A block cannot be decoded.
        """
        return self._check(self.dataset.read, indexes, window, shape)

    def sees(self, source: Source, window: Window, shape: tuple[int, int] | None = None) -> bool:
        """Return whether a window has a pixel of the area of interest; others need not be decoded."""
        beyond = outside(self.area, _grid_of(source, window, shape))
        return beyond is None or not beyond.all()

    def blank(self, indexes: list[int], shape: tuple[int, int]) -> NDArray[Any]:
        """Return what stands for the stored values of bands where no pixel is looked at."""
        kinds = [self.dataset.dtypes[index - 1] for index in indexes]
        return np.zeros((len(indexes), *map(int, shape)), dtype=np.result_type(*kinds))

    def mask(
        self, source: Source, window: Window, shape: tuple[int, int] | None = None
    ) -> NDArray[np.uint8] | None:
        """Return the mask band of a band, 0 outside of the area of interest too.

        ``None`` where the file has none and the window lies inside.
        """
        beyond = outside(self.area, _grid_of(source, window, shape))
        if beyond is not None and beyond.all():
            return np.where(beyond, np.uint8(0), np.uint8(255))
        own = self._own_mask(source, window, shape)
        if beyond is None:
            return own
        return np.where(beyond, np.uint8(0), np.uint8(255) if own is None else own)

    def _own_mask(
        self, source: Source, window: Window, shape: tuple[int, int] | None
    ) -> NDArray[np.uint8] | None:
        index = source.band.index
        alpha = alpha_band(self.dataset, source.description.bands)
        if alpha is not None and alpha != index:
            opaque = self._check(self.dataset.read, [alpha], window, shape)[0] > 0
            return opaque.astype(np.uint8) * np.uint8(255)
        if has_mask_of_its_own(self.dataset, index):
            return self._check(self.dataset.read_masks, [index], window, shape)[0]
        return None

    def _check(
        self,
        read: ReadPart,
        indexes: list[int],
        window: Window,
        shape: tuple[int, int] | None,
    ) -> NDArray[Any]:
        try:
            if shape is None or shape == (window.height, window.width):
                return read(indexes, window=window)
            if self.dataset.overviews(indexes[0]):
                return read(indexes, window=window, out_shape=(len(indexes), *shape))
            return self._pick(read, indexes, window, shape)
        except RasterioError as error:
            raise RasterUnreadable(
                f"{self.path.name} cannot be read at row {int(window.row_off)}, "
                f"column {int(window.col_off)}: a block is damaged or missing.",
                "Copy or download the file again.",
            ) from error

    def _pick(
        self, read: ReadPart, indexes: list[int], window: Window, shape: tuple[int, int]
    ) -> NDArray[Any]:
        """Return single pixels of a window, evenly apart; blocks without one of them are not decoded.

        GDAL thins line by line, and decodes a block again for each where a row of blocks exceeds its cache.
        """
        rows, columns = (_centres(length, count) for length, count in zip(_size(window), shape, strict=True))
        height, width = self.block_shape
        decoded = height * width * self.dataset.count * np.dtype(self.dataset.dtypes[0]).itemsize
        # As many blocks of a row together as stay in GDAL's cache: reading them one at a time would cost more
        # calls than decoding.
        several = max(1, DECODED_AT_ONCE // decoded)
        parts = []
        for down in _runs(rows, window.row_off, height):
            line = []
            for over in _runs(columns, window.col_off, width * several):
                part = Window(
                    window.col_off + columns[over][0],
                    window.row_off + rows[down][0],
                    columns[over][-1] - columns[over][0] + 1,
                    rows[down][-1] - rows[down][0] + 1,
                )
                found = read(indexes, window=part)
                line.append(found[:, rows[down] - rows[down][0]][:, :, columns[over] - columns[over][0]])
            parts.append(np.concatenate(line, axis=2))
        return np.concatenate(parts, axis=1)


def alpha_band(dataset: DatasetReader, bands: Sequence[Band]) -> int | None:
    """Return the number of the band that says which pixels of the others are there, if one does.

    Four-band imagery is often written with its near infrared marked as alpha, so that the mark is not enough;
    and GDAL uses an alpha band only in files of two or four bands, so that its flags are not either.
    """
    masks = (band.index for band in bands if band.role in ("alpha", "mask"))
    return next((index for index in masks if dataset.colorinterp[index - 1] == ColorInterp.alpha), None)


def has_mask_of_its_own(dataset: DatasetReader, index: int) -> bool:
    """Return whether a file has a mask beside its bands."""
    flags = dataset.mask_flag_enums[index - 1]
    # GDAL reports an alpha band as a mask of the file too; whether it is one is decided by
    # :func:`alpha_band`.
    return MaskFlags.per_dataset in flags and MaskFlags.alpha not in flags


def _grid_of(source: Source, window: Window, shape: tuple[int, int] | None) -> Grid:
    """Return where the pixels of a window lie; of one that is thinned, the middles of what they stand for."""
    part = source.grid.part(window)
    if shape is None or shape == part.shape:
        return part
    a, b, c, d, e, f = part.transform
    across, down = part.width / shape[1], part.height / shape[0]
    return Grid(part.crs, (a * across, b * down, c, d * across, e * down, f), shape[1], shape[0])


def _size(window: Window) -> tuple[int, int]:
    return int(window.height), int(window.width)


def _centres(length: int, count: int) -> NDArray[np.int_]:
    """Return the middles of as many equal parts of a length."""
    return (np.arange(count) * 2 + 1) * length // (2 * count)


def _runs(places: NDArray[np.int_], start: int, block: int) -> Iterator[slice]:
    """Yield the places that fall into one block after the other."""
    breaks = np.flatnonzero(np.diff((places + start) // block)) + 1
    edges = [0, *breaks.tolist(), len(places)]
    yield from (slice(first, last) for first, last in pairwise(edges))


class Datasets:
    """Lends open datasets, each to one borrower at a time, and closes them all at the end.

    A dataset that comes back is lent again, so that a call opens a file once, or once per thread. This is
    the one way to the pixels of a file, so that none outside of the area of interest is taken for data.

    Parameters
    ----------
    beyond : bool
        Outside of the area too; whoever asks for it cuts what is made of it.
    """

    def __init__(self, *, beyond: bool = False) -> None:
        self._area = None if beyond else current_context().area
        self._free: dict[Path, list[OpenDataset]] = {}
        self._count = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Datasets:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            kept, self._free = self._free, {}
        for opened in (o for several in kept.values() for o in several):
            opened.dataset.close()

    @contextmanager
    def lend(self, path: Path) -> Iterator[OpenDataset]:
        """Lend a dataset of a file for the duration of a ``with`` block."""
        with self._lock:
            free = self._free.get(path)
            opened = free.pop() if free else None
            self._count += opened is None
        opened = opened or OpenDataset(path, self._area)
        try:
            yield opened
        finally:
            self._take_back(opened)

    def _take_back(self, opened: OpenDataset) -> None:
        with self._lock:
            # Where too many are open, the one that comes back is closed at once.
            if self._count <= OPEN_FILES:
                self._free.setdefault(opened.path, []).append(opened)
                return
            self._count -= 1
        opened.dataset.close()


class KeptDatasets:
    """Lends open datasets of files that never change, and keeps open those that came back last.

    To open a file and to decode its blocks takes a third of the time of a tile, and the tiles beside it want
    the same. A file that is removed meanwhile keeps its room on the disk for as long.

    Parameters
    ----------
    most : int
        How many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._free: deque[OpenDataset] = deque()
        self._lock = threading.Lock()

    @contextmanager
    def lend(self, path: Path) -> Iterator[OpenDataset]:
        """Lend a dataset of a file for the duration of a ``with`` block; one that fails is not kept."""
        opened = self._take(path) or OpenDataset(path)
        try:
            yield opened
        except BaseException:
            opened.dataset.close()
            raise
        self._take_back(opened)

    def _take(self, path: Path) -> OpenDataset | None:
        with self._lock:
            found = next((opened for opened in reversed(self._free) if opened.path == path), None)
            if found is not None:
                self._free.remove(found)
            return found

    def _take_back(self, opened: OpenDataset) -> None:
        with self._lock:
            self._free.append(opened)
            oldest = self._free.popleft() if len(self._free) > self._most else None
        if oldest is not None:
            oldest.dataset.close()
