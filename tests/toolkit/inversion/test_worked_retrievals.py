"""Worked numbers of water, ice, snow, microwave and fire retrievals, reached through the tools."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.toolkit.pixels import Pixel, run_pixels
from tests.workplace import Workplace
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import FileResolver


@pytest.mark.parametrize(
    ("red", "nir", "ratio", "surface", "channels", "expected"),
    [
        (1.0, 1.0, 0.7, "mixed", 3, 0.3348),
        (1.0, 1.0, 0.6, "mixed", 3, 0.6649),
        (1.0, 1.0, 0.4, "mixed", 3, 2.0685),
        (1.0, 1.0, 0.5, "soil", 3, 1.0066),
        (1.0, 1.0, 0.5, "vegetation", 3, ((0.012 + math.log(2)) / 0.651) ** 2),
        (0.30, 0.34, 0.15, "mixed", 2, 1.200042),
        (0.30, 0.34, 0.15, "mixed", 3, 1.290246),
        (1.0, 1.0, 1.03, "mixed", 3, math.nan),
    ],
)
def test_precipitable_water(
    place: Workplace, red: float, nir: float, ratio: float, surface: str, channels: int, expected: float
) -> None:
    found = run_pixels(
        place,
        "band_ratio",
        sur_refl_b02_path=Pixel(red, "nir"),
        sur_refl_b05_path=Pixel(nir, "swir12"),
        sur_refl_b17_path=Pixel(0.2, "nir_905"),
        sur_refl_b18_path=Pixel(0.2, "nir_936"),
        sur_refl_b19_path=Pixel(ratio, "nir_940"),
        surface=surface,
        channels=channels,
    )
    assert found == pytest.approx([expected], abs=5e-5, nan_ok=True)


@pytest.mark.parametrize(
    ("tie_points", "h19", "v19", "v37", "expected"),
    [
        ("F13 north", 114.4, 185.2, 205.2, (0, 0, 0)),
        ("F13 north", 235.4, 251.2, 241.1, (1, 1, 0)),
        ("F13 north", 198.6, 222.4, 186.2, (1, 0, 1)),
        ("F13 north", 200.16, 229.36, 217.45, (0.8, 0.5, 0.3)),
        ("F13 north", 200, 225, 215, (0.84103, 0.64442, 0.19661)),
        ("F17 north", 200, 225, 215, (0.87434, 0.57645, 0.29789)),
    ],
)
def test_sea_ice(
    place: Workplace, tie_points: str, h19: float, v19: float, v37: float, expected: tuple[float, ...]
) -> None:
    channels = {"19H": Pixel(h19), "19V": Pixel(v19), "37V": Pixel(v37)}
    found = run_pixels(place, "nasa_team_sea_ice_concentration", bt_paths=channels, tie_points=tie_points)
    assert found == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize(
    ("tie_points", "limit"),
    [
        ("F13 south", 0.05),
        ("F17 north", 0.05),
        ("F17 south", 0.057),
        ("SMMR north", 0.07),
        ("SMMR south", 0.076),
    ],
)
def test_weather_filter_of_the_sensor(place: Workplace, tie_points: str, limit: float) -> None:
    for over, weather in ((-0.001, False), (0.001, True)):
        gradient = limit + over
        v37 = 185 * (1 + gradient) / (1 - gradient)
        channels = {"19H": Pixel(140), "19V": Pixel(185), "37V": Pixel(v37)}
        found = [
            run_pixels(
                place,
                "nasa_team_sea_ice_concentration",
                bt_paths=channels,
                tie_points=tie_points,
                weather_filter=kept,
            )[0]
            for kept in (True, False)
        ]
        assert found[1] > 0 and found[0] == (0 if weather else found[1])


def test_weather_by_the_water_vapour_channel(place: Workplace) -> None:
    for gradient, weather in ((0.044, False), (0.046, True)):
        v22 = 225 * (1 + gradient) / (1 - gradient)
        channels = {"19H": Pixel(200), "19V": Pixel(225), "37V": Pixel(215), "22V": Pixel(v22)}
        found = run_pixels(place, "nasa_team_sea_ice_concentration", bt_paths=channels)
        assert (found[0] == 0) == weather


@pytest.mark.parametrize(
    ("low", "high", "quantity", "forest", "expected"),
    [
        (245, 225, "depth", 0, 31.8),
        (245, 225, "swe", 0, 96.0),
        (245, 225, "depth", 0.5, 63.6),
        (226.8, 225, "depth", 0, 0),
        (227, 225, "depth", 0, 3.18),
        (270, 207.2, "depth", 0, 99.852),
        (270, 207.0, "depth", 0, math.nan),
        (270, 207.0, "swe", 0, math.nan),
    ],
)
def test_snow(
    place: Workplace, low: float, high: float, quantity: str, forest: float, expected: float
) -> None:
    found = run_pixels(
        place,
        "chang_snow_depth",
        bt18h_path=Pixel(low),
        bt37h_path=Pixel(high),
        quantity=quantity,
        forest_fraction=forest,
    )
    assert found == pytest.approx([expected], abs=1e-3, nan_ok=True)


@pytest.mark.parametrize(("parameter", "expected"), [("SD", 31.8), ("SWE", 96.0)])
def test_chang_is_snow(place: Workplace, parameter: str, expected: float) -> None:
    bands = [Pixel(245), Pixel(225)]
    found = run_pixels(
        place, "chang_single_param_inversion", bt_paths=bands, diff_pairs=[[0, 1]], parameter=parameter
    )
    assert found == pytest.approx([expected], rel=1e-5)


@pytest.mark.parametrize(("parameter", "expected"), [("PR", 0.038462), ("PI", 0.076923), ("MPDT", 20)])
def test_polarisation(place: Workplace, parameter: str, expected: float) -> None:
    bands = {"V": Pixel(270), "H": Pixel(250)}
    found = run_pixels(place, "dual_polarization_ratio", bt_paths=bands, parameter=parameter)
    assert found == pytest.approx([expected], abs=1e-6)


@pytest.mark.parametrize(
    ("ev", "eh", "albedo", "v", "h", "expected"),
    [(0.95, 0.80, 0.05, 278.8516, 270.7136, 0.5), (0.85, 0.60, 0.06, 267.0010, 240.4805, 0.3)],
)
def test_vegetation_depth(
    place: Workplace, ev: float, eh: float, albedo: float, v: float, h: float, expected: float
) -> None:
    found = run_pixels(
        place,
        "vegetation_optical_depth",
        bt_v_path=Pixel(v),
        bt_h_path=Pixel(h),
        emissivity_v=ev,
        emissivity_h=eh,
        incidence_angle=55.0,
        single_scattering_albedo=albedo,
    )
    assert found == pytest.approx([expected], abs=1e-4)


def test_an_albedo_that_no_vegetation_has_is_refused(place: Workplace) -> None:
    soil = {"emissivity_v": 0.95, "emissivity_h": 0.8, "incidence_angle": 55.0}
    bands = {"bt_v_path": Pixel(280), "bt_h_path": Pixel(270)}
    with pytest.raises(InputError, match="single_scattering_albedo"):
        run_pixels(place, "vegetation_optical_depth", **bands, **soil, single_scattering_albedo=0.6)


@pytest.mark.parametrize(
    ("coefficient", "fire", "area", "expected"),
    [(None, 360, 1.0, 93.9614), (3.0e-9, 360, 1.0, 82.9787), (None, 360, 2.5, 234.9035), (None, 290, 1.0, 0)],
)
def test_fire_radiative_power(
    place: Workplace, coefficient: float | None, fire: float, area: float, expected: float
) -> None:
    found = run_pixels(
        place,
        "fire_radiative_power",
        fire_path=Pixel(fire),
        background_temperature=300.0,
        pixel_area=area,
        radiance_coefficient=coefficient,
    )
    assert found == pytest.approx([expected], rel=1e-5)


@pytest.mark.parametrize(
    ("method", "wavelength", "reflectance", "expected"),
    [
        ("nechad", 665, 0.03, 10.271798),
        ("linear", 645, 0.03, 7.651025),
        ("nechad 2016", 665, 0.03, 12.973731),
        ("nechad 2016", 655, 0.03, 378.46 * 0.03 / (1 - 0.03 / 0.19905)),
        ("nechad", 665, 0.0863, 282.95 * 0.0863 / (1 - 0.0863 / 0.1728)),
        ("nechad", 665, 0.0865, math.nan),
        ("nechad", 665, -0.001, math.nan),
    ],
)
def test_turbidity(
    place: Workplace, method: str, wavelength: float, reflectance: float, expected: float
) -> None:
    found = run_pixels(
        place,
        "calculate_water_turbidity_ntu",
        input_red_path=Pixel(reflectance, "red"),
        method=method,
        wavelength=wavelength,
    )
    assert found == pytest.approx([expected], rel=1e-5, nan_ok=True)


NECHAD = {
    645: (208.41, 0.1641),
    655: (235.32, 0.1686),
    665: (282.95, 0.1728),
    670: (294.24, 0.1747),
    700: (316.38, 0.1864),
    750: (1249.27, 0.1992),
    840: (1810.59, 0.2105),
    860: (2059.37, 0.2113),
    865: (2109.35, 0.2115),
}


@pytest.mark.parametrize("wavelength", NECHAD)
def test_turbidity_at_every_wavelength(place: Workplace, wavelength: float) -> None:
    a, c = NECHAD[wavelength]
    found = run_pixels(
        place,
        "calculate_water_turbidity_ntu",
        input_red_path=Pixel(0.05),
        method="nechad",
        wavelength=wavelength,
    )
    assert found == pytest.approx([a * 0.05 / (1 - 0.05 / c)], rel=1e-5)


@pytest.mark.parametrize(
    ("red", "nir", "expected"),
    [(0.03, 0.01, 8.373872), (0.06, 0.02, 44.796699), (0.08, 0.05, 201.694690), (0.08, 0.22, math.nan)],
)
def test_turbidity_of_red_and_infrared(place: Workplace, red: float, nir: float, expected: float) -> None:
    found = run_pixels(
        place, "water_turbidity_red_nir", input_red_path=Pixel(red, "red"), input_nir_path=Pixel(nir, "nir")
    )
    assert found == pytest.approx([expected], rel=1e-5, nan_ok=True)


@pytest.mark.parametrize(
    ("role", "wavelength", "a", "c"),
    [("red", 0, 355.85, 0.1728), ("nir08", 0, 2971.93, 0.2115), (None, 865, 2971.93, 0.2115)],
)
def test_suspended_matter(place: Workplace, role: str | None, wavelength: float, a: float, c: float) -> None:
    for reflectance, usable in ((0.03, True), (0.499 * c, True), (0.501 * c, False)):
        found = run_pixels(
            place, "suspended_particulate_matter", input_path=Pixel(reflectance, role), wavelength=wavelength
        )
        expected = a * reflectance / (1 - reflectance / c) if usable else math.nan
        assert found == pytest.approx([expected], rel=1e-5, nan_ok=True)


def test_deep_snow_is_left_out_and_told(place: Workplace) -> None:
    found = run_pixels(place, "chang_snow_depth", bt18h_path=Pixel(270), bt37h_path=Pixel(200))
    assert math.isnan(found[0])
    assert any("0 to 100" in warning for warning in place.context.warnings)


def test_no_measurement_is_no_ice(place: Workplace) -> None:
    for channel in ("19H", "19V", "37V"):
        channels = {"19H": Pixel(200), "19V": Pixel(225), "37V": Pixel(215), channel: Pixel(0)}
        found = run_pixels(place, "nasa_team_sea_ice_concentration", bt_paths=channels)
        assert all(map(math.isnan, found))


@pytest.mark.parametrize(("v", "h"), [(270, 200), (270.0001, 270), (260, 270)])
def test_vegetation_that_no_soil_explains(place: Workplace, v: float, h: float) -> None:
    found = run_pixels(
        place,
        "vegetation_optical_depth",
        bt_v_path=Pixel(v),
        bt_h_path=Pixel(h),
        emissivity_v=0.95,
        emissivity_h=0.8,
        incidence_angle=55.0,
    )
    assert math.isnan(found[0])


def test_fires_are_in_kelvin(place: Workplace) -> None:
    for celsius in (27.0, 80.0):
        with pytest.raises(InputError, match="K"):
            run_pixels(place, "fire_radiative_power", fire_path=Pixel(360), background_temperature=celsius)
    found = run_pixels(place, "fire_radiative_power", fire_path=Pixel(80), background_temperature=300.0)
    assert math.isnan(found[0])


@pytest.mark.parametrize(
    ("name", "stored", "scale", "offset", "wavelength"),
    [
        ("LC08_L2SP_190028_20210712_20210720_02_T1_SR_B4.TIF", 8364, 0.0000275, -0.2, 655),
        ("LC09_L2SP_190028_20220712_20220720_02_T1_SR_B4.TIF", 8364, 0.0000275, -0.2, 655),
        ("LE07_L2SP_190028_20020712_20210720_02_T1_SR_B3.TIF", 8364, 0.0000275, -0.2, 665),
        ("LT05_L2SP_190028_20020712_20210720_02_T1_SR_B3.TIF", 8364, 0.0000275, -0.2, 665),
        ("T33TVM_20210712T100031_B04_10m.tif", 300, 0.0001, 0, 665),
        ("MOD09GA.A2021193.h18v04.sur_refl_b01.tif", 300, 0.0001, 0, 645),
    ],
)
def test_turbidity_at_the_wavelength_of_the_sensor(
    tmp_path: Path, name: str, stored: int, scale: float, offset: float, wavelength: int
) -> None:
    place = Workplace(tmp_path, FileResolver(tmp_path))
    place.raster(name, np.full((2, 2), stored, "uint16"))
    place.run("calculate_water_turbidity_ntu", input_red_path=name, output_path="out.tif")
    a, c = NECHAD[wavelength]
    reflectance = stored * scale + offset
    assert place.read("out.tif")[0, 0] == pytest.approx(a * reflectance / (1 - reflectance / c), rel=1e-4)
    assert not any("sensor" in warning for warning in place.context.warnings)


def test_turbidity_of_an_unknown_sensor_tells_what_was_assumed(place: Workplace) -> None:
    found = run_pixels(place, "calculate_water_turbidity_ntu", input_red_path=Pixel(0.03, "red"))
    assert found == pytest.approx([7.651025], rel=1e-5)
    assert any("sensor" in warning and "645 nm" in warning for warning in place.context.warnings)


@pytest.mark.parametrize(
    ("method", "options", "expected"),
    [
        ("linear", {"a": 200.0, "b": 3.0}, 200 * 0.03 + 3),
        ("power", {"a": 200.0, "b": 3.0, "n": 1.5}, 200 * 0.03**1.5 + 3),
        ("log", {"a": 5.0, "b": 40.0}, 5 * math.log(0.03) + 40),
    ],
)
def test_turbidity_by_a_calibration(
    place: Workplace, method: str, options: dict[str, float], expected: float
) -> None:
    found = run_pixels(
        place, "calculate_water_turbidity_ntu", input_red_path=Pixel(0.03, "red"), method=method, **options
    )
    assert found == pytest.approx([expected], rel=1e-5)


@pytest.mark.parametrize(
    ("value", "unit", "told"),
    [(0.1, "dB", True), (-10, "linear", True), (0.1, "linear", False), (-10, "dB", False)],
)
def test_backscatter_of_another_unit_is_told(place: Workplace, value: float, unit: str, told: bool) -> None:
    run_pixels(
        place,
        "dual_polarization_differential",
        pol1_path=Pixel(value, "vv"),
        pol2_path=Pixel(value, "vh"),
        parameter="vegetation_index",
        input_unit=unit,
    )
    assert any("input_unit" in warning for warning in place.context.warnings) == told
