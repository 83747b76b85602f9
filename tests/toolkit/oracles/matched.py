"""Oracles of haze, sharpening, matching and the further speckle filters."""

from __future__ import annotations

import math

import numpy as np
from scipy import ndimage

from tests.toolkit.oracles.registry import oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree


@oracle("subtract_dark_object", "library", "scipy.stats.scoreatpercentile of the band; haze changes nothing")
def of_dark_object(scene: RandomScene) -> None:
    from scipy import stats

    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    a, values = scene.field("blue", 0.03, 0.4)
    one = scene.make("subtract_dark_object", input_path=a, percentage=2.0)
    # A dark object reflects one hundredth (Chavez 1996).
    dark = stats.scoreatpercentile(values[~np.isnan(values)], 2.0)
    agree(one, values - dark + 0.01, abs=2e-3)
    b, _ = scene.field("blue", 0.0, 0.6, values=values + 0.07, holes=False)
    agree(one, scene.make("subtract_dark_object", input_path=b, percentage=2.0), abs=2e-5)


def finer(scene: RandomScene, own: float = 0.0) -> tuple[list[str], str, Floats]:
    """Write three bands of pixels twice as wide as those of a pan band that spans them.

    ``own`` is how much each band has that the others have not.
    """
    scene.stored, scene.shape = ("float64", 1.0, 0.0, -9999.0), (24, 32)
    base = ndimage.gaussian_filter(scene.rng.random((24, 32)), 1.0)
    base = 0.1 + 0.3 * (base - base.min()) / np.ptp(base)
    fine = np.stack([base * gain for gain in (0.8, 1.0, 1.2)])
    fine = fine + own * scene.rng.random(fine.shape)
    pan, _ = scene.field("pan", 0, 1, values=fine.mean(axis=0), holes=False)
    place = scene.place
    scene.place = type(place)(place.name, place.crs, place.left, place.top, 2 * place.pixel, place.turn)
    coarse = fine.reshape(3, 12, 2, 16, 2).mean(axis=(2, 4))
    scene.shape = (12, 16)
    names = [
        scene.field(r, 0, 1, values=v, holes=False)[0]
        for r, v in zip(("blue", "green", "red"), coarse, strict=True)
    ]
    scene.place = place
    return names, pan, fine


def enlarged(band: Floats) -> Floats:
    """Return a band with pixels half as wide, by cubic convolution (Keys 1981)."""
    from PIL import Image

    rows, columns = band.shape
    picture = Image.fromarray(band.astype("float32"))
    return np.asarray(picture.resize((2 * columns, 2 * rows), Image.Resampling.BICUBIC), np.float64)


@oracle(
    "pansharpen",
    "library",
    "bands enlarged by Pillow's bicubic, gains by scipy.stats.linregress; multiples of the pan band return",
)
def of_pansharpening(scene: RandomScene) -> None:
    from scipy import stats

    core = (slice(4, -4), slice(4, -4))
    names, pan, fine = finer(scene)
    for method in ("brovey", "gram_schmidt"):
        scene.run("pansharpen", file_list=names, pan_path=pan, output_path="out.tif", method=method)
        for band in range(3):
            blocks = fine[band].reshape(12, 2, 16, 2).mean(axis=(1, 3)).repeat(2, axis=0).repeat(2, axis=1)
            error, lost = (
                (each - fine[band])[core].std() for each in (scene.read("out.tif", band + 1), blocks)
            )
            assert error < 0.5 * lost, (method, error, lost)
    scene = scene.metric
    names, pan, fine = finer(scene, own=0.1)
    coarse = fine.reshape(3, 12, 2, 16, 2).mean(axis=(2, 4))
    wide = np.stack([enlarged(band) for band in coarse])
    mean, small = wide.mean(axis=0), coarse.mean(axis=0)
    # Both are compared at the pixels of the bands: the detail of the pan band has no part in it.
    low = scene.read(pan).reshape(12, 2, 16, 2).mean(axis=(1, 3))
    sharp = (scene.read(pan) - low.mean()) * small.std() / low.std() + small.mean()
    gains = [stats.linregress(small.ravel(), band.ravel()).slope for band in coarse]
    for method, expected in {
        "brovey": wide * sharp / mean,
        "gram_schmidt": wide + np.array(gains)[:, None, None] * (sharp - mean),
    }.items():
        scene.run("pansharpen", file_list=names, pan_path=pan, output_path="out.tif", method=method)
        for band in range(3):
            agree(scene.read("out.tif", band + 1)[core], expected[band][core], abs=2e-4, rel=0)


