from __future__ import annotations

import dataclasses
from datetime import datetime

import numpy as np
import pymannkendall
import pytest
from scipy import stats

from tests.rasters import PlainResolver
from tests.workplace import Workplace
from treeline.toolkit.errors import InputError


class DatedFile(PlainResolver):
    """Reads the date from the file name, such as ``v_20210712.tif``."""

    def describe(self, address):
        description, band = super().describe(address)
        moment = datetime.strptime(description.path.stem.split("_")[1], "%Y%m%d")
        return dataclasses.replace(description, date=moment), band


@pytest.fixture
def workplace_with_dates(tmp_path):
    return Workplace(tmp_path, DatedFile(tmp_path))


def random_stack(seed, n, gaps=0.0):
    random = np.random.default_rng(seed)
    stack = np.round(random.normal(0, 2, (n, 6, 5)) + 0.2 * np.arange(n)[:, None, None], 1).astype("float32")
    stack[random.random(stack.shape) < gaps] = np.nan
    return stack


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_trends_of_pixels_equal_pymannkendall_and_scipy(workplace, gaps):
    stack = random_stack(1, 14, gaps)
    files = [workplace.raster(f"v{k:02}.tif", layer) for k, layer in enumerate(stack)]
    answer = workplace.run("calculate_trend_map", file_list=files, output_path="t.tif")
    slope, intercept, z, p, tau, low, high = (workplace.read("t.tif", band) for band in range(1, 8))
    assert answer == "Result saved at t.tif"
    for row, column in np.ndindex(6, 5):
        pixel = stack[:, row, column].astype("float64")
        there = np.flatnonzero(~np.isnan(pixel))
        expected = stats.theilslopes(pixel[there], there)
        test = pymannkendall.original_test(pixel[there])
        assert slope[row, column] == pytest.approx(expected.slope, abs=1e-5)
        assert low[row, column] == pytest.approx(expected.low_slope, abs=1e-5)
        assert high[row, column] == pytest.approx(expected.high_slope, abs=1e-5)
        assert intercept[row, column] == pytest.approx(expected.intercept, abs=1e-5)
        assert z[row, column] == pytest.approx(test.z, abs=1e-5)
        assert p[row, column] == pytest.approx(test.p, abs=1e-5)
        assert tau[row, column] == pytest.approx(test.Tau, abs=1e-5)


def test_too_few_dates_at_a_pixel_are_nodata(workplace):
    stack = random_stack(2, 6)
    stack[2:, 0, 0] = np.nan
    files = [workplace.raster(f"v{k}.tif", layer) for k, layer in enumerate(stack)]
    workplace.run("calculate_trend_map", file_list=files, output_path="t.tif")
    assert np.isnan(workplace.read("t.tif")[0, 0])
    assert np.isfinite(workplace.read("t.tif")[1:]).all()
    assert any("even steps" in warning for warning in workplace.context.warnings)


def test_the_slope_is_per_year_where_dates_are_known_whatever_the_order(workplace_with_dates):
    # From the 1st of January of 2018 on: each day counts as much, whatever the length of its year.
    days = {2020: 730, 2023: 1826, 2018: 0, 2021: 1096}
    files = [
        workplace_with_dates.raster(f"v_{year}0101.tif", np.full((2, 2), 3 * day / 365.25, "float32"))
        for year, day in days.items()
    ]
    workplace_with_dates.run("calculate_trend_map", file_list=files, output_path="t.tif")
    assert workplace_with_dates.read("t.tif") == pytest.approx(3, abs=1e-5)
    assert workplace_with_dates.context.products[0].role == "trend_slope"


def test_stacks_that_have_no_trend_are_refused(workplace):
    files = [workplace.raster(f"v{k}.tif", np.ones((2, 2), "float32")) for k in range(4)]
    run = workplace.run
    for arguments in (
        {"file_list": files[:3]},
        {"file_list": []},
        {"file_list": files, "dates": [1, 2]},
        {"file_list": files, "dates": [1, 1, 1, 1]},
        {"file_list": files, "minimum_count": 2},
    ):
        with pytest.raises(InputError):
            run("calculate_trend_map", **arguments, output_path="t.tif")


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("median", np.nanmedian),
        ("mean", np.nanmean),
        ("max", np.nanmax),
        ("min", np.nanmin),
        ("std", lambda stack, axis: np.nanstd(stack, axis=axis, ddof=1)),
        ("percentile", lambda stack, axis: np.nanpercentile(stack, 30, axis=axis)),
        ("count", lambda stack, axis: (~np.isnan(stack)).sum(axis=axis)),
    ],
)
def test_composites_equal_numpy(workplace, method, expected):
    stack = random_stack(3, 7, gaps=0.2)
    files = [workplace.raster(f"v{k}.tif", layer, descriptions=("ndvi",)) for k, layer in enumerate(stack)]
    workplace.run("calculate_composite", file_list=files, output_path="c.tif", method=method, percentile=30)
    np.testing.assert_allclose(workplace.read("c.tif"), expected(stack.astype("float64"), axis=0), rtol=1e-5)
    assert workplace.context.products[0].role == ("valid_count" if method == "count" else "ndvi")


