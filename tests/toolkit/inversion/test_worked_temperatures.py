"""Worked numbers of surface temperature and emissivity, reached through the tools."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.toolkit.pixels import Pixel, reached
from tests.workplace import Workplace


def _of_ndvi(red: float, ndvi: float) -> dict[str, Pixel]:
    return {"red_path": Pixel(red, "red"), "nir_path": Pixel(red * (1 + ndvi) / (1 - ndvi), "nir")}


BARE = _of_ndvi(0.009 / 0.046, 0.1)
"""Emissivity 0.97 in Landsat's band 10: 0.979 - 0.046 red."""

MIXED = _of_ndvi(0.1, 0.2 + 0.3 * math.sqrt(0.9375))
"""Emissivity 0.986 there: 0.971 + 0.016 Pv."""


@pytest.mark.parametrize(
    ("temperature", "surface", "water_vapour", "expected"),
    [
        (300, BARE, None, 302.0903),
        (295, MIXED, None, 295.9320),
        (295, BARE, 1.0, 298.0345),
        (295, BARE, 2.0, 298.2330),
        (300, MIXED, 2.0, 303.5579),
    ],
)
def test_single_channel(
    place: Workplace, temperature: float, surface: dict[str, Pixel], water_vapour: float, expected: float
) -> None:
    bt = Pixel(temperature, "bt10")
    found = reached(place, "lst_single_channel", bt_path=bt, **surface, water_vapour=water_vapour)
    assert found == pytest.approx([expected], abs=3e-4)


def test_older_landsats_say_that_sets_disagree(place: Workplace) -> None:
    reached(place, "lst_single_channel", bt_path=Pixel(295), **BARE, water_vapour=1.0,
            band="Landsat 7 band 6")  # fmt: skip
    assert any("databases of atmospheres" in warning for warning in place.context.warnings)


@pytest.mark.parametrize(
    ("ndvi", "red", "expected"), [(0.35, 0.1, 0.987), (0.45, 0.1, 0.988778), (0.1, 0.15, 0.97375)]
)
def test_emissivity(place: Workplace, ndvi: float, red: float, expected: float) -> None:
    found = reached(place, "surface_emissivity", **_of_ndvi(red, ndvi), band="MODIS band 31")
    assert found == pytest.approx([expected], abs=1e-6)


def _pair(first: float, second: float, mean: float, difference: float, roles: tuple[str, ...]) -> Any:
    return {
        "band31_path": Pixel(first, roles[0]),
        "band32_path": Pixel(second, roles[1]),
        "emissivity31_path": Pixel(mean + difference / 2, roles[2]),
        "emissivity32_path": Pixel(mean - difference / 2, roles[3]),
    }


MODIS = ("bt31", "bt32", "emissivity31", "emissivity32")
TIRS = ("bt10", "bt11", "emissivity10", "emissivity11")


@pytest.mark.parametrize(
    ("roles", "first", "second", "mean", "difference", "water_vapour", "method", "expected"),
    [
        (MODIS, 300, 298.5, 1, 0, 0, "", 306.4050),
        (MODIS, 300, 298.5, 0.98, 0, 2, "", 307.0744),
        (MODIS, 300, 298.5, 0.975, -0.005, 2, "Sobrino 2003", 307.6600),
        (MODIS, 295, 294.5, 0.985, 0, 1, "", 297.7272),
        (TIRS, 300, 298.5, 1, 0, 0, "", 302.2108),
        (TIRS, 300, 298.5, 0.98, 0, 2, "", 303.2072),
        (TIRS, 300, 298.5, 0.9695, 0.003, 2, "Jimenez-Munoz 2014", 303.4412),
        (TIRS, 295, 294, 0.985, -0.005, 1, "", 297.6379),
        (TIRS, 300, 298.5, 0.98, 0, 1, "Du 2015", 304.9443),
        (TIRS, 300, 298.5, 0.98, 0, 2.25, "Du 2015", (304.9443 + 304.5255) / 2),
        (TIRS, 300, 298.5, 0.98, 0, 2.75, "Du 2015", 304.5255),
        (TIRS, 300, 298.5, 0.98, 0, 3.25, "Du 2015", (304.5255 + 304.1728) / 2),
        (TIRS, 300, 298.5, 0.98, 0, 3.75, "Du 2015", 304.1728),
        (TIRS, 300, 298.5, 0.98, 0, 4.25, "Du 2015", (304.1728 + 303.8266) / 2),
        (TIRS, 300, 298.5, 0.98, 0, 4.75, "Du 2015", 303.8266),
        (TIRS, 300, 298.5, 0.98, 0, 5.25, "Du 2015", (303.8266 + 302.2785) / 2),
        (TIRS, 300, 298.5, 0.98, 0, 6, "Du 2015", 302.2785),
        (TIRS, 300, 298.5, 0.98, 0, 2, "Du 2015 any", 304.7830),
    ],
)
def test_split_window(
    place: Workplace, roles: tuple[str, ...], first: float, second: float, mean: float, difference: float,
    water_vapour: float, method: str, expected: float,
) -> None:  # fmt: skip
    bands = _pair(first, second, mean, difference, roles)
    found = reached(place, "split_window", **bands, parameter="LST", water_vapour=water_vapour, method=method)
    assert found == pytest.approx([expected], abs=3e-4)


