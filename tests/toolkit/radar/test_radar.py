from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import ndimage
from skimage.filters import threshold_otsu

from tests.workplace import Workplace
from treeline.toolkit.errors import InputError, NoValidPixels, RoleMismatch
from treeline.toolkit.radar.flood import split_of
from treeline.toolkit.radar.speckle import lee, window_moments
from treeline.toolkit.thresholding import otsu
from treeline.toolkit.variables import VARIABLES

WINDOW = np.array([[8, 9, 11], [10, 60, 12], [9, 10, 11]], dtype=float)


def _speckle(shape: tuple[int, int], mean: float, looks: float, seed: int = 0) -> np.ndarray:
    return (np.random.default_rng(seed).gamma(looks, mean / looks, shape)).astype("float32")


def test_decibels_of_known_powers(place: Workplace) -> None:
    place.raster("p.tif", np.array([[0.05, 0.01, 1.0, 0.0]], dtype="float32"), descriptions=["vv"])
    place.run("linear_to_decibel", input_path="p.tif", output_path="d.tif")
    np.testing.assert_allclose(place.read("d.tif"), [[-13.0103, -20, 0, np.nan]], atol=1e-4)
    place.run("decibel_to_linear", input_path="d.tif", output_path="l.tif")
    np.testing.assert_allclose(place.read("l.tif"), [[0.05, 0.01, 1.0, np.nan]], rtol=1e-5)
    with pytest.raises(InputError, match="decibels already"):
        place.run("linear_to_decibel", input_path="d.tif", output_path="x.tif")
    with pytest.raises(InputError, match="no raster in decibels"):
        place.run("decibel_to_linear", input_path="p.tif", output_path="x.tif")


def test_a_stated_unit_outweighs_the_values(place: Workplace) -> None:
    place.raster("bright.tif", np.full((3, 3), 2.0, dtype="float32"), descriptions=["vv"])
    place.resolver.bands = {"bright.tif": {"unit": "dB"}}
    place.run("decibel_to_linear", input_path="bright.tif", output_path="l.tif")
    np.testing.assert_allclose(place.read("l.tif"), 10**0.2, rtol=1e-6)


def test_window_moments_of_the_worked_example() -> None:
    mean, variance = window_moments(WINDOW, 3)
    assert (mean[1, 1], variance[1, 1]) == pytest.approx((15.555556, 248.246914), abs=1e-5)


@pytest.mark.parametrize(
    ("looks", "form", "expected"),
    [
        (4, "mmse", 42.446787),
        (4, "simplified", 49.169595),
        (1, "mmse", 16.116968),
        (1, "simplified", 16.678381),
    ],
)
def test_lee_of_the_worked_example(looks: float, form: str, expected: float) -> None:
    assert lee(WINDOW, looks, 3, form)[1, 1] == pytest.approx(expected, abs=1e-5)  # type: ignore[arg-type]


@given(arrays(np.float64, (7, 8), elements=st.floats(0.001, 10)), st.floats(0.5, 20))
def test_lee_lies_between_the_mean_and_the_pixel(values: np.ndarray, looks: float) -> None:
    mean, _ = window_moments(values, 3)
    found = lee(values, looks, 3)
    low, high = np.minimum(mean, values), np.maximum(mean, values)
    assert ((found >= low - 1e-9) & (found <= high + 1e-9)).all()


def test_lee_keeps_an_edge_and_smooths_a_field(place: Workplace) -> None:
    scene = np.concatenate([_speckle((60, 40), 0.02, 4, 1), _speckle((60, 40), 0.5, 4, 2)], axis=1)
    place.raster("s.tif", scene, descriptions=["vv"])
    place.run("lee_filter", input_path="s.tif", output_path="f.tif", looks=4, window=7)
    found = place.read("f.tif")
    assert found[5:-5, 5:30].std() < 0.5 * scene[5:-5, 5:30].std()
    assert found[:, :37].mean() == pytest.approx(0.02, rel=0.1)
    assert found[:, 43:].mean() == pytest.approx(0.5, rel=0.1)


def test_decibels_are_filtered_as_intensity(place: Workplace) -> None:
    scene = _speckle((30, 30), 0.1, 3)
    scene[4, 4] = np.nan
    place.raster("lin.tif", scene, descriptions=["vv"])
    place.raster("db.tif", 10 * np.log10(scene), descriptions=["vv"])
    place.run("lee_filter", input_path="lin.tif", output_path="l.tif", looks=3)
    place.run("lee_filter", input_path="db.tif", output_path="d.tif", looks=3)
    np.testing.assert_allclose(10 ** (place.read("d.tif") / 10), place.read("l.tif"), rtol=1e-4)
    assert np.isnan(place.read("l.tif")[4, 4]) and np.isnan(place.read("l.tif")).sum() == 1