def test_a_composite_of_scenes_has_every_band(workplace):
    scenes = np.stack([random_stack(11, 5, gaps=0.2), random_stack(12, 5)], axis=1)
    files = [workplace.raster("s0.tif", scenes[0], descriptions=("red", "nir"))]
    turned = ("nir", "red")
    files += [workplace.raster(f"s{k}.tif", scenes[k][::-1], descriptions=turned) for k in range(1, 5)]
    expected = np.nanmedian(scenes.astype("float64"), axis=0)
    workplace.run("calculate_composite", file_list=files, output_path="c.tif")
    for band in (1, 2):
        np.testing.assert_allclose(workplace.read("c.tif", band), expected[band - 1], rtol=1e-5)
    assert workplace.context.products[0].role == "red" and not workplace.context.warnings
    workplace.run("calculate_composite", file_list=[f"{f}#nir" for f in files], output_path="n.tif")
    assert workplace.stored_bands("n.tif").shape[0] == 1
    np.testing.assert_allclose(workplace.read("n.tif"), expected[1], rtol=1e-5)


def test_a_composite_of_scenes_that_lack_a_band_is_refused(workplace):
    scene = random_stack(13, 2)
    files = [
        workplace.raster("s0.tif", scene, descriptions=("red", "nir")),
        workplace.raster("s1.tif", scene[:1], descriptions=("red",)),
    ]
    with pytest.raises(InputError, match=r"s1\.tif has no band like s0\.tif#nir"):
        workplace.run("calculate_composite", file_list=files, output_path="c.tif")


def test_anomalies_against_a_baseline(workplace):
    stack = random_stack(4, 5) + 10
    files = [workplace.raster(f"v{k}.tif", layer) for k, layer in enumerate(stack)]
    usual, spread = stack[1:].mean(axis=0), stack[1:].std(axis=0, ddof=1)
    expected = {
        "difference": stack[0] - usual,
        "standardized": (stack[0] - usual) / spread,
        "percent": 100 * (stack[0] - usual) / usual,
    }
    for kind, values in expected.items():
        workplace.run(
            "calculate_anomaly",
            image_path=files[0],
            baseline_list=files[1:],
            output_path=f"{kind}.tif",
            kind=kind,
        )
        np.testing.assert_allclose(workplace.read(f"{kind}.tif"), values, rtol=1e-3, atol=1e-3)
    with pytest.raises(InputError, match="3 are needed"):
        workplace.run(
            "calculate_anomaly",
            image_path=files[0],
            baseline_list=files[:2],
            output_path="x.tif",
            kind="standardized",
        )


@pytest.mark.parametrize(("tool", "role"), [("vegetation", "ndvi"), ("temperature", "lst")])
def test_a_baseline_of_other_seasons_is_told(workplace_with_dates, tool, role):
    run = workplace_with_dates.run
    days = ["20190704", "20200715", "20210702", "20210120", "20220731", "20230809"]
    files = [
        workplace_with_dates.raster(
            f"v_{day}.tif", np.full((2, 2), n / 10 + 0.1, "float32"), descriptions=(role,)
        )
        for n, day in enumerate(days)
    ]
    given = {"image_path": files[1], "output_path": "c.tif"}
    run(f"{tool}_condition_index", **given, baseline_list=[f for f in files if "0120" not in f])
    assert not any("time of the year" in warning for warning in workplace_with_dates.context.warnings)
    run(f"{tool}_condition_index", **given, baseline_list=files)
    assert (
        "1 of 6 images of the baseline, 2019-07-04 to 2023-08-09, are of another"
        in workplace_with_dates.context.warnings[-1]
    )
    winter = workplace_with_dates.raster(
        "v_20191225.tif", np.full((2, 2), 0.3, "float32"), descriptions=(role,)
    )
    run(f"{tool}_condition_index", image_path=winter, output_path="w.tif", baseline_list=[files[3]])
    assert "time of the year" not in workplace_with_dates.context.warnings[-1]  # January is near to December


def test_each_raster_is_measured_against_its_own_month(workplace_with_dates):
    values = {"20200105": 1, "20210105": 3, "20200705": 10, "20210705": 30, "20220705": 20}
    files = [
        workplace_with_dates.raster(f"v_{day}.tif", np.full((2, 2), v, "float32"))
        for day, v in values.items()
    ]
    outputs = [f"a_{day}.tif" for day in values]
    workplace_with_dates.run("calculate_batch_anomaly", file_list=files, output_paths=outputs)
    assert [workplace_with_dates.read(name)[0, 0] for name in outputs] == [-1, 1, -10, 10, 0]
    workplace_with_dates.run(
        "calculate_batch_anomaly", file_list=files, output_paths=outputs, baseline_years=[2020, 2020]
    )
    assert [workplace_with_dates.read(name)[0, 0] for name in outputs] == [0, 2, 0, 20, 10]
    with pytest.raises(InputError, match="month"):
        workplace_with_dates.run(
            "calculate_batch_anomaly", file_list=files, output_paths=outputs, baseline_years=[1990, 1991]
        )
