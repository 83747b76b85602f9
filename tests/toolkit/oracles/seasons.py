"""Oracles of the maps of seasons, droughts and breaks."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import rasterio
import shapely
from scipy import stats

from tests.toolkit.oracles.registry import oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree


def write_dated(
    scene: RandomScene, role: str, values: Floats, dates: list[str], holes: bool = False
) -> tuple[list[str], Floats]:
    """Write a stack of rasters whose names hold their dates; return the names and what they hold."""
    from treeline.toolkit.recognition import FileResolver

    scene.work.resolver = FileResolver(scene.folder)
    scene.shape = values.shape[1:]
    names, known = [], []
    for image, date in zip(values, dates, strict=True):
        image = np.where(scene.rng.random(image.shape) < 0.08, np.nan, image) if holes else image
        stored = np.where(np.isnan(image), -9999.0, image).astype("float32")
        tags = {"TREELINE_ROLE": role}
        names.append(scene.write(stored, role, -9999.0, name=f"{role}_{date}.tif", tags=tags))
        known.append(np.where(stored == -9999.0, np.nan, stored.astype("float64")))
    return names, np.stack(known)


def months(count: int, first: str = "2001-01-15") -> list[str]:
    return [
        str(m)[:10] for m in pd.date_range(first[:8] + "01", periods=count, freq="MS") + pd.Timedelta(days=14)
    ]


# Brightness, greenness and wetness as the papers print them; MODIS in the order of its bands 1 to 7.
CAPS = {
    "Landsat 4-5 TM": """
        .2043  .4158  .5524  .5741  .3124  .2303
        -.1603 -.2819 -.4934 .7940 -.0002 -.1446
        .0315  .2021  .3102  .1594 -.6806 -.6109""",
    "Landsat 7 ETM+": """
        .3561  .3972  .3904  .6966  .2286  .1596
        -.3344 -.3544 -.4556 .6966 -.0242 -.2630
        .2626  .2141  .0926  .0656 -.7629 -.5388""",
    "Landsat 8-9 OLI": """
        .3029  .2786  .4733  .5599  .508   .1872
        -.2941 -.243  -.5424 .7276  .0713 -.1608
        .1511  .1973  .3283  .3407 -.7117 -.4559""",
    "Sentinel-2 MSI": """
        .3510  .3813  .3437  .7196  .2396  .1949
        -.3599 -.3533 -.4734 .6633  .0087 -.2856
        .2578  .2305  .0883  .1071 -.7611 -.5308""",
    "MODIS": """
        .4395  .5945  .2460  .3918  .3506  .2136  .2678
        -.4064 .5129 -.2744 -.2893  .4882 -.0036 -.4169
        .1147  .2489  .2408  .3132 -.3122 -.6416 -.5087""",
}


@oracle(
    "tasseled_cap",
    "formulation",
    "the matrices as the papers print them, by numpy.einsum; weights of unit length and at right angles",
)
def of_tasseled_cap(scene: RandomScene) -> None:
    six = ("blue", "green", "red", "nir", "swir1", "swir2")
    seven = ("red", "nir", "blue", "green", "swir12", "swir1", "swir2")
    written = {role: scene.field(role, 0.02, 0.5) for role in seven}
    for sensor, printed in CAPS.items():
        rows = np.array([line.split() for line in printed.strip().splitlines()], dtype=float)
        agree(np.linalg.norm(rows, axis=1), np.ones(3), abs=0.01)
        assert np.abs(np.triu(rows @ rows.T, 1)).max() < 0.09, sensor
        bands = seven if sensor == "MODIS" else six
        paths = [written[band][0] for band in bands]
        scene.run("tasseled_cap", raster_paths=paths, output_path="out.tif", sensor=sensor)
        expected = np.einsum("ab,bij->aij", rows, np.stack([written[band][1] for band in bands]))
        for number in range(3):
            agree(scene.read("out.tif", number + 1), expected[number], abs=5e-6)


def from_least_to_greatest(values: Floats) -> Floats:
    """Return 0 to 100 at each pixel of a stack, by scikit-learn."""
    from sklearn.preprocessing import MinMaxScaler

    # It leaves out what is missing, and takes a pixel as a feature and a date as a sample.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        scaled = MinMaxScaler((0, 100)).fit_transform(values.reshape(len(values), -1))
    return np.asarray(scaled.reshape(values.shape))


@oracle("vegetation_condition_index", "library", "sklearn.preprocessing.MinMaxScaler of each pixel's dates")
def of_vci(scene: RandomScene) -> None:
    names, values = scene.fields("ndvi", 6, 0.1, 0.8)
    made = np.stack(
        [scene.make("vegetation_condition_index", image_path=name, baseline_list=names) for name in names]
    )
    agree(made, from_least_to_greatest(values), abs=5e-4)


@oracle(
    "temperature_condition_index", "library", "sklearn.preprocessing.MinMaxScaler of minus the temperature"
)
def of_tci(scene: RandomScene) -> None:
    names, values = scene.fields("lst", 6, 280, 320)
    made = scene.make("temperature_condition_index", image_path=names[2], baseline_list=names)
    agree(made, from_least_to_greatest(-values)[2], abs=0.02)


@oracle("vegetation_health_index", "library", "numpy.average with weights")
def of_vhi(scene: RandomScene) -> None:
    (a, vci), (b, tci) = scene.field("vci", 0, 100), scene.field("tci", 0, 100)
    made = scene.make("vegetation_health_index", vci_path=a, tci_path=b, alpha=0.3)
    agree(made, np.average([vci, tci], axis=0, weights=[0.3, 0.7]), abs=1e-3)


@oracle(
    "standardized_precipitation_index",
    "library",
    "scipy.stats.gamma fitted by maximum likelihood, month by month",
)
def of_spi(scene: RandomScene) -> None:
    rain = scene.rng.gamma(2.5, 30, (180, 2, 3))
    names, values = write_dated(scene, "precipitation", rain, months(180, "1991-01-15"))
    outputs = [f"s{n}.tif" for n in range(180)]
    scene.run("standardized_precipitation_index", file_list=names, output_paths=outputs, scale=3)
    sums = pd.Series(values[:, 1, 2]).rolling(3).sum().to_numpy()
    july = np.arange(6, 180, 12)
    shape, _, scale = stats.gamma.fit(sums[july], floc=0)
    expected = stats.norm.ppf(stats.gamma.cdf(sums[july], shape, scale=scale))
    # Thom's estimate is within a hundredth of the maximum of the likelihood.
    agree([scene.read(outputs[n])[1, 2] for n in july], expected, abs=0.04)


def log_logistic_scores(balance: Floats) -> Floats:
    """Return the SPEI of a sample by Vicente-Serrano et al. 2010 and Begueria et al. 2014.

    Moments without bias as sums over all subsets of the sample, counted by binomials; the log-logistic
    distribution as the generalised logistic one (Hosking & Wallis 1997, appendix A.7), by scipy.stats.kappa4.
    """
    from scipy.special import comb

    ordered, n = np.sort(balance), balance.size
    below = np.arange(n)
    b = [float((comb(below, r) * ordered).sum() / comb(n - 1, r) / n) for r in range(3)]
    first, second, third = b[0], 2 * b[1] - b[0], 6 * b[2] - 6 * b[1] + b[0]
    k = -third / second
    scale = second * np.sinc(k)
    return stats.norm.ppf(
        stats.kappa4.cdf(balance, -1.0, k, loc=first - scale * (1 - 1 / np.sinc(k)) / k, scale=scale)
    )


@oracle(
    "standardized_precipitation_evapotranspiration_index",
    "formulation",
    "moments over all subsets of the sample, scipy.stats.kappa4 and norm, month by month",
)
def of_spei(scene: RandomScene) -> None:
    rain = scene.rng.gamma(2.5, 30, (180, 2, 3))
    loss = 40 + 20 * scene.rng.random(rain.shape)
    a, fallen = write_dated(scene, "precipitation", rain, months(180, "1991-01-15"))
    b, lost = write_dated(scene, "potential_evapotranspiration", loss, months(180, "1991-01-15"))
    outputs = [f"a{n}.tif" for n in range(180)]
    call = "standardized_precipitation_evapotranspiration_index"
    scene.run(call, precipitation_list=a, evapotranspiration_list=b, output_paths=outputs, scale=2)
    assert np.isnan(scene.read(outputs[0])).all()
    sums = pd.Series(fallen[:, 1, 2] - lost[:, 1, 2]).rolling(2).sum().to_numpy()
    july = np.arange(6, 180, 12)
    agree([scene.read(outputs[n])[1, 2] for n in july], log_logistic_scores(sums[july]), abs=2e-3)


@oracle("smooth_series", "library", "scipy.sparse solution of Eilers' equations; scipy.signal.savgol_filter")
def of_smooth(scene: RandomScene) -> None:
    from scipy import sparse
    from scipy.signal import savgol_filter
    from scipy.sparse.linalg import spsolve

    t = np.linspace(0, 6, 24)[:, None, None]
    names, values = write_dated(
        scene, "ndvi", 0.5 + 0.3 * np.sin(t) + scene.rng.normal(0, 0.05, (24, 4, 5)), months(24), holes=True
    )
    outputs = [f"s{n}.tif" for n in range(24)]
    scene.run("smooth_series", file_list=names, output_paths=outputs, smoothness=5.0)
    made = np.stack([scene.read(name) for name in outputs])
    second = sparse.csc_matrix(np.diff(np.eye(24), 2, axis=0))
    for row, column in ((0, 0), (3, 4), (2, 1)):
        y = values[:, row, column]
        w = sparse.diags(np.isfinite(y).astype(float))
        agree(
            made[:, row, column], spsolve((w + 5.0 * second.T @ second).tocsc(), np.nan_to_num(y)), abs=1e-5
        )
    scene.run("smooth_series", file_list=names, output_paths=outputs, method="savitzky_golay", window=7)
    made = np.stack([scene.read(name) for name in outputs])
    filled = (
        pd.DataFrame(values.reshape(24, -1))
        .interpolate(limit_direction="both")
        .to_numpy()
        .reshape(values.shape)
    )
    agree(made, savgol_filter(filled, 7, 2, axis=0), abs=1e-5)


@oracle(
    "calculate_phenology_map",
    "library",
    "shapely: where the line through the dates meets the level of each side; a triangle of known corners",
)
def of_phenology(scene: RandomScene) -> None:
    dates = pd.date_range("2021-01-01", "2021-12-31", freq="8D")
    names_of = [str(d)[:10] for d in dates]
    days = dates.dayofyear.to_numpy(float)[:, None, None]
    peak = scene.rng.choice(dates.dayofyear.to_numpy(float)[18:28], (1, 4, 5))
    up, down = scene.rng.uniform(60, 100, (2, 1, 4, 5))
    curve = np.clip(np.where(days < peak, 1 - (peak - days) / up, 1 - (days - peak) / down), 0, None)
    names, _ = write_dated(scene, "ndvi", 0.2 + 0.6 * curve, names_of)
    scene.run("calculate_phenology_map", file_list=names, output_path="out.tif")
    agree(scene.read("out.tif", 2), peak[0])
    agree(scene.read("out.tif", 1), peak[0] - up[0] / 2, abs=0.01)
    agree(scene.read("out.tif", 3), peak[0] + down[0] / 2, abs=0.01)
    # Uneven rises and falls, from one low to another.
    steps = scene.rng.random((len(dates), 4, 5))
    rise = np.where(days <= peak, steps, -steps * scene.rng.uniform(0.5, 0.8, (1, 4, 5)))
    names, values = write_dated(scene, "evi", 0.1 + 0.03 * np.cumsum(rise, axis=0), names_of)
    for share in (0.5, 0.2):
        scene.run("calculate_phenology_map", file_list=names, output_path="out.tif", share=share)
        made = np.stack([scene.read("out.tif", band) for band in range(1, 6)])
        for row, column in ((0, 0), (2, 3), (3, 1)):
            expected = season_of(days[:, 0, 0], values[:, row, column], share)
            agree(made[:, row, column], expected, rel=1e-5, abs=0.01)


def season_of(days: Floats, values: Floats, share: float) -> list[float]:
    """Return start, peak, end, length and amplitude of one series with one rise and one fall."""
    top = int(values.argmax())
    lows, crossings = [], []
    for side in (slice(None, top + 1), slice(top, None)):
        low = float(values[side].min())
        level = low + share * (values[top] - low)
        line = shapely.LineString(np.column_stack([days[side], values[side]]))
        across = shapely.LineString([(days[0] - 1, level), (days[-1] + 1, level)])
        lows.append(low)
        crossings.append(float(shapely.intersection(line, across).centroid.x))
    start, end = crossings
    return [start, float(days[top]), end, end - start, float(values[top] - np.mean(lows))]


@oracle(
    "phenology_of_zones",
    "library",
    "shapely: where the line of the zone's means meets the level of each side; a triangle of known corners",
)
def of_zone_phenology(scene: RandomScene) -> None:
    scene = scene.metric
    dates = pd.date_range("2021-01-01", "2021-12-31", freq="8D")
    days = dates.dayofyear.to_numpy(float)[:, None, None]
    peaks = scene.rng.choice(dates.dayofyear.to_numpy(float)[18:28], 2)
    peak = np.where(np.arange(8) < 4, *peaks)[None, None] * np.ones((1, 6, 8))
    curve = np.clip(1 - np.abs(days - peak) / 80, 0, None)
    uneven = np.cumsum(np.where(days <= peak, 1, -0.7) * scene.rng.random((len(dates), 1, 1)), axis=0)
    first = pd.Timestamp("2020-12-31")
    for role, values in (("ndvi", 0.2 + 0.6 * curve), ("evi", 0.1 + 0.03 * uneven)):
        names, known = write_dated(scene, role, values, [str(d)[:10] for d in dates])
        rows = scene.run("phenology_of_zones", file_list=names, zones_path=halves(scene, names[0]))
        for row, side in zip(rows, (slice(0, 4), slice(4, 8)), strict=True):
            means = known[:, :, side].mean(axis=(1, 2))
            start, top, end, length, amplitude = season_of(days[:, 0, 0], means, 0.5)
            for key, day in (("start", start), ("peak", top), ("end", end)):
                assert abs((pd.Timestamp(row[key]) - first).days - day) <= 1, (key, row, day)
            agree([row["length"], row["amplitude"]], [length, amplitude], abs=0.02)


def halves(scene: RandomScene, name: str) -> str:
    """Write the western and the eastern half of a raster of 6 rows and 8 columns as polygons."""
    with rasterio.open(scene.folder / name) as dataset:
        corners = [
            [dataset.transform * (column, row) for row in (0, 6) for column in (first, first + 4)]
            for first in (0, 4)
        ]
        crs = dataset.crs.to_wkt()
    shapes = [shapely.MultiPoint(points).convex_hull for points in corners]
    zones = {
        "type": "FeatureCollection",
        "crs": {"type": "name", "properties": {"name": crs}},
        "features": [
            {"type": "Feature", "properties": {"side": side}, "geometry": shapely.geometry.mapping(shape)}
            for side, shape in zip(("west", "east"), shapes, strict=True)
        ],
    }
    (scene.folder / "halves.geojson").write_text(json.dumps(zones))
    return "halves.geojson"


def waves(scene: RandomScene, count: int = 72) -> tuple[list[str], Floats, Floats]:
    dates = months(count, "2015-01-15")
    stamps = pd.to_datetime(dates)
    t = ((stamps - pd.Timestamp("2015-01-01")).days.to_numpy() / 365.2425)[:, None, None]
    values = 0.5 + 0.01 * t + 0.2 * np.cos(2 * np.pi * (t - 0.55)) + scene.rng.normal(0, 0.02, (count, 4, 5))
    names, known = write_dated(scene, "ndvi", values, dates, holes=True)
    return names, known, t[:, 0, 0]


@oracle("calculate_harmonic_map", "library", "statsmodels.OLS pixel by pixel")
def of_harmonics(scene: RandomScene) -> None:
    import statsmodels.api as sm

    names, values, t = waves(scene)
    scene.run("calculate_harmonic_map", file_list=names, output_path="out.tif")
    made = [scene.read("out.tif", band) for band in range(1, 7)]
    design = np.column_stack([np.ones_like(t), t - t.mean(), np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)])
    for row, column in ((0, 0), (2, 3), (3, 4)):
        found = sm.OLS(values[:, row, column], design, missing="drop").fit()
        agree([made[0][row, column], made[1][row, column]], found.params[:2], abs=1e-5)
        agree(made[2][row, column], np.hypot(*found.params[2:]), abs=1e-5)
        agree(made[4][row, column], found.rsquared, abs=1e-5)
        agree(made[5][row, column], np.sqrt(found.mse_resid), abs=1e-5)
        day = made[3][row, column]
        fine = np.linspace(0, 1, 20001)
        curve = found.params[2] * np.cos(2 * np.pi * fine) + found.params[3] * np.sin(2 * np.pi * fine)
        agree(day, fine[curve.argmax()] * 365.2425 + 1, abs=0.05)


@oracle("seasonal_mann_kendall_test", "library", "pymannkendall.seasonal_test")
def of_seasonal_test(scene: RandomScene) -> None:
    import pymannkendall

    t = np.arange(72)
    x = 0.003 * t + np.sin(2 * np.pi * t / 12) + scene.rng.normal(0, 0.1, 72)
    found = scene.run("seasonal_mann_kendall_test", values=x.tolist(), period=12)
    expected = pymannkendall.seasonal_test(x, period=12)
    agree(
        [found["s"], found["variance"], found["z"], found["p"]],
        [expected.s, expected.var_s, expected.z, expected.p],
    )
    agree([found["slope"], found["tau"]], [expected.slope, expected.Tau])


@oracle("calculate_seasonal_trend_map", "library", "pymannkendall.seasonal_test pixel by pixel")
def of_seasonal_map(scene: RandomScene) -> None:
    import pymannkendall

    names, values, _ = waves(scene)
    scene.run("calculate_seasonal_trend_map", file_list=names, output_path="out.tif")
    made = [scene.read("out.tif", band) for band in range(1, 5)]
    for row, column in ((0, 0), (2, 3), (3, 4)):
        expected = pymannkendall.seasonal_test(values[:, row, column], period=12)
        agree(
            [band[row, column] for band in made],
            [expected.slope, expected.z, expected.p, expected.Tau],
            rel=1e-3,
            abs=1e-5,
        )


@oracle(
    "calculate_break_map",
    "library",
    "statsmodels.breaks_cusumolsresid; the least sum of squares of statsmodels.OLS by date",
)
def of_breaks(scene: RandomScene) -> None:
    import statsmodels.api as sm
    from statsmodels.stats.diagnostic import breaks_cusumolsresid

    names, values, t = waves(scene)
    values = values - 0.01 * t[:, None, None]
    values[40:, :2] -= 0.3
    dates = months(72, "2015-01-15")
    for name in names:
        (scene.folder / name).unlink()
    names, values = write_dated(scene, "ndvi", values, dates)
    scene.run("calculate_break_map", file_list=names, output_path="out.tif")
    when, jump, p, statistic = (scene.read("out.tif", band) for band in range(1, 5))
    design = np.column_stack([np.ones_like(t), np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)])
    for row, column in ((0, 1), (1, 3), (3, 2)):
        y = values[:, row, column]
        there = np.isfinite(y)
        rest = sm.OLS(y[there], design[there]).fit().resid
        value, probability, _ = breaks_cusumolsresid(rest, ddof=3)
        agree([statistic[row, column], p[row, column]], [value, probability], abs=1e-5, rel=1e-4)
        if row < 2:
            agree(when[row, column], 2015 + t[40], abs=0.18)
            agree(jump[row, column], -0.3, abs=0.04)
    # White noise has a break in one case of twenty.
    assert np.isnan(when[2:]).mean() >= 0.5
