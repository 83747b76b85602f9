"""Embeddings of the chips of a raster, by an image encoder of the user."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from treeline.toolkit.classification.features import features_of
from treeline.toolkit.classification.kit import CLASSIFICATION
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import BackendMissing, InputError
from treeline.toolkit.perception.backends.network import Network
from treeline.toolkit.perception.backends.onnx import how_to_get, weights_of
from treeline.toolkit.raster import Grid, Source, write_array
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool

EMBEDDING = Variable("embedding", "Embedding of an encoder", "1", (-1e6, 1e6), ("embedding",))
USUAL_CHIP = 64
MOST_DIMENSIONS = 4096
_TOOL = "embed_chips"


@tool(
    kit=CLASSIFICATION,
    source="Jean et al. 2019, AAAI 33:3967 (a tile of a raster as a vector); the encoder is the user's own.",
    gives=Gives("raster", "embedding", "1"),
    formula="encoder((values - band_mean) / band_std) of each chip",
)
def embed_chips(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("embedding", "1", declares=(EMBEDDING,))],
    chip: int | None = None,
) -> dict[str, Any]:
    """Embeddings of the chips of a raster by an ONNX encoder, one pixel a chip; needs weights.

    The weights are ``embed_chips.onnx`` in the folder of weights, with ``embed_chips.json`` beside them:
    ``input_size``, ``axes``, and ``band_mean`` and ``band_std`` in physical values. What is like a chip is
    then found by ``embedding_similarity``, classes by ``few_shot_classification``.

    Parameters
    ----------
    file_list : list of str
        The bands in the order in which the encoder takes them: those of one raster, or one raster each.
    output_path : str
        GeoTIFF to write: a band for each dimension, a pixel for each chip; nodata where a pixel of the chip
        is not valid.
    chip : int, optional
        Side of a chip in pixels; by default that of the settings, else 64. What is left over at the right
        and below has no embedding.

    Returns
    -------
    dict
        ``result``, ``dimensions``, ``chips`` (rows and columns), ``backend`` (who says so).
    """
    bands, network = features_of(file_list), _network()
    side = _side(chip, network)
    with Reader({"bands": bands}) as reader:
        # Whole chips only: what remains at the right and lower edge is smaller than the encoder takes.
        rows, columns = (length // side for length in reader.grid.shape)
        if not rows or not columns:
            raise InputError(
                f"The raster has {reader.grid.describe()}; a chip takes {side} x {side}.",
                "Give a larger one.",
            )
        found = [
            _embed(_chips_of_row(reader, row, side, columns), bands, network)
            for row in _with_progress(range(rows), network)
        ]
    array = np.stack(found, axis=1)
    grid = _grid_of_chips(reader.grid, side, rows, columns)
    product = write_array(array, grid, output_path, role=EMBEDDING.role, unit="1", inputs=bands)
    return {
        "result": report_saved(product),
        "dimensions": len(array),
        "chips": [rows, columns],
        "backend": f"onnx: {network.weights.name}",
    }


def _network() -> Network:
    weights = weights_of(_TOOL)
    if weights is None or not weights.is_file():
        raise BackendMissing("There is no encoder of chips.", how_to_get(_TOOL, "scene"))
    return Network(Path(weights))


def _side(chip: int | None, network: Network) -> int:
    wanted = network.settings.input_size
    if wanted is not None and (wanted[0] != wanted[1] or chip not in (None, wanted[0])):
        raise InputError(
            f"{network.weights.name} takes {wanted[0]} x {wanted[1]} pixels, not {chip or 'an oblong'}.",
            "Leave 'chip' out, and give an encoder of squares.",
        )
    side = wanted[0] if wanted else chip or USUAL_CHIP
    if side < 1:
        raise InputError(f"A chip cannot have {side} pixels.", "Give 1 or more.")
    return side


def _with_progress(rows: range, network: Network) -> Any:
    """Yield the rows of chips, and tell how far the work is."""
    context = current_context()
    for row in rows:
        context.check_stop()
        yield row
        context.progress(row + 1, len(rows), network.weights.name)


def _chips_of_row(reader: Reader, row: int, side: int, columns: int) -> NDArray[np.float32]:
    """Return the chips of a row, (chips, bands, rows, columns)."""
    stack = reader.read(Window(0, row * side, columns * side, side))["bands"]
    values = np.asarray(stack, dtype=np.float32).reshape(len(stack), side, columns, side)
    # From (bands, rows, chips, columns) to (chips, bands, rows, columns).
    return values.transpose(2, 0, 1, 3)


def _embed(chips: NDArray[np.float32], bands: Sequence[Source], network: Network) -> NDArray[np.float32]:
    """Return the embeddings of chips, (dimensions, chips); NaN of those that are not valid throughout."""
    settings = network.settings
    mean, std = (_per_band(values, bands, network) for values in (settings.band_mean, settings.band_std))
    scaled = chips if mean is None else chips - mean
    scaled = scaled if std is None else scaled / std
    valid: NDArray[np.bool_] = np.asarray(np.isfinite(scaled).all(axis=(1, 2, 3)))
    # Chips that are not valid throughout go through the network as zeros, for batches of one shape.
    images = np.where(valid[:, None, None, None], scaled, np.float32(0))
    images = images if settings.axes == "nchw" else images.transpose(0, 2, 3, 1)
    # A network exported with a fixed batch takes one image at a time.
    size = len(images) if network.takes_batches else 1
    parts = [images[start : start + size] for start in range(0, len(images), size)]
    outputs = [network.output(network.run({"image": np.ascontiguousarray(part)}), "scores") for part in parts]
    with network.check_outputs():
        vectors = np.concatenate(
            [out.reshape(len(part), -1) for out, part in zip(outputs, parts, strict=True)]
        )
        if vectors.shape[1] > MOST_DIMENSIONS:
            raise ValueError(f"{vectors.shape[1]} dimensions; at most {MOST_DIMENSIONS} are written")
    return np.where(valid[:, None], vectors, np.nan).T.astype(np.float32)


def _per_band(values: list[float], bands: Sequence[Source], network: Network) -> NDArray[np.float32] | None:
    if not values:
        return None
    if len(values) != len(bands):
        raise InputError(
            f"{network.weights.stem}.json names {len(values)} bands, and there are {len(bands)}.",
            "Give the bands in the order in which the encoder takes them.",
        )
    return np.asarray(values, dtype=np.float32)[None, :, None, None]


def _grid_of_chips(grid: Grid, side: int, rows: int, columns: int) -> Grid:
    a, b, c, d, e, f = grid.transform
    return Grid(grid.crs, (a * side, b * side, c, d * side, e * side, f), columns, rows)