def test_looks(place: Workplace) -> None:
    place.raster("s.tif", _speckle((300, 300), 0.1, 4.4), descriptions=["vv"])
    assert place.run("equivalent_number_of_looks", input_path="s.tif") == pytest.approx(4.4, rel=0.03)
    place.raster("c.tif", np.ones((9, 9), dtype="float32"), descriptions=["vv"])
    with pytest.raises(InputError, match="no speckle"):
        place.run("equivalent_number_of_looks", input_path="c.tif")
    for wrong in ({"looks": 0.0}, {"looks": 4, "window": 4}):
        with pytest.raises(InputError, match="argument"):
            place.run("lee_filter", input_path="s.tif", output_path="f.tif", **wrong)


def test_ratio_index_and_change_in_either_unit(place: Workplace) -> None:
    place.raster("vv.tif", np.full((2, 2), 0.2, dtype="float32"), descriptions=["vv"])
    place.raster("vh.tif", np.full((2, 2), 10 * math.log10(0.05), dtype="float32"), descriptions=["vh"])
    place.run("radar_ratio", numerator_path="vh.tif", denominator_path="vv.tif", output_path="r.tif")
    np.testing.assert_allclose(place.read("r.tif"), 10 * math.log10(0.25), rtol=1e-5)
    arguments = {"numerator_path": "vh.tif", "denominator_path": "vv.tif", "scale": "linear"}
    place.run("radar_ratio", output_path="l.tif", **arguments)
    np.testing.assert_allclose(place.read("l.tif"), 0.25, rtol=1e-5)
    place.run(
        "radar_vegetation_index",
        co_polarised_path="vv.tif",
        cross_polarised_path="vh.tif",
        output_path="i.tif",
    )
    np.testing.assert_allclose(place.read("i.tif"), 4 * 0.05 / 0.25, rtol=1e-5)
    place.raster("later.tif", np.full((2, 2), 0.02, dtype="float32"), descriptions=["vv"])
    place.run("radar_log_ratio", before_path="vv.tif", after_path="later.tif", output_path="c.tif")
    np.testing.assert_allclose(place.read("c.tif"), -10, rtol=1e-5)
    with pytest.raises(InputError, match="Compare one polarisation"):
        place.run("radar_log_ratio", before_path="vv.tif", after_path="vh.tif", output_path="x.tif")


def test_otsu_splits_the_worked_levels() -> None:
    values = np.repeat([-20.0, -19.0, -8.0, -7.0], [40, 10, 50, 20])
    assert -19 <= otsu(values) < -8
    assert split_of(values).smaller == pytest.approx(50 / 120, rel=1e-3)


