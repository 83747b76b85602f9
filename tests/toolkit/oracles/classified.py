"""Oracles of classification and of change: scikit-learn, scikit-image, statsmodels."""

from __future__ import annotations

import math

import numpy as np
from scipy import ndimage, stats

from tests.toolkit.oracles.registry import oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree


@oracle("confusion_matrix", "library", "sklearn.metrics")
def of_confusion(scene: RandomScene) -> None:
    from sklearn import metrics

    (a, mapped), (b, true) = scene.classes("landcover", 4), scene.classes("landcover", 4)
    there = ~np.isnan(mapped + true)
    y, x = true[there], mapped[there]
    found = scene.run("confusion_matrix", classified_path=a, reference_path=b)
    agree(found["matrix"], metrics.confusion_matrix(x, y))
    agree(found["kappa"], metrics.cohen_kappa_score(x, y))
    agree(list(found["f1"].values()), metrics.f1_score(y, x, average=None))


@oracle("majority_filter", "library", "scipy.ndimage.generic_filter with scipy.stats.mode")
def of_majority(scene: RandomScene) -> None:
    scene.shape = (15, 17)
    name, values = scene.classes("landcover", 3, patches=0.7)

    def winner(window: Floats) -> float:
        own, there = window[4], window[~np.isnan(window)]
        numbers, counts = np.unique(there, return_counts=True)
        best = numbers[counts == counts.max()]
        return own if own in best else (best[0] if len(best) == 1 else -1)

    expected = ndimage.generic_filter(values, winner, 3, mode="constant", cval=np.nan)
    found = scene.make("majority_filter", input_path=name)
    # Where several others are equal, any of them may be taken.
    sure = (expected != -1) & ~np.isnan(values)
    agree(found[sure], expected[sure])
    agree(np.isnan(found), np.isnan(values))


@oracle(
    "sieve_classes",
    "library",
    "scipy.ndimage.binary_dilation: a small patch within one large one takes its class; large ones stay",
)
def of_sieve(scene: RandomScene) -> None:
    from skimage.measure import label

    name, values = scene.classes("landcover", 3, holes=False)
    found = scene.make("sieve_classes", input_path=name, minimum_pixels=6)
    sizes = np.bincount(label(found.astype(int), connectivity=1, background=-1).ravel())[1:]
    assert sizes.min() >= 6
    patches = label(values.astype(int), connectivity=1, background=-1)
    size = np.bincount(patches.ravel())[patches]
    agree(found[size >= 6], values[size >= 6])
    # On one ground, patches of any size, each for itself.
    ground = np.ones(scene.shape)
    for row in range(2, scene.shape[0] - 3, 5):
        for column in range(2, scene.shape[1] - 3, 5):
            ground[row : row + 3, column : column + 3] = 1 + (scene.rng.random((3, 3)) < 0.6) * 2
    name, ground = scene.whole("landcover", ground, holes=False)
    for diagonal in (False, True):
        made = scene.make("sieve_classes", input_path=name, minimum_pixels=6, diagonal=diagonal)
        patches = label(ground.astype(int), connectivity=1 + diagonal, background=-1)
        sizes = np.bincount(patches.ravel())
        expected = ground.copy()
        for number in np.flatnonzero((sizes > 0) & (sizes < 6)):
            patch = patches == number
            beside = set(patches[ndimage.binary_dilation(patch, np.ones((3, 3))) & ~patch].tolist())
            if len(beside) == 1 and sizes[next(iter(beside))] >= 6:
                expected[patch] = ground[patches == next(iter(beside))][0]
            else:
                expected[patch] = np.nan
        sure = np.isfinite(expected)
        agree(made[sure], expected[sure])


def training_scene(scene: RandomScene) -> tuple[list[str], Floats, Floats, str]:
    """Write two bands of two kinds of land, and training points of both."""
    from shapely import Point

    rows, columns = scene.shape
    kind = (np.indices(scene.shape)[1] > columns / 2).astype(int)
    stacked, names = [], []
    for role, centre in (("red", (0.1, 0.3)), ("nir", (0.4, 0.2))):
        values = np.array(centre)[kind] + scene.rng.normal(0, 0.02, scene.shape)
        name, known = scene.field(role, 0.0, 0.6, values=values, holes=False)
        names.append(name)
        stacked.append(known)
    places = [
        (int(r), int(c))
        for r, c in zip(scene.rng.integers(0, rows, 80), scene.rng.integers(0, columns, 80), strict=True)
    ]
    points = [Point(c + 0.5, r + 0.5) for r, c in places]
    file = scene.shapes("t.geojson", points, kind=["ab"[kind[p]] for p in places])
    return names, np.stack(stacked), kind + 1.0, file


