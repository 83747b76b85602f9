"""Split window, TES, water vapour, sea ice, snow, turbidity and optical depth against worked numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion import (
    separation,
    split_window_methods,
    turbidity,
    vegetation_depth,
    water_vapour,
)
from treeline.toolkit.inversion.channels import channel_key
from treeline.toolkit.inversion.day_night import day_and_night
from treeline.toolkit.inversion.microwave import sum_of_differences
from treeline.toolkit.inversion.physics import correct_for_emissivity, planck_radiance, planck_temperature
from treeline.toolkit.inversion.polarisation import calibration, polarisation_ratio
from treeline.toolkit.inversion.sea_ice import coefficients, concentrations, tie_point_set
from treeline.toolkit.inversion.snow_depth import snow

ASTER_UM = (8.291, 8.634, 9.075, 10.657, 11.318)


@pytest.mark.parametrize(
    ("first", "second", "emissivity", "difference", "water", "expected"),
    [
        (300, 298.5, 1, 0, 0, 306.4050),
        (300, 298.5, 0.98, 0, 2, 307.0744),
        (300, 298.5, 0.975, -0.005, 2, 307.6600),
        (295, 294.5, 0.985, 0, 1, 297.7272),
    ],
)
def test_sobrino(
    first: float, second: float, emissivity: float, difference: float, water: float, expected: float
) -> None:
    found = split_window_methods.sobrino_2003(first, second, emissivity, difference, water)
    assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("first", "second", "emissivity", "difference", "water", "expected"),
    [
        (300, 298.5, 1, 0, 0, 302.2108),
        (300, 298.5, 0.98, 0, 2, 303.2072),
        (300, 298.5, 0.9695, 0.003, 2, 303.4412),
        (295, 294, 0.985, -0.005, 1, 297.6379),
    ],
)
def test_jimenez_munoz(
    first: float, second: float, emissivity: float, difference: float, water: float, expected: float
) -> None:
    found = split_window_methods.jimenez_munoz_2014(first, second, emissivity, difference, water)
    assert found == pytest.approx(expected, abs=1e-4)


def test_du_rows_and_overlap() -> None:
    rows = [
        split_window_methods.du_class(b, 300, 298.5, 0.98, 0) for *_, b in split_window_methods._DU_CLASSES
    ]
    assert rows == pytest.approx([304.9443, 304.5255, 304.1728, 303.8266, 302.2785], abs=1e-4)
    overlap = split_window_methods.du_2015(300, 298.5, 0.98, 0, 2.2)
    assert overlap == pytest.approx((304.9443 + 304.5255) / 2, abs=1e-4)


def test_separation_of_a_sulphate_like_spectrum() -> None:
    brightness = np.array([298.154445, 296.358201, 298.481137, 306.436053, 306.993550])[:, None]
    found = separation.separate(brightness, ASTER_UM)
    assert found.temperature[0] == pytest.approx(310.23856, abs=1e-4)
    assert found.contrast[0] == pytest.approx(0.19947, abs=1e-5)
    np.testing.assert_allclose(
        found.emissivity[:, 0], [0.80602, 0.78460, 0.82328, 0.94865, 0.95693], atol=1e-5
    )


def test_separation_under_a_sky(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separation, "ROCK_VARIANCE", np.inf)
    sky = [2.8, 2.2, 2.0, 1.6, 1.7]
    surface = zip((0.80, 0.78, 0.82, 0.95, 0.96), ASTER_UM, sky, strict=True)
    radiance = [e * planck_radiance(np.array([310.0]), um) + (1 - e) * s for e, um, s in surface]
    pairs = zip(radiance, ASTER_UM, strict=True)
    brightness = np.stack([planck_temperature(value, um) for value, um in pairs])
    found = separation.separate(brightness, ASTER_UM, sky=sky)
    assert found.temperature[0] == pytest.approx(310.196, abs=5e-4)
    assert found.emissivity.min() == pytest.approx(0.78626, abs=1e-5)
    ignored = separation.separate(brightness, ASTER_UM)
    assert ignored.temperature[0] == pytest.approx(310.701, abs=5e-4)
    assert ignored.emissivity.min() == pytest.approx(0.8201, abs=5e-5)


def test_separation_of_a_grey_surface() -> None:
    brightness = np.array([298.854182, 298.862464, 298.863232, 298.807227, 298.808233])[:, None]
    found = separation.separate(brightness, ASTER_UM)
    assert found.temperature[0] == pytest.approx(299.64698, abs=1e-4)
    assert found.emissivity.min() == pytest.approx(0.98541, abs=1e-5)
    grey = separation.separate(brightness, ASTER_UM, low_contrast=0.03)
    assert grey.emissivity.min() == pytest.approx(0.983, abs=1e-6)


@pytest.mark.parametrize(
    ("contrast", "least"),
    [(0.01, 0.970935), (0.05, 0.918474), (0.1, 0.868120), (0.2, 0.784195), (0.3, 0.711125)],
)
def test_emissivity_contrast_regression(contrast: float, least: float) -> None:
    assert separation.ASTER(contrast) == pytest.approx(least, abs=1e-6)


def _observed_radiance(emissivity: np.ndarray, temperature: float, sky: np.ndarray) -> np.ndarray:
    pairs = zip(emissivity, sky, ASTER_UM, strict=True)
    leaving = [e * planck_radiance(temperature, w) + (1 - e) * s for e, s, w in pairs]
    return np.array([planck_temperature(r, w) for r, w in zip(leaving, ASTER_UM, strict=True)])[:, None]


def test_sky_matters() -> None:
    emissivity, sky = np.array([0.80, 0.78, 0.82, 0.95, 0.96]), np.array([2.8, 2.2, 2.0, 1.6, 1.7])
    brightness = _observed_radiance(emissivity, 310.0, sky)
    ignored = separation.separate(brightness, ASTER_UM)
    assert (ignored.temperature[0], ignored.emissivity.min()) == pytest.approx((310.701, 0.8201), abs=2e-3)
    corrected = separation.separate(brightness, ASTER_UM, sky=sky)
    assert abs(corrected.temperature[0] - 310) < 0.5
    assert abs(corrected.emissivity.min() - 0.78) < abs(ignored.emissivity.min() - 0.78)


@given(
    least=st.floats(0.7, 0.95),
    temperature=st.floats(260, 330),
    spread=st.lists(st.floats(0, 1), min_size=3, max_size=3),
)
def test_separation_of_spectra_with_contrast(least: float, temperature: float, spread: list[float]) -> None:
    emissivity = least + (0.98 - least) * np.array([0.0, *spread, 1.0])
    found = separation.separate(_observed_radiance(emissivity, temperature, np.zeros(5)), ASTER_UM)
    assert abs(found.temperature[0] - temperature) < 5
    assert 0 < found.emissivity.min() <= found.emissivity.max() < 1.05


@pytest.mark.parametrize(("ratio", "expected"), [(0.7, 0.3348), (0.6, 0.6649), (0.5, 1.2000), (0.4, 2.0685)])
def test_precipitable_water_by_ratio(ratio: float, expected: float) -> None:
    found = water_vapour.precipitable_water(0.020, 0.651, np.float64(1), np.float64(1), np.float64(ratio))
    assert found == pytest.approx(expected, abs=1e-4)


def test_precipitable_water_by_three_channels() -> None:
    bands = (np.float64(0.30), np.float64(0.34), np.float64(0.15))
    assert water_vapour.precipitable_water(0.020, 0.651, *bands) == pytest.approx(1.290246, abs=1e-6)
    soil = water_vapour.precipitable_water(-0.040, 0.651, np.float64(1), np.float64(1), np.float64(0.5))
    assert soil == pytest.approx(1.0066, abs=1e-4)
    assert np.isnan(
        water_vapour.precipitable_water(0.02, 0.651, np.float64(0.3), np.float64(0.3), np.float64(0.4))
    )


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        (
            "SSM/I original north",
            (
                (3290.2, -20761.2, 23934.0, 47985.4),
                (-790.9, 13825.3, -33155.8, -47771.9),
                (2035.4, 9244.6, -5665.8, -12875.1),
            ),
        ),
        (
            "SSM/I original south",
            (
                (3055.0, -18592.6, 20906.9, 42554.5),
                (-782.8, 13453.5, -33098.3, -47334.6),
                (2078.0, 7423.3, -3376.8, -8722.0),
            ),
        ),
        (
            "F13 north",
            (
                (3039.0, -19265.5, 19637.4, 41941.8),
                (-1031.1, 12758.0, -28686.5, -42475.6),
                (1676.3, 6855.3, -3788.3, -8967.3),
            ),
        ),
        (
            "F13 south",
            (
                (3112.0, -20401.9, 19126.4, 42640.2),
                (-1022.7, 13546.9, -28874.1, -43443.7),
                (1900.7, 6003.1, -529.4, -4631.8),
            ),
        ),
        (
            "F17 north",
            (
                (2850.6, -18856.0, 19575.4, 41282.0),
                (-800.2, 12484.5, -28656.2, -41941.0),
                (1673.0, 6555.5, -3671.4, -8554.0),
            ),
        ),
        (
            "F17 south",
            (
                (2957.7, -19487.6, 20063.7, 42509.0),
                (-804.4, 12836.9, -29731.0, -43372.3),
                (1881.5, 5800.2, -612.9, -4531.6),
            ),
        ),
    ],
)
def test_sea_ice_coefficients(name: str, rows: tuple) -> None:
    found = coefficients(tie_point_set(name))
    published = np.array(rows)
    factor = published[0, 0] / found[0, 0]
    np.testing.assert_allclose(found * factor, published, atol=0.11, rtol=1e-4)


def _ice(name: str, h19: float, v19: float, v37: float) -> list[float]:
    bands = {"c19H": np.array([h19]), "c19V": np.array([v19]), "c37V": np.array([v37])}
    return [float(v) for v in concentrations(tie_point_set(name), 0.05, **bands)[:, 0]]


def test_sea_ice_of_tie_points_and_mixtures() -> None:
    for index, expected in enumerate(((0, 0, 0), (1, 1, 0), (1, 0, 1))):
        assert _ice("F13 north", *tie_point_set("F13 north")[index]) == pytest.approx(expected, abs=1e-9)
    assert _ice("F13 north", 200.16, 229.36, 217.45) == pytest.approx((0.8, 0.5, 0.3), abs=1e-9)
    assert _ice("F13 north", 200, 225, 215) == pytest.approx((0.84103, 0.64442, 0.19661), abs=2e-5)
    assert _ice("F17 north", 200, 225, 215) == pytest.approx((0.87434, 0.57645, 0.29789), abs=2e-5)


def test_weather_is_no_ice() -> None:
    assert _ice("F13 north", 200, 190, 215)[0] == 0
    bands = {"c19H": np.array([200.0]), "c19V": np.array([225.0]), "c37V": np.array([215.0])}
    wet = concentrations(tie_point_set("F13 north"), 0.05, **bands, c22V=np.array([250.0]))
    assert wet[0, 0] == 0
    with pytest.raises(InputError, match="F13 north"):
        tie_point_set("F99")


def test_chang() -> None:
    low, high = np.array([245.0, 245.0, np.nan]), np.array([225.0, 244.0, 225.0])
    np.testing.assert_allclose(snow(1.59, low, high), [31.8, 0, np.nan])
    np.testing.assert_allclose(snow(4.8, low, high)[0], 96.0)
    np.testing.assert_allclose(snow(1.59 / 0.5, low, high)[0], 63.6)


def test_turbidity() -> None:
    assert turbidity.nechad(np.float64(0.03), *turbidity.NECHAD[665]) == pytest.approx(10.271798, abs=1e-6)
    assert turbidity.nechad(np.float64(0.03), *turbidity.NECHAD[645]) == pytest.approx(7.651025, abs=1e-6)
    assert np.isnan(turbidity.nechad(np.float64(0.1), *turbidity.NECHAD[645]))
    red, nir = np.array([0.03, 0.06, 0.08]), np.array([0.01, 0.02, 0.05])
    np.testing.assert_allclose(turbidity.dogliotti(red, nir), [8.373872, 44.796699, 201.694690], atol=1e-6)


@pytest.mark.parametrize(
    ("ev", "eh", "albedo", "v", "h", "expected"),
    [(0.95, 0.80, 0.05, 278.8516, 270.7136, 0.5), (0.85, 0.60, 0.06, 267.0010, 240.4805, 0.3)],
)
def test_optical_depth(ev: float, eh: float, albedo: float, v: float, h: float, expected: float) -> None:
    found = vegetation_depth.optical_depth(ev, eh, 55, albedo, np.float64(v), np.float64(h))
    assert found == pytest.approx(expected, abs=2e-5)


def test_polarisation_and_frequencies() -> None:
    assert polarisation_ratio(270, 250) == pytest.approx(0.038462, abs=1e-6)
    bands = np.array([260.0, 250.0, 230.0])[:, None]
    assert sum_of_differences([[0, 1], [1, 2]], [0.1, 0.2], 0.5, bands) == pytest.approx(0.5 + 1 + 4)
    assert calibration({"VWC": {"a": 2, "b": 1}}, "VWC") == calibration({"a": 2, "b": 1}, "VWC") == (2, 1)
    with pytest.raises(InputError, match="calibration"):
        calibration(None, "VWC")


@pytest.mark.parametrize("name", ["19H", "H19", "19h", "bt_19h", "BT19H", "19.35H", "TB_19_H"])
def test_channel_names(name: str) -> None:
    assert channel_key(name) == "19H"
    assert channel_key("V") == "V"


def test_day_and_night() -> None:
    bands = [
        np.array([300.0, 300.0]),
        np.array([280.0, 280.0]),
        np.array([0.97, 49.0]),
        np.array([0.98, 0.98]),
    ]
    day, night, span = day_and_night(11.03, *bands)
    assert day[0] == pytest.approx(correct_for_emissivity(300, 0.97, 11.03))
    assert span[0] == pytest.approx(day[0] - night[0])
    assert np.isnan(day[1]) and np.isnan(span[1]) and np.isfinite(night[1])
