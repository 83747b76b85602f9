"""Classes and axes that the data themselves suggest: k-means, principal components."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.classification.features import (
    MOST_CLASSES,
    Features,
    check_seed,
    features_of,
    names_of,
    pixels_of,
    sample,
    write_classes,
)
from treeline.toolkit.classification.kit import CLASSIFICATION
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import add, map_many, reduce_pixels
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool

COMPONENTS = Variable("components", "Principal components", "1")


@tool(
    kit=CLASSIFICATION,
    source="Lloyd 1982, IEEE Trans. Inf. Theory 28:129; Arthur & Vassilvitskii 2007, SODA (k-means++), as "
    "scikit-learn has it",
    gives=Gives("raster", "clusters"),
    formula="class of the nearest of k means in the space of the standardised bands",
)
def kmeans_classification(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("clusters", "class")],
    classes: int = 5,
    standardize: bool = True,
    seed: int = 0,
) -> str:
    """Unsupervised classification: k-means clusters of pixels with similar bands.

    Parameters
    ----------
    file_list : list of str
        Bands or indices of one date; files of several bands give all.
    output_path : str
        GeoTIFF to write: classes 1 to k in the order of the first band's mean; 255 nodata.
    classes : int
        How many, 2 to 250.
    standardize : bool
        Give every band the same weight; false for bands of one unit.
    seed : int
        The same seed gives the same classes.

    Returns
    -------
    str
        Result saved at PATH.
    """
    from sklearn.cluster import KMeans

    if not 2 <= classes <= MOST_CLASSES:
        raise InputError(f"The argument 'classes' is {classes}.", f"Give 2 to {MOST_CLASSES}.")
    bands = features_of(file_list)
    drawn = sample(bands, seed=check_seed(seed)).astype(np.float64)
    if len(np.unique(drawn, axis=0)) < classes:
        raise InputError(
            f"The bands hold fewer than {classes} different pixels.", "Give fewer 'classes' or other bands."
        )
    centre, spread = drawn.mean(axis=0), drawn.std(axis=0) if standardize else np.ones(len(bands))
    spread = np.where(spread > 0, spread, 1.0)
    fitted = KMeans(classes, n_init=4, random_state=seed).fit((drawn - centre) / spread)
    # Ranked by the first band, so that the numbers of clusters do not depend on the random start.
    number = np.argsort(np.argsort(fitted.cluster_centers_[:, 0])) + 1

    def predict(pixels: Features) -> NDArray[Any]:
        return number[fitted.predict((pixels.astype(np.float64) - centre) / spread)]

    return report_saved(write_classes(predict, bands, output_path, role="clusters"))


@tool(
    kit=CLASSIFICATION,
    source="Jolliffe 2002, Principal Component Analysis, 2nd ed.",
    gives=Gives("raster", "components"),
    formula="projections on the eigenvectors of the bands' covariance (or correlation)",
)
def principal_components(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("components", declares=(COMPONENTS,))],
    components: int = 3,
    standardize: bool = False,
) -> dict[str, Any]:
    """Principal components of bands, with the share of the variance that each explains.

    Parameters
    ----------
    file_list : list of str
        Bands; files of several bands give all.
    output_path : str
        GeoTIFF of one band per component to write.
    components : int
        How many, at most as many as bands.
    standardize : bool
        Use correlations, for bands of different units.

    Returns
    -------
    dict
        ``result``, ``explained`` (percent per component) and ``loadings`` (per component, per band).
    """
    bands = features_of(file_list)
    if not 1 <= components <= len(bands):
        raise InputError(f"The argument 'components' is {components}.", f"Give 1 to {len(bands)}.")
    mean, covariance = covariance_of({"bands": bands})
    spread = np.sqrt(np.diag(covariance)) if standardize else np.ones(len(bands))
    spread = np.where(spread > 0, spread, 1.0)
    values, vectors = np.linalg.eigh(covariance / np.outer(spread, spread))
    order = np.argsort(values)[::-1]
    # Rounding makes the smallest eigenvalues a little negative.
    values, vectors = np.maximum(values[order], 0), vectors[:, order]
    # The sign of an eigenvector is arbitrary: most of its weight is made positive, whatever the library.
    vectors = vectors * np.where(vectors.sum(axis=0) < 0, -1.0, 1.0)
    axes = vectors[:, :components].T / spread

    def project(bands: Features) -> Features:
        return np.tensordot(axes, bands - mean[:, np.newaxis, np.newaxis], axes=1)

    roles = [f"pc{number}" for number in range(1, components + 1)]
    product = map_many(project, {"bands": bands}, output_path, role=roles, unit="1")
    total = values.sum()
    return {
        "result": report_saved(product),
        "explained": [float(100 * v / total) if total > 0 else 0.0 for v in values[:components]],
        "loadings": [
            dict(zip(names_of(bands), map(float, v), strict=True)) for v in vectors[:, :components].T
        ],
    }


def covariance_of(inputs: dict[str, Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and covariance (divisor n) of the bands of one stack, over pixels that are valid in all.

    Raises
    ------
    NoValidPixels
        Fewer than two pixels are.
    """
    ((name, bands),) = inputs.items()
    # Relative to one pixel sample's mean, so that sums of squares keep their digits.
    level = sample(bands, 1000).astype(np.float64).mean(axis=0)

    def sums(**stacks: Features) -> tuple[int, Features, Features]:
        pixels = pixels_of(stacks[name]).astype(np.float64) - level
        return len(pixels), pixels.sum(axis=0), pixels.T @ pixels

    count, total, products = reduce_pixels(sums, add, inputs, label="covariance")
    if count < 2:
        raise NoValidPixels("Fewer than two pixels are valid in all bands.", "Check nodata and extents.")
    mean = total / count
    return mean + level, products / count - np.outer(mean, mean)