@oracle("random_forest_classification", "property", "land of two kinds that lie apart is told apart")
def of_forest(scene: RandomScene) -> None:
    names, _, kind, file = training_scene(scene)
    scene.run(
        "random_forest_classification",
        file_list=names,
        training_path=file,
        class_attribute="kind",
        output_path="out.tif",
        trees=10,
    )
    agree(scene.read("out.tif"), kind, share=0.99)


@oracle(
    "maximum_likelihood_classification", "library", "sklearn QuadraticDiscriminantAnalysis with equal priors"
)
def of_likelihood(scene: RandomScene) -> None:
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    names, bands, kind, file = training_scene(scene)
    scene.run(
        "maximum_likelihood_classification",
        file_list=names,
        training_path=file,
        class_attribute="kind",
        output_path="out.tif",
    )
    pixels = bands.reshape(2, -1).T
    expected = QuadraticDiscriminantAnalysis(priors=[0.5, 0.5]).fit(pixels, kind.ravel()).predict(pixels)
    agree(scene.read("out.tif").ravel(), expected, share=0.985)


@oracle("glcm_texture", "library", "skimage.feature.graycomatrix of a window")
def of_texture(scene: RandomScene) -> None:
    from skimage.feature import graycomatrix, graycoprops

    scene.stored, scene.shape = ("float64", 1.0, 0.0, -9999.0), (15, 17)
    name, values = scene.field("red", 0.0, 1.0, holes=False)
    found = scene.make(
        "glcm_texture", input_path=name, measure="contrast", window=7, levels=8, value_range=[0.0, 1.0]
    )
    levels = np.minimum((values * 8).astype("uint8"), 7)
    for row, column in ((5, 6), (7, 9), (9, 4)):
        part = levels[row - 3 : row + 4, column - 3 : column + 4]
        angles = [0, np.pi / 4, np.pi / 2, 3 * np.pi / 4]
        each = graycoprops(graycomatrix(part, [1], angles, 8, symmetric=True, normed=True), "contrast")
        pooled = graycomatrix(part, [1], angles, 8, symmetric=True).sum(axis=3, keepdims=True)
        pooled_contrast = graycoprops(pooled / pooled.sum(), "contrast")
        assert (
            min(abs(found[row, column] - each.mean()), abs(found[row, column] - pooled_contrast[0, 0]))
            < 0.02 * each.mean()
        )


def two_kinds(scene: RandomScene) -> tuple[str, Floats]:
    values = np.where(scene.rng.random(scene.shape) < 0.4, 0.2, 0.7) + scene.rng.normal(0, 0.05, scene.shape)
    return scene.field("ndvi", 0.0, 1.0, values=values)


@oracle("otsu_threshold", "library", "skimage.filters.threshold_otsu: they part the same pixels")
def of_otsu(scene: RandomScene) -> None:
    from skimage.filters import threshold_otsu

    name, values = two_kinds(scene)
    pixels = values[~np.isnan(values)]
    between = np.sort([scene.run("otsu_threshold", input_path=name), threshold_otsu(pixels)])
    assert np.mean((pixels > between[0]) & (pixels < between[1])) < 0.01


@oracle("otsu_mask", "library", "skimage.filters.threshold_otsu")
def of_otsu_mask(scene: RandomScene) -> None:
    from skimage.filters import threshold_otsu

    name, values = two_kinds(scene)
    expected = np.where(np.isnan(values), np.nan, values > threshold_otsu(values[~np.isnan(values)]))
    agree(scene.make("otsu_mask", input_path=name), expected, share=0.99)


@oracle("multi_otsu_classes", "library", "skimage.filters.threshold_multiotsu")
def of_multi_otsu(scene: RandomScene) -> None:
    from skimage.filters import threshold_multiotsu

    kind = scene.rng.integers(0, 3, scene.shape)
    name, values = scene.field(
        "ndvi", 0, 1, values=np.array([0.15, 0.45, 0.8])[kind] + scene.rng.normal(0, 0.03, scene.shape)
    )
    limits = threshold_multiotsu(values[~np.isnan(values)], 3)
    expected = np.where(np.isnan(values), np.nan, np.digitize(values, limits) + 1)
    agree(scene.make("multi_otsu_classes", input_path=name, classes=3), expected, share=0.98)


