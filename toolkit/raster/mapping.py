"""From arrays to arrays: a tool's function applied to every block and written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rasterio.enums import Resampling
from rasterio.windows import Window

from treeline.toolkit.context import Product, current_context
from treeline.toolkit.raster.area_mask import outside
from treeline.toolkit.raster.blocks import Plan, plan, stream, windows_of
from treeline.toolkit.raster.emptiness import CONDITION, reason_of_emptiness
from treeline.toolkit.raster.grid import Grid
from treeline.toolkit.raster.reading import Arrays, Input, LoadedWindow, Reader
from treeline.toolkit.raster.source import Source, source
from treeline.toolkit.raster.storing import Block, Gathering, Packing, packed_block, stored_block
from treeline.toolkit.raster.writing import Writer, content_of

Function = Callable[..., NDArray[Any]]
# Neighbouring slices read the rows between them twice: with so many the double reading is an eighth.
HALOS_PER_SLICE = 16


def map_pixels(
    function: Function,
    inputs: Mapping[str, Input | Sequence[Input]],
    output: str | Path,
    *,
    role: str | Sequence[str],
    unit: str = "",
    dtype: str = "float32",
    halo: int = 0,
    raw: bool = False,
    extra_tags: Mapping[str, Any] | None = None,
    overviews: bool = False,
    grid: Grid | None = None,
    resampling: Resampling | None = None,
    placed: bool = False,
    alone: bool = False,
    dated_by: Sequence[Source] | None = None,
) -> Product:
    """Apply a function to rasters block by block and write what it returns.

    Parameters
    ----------
    function : callable
        ``function(**arrays)`` of arrays of one shape, physical values, NaN where masked; returns
        an array of that shape, or (bands, rows, columns). Booleans are written as 1 and 0, and
        nodata where an input is masked.
    inputs : mapping
        Argument name to a source or its address; a sequence becomes a stack (n, rows, columns).
        The first decides the grid; others are resampled onto it.
    output : str or Path
        GeoTIFF below the context's output folder.
    role : str or sequence of str
        What the bands are; one for all, or one per band.
    unit : str, optional
        Default: that of the role.
    dtype : str
        Stored type. NaN becomes the type's nodata value; integers are rounded and clipped.
    halo : int
        Pixels of surroundings that the function needs on each side; cut off from its result.
    raw : bool
        Stored values instead of physical ones.
    overviews : bool
        Build overviews of rasters of more than 1024 pixels at once. Without, the map has them built
        when the raster is first shown (:func:`treeline.toolkit.raster.write_display`): they take as
        long as the raster itself, and most rasters are steps on the way to another.
    grid : Grid, optional
        Write on this grid instead of that of the first input; nothing is warned of then.
    resampling : Resampling, optional
        How inputs are brought onto another grid.
    placed : bool
        The function also takes ``grid``, where its arrays lie.
    alone : bool
        The surroundings of a pixel end at the area of interest, as for a statistic of the area alone;
        otherwise a halo reaches beyond it, and the pixels beside its edge are as without it.
    dated_by : sequence of Source, optional
        The inputs whose common date is that of the output; all by default. One that lends its grid only, or
        a condition, dates nothing.

    Returns
    -------
    Product
        Also appended to the context's products.

    Raises
    ------
    RasterError, InputError, Stopped
        Nothing is left on the disk then.
    """
    # What looks at neighbours, such as a slope, sees those beyond the edge of the area of interest; the
    # result is cut afterwards.
    beyond = halo > 0 and not alone
    with Reader(inputs, raw=raw, grid=grid, resampling=resampling, beyond=beyond) as reader:
        area = current_context().area
        content = content_of(role, unit, dtype, reader.sources, extra_tags, dated_by)
        blocks = plan(reader, halo)

        def work(window: Window) -> Block:
            gathering = Gathering(window, np.dtype(dtype))
            for part, values in _compute(function, reader, blocks, window, halo, placed):
                gathering.add(part, values, outside(area, reader.grid.part(part)))
            return gathering.block()

        with Writer(output, reader.grid, content) as writer:
            for window, block in stream(work, blocks, writer.target.name):
                writer.write(block, window)
            product = writer.finish(overviews=overviews)
        if not product.valid_share:
            condition = str((extra_tags or {}).get(CONDITION, ""))
            current_context().warn(reason_of_emptiness(product, reader, condition))
        return product


def map_many(
    function: Function,
    inputs: Mapping[str, Sequence[Input]],
    output: str | Path,
    *,
    role: str | Sequence[str],
    **options: Any,
) -> Product:
    """Apply a function to stacks of rasters, see :func:`map_pixels`.

    Parameters
    ----------
    function : callable
        ``function(**arrays)`` of arrays (n, rows, columns), one per input name.
    """
    stacks = {
        name: [several] if isinstance(several, str | Source) else several for name, several in inputs.items()
    }
    return map_pixels(function, stacks, output, role=role, **options)


def write_array(
    array: NDArray[Any],
    grid: Grid,
    output: str | Path,
    *,
    role: str | Sequence[str],
    unit: str = "",
    dtype: str | None = None,
    inputs: Sequence[Input] = (),
    extra_tags: Mapping[str, Any] | None = None,
    packing: Packing | None = None,
) -> Product:
    """Write a whole array of shape (rows, columns) or (bands, rows, columns).

    Parameters
    ----------
    dtype : str, optional
        Stored type; default float32 for floats, else that of the array. NaN becomes its nodata.
    inputs : sequence of Source or str
        What the array was made from, for the record.
    packing : Packing, optional
        Store the array's physical values as integers of ``dtype`` by a scale and an offset.

    Raises
    ------
    ValueError
        The array does not have the grid's shape.
    """
    if array.shape[-2:] != grid.shape:
        raise ValueError(f"The array has the shape {array.shape}, the grid {grid.shape}.")
    origins = [source(one) for one in inputs]
    stored = dtype or _stored_type(array)
    kind = np.dtype(stored)
    content = replace(content_of(role, unit, stored, origins, extra_tags), packing=packing)
    cut = outside(current_context().area, grid)
    block = stored_block(array, kind, cut) if packing is None else packed_block(array, kind, packing, cut)
    with Writer(output, grid, content) as writer:
        writer.write(block, Window(0, 0, grid.width, grid.height))
        product = writer.finish()
    if not product.valid_share:
        current_context().warn(f"No pixel of {product.path.name} is valid.")
    return product


def _compute(
    function: Function, reader: Reader, blocks: Plan, window: Window, halo: int, placed: bool
) -> Iterator[tuple[Window, NDArray[Any]]]:
    """Yield the function of a few rows of a window after the other, and where they lie."""
    for piece in blocks.pieces(window):
        loaded = reader.load(_with_halo(piece, halo, reader.grid))
        # Where the place matters, each call may draw whole vector layers: few calls then.
        rows = piece.height if placed else max(loaded.cached_rows, HALOS_PER_SLICE * halo)
        for part in windows_of(piece, rows, piece.width):
            yield part, _of_part(function, loaded, part, halo, reader.grid, placed)


def _of_part(
    function: Function, loaded: LoadedWindow, part: Window, halo: int, grid: Grid, placed: bool
) -> NDArray[Any]:
    outer = _with_halo(part, halo, grid)
    arrays = loaded.rows(outer.row_off - loaded.window.row_off, outer.height)
    place = {"grid": grid.part(outer)} if placed else {}
    with np.errstate(all="ignore"):
        result = np.asarray(function(**arrays, **place))
    if result.shape[-2:] != (outer.height, outer.width):
        expected = (outer.height, outer.width)
        raise ValueError(f"The function returned the shape {result.shape} for a block of {expected}.")
    if result.dtype == bool:
        # A comparison with NaN is false, so that a mask would say no where nothing is known.
        result = np.where(_mask_of_any(arrays), np.nan, result.astype("float32"))
    return _without_halo(result, part, outer)


def _mask_of_any(arrays: Arrays) -> NDArray[np.bool_]:
    masked = (np.isnan(values) for values in arrays.values())
    return np.logical_or.reduce([m.any(axis=0) if m.ndim == 3 else m for m in masked])


def _with_halo(window: Window, halo: int, grid: Grid) -> Window:
    if not halo:
        return window
    left, top = max(0, window.col_off - halo), max(0, window.row_off - halo)
    right = min(grid.width, window.col_off + window.width + halo)
    bottom = min(grid.height, window.row_off + window.height + halo)
    return Window(left, top, right - left, bottom - top)


def _without_halo(values: NDArray[Any], window: Window, outer: Window) -> NDArray[Any]:
    row, column = window.row_off - outer.row_off, window.col_off - outer.col_off
    return values[..., row : row + window.height, column : column + window.width]


def _stored_type(array: NDArray[Any]) -> str:
    if array.dtype.kind == "f":
        return "float32"
    return "uint8" if array.dtype == bool else str(array.dtype)