def test_du_with_an_emissivity_difference(place: Workplace) -> None:
    """The trap is to divide by the mean emissivity in the wrong power."""
    bands = _pair(300, 298.5, 0.95, 0.01, TIRS)
    found = reached(place, "split_window", **bands, parameter="LST", water_vapour=1.0, method="Du 2015")
    b = (-2.78009, 1.01408, 0.15833, -0.34991, 4.04487, 3.55414, -8.88394, 0.09152)
    deficit, contrast = 0.05 / 0.95, 0.01 / 0.95**2
    expected = b[0] + 299.25 * (b[1] + b[2] * deficit + b[3] * contrast)
    expected += 0.75 * (b[4] + b[5] * deficit + b[6] * contrast) + 2.25 * b[7]
    assert found == pytest.approx([expected], abs=3e-4)


ASTER = {"tir10": 8.291, "tir11": 8.634, "tir12": 9.075, "tir13": 10.657, "tir14": 11.318}


def _aster(*temperatures: float) -> list[Pixel]:
    return [Pixel(value, role) for value, role in zip(temperatures, ASTER, strict=True)]


def _separated(place: Workplace, bands: list[Pixel], index: int, **options: Any) -> list[float]:
    return reached(
        place, "temperature_emissivity_separation", tir_band_paths=bands, representative_band_index=index,
        **options,
    )  # fmt: skip


@pytest.mark.parametrize(("index", "emissivity"), enumerate((0.80602, 0.78460, 0.82328, 0.94865, 0.95693)))
def test_separation(place: Workplace, index: int, emissivity: float) -> None:
    bands = _aster(298.154445, 296.358201, 298.481137, 306.436053, 306.993550)
    found = _separated(place, bands, index)
    assert found == pytest.approx([310.23856, emissivity, 0.19947], abs=3e-4)


def test_separation_of_a_grey_surface(place: Workplace) -> None:
    bands = _aster(298.854182, 298.862464, 298.863232, 298.807227, 298.808233)
    temperature, _, contrast = _separated(place, bands, 3)
    assert temperature == pytest.approx(299.64698, abs=2e-3)
    assert contrast == pytest.approx(0.00262, abs=2e-5)


def _planck(temperature: float, wavelength: float) -> float:
    return 1.1910430e8 / (wavelength**5 * (math.exp(14387.769 / (wavelength * temperature)) - 1))


def _brightness(radiance: float, wavelength: float) -> float:
    return 14387.769 / (wavelength * math.log(1 + 1.1910430e8 / (wavelength**5 * radiance)))


def test_separation_that_ignores_the_sky(place: Workplace) -> None:
    emissivities, sky = (0.80, 0.78, 0.82, 0.95, 0.96), (2.8, 2.2, 2.0, 1.6, 1.7)
    rows = zip(emissivities, sky, ASTER.values(), strict=True)
    bands = _aster(*(_brightness(e * _planck(310, um) + (1 - e) * s, um) for e, s, um in rows))
    temperature, lowest, _ = _separated(place, bands, 1)
    assert temperature == pytest.approx(310.701, abs=1e-3)
    assert lowest == pytest.approx(0.8201, abs=1e-4)


def test_per_overpass_correction(place: Workplace) -> None:
    found = reached(
        place, "modis_day_night_lst", BT_day_path=Pixel(310, "bt31"), BT_night_path=Pixel(290, "bt31"),
        Emis_day_path=Pixel(0.95, "emissivity31"), Emis_night_path=Pixel(0.97, "emissivity31"),
    )  # fmt: skip
    night = 290 / (1 + 11.03 * 290 / 14387.769 * math.log(0.97))
    assert found == pytest.approx([313.8255, night, 313.8255 - night], abs=3e-4)


@pytest.mark.parametrize(
    ("day", "night", "albedo", "sun", "expected"),
    [
        (310, 285, 0.2, {}, 0.032),
        (318.2, 289.7, 0.25, {}, 0.0263158),
        (310, 285, 0.2, {"latitude": 0.0, "day_of_year": 81}, 0.032 * math.pi / 2),
        (310, 285, 0.2, {"latitude": 40.0, "day_of_year": 172}, 0.032 * 1.603871),
        (310, 285, 0.2, {"latitude": -40.0, "day_of_year": 172}, 0.032 * 0.604129),
        (286, 285, 0.2, {}, math.nan),
    ],
)
def test_thermal_inertia(
    place: Workplace, day: float, night: float, albedo: float, sun: dict[str, float], expected: float
) -> None:
    found = reached(place, "ATI", day_temp_path=Pixel(day, "bt31"), night_temp_path=Pixel(night, "bt31"),
                    albedo_path=Pixel(albedo, "albedo"), **sun)  # fmt: skip
    assert found == pytest.approx([expected], rel=2e-4, nan_ok=True)