@oracle("threshold_mask", "library", "pandas.Series.between")
def of_threshold_mask(scene: RandomScene) -> None:
    import pandas as pd

    name, values = scene.field("ndvi", 0, 1)
    between = pd.Series(values.ravel()).between(0.31117, 0.71113).to_numpy().reshape(values.shape)
    found = scene.make("threshold_mask", input_path=name, minimum=0.31117, maximum=0.71113)
    agree(found, np.where(np.isnan(values), np.nan, between), share=0.995)


@oracle("reclassify_raster", "library", "pandas.cut")
def of_reclassify(scene: RandomScene) -> None:
    import pandas as pd

    name, values = scene.field("ndvi", 0, 1)
    cut = pd.cut(values.ravel(), [-np.inf, 0.2501, 0.6103, np.inf], right=False, labels=False) + 1.0
    found = scene.make("reclassify_raster", input_path=name, limits=[0.2501, 0.6103])
    agree(found, np.asarray(cut).reshape(values.shape), share=0.995)


@oracle("map_values_of_classes", "library", "pandas.Series.map")
def of_values_of_classes(scene: RandomScene) -> None:
    import pandas as pd

    name, classes = scene.field("landcover", 1, 5, values=scene.rng.integers(1, 6, scene.shape).astype(float))
    values = {"1": 0.25, "2": -3.5, "4": None, "5": 1e6}
    mapped = pd.Series(classes.ravel()).map({float(key): value for key, value in values.items()})
    found = scene.make("map_values_of_classes", classes_path=name, values=values)
    agree(found, mapped.to_numpy(dtype=float).reshape(classes.shape))


@oracle("kmeans_classification", "library", "sklearn adjusted_rand_score against scipy.cluster.vq.kmeans2")
def of_kmeans(scene: RandomScene) -> None:
    from scipy.cluster.vq import kmeans2, whiten
    from sklearn.metrics import adjusted_rand_score

    names, bands, _, _ = training_scene(scene)
    scene.run("kmeans_classification", file_list=names, output_path="out.tif", classes=2)
    pixels = whiten(bands.reshape(2, -1).T)
    _, labels = kmeans2(pixels, 2, seed=1, minit="++")
    assert adjusted_rand_score(labels, scene.read("out.tif").ravel()) > 0.97


@oracle("principal_components", "library", "sklearn.decomposition.PCA")
def of_components(scene: RandomScene) -> None:
    from sklearn.decomposition import PCA

    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    names, bands, _, _ = training_scene(scene)
    found = scene.run("principal_components", file_list=names, output_path="out.tif", components=2)
    model = PCA(2).fit(bands.reshape(2, -1).T)
    agree(found["explained"], 100 * model.explained_variance_ratio_, abs=0.02)
    expected = model.transform(bands.reshape(2, -1).T).T.reshape(2, *scene.shape)
    for band in (1, 2):
        made = scene.read("out.tif", band)
        made = made - made.mean()
        sign = np.sign((made * expected[band - 1]).sum())
        agree(sign * made, expected[band - 1], abs=2e-4)