@settings(max_examples=20)
@given(st.one_of(st.just(0.0), st.floats(4, 8)), st.integers(0, 99))
def test_separation_tells_one_population_from_two(apart: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = split_of(np.concatenate([rng.normal(-20, 1, 3000), rng.normal(-20 + apart, 1, 3000)]))
    if apart:
        assert found.separation == pytest.approx(apart, rel=0.1)
    else:
        assert found.separation < 2 or found.smaller < 0.1


def _scene(seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    water = np.zeros((600, 600), dtype=bool)
    water[:70, 250:390] = True
    power = np.where(water, _speckle(water.shape, 0.004, 20, seed), _speckle(water.shape, 0.09, 20, seed + 1))
    return 10 * np.log10(ndimage.uniform_filter(power, 3)).astype("float32"), water


def test_little_water_is_found_by_tiles(place: Workplace) -> None:
    scene, water = _scene()
    place.raster("vv.tif", scene, descriptions=["vv"])
    place.run("flood_mask", backscatter_path="vv.tif", output_path="f.tif")
    found = place.read("f.tif") == 1
    assert (found & water).sum() / (found | water).sum() > 0.95
    limit = place.run("flood_threshold", backscatter_path="vv.tif")
    tile = scene[:200, 200:400]
    assert (tile <= limit).mean() == pytest.approx((tile <= threshold_otsu(tile)).mean(), abs=0.02)
    permanent = np.zeros_like(water, dtype="uint8")
    permanent[:70, 250:300] = 1
    place.raster("perm.tif", permanent, descriptions=["mask"])
    place.run("flood_mask", backscatter_path="vv.tif", output_path="g.tif", permanent_water_path="perm.tif")
    assert not (place.read("g.tif")[:70, 250:300] == 1).any()
    assert (place.read("g.tif")[:66, 305:385] == 1).mean() > 0.97


def test_dry_land_is_not_flooded(place: Workplace) -> None:
    place.raster("dry.tif", 10 * np.log10(_speckle((300, 300), 0.09, 20)), descriptions=["vv"])
    with pytest.raises(InputError, match="No tile of dry.tif holds land and water"):
        place.run("flood_mask", backscatter_path="dry.tif", output_path="f.tif")
    assert not (place.folder / "f.tif").exists()
    place.run("flood_mask", backscatter_path="dry.tif", output_path="f.tif", threshold=-18.0)
    assert (place.read("f.tif") == 0).all()
    place.raster("none.tif", np.full((40, 40), np.nan, dtype="float32"), descriptions=["vv"])
    with pytest.raises(NoValidPixels):
        place.run("flood_mask", backscatter_path="none.tif", output_path="n.tif")


def test_reflectance_is_no_backscatter(place: Workplace) -> None:
    place.raster("nir.tif", np.full((5, 5), 0.4, dtype="float32"), descriptions=["nir"])
    for tool, arguments in (("lee_filter", {"looks": 4}), ("linear_to_decibel", {})):
        with pytest.raises(RoleMismatch):
            place.run(tool, input_path="nir.tif", output_path="x.tif", **arguments)


def test_decibels_are_averaged_as_power(place: Workplace) -> None:
    for name, value in (("p.tif", 0.01), ("q.tif", 0.1)):
        place.raster(name, np.full((1, 1), value, dtype="float32"), descriptions=["vv"])
    place.run("calculate_tif_average", file_list=["p.tif", "q.tif"], output_path="mean.tif")
    place.run("linear_to_decibel", input_path="mean.tif", output_path="db.tif")
    assert place.read("db.tif")[0, 0] == pytest.approx(-12.5964, abs=1e-4)


@pytest.mark.parametrize(
    ("looks", "form", "expected"),
    [
        (4.0, "mmse", 42.446787),
        (4.0, "simplified", 49.169595),
        (1.0, "mmse", 16.116968),
        (1.0, "simplified", 16.678381),
    ],
)
def test_lee_of_a_raster(place: Workplace, looks: float, form: str, expected: float) -> None:
    place.raster("w.tif", WINDOW.astype("float32"), descriptions=["vv"])
    place.run("lee_filter", input_path="w.tif", output_path="f.tif", looks=looks, window=3, form=form)
    assert place.read("f.tif")[1, 1] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("calc_batch_image_mean", {"file_list": ["p.tif"]}),
        ("calc_batch_image_mean_mean", {"file_list": ["p.tif"]}),
        ("calc_batch_image_pooled_statistics", {"file_list": ["p.tif"]}),
        ("calculate_tif_average", {"file_list": ["p.tif", "p.tif"], "output_path": "m.tif"}),
        ("calculate_composite", {"file_list": ["p.tif"] * 3, "output_path": "m.tif", "method": "mean"}),
    ],
)
def test_a_mean_of_decibels_is_told(place: Workplace, tool: str, arguments: dict) -> None:
    place.raster("p.tif", np.array([[-20, -10]], dtype="float32"), descriptions=["vv"])
    for unit in ("1", "dB"):
        place.resolver.bands = {"p.tif": {"unit": unit}}
        place.run(tool, **arguments)
        assert any("decibel_to_linear" in warning for warning in place.context.warnings) == (unit == "dB")


@pytest.mark.parametrize(("scale", "unit"), [("dB", "dB"), ("linear", "1")])
def test_a_ratio_says_its_unit_and_is_plausible(place: Workplace, scale: str, unit: str) -> None:
    for name, value in (("vv", 0.2), ("vh", 0.02)):
        place.raster(f"{name}.tif", np.full((2, 2), value, dtype="float32"), descriptions=[name])
    place.run(
        "radar_ratio", numerator_path="vh.tif", denominator_path="vv.tif", output_path="r.tif", scale=scale
    )
    product = place.context.products[-1]
    low, high = VARIABLES[product.role].plausible
    assert product.unit == unit and low <= place.read("r.tif")[0, 0] <= high