@oracle("match_histogram", "library", "skimage.exposure.match_histograms")
def of_histograms(scene: RandomScene) -> None:
    from skimage.exposure import match_histograms

    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    a, values = scene.field("red", 0.0, 0.5, holes=False)
    b, reference = scene.field(
        "red", 0.1, 0.9, values=0.1 + 0.8 * scene.rng.random(scene.shape) ** 2, holes=False
    )
    # Between two of the 513 quantiles a value may lie anywhere: the reference has gaps of its own.
    ranks = np.round(np.linspace(0, reference.size - 1, 513)).astype(int)
    widest = float(np.diff(np.sort(reference, axis=None)[ranks]).max())
    agree(
        scene.make("match_histogram", input_path=a, reference_path=b),
        match_histograms(values, reference),
        abs=widest,
    )


@oracle("coregister_raster", "property", "a shift made by Fourier's theorem is found again")
def of_coregistration(scene: RandomScene) -> None:
    scene = scene.metric
    scene.stored, scene.shape = ("float64", 1.0, 0.0, -9999.0), (64, 72)
    base = ndimage.gaussian_filter(scene.rng.random((64, 72)), 1.5)
    down, right = (float(v) for v in scene.rng.uniform(-4, 4, 2))
    # What shows the ground of the reference further down and right must move back.
    moved = np.fft.ifftn(ndimage.fourier_shift(np.fft.fftn(base), (down, right))).real
    a, _ = scene.field("red", 0, 1, values=base, holes=False)
    b, _ = scene.field("red", 0, 1, values=moved, holes=False)
    found = scene.run("coregister_raster", input_path=b, reference_path=a, output_path="out.tif")
    agree([found["rows"], found["columns"]], [-down, -right], abs=0.15, rel=0)
    agree(found["metres"], 10 * math.hypot(down, right), abs=3.0, rel=0)
    import rasterio

    with rasterio.open(scene.folder / "out.tif") as dataset:
        agree(
            [dataset.transform.c, dataset.transform.f],
            [500_000 + 10 * found["columns"], 5_100_000 - 10 * found["rows"]],
        )


def speckled_scene(scene: RandomScene) -> tuple[str, Floats]:
    scene.stored, scene.shape = ("float64", 1.0, 0.0, -9999.0), (25, 27)
    intensity = 0.1 * scene.rng.gamma(4.4, 1 / 4.4, scene.shape)
    intensity[:, 14:] *= 6
    intensity[5, 5] *= 40
    a, values = scene.field("vv", -40, 20, values=10 * np.log10(intensity), holes=False)
    return a, 10 ** (values / 10)


@oracle("frost_filter", "library", "scipy.ndimage.generic_filter of each window")
def of_frost(scene: RandomScene) -> None:
    name, power = speckled_scene(scene)
    rows, columns = np.mgrid[-2:3, -2:3]
    away = np.hypot(rows, columns).ravel()

    def one(window: Floats) -> float:
        there = ~np.isnan(window)
        part = window[there]
        weight = np.exp(-2.0 * part.var() / part.mean() ** 2 * away[there])
        return float((weight * part).sum() / weight.sum())

    expected = ndimage.generic_filter(power, one, 5, mode="constant", cval=np.nan)
    agree(scene.make("frost_filter", input_path=name, window=5), 10 * np.log10(expected), abs=2e-3)