@oracle("change_mask", "library", "scipy.stats.zscore of the difference")
def of_change_mask(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("ndvi", 0, 1), scene.field("ndvi", 0, 1)
    scene.run("change_mask", before_path=a, after_path=b, output_path="out.tif", deviations=1.5)
    z = stats.zscore(other - one, axis=None, nan_policy="omit")
    agree(
        scene.read("out.tif"),
        np.where(np.isnan(z), np.nan, np.select([z > 1.5, z < -1.5], [1, 2], 0)),
        share=0.99,
    )


@oracle("change_vector_analysis", "formulation", "modulus and argument of complex numbers")
def of_vectors(scene: RandomScene) -> None:
    before, one = scene.fields("red", 2, 0, 1)
    after, other = scene.fields("red", 2, 0, 1)
    scene.run("change_vector_analysis", before_list=before, after_list=after, output_path="out.tif")
    change = (other[0] - one[0]) + 1j * (other[1] - one[1])
    agree(scene.read("out.tif"), np.abs(change), abs=5e-6)
    angle = np.degrees(np.angle(change))
    apart = (scene.read("out.tif", 2) - angle + 180) % 360 - 180
    assert np.nanmax(np.abs(apart)) < 0.1


def weighted_mad(one: Floats, other: Floats, rounds: int) -> tuple[Floats, Floats]:
    """Return the probability of no change and the correlations by Nielsen 2007.

    Pixels are columns. Canonical correlations are the singular values of the cross-covariance once both dates
    are made white.
    """
    from scipy import linalg

    weights, before = np.ones(one.shape[1]), np.zeros(len(one))
    for _ in range(rounds):
        pixels = np.concatenate([one, other])
        pixels = pixels - np.average(pixels, axis=1, weights=weights)[:, None]
        joint = np.cov(pixels, aweights=weights)
        n = len(one)
        white = [linalg.inv(linalg.sqrtm(part)) for part in (joint[:n, :n], joint[n:, n:])]
        left, rho, right = linalg.svd(white[0] @ joint[:n, n:] @ white[1])
        variates = left.T @ white[0] @ pixels[:n] - right @ white[1] @ pixels[n:]
        chi = (variates**2 / (2 * (1 - rho))[:, None]).sum(axis=0)
        weights = stats.chi2.sf(chi, n)
        if np.abs(rho - before).max() < 1e-3:
            break
        before = rho
    return weights, rho


@oracle(
    "ir_mad",
    "formulation",
    "singular values of the whitened cross-covariance, reweighted; blind to linear changes of radiometry",
)
def of_ir_mad(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    scene.shape = (41, 39)
    before, one = scene.fields("red", 2, 0, 1, holes=False)
    after, other, kept = [], [], []
    for band in one:
        later = 0.9 * band + 0.05 + scene.rng.normal(0, 0.05, scene.shape)
        later[10:16, 10:16] += 0.9
        name, known = scene.field("red", -1, 3, values=later, holes=False)
        after.append(name)
        other.append(known)
        kept.append(scene.field("red", -1, 3, values=1.7 * later - 0.3, holes=False)[0])
    for rounds in (1, 50):
        found = scene.run(
            "ir_mad", before_list=before, after_list=after, output_path="a.tif", iterations=rounds
        )
        expected, rho = weighted_mad(one.reshape(2, -1), np.stack(other).reshape(2, -1), rounds)
        agree(np.sort(found["correlations"]), np.sort(rho), abs=2e-3)
        agree(scene.read("a.tif").ravel(), expected, abs=0.02)
    probability = scene.read("a.tif")
    scene.run("ir_mad", before_list=before, after_list=kept, output_path="b.tif")
    agree(probability, scene.read("b.tif"), abs=5e-3)
    changed = np.zeros(scene.shape, bool)
    changed[10:16, 10:16] = True
    assert probability[changed].max() < 1e-3 < np.median(probability[~changed]), np.median(probability)


@oracle("normalize_radiometry", "library", "scipy.odr, orthogonal regression of the pixels unchanged")
def of_normalisation(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    a, values = scene.field("red", 0.0, 1.0, holes=False)
    b, _ = scene.field("red", -1.0, 3.0, values=1.3 * values + 0.1, holes=False)
    c, _ = scene.field("no_change_probability", 0.0, 1.0, values=np.full(scene.shape, 0.99), holes=False)
    found = scene.run(
        "normalize_radiometry", input_path=a, reference_path=b, no_change_path=c, output_path="out.tif"
    )
    agree([found["slope"], found["intercept"]], [1.3, 0.1], abs=1e-4)
    agree(scene.read("out.tif"), 1.3 * values + 0.1, abs=1e-4)


@oracle("class_transitions", "library", "pandas.crosstab, areas by pyproj.Geod")
def of_transitions(scene: RandomScene) -> None:
    import pandas as pd

    from tests.toolkit.oracles.grids import pixel_areas

    scene.shape = (13, 15)
    (a, one), (b, other) = scene.classes("landcover", 3), scene.classes("landcover", 3)
    areas = pixel_areas(scene).ravel()
    frame = pd.DataFrame({"a": one.ravel(), "b": other.ravel(), "area": areas}).dropna()
    table = frame.groupby(["a", "b"])["area"].agg(["count", "sum"])
    found = scene.run("class_transitions", before_path=a, after_path=b, unit="m2")
    rows = found["transitions"]
    assert len(rows) == len(table)
    for row in rows:
        count, area = table.loc[(float(row["before"]), float(row["after"]))]
        assert row["pixels"] == count
        agree(row["area"], area, rel=0.011)


@oracle("count_class_changes", "library", "itertools.groupby of each pixel's dates")
def of_class_changes(scene: RandomScene) -> None:
    from itertools import groupby

    scene.shape = (9, 11)
    several = [scene.classes("landcover", 3, patches=0.6) for _ in range(5)]
    found = scene.make("count_class_changes", file_list=[name for name, _ in several])
    values = np.stack([v for _, v in several])
    expected = np.empty(scene.shape)
    for row, column in np.ndindex(*scene.shape):
        seen = [v for v in values[:, row, column] if not math.isnan(v)]
        expected[row, column] = len(list(groupby(seen))) - 1 if seen else np.nan
    there = ~np.isnan(found)
    assert there.mean() > 0.9
    agree(found[there], expected[there])
