"""Reading named inputs on one grid, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rasterio.enums import Resampling
from rasterio.windows import Window

from treeline.toolkit.context import ToolContext, current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster.alignment import needs_warp, resampling_for, warp
from treeline.toolkit.raster.area_mask import outside
from treeline.toolkit.raster.datasets import Datasets, OpenDataset
from treeline.toolkit.raster.grid import Grid
from treeline.toolkit.raster.masking import Decoding, working_type
from treeline.toolkit.raster.settings import CACHED_PIXELS
from treeline.toolkit.raster.source import Source, require_calibrated, source
from treeline.toolkit.raster.tally import Tally, say
from treeline.toolkit.variables import variable

Input = Source | str
Arrays = dict[str, NDArray[np.floating]]
ALL_ROWS = slice(None)
AS_THEY_ARE = Decoding((), None, 1.0, 0.0)


@dataclass(frozen=True, eq=False)
class Layer:
    """One source as it is read: directly, or warped. Equal only to itself, so that it hashes fast."""

    source: Source
    raw: bool
    resampling: Resampling | None
    tally: Tally = field(default_factory=Tally)


@dataclass(frozen=True)
class StoredWindow:
    """A window of one band as it is in the file.

    Attributes
    ----------
    values : ndarray (rows, columns)
    mask : ndarray of uint8, optional
        The mask band.
    decoding : Decoding
    """

    values: NDArray[Any]
    mask: NDArray[np.uint8] | None
    decoding: Decoding

    def invalid(self, rows: slice = ALL_ROWS) -> NDArray[np.bool_] | None:
        """Return where there is no data, or ``None`` where all is data."""
        return self.decoding.invalid(self.values[rows], None if self.mask is None else self.mask[rows])

    def physical(self, rows: slice = ALL_ROWS) -> NDArray[np.floating]:
        """Return the physical values of some rows, NaN where there is no data."""
        return self.decoding.physical(self.values[rows], self.invalid(rows))


@dataclass(frozen=True)
class LoadedWindow:
    """A window of named inputs, whose values become physical when they are asked for.

    A few rows at a time stay in the processor's cache from there through all that is computed of them.
    """

    window: Window
    layers: Mapping[str, Sequence[StoredWindow]]
    stacked: frozenset[str]

    def rows(self, top: int, height: int) -> Arrays:
        """Return the arrays of some rows: (rows, columns), or (n, rows, columns) of a stack."""
        wanted = slice(top, top + height)
        arrays = {}
        for name, layers in self.layers.items():
            found = [layer.physical(wanted) for layer in layers]
            arrays[name] = np.stack(found) if name in self.stacked else found[0]
        return arrays

    def whole(self) -> Arrays:
        """Return the arrays of the window."""
        return self.rows(0, self.window.height)

    @property
    def cached_rows(self) -> int:
        """How many rows stay in the processor's cache; fewer of stacks, whose layers are used at once."""
        deepest = max(len(layers) for layers in self.layers.values())
        return max(1, CACHED_PIXELS // (self.window.width * deepest))

    def slices(self) -> Iterator[Arrays]:
        """Yield the arrays of a few rows after the other."""
        height = self.cached_rows
        for top in range(0, self.window.height, height):
            yield self.rows(top, min(height, self.window.height - top))


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
    beyond : bool
        Read outside of the area of interest too, because pixels inside need their surroundings; what is
        made of them is to be cut.

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
        beyond: bool = False,
    ) -> None:
        named = {name: _as_sources(given) for name, given in inputs.items()}
        self.sources = [s for several in named.values() for s in several]
        if not self.sources:
            raise InputError("There is no raster to read.", "Give at least one raster.")
        self.grid: Grid = grid or self.sources[0].grid
        self._asked, self._resampling = grid is not None, resampling
        self.layers = {name: [self._layer(s, raw) for s in several] for name, several in named.items()}
        self._groups = self._by_path()
        self.stacked = frozenset(n for n, given in inputs.items() if not isinstance(given, Source | str))
        self.area = None if beyond else current_context().area
        self.datasets = Datasets(beyond=beyond)
        # A pixel between others is made of those beyond the edge too, and cut on its own grid.
        self._whole = Datasets(beyond=True)
        if beyond:
            _say_where_inputs_end(self.sources, current_context())

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: type[BaseException] | None = None, *_: object) -> None:
        self.datasets.__exit__()
        self._whole.__exit__()
        # What was met is told only of work that succeeded: after an error it would hide why.
        if kind is None:
            for layer in (layer for layers in self.layers.values() for layer in layers):
                say(layer.tally, layer.source.name, layer.source.band, current_context())

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files, each once, in order."""
        return tuple(dict.fromkeys(s.path for s in self.sources))

    def load(self, window: Window) -> LoadedWindow:
        """Return a window of all inputs, to be decoded as it is used."""
        ready = self._direct(window)
        layers = {
            name: [ready[layer] if layer in ready else self._warp(layer, window) for layer in several]
            for name, several in self.layers.items()
        }
        return LoadedWindow(window, layers, self.stacked)

    def read(self, window: Window) -> Arrays:
        """Return the arrays of a window: (rows, columns), or (n, rows, columns) of a stack.

        Parameters
        ----------
        window : Window
            In the grid of the reader, not of its inputs.

        Returns
        -------
        dict of str to ndarray
            By the names of the inputs: physical values, float32 or float64, NaN where there is no data.

        Raises
        ------
        RasterUnreadable
            A block of a file is damaged.
        """
        return self.load(window).whole()

    def _layer(self, origin: Source, raw: bool) -> Layer:
        context = current_context()
        if not raw and not origin.band.scale_known:
            require_calibrated(origin)
            _say_unknown_scale(origin, context)
        if not raw and origin.band.unit_open:
            context.doubt(
                f"{origin.band.unit_open.replace('{band}', origin.name)} Say the unit on the Data page."
            )
        elif not raw and origin.band.unit_assumed:
            context.warn(f"The unit of {origin.name} is not stated; {origin.band.unit} is assumed.")
        if origin.band.remark:
            context.warn(origin.band.remark.replace("{band}", origin.name))
        if not raw and origin.band.scale_assumed:
            context.warn(f"The scale of {origin.name} is not stated; {_scale_text(origin)}.")
        if not needs_warp(origin, self.grid):
            self._warn_by_index(origin)
            return Layer(origin, raw, None)
        # The nearest pixel is the method of number 0.
        asked = self._resampling
        resampling = resampling_for(origin, raw=raw) if asked is None else asked
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

    def _direct(self, window: Window) -> dict[Layer, StoredWindow]:
        ready: dict[Layer, StoredWindow] = {}
        for path, layers in self._groups.items():
            with self.datasets.lend(path) as opened:
                ready.update(zip(layers, read_stored(opened, layers, window), strict=True))
        return ready

    def _warp(self, layer: Layer, window: Window) -> StoredWindow:
        assert layer.resampling is not None

        def read_part(part: Window) -> NDArray[np.floating]:
            with self._whole.lend(layer.source.path) as opened:
                return read_stored(opened, [layer], part)[0].physical()

        # Decoded before it is resampled, so that fills and clouds are NaN and no value is mixed with them.
        result = warp(read_part, layer.source.grid, self.grid.part(window), layer.resampling)
        beyond = outside(self.area, self.grid.part(window))
        if beyond is not None:
            result = np.where(beyond, np.nan, result)
        kind = working_type(layer.source.description.dtype)
        return StoredWindow(result.astype(kind, copy=False), None, AS_THEY_ARE)


def read_stored(
    opened: OpenDataset, layers: Sequence[Layer], window: Window, shape: tuple[int, int] | None = None
) -> list[StoredWindow]:
    """Return what is stored of several bands of one file, read at once.

    Parameters
    ----------
    shape : tuple of int, optional
        Rows and columns to thin the window to.
    """
    indexes = [layer.source.band.index for layer in layers]
    values = opened.read(indexes, window, shape) if opened.sees(layers[0].source, window, shape) else None
    if values is None:
        values = opened.blank(indexes, shape or (window.height, window.width))
    return [
        StoredWindow(
            band_values,
            opened.mask(layer.source, window, shape),
            Decoding.of(
                layer.source.band,
                opened.nodata[layer.source.band.index - 1],
                raw=layer.raw,
                tally=layer.tally,
            ),
        )
        for layer, band_values in zip(layers, values, strict=True)
    ]


def _scale_text(origin: Source) -> str:
    """Return which scale was told by the values, and which offset: degrees Celsius become kelvins by one."""
    scale, offset = origin.band.scale, origin.band.offset
    read = f"{scale:g} with an offset of {offset:g}" if offset else f"{scale:g}"
    return f"{read} was read from its values"


def _say_unknown_scale(origin: Source, context: ToolContext) -> None:
    """Say that stored values are used; nobody should rely on them unless they are proportional.

    Bytes are mostly those of a picture, whose bands are stretched for a screen each by its own curve.
    """
    known = variable(origin.role)
    picture = origin.description.dtype == "uint8"
    ratios = origin.band.proportional and (known is None or known.kind == "reflectance")
    (context.warn if ratios and not picture else context.doubt)(
        f"The scale of {origin.name} is not stated; its stored values were used as they are"
        f"{', though pictures are stretched for a screen' if picture else ''}. Say scale and "
        "offset on the Data page or by `treeline correct`; the product's own name, its metadata file or a "
        "tag settle it too."
    )


def _say_where_inputs_end(sources: Sequence[Source], context: ToolContext) -> None:
    """Say of rasters that a run made inside its area that nothing is known of their surroundings."""
    for origin in sources:
        if ends_at_area(origin, context):
            context.warn(
                f"{origin.name} was made inside the area of interest alone; what lies beyond its edge does "
                "not count for the pixels beside it."
            )


def ends_at_area(origin: Source, context: ToolContext) -> bool:
    """Return whether a raster was made inside the area of interest, and has nothing beyond it."""
    return context.area is not None and origin.path.resolve().is_relative_to(context.output_folder.resolve())


def _as_sources(given: Input | Sequence[Input]) -> list[Source]:
    several = [given] if isinstance(given, Source | str) else list(given)
    return [source(one) for one in several]