@oracle("gamma_map_filter", "library", "scipy.optimize.minimize_scalar of the posterior of each window")
def of_gamma_map(scene: RandomScene) -> None:
    from scipy.optimize import minimize_scalar

    name, power = speckled_scene(scene)
    looks, noise = 4.4, 1 / 4.4
    made = 10 ** (scene.make("gamma_map_filter", input_path=name, looks=looks, window=7) / 10)
    for row, column in ((3, 6), (12, 13), (12, 15), (20, 21), (10, 11)):
        window = power[max(row - 3, 0) : row + 4, max(column - 3, 0) : column + 4]
        mean, square = window.mean(), window.var() / window.mean() ** 2
        if square <= noise:
            expected = mean
        elif square >= 2 * noise:
            expected = power[row, column]
        else:
            alpha = (1 + noise) / (square - noise)
            seen = power[row, column]

            def posterior(x: float, alpha: float = alpha, mean: float = mean, seen: float = seen) -> float:
                return -((alpha - 1 - looks) * math.log(x) - alpha * x / mean - looks * seen / x)

            expected = minimize_scalar(
                posterior, bounds=(mean * 1e-3, mean * 50), method="bounded", options={"xatol": 1e-10}
            ).x
        agree(made[row, column], expected, rel=2e-3)


# Of the nine means of 3 by 3 pixels in a window of 7 by 7: the weights of the edges in four directions, and
# the two means on either side of each, the first on the side of the positive weights (Lee 1981).
EDGES = {
    "vertical": (((-1, 0, 1), (-1, 0, 1), (-1, 0, 1)), ((1, 2), (1, 0))),
    "horizontal": (((1, 1, 1), (0, 0, 0), (-1, -1, -1)), ((0, 1), (2, 1))),
    "rising": (((1, 1, 0), (1, 0, -1), (0, -1, -1)), ((0, 0), (2, 2))),
    "falling": (((0, 1, 1), (-1, 0, 1), (-1, -1, 0)), ((0, 2), (2, 0))),
}


def own_side(window: Floats) -> Floats:
    """Return the pixels of the half of a window of 7 by 7 that the pixel in its middle belongs to."""
    means = np.array([[window[r : r + 3, c : c + 3].mean() for c in (0, 2, 4)] for r in (0, 2, 4)])
    gradients = {name: abs(float((np.array(w) * means).sum())) for name, (w, _) in EDGES.items()}
    name = max(gradients, key=gradients.__getitem__)
    first, second = EDGES[name][1]
    up = abs(means[first] - means[1, 1]) < abs(means[second] - means[1, 1])
    down, right = np.mgrid[-3:4, -3:4]
    towards = {"vertical": right, "horizontal": -down, "rising": -down - right, "falling": right - down}[name]
    return np.asarray(window[towards >= 0 if up else towards <= 0])


@oracle(
    "refined_lee_filter",
    "formulation",
    "window by window from the nine means and four edges (Lee 1981); a gain multiplies the result",
)
def of_refined_lee(scene: RandomScene) -> None:
    name, power = speckled_scene(scene)
    looks, noise = 4.4, 1 / 4.4
    made = 10 ** (scene.make("refined_lee_filter", input_path=name, looks=looks) / 10)
    expected = np.full(power.shape, np.nan)
    for row, column in np.ndindex(power.shape[0] - 6, power.shape[1] - 6):
        own = own_side(power[row : row + 7, column : column + 7])
        mean, variance = own.mean(), own.var()
        signal = max(0.0, (variance - noise * mean**2) / (1 + noise))
        expected[row + 3, column + 3] = mean + signal / variance * (power[row + 3, column + 3] - mean)
    core = np.isfinite(expected)
    agree(made[core], expected[core], rel=2e-3, share=0.99)
    even = (slice(9, 22), slice(3, 11))
    assert made[even].std() < 0.45 * power[even].std()
    stronger, _ = scene.field("vv", -40, 30, values=10 * np.log10(power) + 3, holes=False)
    again = scene.make("refined_lee_filter", input_path=stronger, looks=looks)
    agree(again - 3, 10 * np.log10(made), abs=1e-3)
