"""A function of a whole stack whose result is a raster for each date, written in one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from treeline.toolkit.context import Product, current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster.area_mask import outside
from treeline.toolkit.raster.blocks import plan, stream
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.raster.source import Source
from treeline.toolkit.raster.storing import Block, stored_block
from treeline.toolkit.raster.writing import Writer, content_of

FLOAT32 = np.dtype("float32")


def map_dates(
    function: Callable[[NDArray[np.floating]], NDArray[Any]],
    stack: Sequence[Source],
    outputs: Sequence[str],
    *,
    role: str,
    unit: str,
    origins: Sequence[Source] | None = None,
) -> list[Product]:
    """Write a raster for each output from a stack, which is read once.

    Parameters
    ----------
    function : callable
        From the stack (n, rows, columns), NaN where masked, to an array (outputs, rows, columns).
    stack : sequence of Source
        The first decides the grid.
    outputs : sequence of str
        GeoTIFFs of floats to write.
    origins : sequence of Source, optional
        Whose date each output has; by default the stack's, one by one.

    Raises
    ------
    InputError
        There are not as many outputs as dates. Nothing is left on the disk after any error.
    """
    dated = list(stack if origins is None else origins)
    if len(outputs) != len(dated):
        raise InputError(
            f"The argument 'output_paths' has {len(outputs)} names for {len(dated)} rasters.",
            "Give one name for each raster.",
        )
    area = current_context().area
    with Reader({"stack": list(stack)}) as reader, ExitStack() as opened:
        _require_others(outputs, stack)
        contents = [content_of(role, unit, FLOAT32.name, [one], None) for one in dated]
        writers = [
            opened.enter_context(Writer(name, reader.grid, each))
            for name, each in zip(outputs, contents, strict=True)
        ]
        blocks = plan(reader)

        def work(window: Window) -> list[tuple[Window, list[Block]]]:
            done = []
            for piece in blocks.pieces(window):
                # Division by zero and the like give NaN or infinity, which become nodata.
                with np.errstate(all="ignore"):
                    found = np.asarray(function(reader.read(piece)["stack"]))
                cut = outside(area, reader.grid.part(piece))
                done.append((piece, [stored_block(layer, FLOAT32, cut) for layer in found]))
            return done

        for _, done in stream(work, blocks, "dates"):
            for piece, layers in done:
                for writer, layer in zip(writers, layers, strict=True):
                    writer.write(layer, piece)
        products = [writer.finish() for writer in writers]
    empty = [product.path.name for product in products if not product.valid_share]
    if empty:
        current_context().warn(f"No pixel of {', '.join(empty[:5])} is valid.")
    return products


def _require_others(outputs: Sequence[str], stack: Sequence[Source]) -> None:
    """Refuse an output that is one of the inputs: each is read for every output."""
    folder = current_context().output_folder
    read = {origin.path.resolve() for origin in stack}
    same = next((name for name in outputs if (folder / name).resolve() in read), None)
    if same is not None:
        raise InputError(f"The output {same!r} is one of the inputs.", "Give it another name.")
