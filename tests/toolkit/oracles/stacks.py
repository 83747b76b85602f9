"""Oracles of the maps from stacks through time, and of hot spots."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from scipy import stats

from tests.toolkit.oracles.registry import oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree


def stack(scene: RandomScene, count: int = 8) -> tuple[list[str], Floats]:
    scene.shape = (9, 11)
    return scene.fields("ndvi", count, 0.05, 0.85)


@oracle("getis_ord_gi_star", "library", "esda.G_Local with a libpysal lattice")
def of_gi_star(scene: RandomScene) -> None:
    import libpysal
    from esda import G_Local

    scene.shape = (11, 13)
    name, values = scene.field("lst", 280, 310, smooth=1.0, holes=False)
    found = scene.make("getis_ord_gi_star", image_path=name, weight_matrix=[[1, 1, 1]] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lattice = libpysal.weights.lat2W(*scene.shape, rook=False)
        expected = G_Local(values.ravel(), lattice, transform="B", star=True, permutations=0).Zs
    agree(found.ravel(), expected, rel=1e-4, abs=1e-4)


@oracle(
    "analyze_hotspot_direction",
    "formulation",
    "quarters of the argument of complex numbers; turns with the map",
)
def of_direction(scene: RandomScene) -> None:
    scene.place, side = type(scene.place)("level", "EPSG:32633", 5e5, 5e6, 10.0), 21
    mask = np.zeros((side, side))
    mask[1:4, 8:13] = 1
    names = ["north", "west", "south", "east"]
    for turns, name in enumerate(names):
        address, _ = scene.whole("mask", np.rot90(mask, turns), holes=False)
        assert name in scene.run("analyze_hotspot_direction", hotspot_map_path=address)
    rows, columns = np.indices(mask.shape) - side // 2
    quarter = np.round(np.angle(-rows + 1j * -columns) / (np.pi / 2)) % 4
    for _ in range(4):
        hot = scene.rng.random(mask.shape) < np.where(quarter == scene.rng.integers(4), 0.3, 0.1)
        # What lies on the border of two sectors may belong to either.
        hot &= np.abs(rows) != np.abs(columns)
        counts = np.bincount(quarter[hot].astype(int), minlength=4)
        if np.sort(counts)[-1] > np.sort(counts)[-2]:
            address, _ = scene.whole("mask", hot.astype(float), holes=False)
            assert names[counts.argmax()] in scene.run("analyze_hotspot_direction", hotspot_map_path=address)


@oracle("classify_hotspots", "library", "statsmodels multipletests (Benjamini-Hochberg) of two-sided p")
def of_hot_classes(scene: RandomScene) -> None:
    from statsmodels.stats.multitest import multipletests

    name, z = scene.field("gi_star", -6, 6, values=scene.rng.normal(0, 1.6, scene.shape))
    scene.run("classify_hotspots", gi_star_path=name, output_path="out.tif")
    there = ~np.isnan(z)
    reject = multipletests(2 * stats.norm.sf(np.abs(z[there])), 0.05, "fdr_bh")[0]
    expected = np.full(z.shape, np.nan)
    expected[there] = np.where(reject, np.where(z[there] > 0, 1, 2), 0)
    agree(scene.read("out.tif"), expected, share=0.99)


@oracle("calculate_composite", "library", "xarray median, mean, max, min, std, quantile and count")
def of_composite(scene: RandomScene) -> None:
    import xarray as xr

    names, values = stack(scene)
    cube = xr.DataArray(values, dims=("t", "y", "x"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = {
            "median": cube.median("t"),
            "mean": cube.mean("t"),
            "max": cube.max("t"),
            "min": cube.min("t"),
            "std": cube.std("t", ddof=1),
            "percentile": cube.quantile(0.3, "t"),
            "count": cube.count("t"),
        }
    for method, value in expected.items():
        made = scene.make("calculate_composite", file_list=names, method=method, percentile=30.0)
        agree(np.nan_to_num(made), np.nan_to_num(value), abs=5e-6)


@oracle("summarize_stack", "library", "scipy.stats along the dates, omitting what is missing")
def of_stack_summary(scene: RandomScene) -> None:
    names, values = stack(scene)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = {
            "iqr": stats.iqr(values, 0, nan_policy="omit"),
            "skewness": stats.skew(values, 0, nan_policy="omit"),
            "kurtosis": stats.kurtosis(values, 0, nan_policy="omit"),
            "mad": stats.median_abs_deviation(values, 0, nan_policy="omit"),
            "rms": np.sqrt(np.nanmean(np.square(values), axis=0)),
            "cv": stats.variation(values, 0, nan_policy="omit", ddof=1),
        }
    for name, value in expected.items():
        made = scene.make("summarize_stack", file_list=names, statistic=name)
        inside = np.isfinite(made)
        assert inside.mean() > 0.8
        agree(made[inside], np.asarray(value, float)[inside], rel=1e-3, abs=1e-4)


@oracle("calculate_anomaly", "library", "scipy.stats.zmap pixel by pixel")
def of_anomaly(scene: RandomScene) -> None:
    names, values = stack(scene, 6)
    made = scene.make("calculate_anomaly", image_path=names[0], baseline_list=names[1:], kind="standardized")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = stats.zmap(values[:1], values[1:], ddof=1, nan_policy="omit")[0]
    inside = np.isfinite(made)
    assert inside.mean() > 0.8
    agree(made[inside], np.asarray(expected, float)[inside], rel=1e-3, abs=1e-4)


@oracle("calculate_batch_anomaly", "library", "pandas.DataFrame.groupby of the month, three kinds")
def of_batch_anomaly(scene: RandomScene) -> None:
    from treeline.toolkit.recognition import FileResolver

    scene.shape = (9, 11)
    scene.stored = ("float32", 1.0, 0.0, -9999.0)
    dates = [f"{year}-{month}-15" for year in range(2016, 2022) for month in ("06", "07")]
    names, values = [], []
    for date in dates:
        name, known = scene.field("ndvi", 0.05, 0.85, name=f"NDVI_{date}.tif", tags={"TREELINE_ROLE": "ndvi"})
        names.append(name)
        values.append(known.ravel())
    scene.work.resolver = FileResolver(scene.folder)
    outputs = [f"o{n}.tif" for n in range(len(names))]
    months = pd.DataFrame(values).groupby([date[5:7] for date in dates])
    mean, deviation = months.transform("mean"), months.transform("std")
    difference = pd.DataFrame(values) - mean
    for kind, expected in {
        "difference": difference,
        "standardized": difference / deviation,
        "percent": 100 * difference / mean,
    }.items():
        scene.run("calculate_batch_anomaly", file_list=names, output_paths=outputs, kind=kind)
        made = np.stack([scene.read(output).ravel() for output in outputs])
        # Of few years a pixel has no climatology.
        inside = np.isfinite(made)
        assert inside.mean() > 0.7
        agree(made[inside], expected.to_numpy()[inside], rel=1e-3, abs=1e-4)


@oracle("calculate_trend_map", "library", "scipy.stats.theilslopes and kendalltau pixel by pixel")
def of_trend(scene: RandomScene) -> None:
    names, values = stack(scene, 9)
    times = np.sort(scene.rng.random(9)) * 5
    scene.run("calculate_trend_map", file_list=names, output_path="out.tif", dates=times.tolist())
    found = [scene.read("out.tif", band) for band in (1, 5, 6, 7)]
    for row, column in np.argwhere((~np.isnan(values)).sum(axis=0) >= 4)[::7]:
        series = values[:, row, column]
        there = ~np.isnan(series)
        slope, _, low, high = stats.theilslopes(series[there], times[there])
        tau = stats.kendalltau(times[there], series[there]).statistic
        agree([f[row, column] for f in found], [slope, tau, low, high], rel=1e-3, abs=1e-5)


@oracle("calculate_linear_trend_map", "library", "statsmodels.OLS pixel by pixel")
def of_linear_trend(scene: RandomScene) -> None:
    import statsmodels.api as sm

    names, values = stack(scene, 9)
    times = np.sort(scene.rng.random(9)) * 5
    scene.run("calculate_linear_trend_map", file_list=names, output_path="out.tif", dates=times.tolist())
    found = [scene.read("out.tif", band) for band in range(1, 5)]
    for row, column in np.argwhere((~np.isnan(values)).sum(axis=0) >= 4)[::7]:
        fit = sm.OLS(values[:, row, column], sm.add_constant(times), missing="drop").fit()
        expected = [fit.params[1], fit.pvalues[1], fit.rsquared, fit.bse[1]]
        agree([f[row, column] for f in found], expected, rel=2e-3, abs=1e-5)
