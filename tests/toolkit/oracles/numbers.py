"""Oracles of the tools of numbers and lists."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy import stats

from tests.toolkit.oracles.registry import oracle
from tests.toolkit.oracles.scenes import RandomScene, agree


def values_of(scene: RandomScene, count: int = 30) -> list[float]:
    return scene.rng.normal(3.0, 2.0, count).tolist()


@oracle("difference", "formulation", "exact fractions")
def of_difference(scene: RandomScene) -> None:
    a, b = values_of(scene, 2)
    agree(scene.run("difference", a=a, b=b), float(abs(Fraction(a) - Fraction(b))))


@oracle("division", "formulation", "exact fractions")
def of_division(scene: RandomScene) -> None:
    a, b = values_of(scene, 2)
    agree(scene.run("division", a=a, b=b), float(Fraction(b) / Fraction(a)))


@oracle("percentage_change", "formulation", "exact fractions; applied to the first number gives the second")
def of_percentage(scene: RandomScene) -> None:
    a, b = values_of(scene, 2)
    found = scene.run("percentage_change", a=a, b=b)
    agree(found, float(100 * (Fraction(b) - Fraction(a)) / abs(Fraction(a))))
    agree(a + abs(a) * found / 100, b)


@oracle("kelvin_to_celsius", "library", "scipy.constants.convert_temperature")
def of_kelvin(scene: RandomScene) -> None:
    from scipy.constants import convert_temperature

    kelvin = 250 + 80 * scene.rng.random()
    agree(scene.run("kelvin_to_celsius", kelvin=kelvin), convert_temperature(kelvin, "K", "C"))


@oracle("celsius_to_kelvin", "library", "scipy.constants.convert_temperature")
def of_celsius(scene: RandomScene) -> None:
    from scipy.constants import convert_temperature

    celsius = -40 + 80 * scene.rng.random()
    agree(scene.run("celsius_to_kelvin", celsius=celsius), convert_temperature(celsius, "C", "K"))


@oracle("multiply", "formulation", "exact fractions")
def of_multiply(scene: RandomScene) -> None:
    a, b = values_of(scene, 2)
    agree(scene.run("multiply", a=a, b=b), float(Fraction(a) * Fraction(b)))


@oracle("ceil_number", "property", "whole, and less than one above the number")
def of_ceil(scene: RandomScene) -> None:
    for n in values_of(scene, 8):
        found = scene.run("ceil_number", n=n)
        assert found == int(found) and 0 <= found - n < 1


@oracle("calculate", "library", "pandas.eval")
def of_calculate(scene: RandomScene) -> None:
    a, b = values_of(scene), values_of(scene)
    formula = "100 * (b - a) / (a * a + 1) - b ** 2"
    expected = pd.DataFrame({"a": a, "b": b}).eval(formula, engine="python")
    agree(scene.run("calculate", formula=formula, values={"a": a, "b": b}), expected)


@oracle("get_rows", "property", "pages of any size join to the whole")
def of_rows(scene: RandomScene) -> None:
    rows = values_of(scene, 17)
    size = int(scene.rng.integers(1, 9))
    pages = [scene.run("get_rows", rows=rows, first=first, count=size) for first in range(1, 18, size)]

    def numbers(page: object) -> list[float]:
        if isinstance(page, dict):
            page = next(v for v in page.values() if isinstance(v, list))
        return [v["value"] if isinstance(v, dict) else v for v in page]  # type: ignore[attr-defined]

    assert [n for page in pages for n in numbers(page)] == rows


@oracle("mean", "library", "statistics.fmean")
def of_mean(scene: RandomScene) -> None:
    import statistics

    x = values_of(scene)
    agree(scene.run("mean", x=x), statistics.fmean(x))


@oracle("max_value_and_index", "library", "pandas.Series.idxmax")
def of_max(scene: RandomScene) -> None:
    x = pd.Series(scene.rng.integers(0, 9, 30).astype(float))
    assert list(scene.run("max_value_and_index", x=x.tolist())) == [x.max(), x.idxmax()]


@oracle("min_value_and_index", "library", "pandas.Series.idxmin")
def of_min(scene: RandomScene) -> None:
    x = pd.Series(scene.rng.integers(0, 9, 30).astype(float))
    assert list(scene.run("min_value_and_index", x=x.tolist())) == [x.min(), x.idxmin()]


@oracle("get_list_object_via_indexes", "library", "numpy.take")
def of_elements(scene: RandomScene) -> None:
    x, places = values_of(scene), scene.rng.integers(0, 30, 7).tolist()
    assert (
        scene.run("get_list_object_via_indexes", input_list=x, indexes=places) == np.take(x, places).tolist()
    )


@oracle("coefficient_of_variation", "library", "scipy.stats.variation")
def of_variation(scene: RandomScene) -> None:
    x = values_of(scene)
    agree(scene.run("coefficient_of_variation", x=x), stats.variation(x, ddof=1))


@oracle("skewness", "library", "pandas.Series.skew; unchanged by an affine change")
def of_skewness(scene: RandomScene) -> None:
    x = np.exp(values_of(scene)).tolist()
    agree(scene.run("skewness", x=x, bias=False), pd.Series(x).skew())
    agree(scene.run("skewness", x=x), scene.run("skewness", x=[3 * v + 5 for v in x]))


@oracle("kurtosis", "library", "pandas.Series.kurt; unchanged by an affine change")
def of_kurtosis(scene: RandomScene) -> None:
    x = np.exp(values_of(scene)).tolist()
    agree(scene.run("kurtosis", x=x, bias=False), pd.Series(x).kurt())
    agree(scene.run("kurtosis", x=x), scene.run("kurtosis", x=[-2 * v + 5 for v in x]))


@oracle("summarize_values", "library", "scipy.stats and pandas, fourteen statistics")
def of_summary(scene: RandomScene) -> None:
    x = values_of(scene)
    series = pd.Series(x)
    expected = {
        "mean": series.mean(),
        "median": series.median(),
        "min": series.min(),
        "max": series.max(),
        "sum": math.fsum(x),
        "std": series.std(),
        "variance": series.var(),
        "range": np.ptp(x),
        "iqr": stats.iqr(x),
        "cv": stats.variation(x, ddof=1),
        "skewness": stats.skew(x),
        "kurtosis": stats.kurtosis(x),
        "mad": stats.median_abs_deviation(x),
        "rms": np.linalg.norm(x) / np.sqrt(len(x)),
        "trimmed_mean": stats.trim_mean(x, 0.1),
    }
    for name, value in expected.items():
        try:
            agree(scene.run("summarize_values", values=x, statistic=name), value)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


@oracle("combine_values", "library", "pandas.Series, each way; undone by its inverse")
def of_combine(scene: RandomScene) -> None:
    x, y = pd.Series(values_of(scene)) + 20, pd.Series(values_of(scene)) + 30

    def how(name: str) -> np.ndarray:
        return np.array(scene.run("combine_values", left=x.tolist(), right=y.tolist(), how=name))

    agree(how("difference"), x.sub(y))
    agree(how("ratio"), x.div(y))
    agree(how("percent_change"), 100 * pd.concat([y, x], axis=1).pct_change(axis=1)[1])
    agree(how("difference") + y, x)
    agree(how("ratio") * y, x)


@oracle("compare_values", "library", "pandas.Series.gt and between")
def of_compare(scene: RandomScene) -> None:
    x = pd.Series(values_of(scene))
    assert scene.run("compare_values", values=x.tolist(), operator="gt", limit=3.0) == x.gt(3.0).tolist()
    assert (
        scene.run("compare_values", values=x.tolist(), operator="between", limit=2.0, upper=4.0)
        == x.between(2, 4).tolist()
    )


@oracle("join_conditions", "property", "De Morgan's laws with missing truths")
def of_join(scene: RandomScene) -> None:
    truths = [[[True, False, None][k] for k in scene.rng.integers(0, 3, 12)] for _ in range(2)]

    def negate(several: list[bool | None]) -> list[bool | None]:
        return scene.run("join_conditions", conditions=[several], how="not")

    both = scene.run("join_conditions", conditions=truths, how="and")
    either = scene.run("join_conditions", conditions=[negate(t) for t in truths], how="or")
    assert both == negate(either)


@oracle("rank_values", "library", "scipy.stats.rankdata (least rank of ties)")
def of_ranks(scene: RandomScene) -> None:
    x = scene.rng.integers(0, 9, 20).astype(float)
    assert scene.run("rank_values", values=x.tolist()) == stats.rankdata(-x, "min").tolist()
    assert scene.run("rank_values", values=x.tolist(), descending=False) == stats.rankdata(x, "min").tolist()


@oracle("step_changes", "library", "pandas.Series.diff and pct_change")
def of_steps(scene: RandomScene) -> None:
    x = pd.Series(values_of(scene)) + 20
    agree(np.array(scene.run("step_changes", values=x.tolist()), float), x.diff())
    agree(
        np.array(scene.run("step_changes", values=x.tolist(), how="percent_change"), float),
        100 * x.pct_change(),
    )


@oracle("anomaly_of_values", "library", "scipy.stats.zmap")
def of_anomalies(scene: RandomScene) -> None:
    x, base = values_of(scene, 5), values_of(scene)
    agree(
        scene.run("anomaly_of_values", values=x, baseline=base, kind="z_score"), stats.zmap(x, base, ddof=1)
    )


@oracle("days_between", "library", "numpy.datetime64")
def of_days(scene: RandomScene) -> None:
    start = np.datetime64("1985-01-01") + int(scene.rng.integers(0, 14000))
    end = np.datetime64("1985-01-01") + int(scene.rng.integers(0, 14000))
    assert scene.run("days_between", earlier=str(start), later=str(end)) == (end - start).astype(int)


@oracle("convert_units", "library", "scipy.constants")
def of_units(scene: RandomScene) -> None:
    from scipy import constants

    x = values_of(scene, 4)
    agree(
        scene.run("convert_units", values=x, unit="degC", wanted="K"),
        constants.convert_temperature(x, "C", "K"),
    )
    agree(scene.run("convert_units", values=x, unit="ha", wanted="m2"), np.array(x) * constants.hectare)
    agree(scene.run("convert_units", values=x, unit="km", wanted="m"), np.array(x) * constants.kilo)


@oracle("correlation", "library", "pandas.Series.corr and statsmodels; ranks by scipy.stats.rankdata")
def of_correlation(scene: RandomScene) -> None:
    import statsmodels.api as sm

    x = np.array(values_of(scene))
    y = 0.5 * x + np.array(values_of(scene))
    found = scene.run("correlation", x=x.tolist(), y=y.tolist())
    agree(found["r"], pd.Series(x).corr(pd.Series(y)))
    agree(found["p"], sm.OLS(y, sm.add_constant(x)).fit().pvalues[1], rel=1e-6, abs=1e-12)
    ranks = scene.run("correlation", x=x.tolist(), y=y.tolist(), ranks=True)
    agree(ranks["r"], np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1])


@oracle("summarize_dates", "library", "pandas.Series.diff of dates")
def of_dates(scene: RandomScene) -> None:
    days = np.sort(scene.rng.choice(700, 6, replace=False))
    dates = pd.Timestamp("2020-01-01") + pd.to_timedelta(days, "D")
    names = []
    from treeline.toolkit.recognition import FileResolver

    for date in dates:
        name = f"ndvi_{date.date().isoformat()}.tif"
        scene.field("ndvi", 0, 1, name=name)
        names.append(name)
    scene.work.resolver = FileResolver(scene.folder)
    found = scene.run("summarize_dates", file_list=names)
    steps = pd.Series(dates).diff().dt.days.dropna()
    assert found["count"] == 6 and found["span_days"] == (dates[-1] - dates[0]).days
    assert found["longest_gap_days"] == steps.max()
    agree(
        [found["mean_interval_days"], found["median_interval_days"]],
        [steps.mean(), steps.median()],
        abs=0.051,
    )


@oracle("describe_rasters", "library", "rasterio's own properties")
def of_contents(scene: RandomScene) -> None:
    import rasterio

    names = sorted(scene.field("ndvi", 0, 1)[0] for _ in range(3))
    rows = scene.run("describe_rasters", file_list=names, by="file")
    assert [row["file"] for row in rows] == names
    for name, row in zip(names, rows, strict=True):
        with rasterio.open(scene.folder / name) as dataset:
            assert dataset.crs.to_epsg() == int(str(row["crs"]).split(":")[1])


@oracle("describe_features", "formulation", "the extremes of corners that were written")
def of_features(scene: RandomScene) -> None:
    from shapely import box

    scene = scene.metric
    lows = scene.rng.random((4, 2)) * np.array(scene.shape[::-1]) / 2
    name = scene.shapes("z.geojson", [box(*low, *(low + 3)) for low in lows], kind=list("abcd"))
    found = scene.run("describe_features", vector_path=name)
    assert (found["features"], found["attributes"]) == (4, ["kind"])
    left, top = scene.place.transform * tuple(lows.min(axis=0))
    right, bottom = scene.place.transform * tuple(lows.max(axis=0) + 3)
    agree([found[side] for side in ("left", "bottom", "right", "top")], [left, bottom, right, top])


@oracle("get_filelist", "library", "os.listdir")
def of_files(scene: RandomScene) -> None:
    import os

    for _ in range(3):
        scene.field("ndvi", 0, 1)
    (scene.folder / "sub").mkdir()
    for n in (10, 9, 1):
        (scene.folder / "sub" / f"b{n}.tif").write_bytes(b"")
    assert scene.run("get_filelist", dir_path="sub") == sorted(os.listdir(scene.folder / "sub"))


@oracle(
    "detect_change_points", "formulation", "the best of all segmentations, by exhaustive dynamic programming"
)
def of_changes(scene: RandomScene) -> None:
    x = np.concatenate([scene.rng.normal(level, 0.3, size) for level, size in ((0, 9), (2, 8), (1, 10))])
    n, penalty, least = x.size, 1.5, 2
    best, last = [0.0] + [math.inf] * n, [0] * (n + 1)
    for end in range(1, n + 1):
        for start in range(0, end - least + 1):
            part = x[start:end]
            cost = best[start] + ((part - part.mean()) ** 2).sum() + penalty * (start > 0)
            if cost < best[end] - 1e-12:
                best[end], last[end] = cost, start
    ends, place = [], n
    while place:
        ends.append(place)
        place = last[place]
    found = scene.run("detect_change_points", signal=x.tolist(), penalty=penalty)
    assert found == sorted(ends)


@oracle("count_spikes_from_values", "library", "pandas.Series.diff")
def of_spikes(scene: RandomScene) -> None:
    x = pd.Series(values_of(scene))
    assert scene.run("count_spikes_from_values", values=x.tolist(), spike_threshold=1.0) == int(
        x.diff().gt(1.0).sum()
    )


@oracle("growing_season", "library", "pandas.Series of dates, those at or above half of the amplitude")
def of_season(scene: RandomScene) -> None:
    days = np.sort(scene.rng.choice(np.arange(360), 30, replace=False))
    x = 0.2 + 0.6 * np.exp(-(((days - 180) / 60.0) ** 2)) + scene.rng.normal(0, 0.05, days.size)
    series = pd.Series(x, pd.Timestamp("2021-01-01") + pd.to_timedelta(days, "D"))
    given = {"values": x.tolist(), "dates": [str(day.date()) for day in series.index]}
    for limit in (None, 0.5):
        found = scene.run("growing_season", **given, **({} if limit is None else {"limit": limit}))
        green = series[series >= (limit or (series.min() + series.max()) / 2)].index
        first, last, top = green.min(), green.max(), series.idxmax()
        for name, day in (("start", first), ("end", last), ("peak", top)):
            assert found[name] == str(day.date()) and found[f"{name}_day"] == day.dayofyear
        assert found["length"] == (last - first).days
        agree(found["peak_value"], series.max())
        agree(found["amplitude"], series.max() - (series[:top].min() + series[top:].min()) / 2)


@oracle("stl_decompose", "property", "a straight line and an even season come back; the parts add up; robust")
def of_stl(scene: RandomScene) -> None:
    t = np.arange(72)
    line = 0.5 + scene.rng.uniform(-0.1, 0.1) * t
    season = np.tile(scene.rng.normal(0, 1, 12), 6)
    season -= season.mean()
    # Loess of straight lines gives straight lines back, and what is the same each year is the season.
    exact = scene.run("stl_decompose", x=(line + season).tolist(), period=12, robust=False)
    agree(exact["trend"], line, abs=1e-5)
    agree(exact["seasonal"], season, abs=1e-5)
    x = line + season + scene.rng.normal(0, 0.05, 72)
    one = scene.run("stl_decompose", x=x.tolist(), period=12)
    agree(np.array(one["trend"]) + one["seasonal"] + one["resid"], x)
    # One outlier is left to the rest.
    x[40] += 9
    other = scene.run("stl_decompose", x=x.tolist(), period=12)
    agree(other["trend"], one["trend"], abs=0.1)
    assert other["resid"][40] > 8.5


@oracle(
    "autocorrelation_function", "formulation", "Fourier transform of the power spectrum (Wiener-Khinchin)"
)
def of_autocorrelation(scene: RandomScene) -> None:
    x = np.array(values_of(scene, 40))
    d = x - x.mean()
    power = np.abs(np.fft.fft(d, 128)) ** 2
    expected = np.fft.ifft(power).real[:11] / (d @ d)
    agree(scene.run("autocorrelation_function", x=x.tolist(), nlags=10), expected, abs=1e-9)


@oracle("detect_seasonality_acf", "library", "strongest frequency of scipy.signal.periodogram")
def of_seasonality(scene: RandomScene) -> None:
    from scipy.signal import periodogram

    period = int(scene.rng.integers(6, 13))
    t = np.arange(period * 8)
    x = 0.02 * t + np.sin(2 * np.pi * t / period) + scene.rng.normal(0, 0.1, t.size)
    frequencies, power = periodogram(x, detrend="linear")
    found = scene.run("detect_seasonality_acf", values=x.tolist())
    assert found % round(1 / frequencies[power.argmax()]) == 0 or abs(found - period) <= 1


@oracle("compute_linear_trend", "library", "statsmodels.OLS")
def of_line(scene: RandomScene) -> None:
    import statsmodels.api as sm

    x = np.sort(scene.rng.random(20)) * 10
    y = 0.4 * x + scene.rng.normal(0, 1, 20)
    fit = sm.OLS(y, sm.add_constant(x)).fit()
    found = scene.run("compute_linear_trend", y=y.tolist(), x=x.tolist())
    agree(
        [found["intercept"], found["slope"], found["standard_error"], found["p"], found["r2"]],
        [*fit.params, fit.bse[1], fit.pvalues[1], fit.rsquared],
        abs=1e-9,
    )


@oracle("mann_kendall_test", "library", "scipy.stats.kendalltau")
def of_mann_kendall(scene: RandomScene) -> None:
    x = scene.rng.normal(0, 1, 25) + 0.05 * np.arange(25)
    found = scene.run("mann_kendall_test", x=x.tolist())
    agree(found["tau"], stats.kendalltau(np.arange(25), x).statistic)
    agree(found["s"], found["tau"] * 300)
    agree(found["slope"], stats.theilslopes(x)[0])


@oracle("sens_slope", "library", "scipy.stats.theilslopes")
def of_sens_slope(scene: RandomScene) -> None:
    t = np.sort(scene.rng.random(20)) * 12
    x = 0.3 * t + scene.rng.standard_cauchy(20)
    found = scene.run("sens_slope", x=x.tolist(), times=t.tolist())
    slope, intercept, _, _ = stats.theilslopes(x, t)
    agree([found["slope"], found["intercept"]], [slope, intercept])


@oracle("distance_between_points", "library", "pyproj.Geod along the way, summed")
def of_distance(scene: RandomScene) -> None:
    from pyproj import Geod

    longitude, latitude = scene.ground()
    first, second = (
        (float(longitude[0, 0]), float(latitude[0, 0])),
        (float(longitude[-1, -1]), float(latitude[-1, -1])),
    )
    between = Geod(ellps="WGS84").npts(*first, *second, 5)
    way = [first, *between, second]
    expected = Geod(ellps="WGS84").line_length([p[0] for p in way], [p[1] for p in way])
    agree(
        scene.run("distance_between_points", first=list(first), second=list(second)),
        expected,
        rel=1e-7,
        abs=1e-3,
    )


@oracle("bearing_between_points", "formulation", "azimuth of the great circle on a sphere")
def of_bearing(scene: RandomScene) -> None:
    longitude, latitude = scene.ground()
    first = float(longitude[0, 0]), float(latitude[0, 0])
    second = float(longitude[-1, -1]), float(latitude[-1, -1])
    (one, north), (other, far) = np.radians(first), np.radians(second)
    east = np.sin(other - one) * np.cos(far)
    ahead = np.cos(north) * np.sin(far) - np.sin(north) * np.cos(far) * np.cos(other - one)
    found = np.radians(scene.run("bearing_between_points", first=list(first), second=list(second)))
    expected = np.array([east, ahead]) / np.hypot(east, ahead)
    agree([np.sin(found), np.cos(found)], list(expected), abs=0.006)
