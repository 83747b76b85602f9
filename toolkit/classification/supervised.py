"""Classes learnt from training areas, with the accuracy on areas that were held back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.classification.accuracy import Confusion
from treeline.toolkit.classification.features import (
    check_seed,
    features_of,
    names_of,
    threads,
    write_classes,
)
from treeline.toolkit.classification.kit import CLASSIFICATION
from treeline.toolkit.classification.training import Training, training_pixels
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

FEW_PIXELS = 10
Table = dict[str, Any]


@tool(
    kit=CLASSIFICATION,
    source="Breiman 2001, Mach. Learn. 45:5, as scikit-learn has it; accuracy: Congalton 1991, Remote Sens. "
    "Environ. 37:35",
    gives=Gives("raster", "landcover"),
    formula="majority of trees grown on bootstrap samples with random choices of bands",
)
def random_forest_classification(
    file_list: Annotated[list[str], Reads()],
    training_path: str,
    class_attribute: str,
    output_path: Annotated[str, Writes("landcover", "class")],
    trees: int = 200,
    test_share: float = 0.3,
    seed: int = 0,
) -> Table:
    """Random forest classification from training areas, with a confusion matrix on held-back areas.

    Parameters
    ----------
    file_list : list of str
        Bands and indices on one grid; files of several bands give all.
    training_path : str
        Name of a vector file with polygons or points of known class (GeoJSON, GPKG) in the workspace.
    class_attribute : str
        Attribute with the class: whole numbers 0 to 254, or names, which are numbered from 1.
    output_path : str
        GeoTIFF of classes to write; 255 nodata.
    trees : int
        1 to 2000.
    test_share : float
        Share of the training areas held back for the test, 0.1 to 0.9. Whole polygons are held back where
        each class has two or more.
    seed : int
        The same seed gives the same result.

    Returns
    -------
    dict
        ``result``, ``class_names``, ``importance`` per band, and the accuracy as ``confusion_matrix`` has it.
    """
    from sklearn.ensemble import RandomForestClassifier

    if not 1 <= trees <= 2000:
        raise InputError(f"The argument 'trees' is {trees}.", "Give 1 to 2000.")
    forest = RandomForestClassifier(trees, n_jobs=threads(), random_state=check_seed(seed))
    bands = features_of(file_list)
    table = _classify(forest, bands, training_path, class_attribute, output_path, test_share, seed)
    table["importance"] = dict(zip(names_of(bands), map(float, forest.feature_importances_), strict=True))
    return table


@tool(
    kit=CLASSIFICATION,
    source="Strahler 1980, Remote Sens. Environ. 10:135; accuracy: Congalton 1991, Remote Sens. "
    "Environ. 37:35",
    gives=Gives("raster", "landcover"),
    formula="class with the greatest normal density of the pixel's bands",
)
def maximum_likelihood_classification(
    file_list: Annotated[list[str], Reads()],
    training_path: str,
    class_attribute: str,
    output_path: Annotated[str, Writes("landcover", "class")],
    test_share: float = 0.3,
    seed: int = 0,
) -> Table:
    """Maximum likelihood classification from training areas, with a confusion matrix on held-back areas.

    Parameters
    ----------
    file_list : list of str
        Bands on one grid, near to normally distributed within a class.
    training_path : str
        Name of a vector file with polygons or points of known class (GeoJSON, GPKG) in the workspace.
    class_attribute : str
        Attribute with the class: whole numbers 0 to 254, or names, which are numbered from 1.
    output_path : str
        GeoTIFF of classes to write; 255 nodata.
    test_share : float
        Share of the training areas held back for the test, 0.1 to 0.9.
    seed : int
        The same seed gives the same result.

    Returns
    -------
    dict
        ``result``, ``class_names``, and the accuracy as ``confusion_matrix`` has it.
    """
    bands = features_of(file_list)
    return _classify(_Likelihood(), bands, training_path, class_attribute, output_path, test_share, seed)


class _Likelihood:
    """Normal densities with equal priors."""

    def fit(self, pixels: Any, numbers: Any) -> _Likelihood:
        self.numbers, counts = np.unique(numbers, return_counts=True)
        # The covariance of as many pixels as bands, or fewer, has no inverse.
        poor = self.numbers[counts <= pixels.shape[1]]
        if poor.size:
            raise InputError(
                f"Class {poor[0]} has {counts.min()} training pixels for {pixels.shape[1]} bands.",
                "Give larger training areas or fewer bands.",
            )
        groups = [pixels[numbers == number].astype(np.float64) for number in self.numbers]
        self.means = [group.mean(axis=0) for group in groups]
        # A little on the diagonal, so that a band without spread in a class has a finite density.
        spreads = [np.cov(g.T).reshape(len(m), len(m)) for g, m in zip(groups, self.means, strict=True)]
        least = 1e-6 * np.var(pixels, axis=0, dtype=np.float64) + 1e-30
        self.inverses = [np.linalg.inv(s + np.diag(least)) for s in spreads]
        self.determinants = [np.linalg.slogdet(s + np.diag(least))[1] for s in spreads]
        return self

    def predict(self, pixels: Any) -> Any:
        values = pixels.astype(np.float64)
        scores = []
        for mean, inverse, determinant in zip(self.means, self.inverses, self.determinants, strict=True):
            apart = values - mean
            # Twice the logarithm of the normal density: -ln |S| - d' S^-1 d, less a constant of all classes.
            scores.append(-determinant - np.einsum("ij,jk,ik->i", apart, inverse, apart))
        return self.numbers[np.argmax(scores, axis=0)]


def _classify(
    classifier: Any, bands: Sequence[Source], path: str, attribute: str, output: str, share: float, seed: int
) -> Table:
    if not 0.1 <= share <= 0.9:
        raise InputError(f"The argument 'test_share' is {share:g}.", "Give 0.1 to 0.9.")
    training = training_pixels(bands, path, attribute, check_seed(seed))
    _warn_of_few(training)
    # Held back by whole areas: neighbouring pixels are alike, so that pixels of one area would flatter.
    held, by_shape = training.split(share, seed)
    if not by_shape:
        current_context().warn(
            "A class has a single training area, so test pixels come from the areas of the training and the "
            "accuracy flatters."
        )
    classifier.fit(training.pixels[~held], training.numbers[~held])
    mapped = classifier.predict(training.pixels[held])
    accuracy = Confusion.of(mapped.tolist(), training.numbers[held].tolist()).table()
    product = write_classes(classifier.predict, bands, output, training.names)
    names = {str(number): name for number, name in training.names.items()}
    return {"result": report_saved(product), "class_names": names, **accuracy}


def _warn_of_few(training: Training) -> None:
    for number, name in training.names.items():
        count = int(np.count_nonzero(training.numbers == number))
        if count < FEW_PIXELS:
            current_context().warn(f"The class {name} has {count} training pixels only.")
