"""Reading named inputs on one grid, block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rasterio.enums import Resampling
from rasterio.windows import Window

from toolkit.context import current_context
from toolkit.errors import InputError
from toolkit.raster.alignment import needs_warp, resampling_for, warp
from toolkit.raster.datasets import Datasets, Opened
from toolkit.raster.grid import Grid
from toolkit.raster.masking import Decoding, working_type
from toolkit.raster.source import Source, source

Input = Source | str
Arrays = dict[str, NDArray[np.floating]]


@dataclass(frozen=True, eq=False)
class Layer:
    """One source as it is read: directly, or warped. Equal only to itself, so that it hashes fast."""

    source: Source
    raw: bool
    resampling: Resampling | None


class Reader:
    """Reads named inputs on the grid of the first.

    Parameters
    ----------
    inputs : mapping
        Name to a source, or to a sequence of sources that are read as one stack.
    raw : bool
        Stored values instead of physical ones; masked all the same.
    grid : Grid, optional
        Another grid than that of the first; inputs are brought onto it without a warning.
    resampling : Resampling, optional
        How; default: nearest for classes and stored values, bilinear for quantities.

    Raises
    ------
    GridMismatch
        An input shares no ground with the grid.
    InputError
        There is no input.
    """

    def __init__(
        self,
        inputs: Mapping[str, Input | Sequence[Input]],
        *,
        raw: bool = False,
        grid: Grid | None = None,
        resampling: Resampling | None = None,
    ) -> None:
        named = {name: _as_sources(given) for name, given in inputs.items()}
        self.sources = [s for several in named.values() for s in several]
        if not self.sources:
            raise InputError("There is no raster to read.", "Give at least one raster.")
        self.grid: Grid = grid or self.sources[0].grid
        self._asked, self._resampling = grid is not None, resampling
        self.layers = {name: [self._layer(s, raw) for s in several] for name, several in named.items()}
        self._groups = self._by_path()
        self.stacked = {name for name, given in inputs.items() if not isinstance(given, Source | str)}
        self.datasets = Datasets()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.datasets.__exit__()

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files, each once, in order."""
        return tuple(dict.fromkeys(s.path for s in self.sources))

    def read(self, window: Window) -> Arrays:
        """Return the arrays of a window: (rows, columns), or (n, rows, columns) of a stack."""
        ready = self._direct(window)
        arrays = {}
        for name, layers in self.layers.items():
            found = [ready[layer] if layer in ready else self._warped(layer, window) for layer in layers]
            arrays[name] = np.stack(found) if name in self.stacked else found[0]
        return arrays

    def stored(self, window: Window) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
        """Return the stored values of the only input, and where they are invalid."""
        only = self.sources[0]
        with self.datasets.lend(only.path) as opened:
            values = opened.read([only.band.index], window)[0]
            decoding = Decoding.of(only.band, opened.nodata[only.band.index - 1], raw=True)
            return values, decoding.invalid(values, opened.mask(only, window))

    def _layer(self, origin: Source, raw: bool) -> Layer:
        context = current_context()
        if not raw and not origin.band.scale_known:
            context.warn(
                f"The scale of {origin.name} is not stated; its stored values were used as they are."
            )
        if not needs_warp(origin, self.grid):
            self._warn_by_index(origin)
            return Layer(origin, raw, None)
        resampling = self._resampling or resampling_for(origin, raw=raw)
        if not self._asked:
            context.warn(
                f"{origin.name} stands on another grid ({origin.grid.describe()}) and was resampled "
                f"({resampling.name}) onto that of {self.sources[0].name} ({self.grid.describe()})."
            )
        return Layer(origin, raw, resampling)

    def _warn_by_index(self, origin: Source) -> None:
        first = self.sources[0]
        if self._asked or origin.grid.same_as(self.grid):
            return
        current_context().warn(
            f"{origin.name} and {first.name} have one size, but a georeference to compare them is missing; "
            "they were laid onto each other pixel by pixel."
        )

    def _by_path(self) -> dict[Path, list[Layer]]:
        by_path: dict[Path, list[Layer]] = {}
        for layer in (layer for layers in self.layers.values() for layer in layers):
            if layer.resampling is None:
                by_path.setdefault(layer.source.path, []).append(layer)
        return by_path

    def _direct(self, window: Window) -> dict[Layer, NDArray[np.floating]]:
        ready: dict[Layer, NDArray[np.floating]] = {}
        for path, layers in self._groups.items():
            with self.datasets.lend(path) as opened:
                ready.update(zip(layers, decode(opened, layers, window), strict=True))
        return ready

    def _warped(self, layer: Layer, window: Window) -> NDArray[np.floating]:
        assert layer.resampling is not None

        def read_part(part: Window) -> NDArray[np.floating]:
            with self.datasets.lend(layer.source.path) as opened:
                return decode(opened, [layer], part)[0]

        result = warp(read_part, layer.source.grid, self.grid.part(window), layer.resampling)
        return result.astype(working_type(layer.source.description.dtype), copy=False)


def decode(
    opened: Opened, layers: Sequence[Layer], window: Window, shape: tuple[int, int] | None = None
) -> list[NDArray[np.floating]]:
    """Return physical values of several bands of one file, read at once."""
    stored = opened.read([layer.source.band.index for layer in layers], window, shape)
    decoded = []
    for layer, values in zip(layers, stored, strict=True):
        band = layer.source.band
        decoding = Decoding.of(band, opened.nodata[band.index - 1], raw=layer.raw)
        decoded.append(
            decoding.physical(values, decoding.invalid(values, opened.mask(layer.source, window, shape)))
        )
    return decoded


def _as_sources(given: Input | Sequence[Input]) -> list[Source]:
    several = [given] if isinstance(given, Source | str) else list(given)
    return [source(one) for one in several]
