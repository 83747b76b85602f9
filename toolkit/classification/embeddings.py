"""Embeddings of pixels: what is like a place, and classes from a few examples."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.classification.features import features_of, write_classes
from treeline.toolkit.classification.kit import CLASSIFICATION
from treeline.toolkit.classification.training import training_pixels
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, map_pixels, values_at
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool
from treeline.toolkit.vector import checked_crs

Floats = NDArray[np.floating]
SIMILARITY = Variable("similarity", "Cosine similarity to the examples", "1", (-1.0, 1.0), ("similarity",))
SOURCE = "Salton, Wong & Yang 1975, Commun. ACM 18:613 (cosine of the angle)"
MOST_EXAMPLES = 1000


@tool(
    kit=CLASSIFICATION,
    source=SOURCE,
    gives=Gives("raster", "similarity", "1"),
    formula="greatest over the examples of e . x / (|e| |x|)",
)
def embedding_similarity(
    file_list: Annotated[list[str], Reads()],
    points: list[tuple[float, float]],
    output_path: Annotated[str, Writes("similarity", declares=(SIMILARITY,))],
    crs: str | None = None,
) -> str:
    """Similarity search: how like each pixel's embedding is to those of example places, -1 to 1.

    Parameters
    ----------
    file_list : list of str
        Embeddings of pixels: the bands of one raster, or one raster per dimension, such as a COG that an
        encoder
        wrote; other stacks of bands will do.
    points : list of (x, y)
        Example places, up to 1000.
    output_path : str
        GeoTIFF to write: 1 for the same direction as the nearest example.
    crs : str, optional
        CRS of ``points``, such as ``EPSG:4326`` for (longitude, latitude); default: the raster's.

    Returns
    -------
    str
        Result saved at PATH.
    """
    bands = _dimensions(file_list)
    if not 1 <= len(points) <= MOST_EXAMPLES:
        raise InputError(f"There are {len(points)} example points.", f"Give 1 to {MOST_EXAMPLES}.")
    wanted = checked_crs(crs) if crs else None
    examples = np.stack([values_at(band, points, crs=wanted) for band in bands], axis=1)
    # A vector of zeros has no direction, and so no angle to any other.
    kept = examples[np.isfinite(examples).all(axis=1) & (np.abs(examples) > 0).any(axis=1)]
    if not len(kept):
        raise InputError(
            "No example point lies on valid pixels.", "Give points within the raster, or their 'crs'."
        )
    directions = _unit(kept)

    def similarity(bands: Floats) -> Floats:
        flat = bands.reshape(len(bands), -1).T.astype(np.float64)
        # (pixels, bands) @ (bands, examples): the cosine with each example, of which the best counts.
        best = (_unit(flat) @ directions.T).max(axis=1)
        # Rounding takes the product of two vectors of length 1 a little beyond 1.
        return np.clip(best, -1.0, 1.0).reshape(bands.shape[1:])

    return report_saved(map_pixels(similarity, {"bands": bands}, output_path, role=SIMILARITY.role))


@tool(
    kit=CLASSIFICATION,
    source="Snell, Swersky & Zemel 2017, Adv. Neural Inf. Process. Syst. 30 (prototypes); cosine: Gidaris & "
    "Komodakis 2018, CVPR:4367",
    gives=Gives("raster", "landcover"),
    formula="class whose prototype, the mean direction of its examples, makes the least angle with the pixel",
)
def few_shot_classification(
    file_list: Annotated[list[str], Reads()],
    training_path: str,
    class_attribute: str,
    output_path: Annotated[str, Writes("landcover", "class")],
) -> dict[str, Any]:
    """Few-shot classification of embeddings: each pixel gets the class whose few examples it is most like.

    Parameters
    ----------
    file_list : list of str
        Embeddings of pixels: the bands of one raster, or one raster per dimension.
    training_path : str
        Name of a vector file with a few points or polygons of each class in the workspace.
    class_attribute : str
        Attribute with the class: whole numbers 0 to 254, or names, which are numbered from 1.
    output_path : str
        GeoTIFF of classes to write; 255 nodata.

    Returns
    -------
    dict
        ``result``, ``class_names``, ``examples`` (pixels per class), and ``leave_one_out``: the share of
        the examples
        that the others classify rightly (null with a single example of each class).
    """
    bands = _dimensions(file_list)
    training = training_pixels(bands, training_path, class_attribute)
    directions = _unit(training.pixels.astype(np.float64))
    numbers = np.array(sorted(training.names))
    sums = np.stack([directions[training.numbers == number].sum(axis=0) for number in numbers])
    # The direction of a sum is that of the mean, so that nothing is divided by the number of examples.
    prototypes = _unit(sums)

    def predict(pixels: Floats) -> NDArray[Any]:
        return numbers[(_unit(pixels.astype(np.float64)) @ prototypes.T).argmax(axis=1)]

    product = write_classes(predict, bands, output_path, training.names)
    return {
        "result": report_saved(product),
        "class_names": {str(number): name for number, name in training.names.items()},
        "examples": {str(n): int((training.numbers == n).sum()) for n in numbers},
        "leave_one_out": _leave_one_out(directions, training.numbers, numbers, sums),
    }


def _leave_one_out(
    directions: Floats, own: NDArray[Any], numbers: NDArray[Any], sums: Floats
) -> float | None:
    """Return the share of the examples that prototypes of the others classify rightly."""
    places = np.searchsorted(numbers, own)
    # An example that is alone in its class leaves no prototype when it is left out.
    several = np.bincount(places)[places] > 1
    if not several.any():
        return None
    scores = directions @ _unit(sums).T
    rows = np.arange(len(own))
    # Only the prototype of the own class changes when an example is left out.
    without = _unit(sums[places] - directions)
    scores[rows, places] = (directions * without).sum(axis=1)
    return float(np.mean(scores.argmax(axis=1)[several] == places[several]))


def _dimensions(file_list: list[str]) -> list[Source]:
    bands = features_of(file_list)
    if len(bands) < 2:
        raise InputError(f"There is {len(bands)} band; an embedding has two or more.", "Give all its bands.")
    return bands


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(length > 0, length, np.nan)
