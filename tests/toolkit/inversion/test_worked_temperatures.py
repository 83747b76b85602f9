"""Worked numbers of surface temperature and emissivity, reached through the tools."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.toolkit.pixels import Pixel, run_pixels
from tests.workplace import Workplace
from treeline.toolkit.errors import InputError


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
    found = run_pixels(place, "lst_single_channel", bt_path=bt, **surface, water_vapour=water_vapour)
    assert found == pytest.approx([expected], abs=3e-4)


@pytest.mark.parametrize(
    ("ndvi", "red", "expected"), [(0.35, 0.1, 0.987), (0.45, 0.1, 0.988778), (0.1, 0.15, 0.97375)]
)
def test_emissivity(place: Workplace, ndvi: float, red: float, expected: float) -> None:
    found = run_pixels(place, "surface_emissivity", **_of_ndvi(red, ndvi), band="MODIS band 31")
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
    place: Workplace,
    roles: tuple[str, ...],
    first: float,
    second: float,
    mean: float,
    difference: float,
    water_vapour: float,
    method: str,
    expected: float,
) -> None:
    bands = _pair(first, second, mean, difference, roles)
    found = run_pixels(
        place, "split_window", **bands, parameter="LST", water_vapour=water_vapour, method=method
    )
    assert found == pytest.approx([expected], abs=3e-4)


DU = {
    (0, 2.5): (-2.78009, 1.01408, 0.15833, -0.34991, 4.04487, 3.55414, -8.88394, 0.09152),
    (2, 3.5): (11.00824, 0.95995, 0.17243, -0.28852, 7.11492, 0.42684, -6.62025, -0.06381),
    (3, 4.5): (9.62610, 0.96202, 0.13834, -0.17262, 7.87883, 5.17910, -13.26611, -0.07603),
    (4, 5.5): (0.61258, 0.99124, 0.10051, -0.09664, 7.85758, 6.86626, -15.00742, -0.01185),
    (5, 6.3): (-0.34808, 0.98123, 0.05599, -0.03518, 11.96444, 9.06710, -14.74085, -0.20471),
}
DU_ANY = (-0.41165, 1.00522, 0.14543, -0.27297, 4.06655, -6.92512, -18.27461, 0.24468)
GREY = (305, 302, 0.9, 0.05)
"""Temperatures, mean emissivity and difference for which every coefficient tells."""


def _du(b: tuple[float, ...], first: float, second: float, e: float, de: float) -> float:
    mean = b[1] + b[2] * (1 - e) / e + b[3] * de / e**2
    difference = b[4] + b[5] * (1 - e) / e + b[6] * de / e**2
    return (
        b[0] + mean * (first + second) / 2 + difference * (first - second) / 2 + b[7] * (first - second) ** 2
    )


@pytest.mark.parametrize("limit", [0, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6.3])
def test_du_by_classes_of_water_vapour(place: Workplace, limit: float) -> None:
    bands = _pair(*GREY, TIRS)
    for water in (limit - 0.01, limit, limit + 0.01):
        rows = [b for (low, high), b in DU.items() if low <= water <= high]
        arguments = {**bands, "parameter": "LST", "water_vapour": water, "method": "Du 2015"}
        if not rows:
            with pytest.raises(InputError, match="outside 0 to 6.3"):
                run_pixels(place, "split_window", **arguments)
            continue
        expected = sum(_du(b, *GREY) for b in rows) / len(rows)
        assert run_pixels(place, "split_window", **arguments) == pytest.approx([expected], abs=1e-3)


def test_du_without_water_vapour(place: Workplace) -> None:
    found = run_pixels(place, "split_window", **_pair(*GREY, TIRS), parameter="LST", method="Du 2015 any")
    assert found == pytest.approx([_du(DU_ANY, *GREY)], abs=1e-3)


@pytest.mark.parametrize("roles", [MODIS, TIRS])
def test_water_vapour_beyond_6_is_refused(place: Workplace, roles: tuple[str, ...]) -> None:
    for water, allowed in ((-0.1, False), (0, True), (6, True), (6.1, False)):
        arguments = {**_pair(300, 299, 0.98, 0, roles), "parameter": "LST", "water_vapour": water}
        if allowed:
            assert math.isfinite(run_pixels(place, "split_window", **arguments)[0])
        else:
            with pytest.raises(InputError, match="outside 0 to 6 g/cm2"):
                run_pixels(place, "split_window", **arguments)


@pytest.mark.parametrize(
    ("band", "k1", "k2", "b", "psi"),
    [
        (
            "Landsat 7 band 6",
            666.09,
            1282.71,
            1277,
            ((0.06518, 0.00683, 1.02717), (-0.53003, -1.25866, 0.10490), (-0.01965, 1.36947, -0.24310)),
        ),
        (
            "Landsat 5 band 6",
            607.76,
            1260.56,
            1256,
            ((0.07518, -0.00492, 1.03189), (-0.59600, -1.22554, 0.08104), (-0.02767, 1.43740, -0.25844)),
        ),
    ],
)
def test_older_landsats(
    place: Workplace, band: str, k1: float, k2: float, b: float, psi: tuple[tuple[float, ...], ...]
) -> None:
    red = 0.1
    found = run_pixels(
        place, "lst_single_channel", bt_path=Pixel(295), **_of_ndvi(red, 0.0), water_vapour=2.5, band=band
    )
    radiance, emissivity = k1 / (math.exp(k2 / 295) - 1), 0.979 - 0.035 * red
    one, two, three = (np.polyval(row, 2.5) for row in psi)
    gamma, delta = 295**2 / (b * radiance), 295 - 295**2 / b
    expected = gamma * ((one * radiance + two) / emissivity + three) + delta
    assert found == pytest.approx([expected], abs=1e-3)
    assert any("databases of atmospheres" in warning for warning in place.context.warnings)


@pytest.mark.parametrize(
    ("role", "band", "wavelength"),
    [
        ("bt10", "", 10.895),
        ("bt11", "", 12.005),
        ("bt31", "", 11.03),
        ("bt32", "", 12.02),
        (None, "Landsat 7 band 6", 11.45),
        (None, "Landsat 5 band 6", 11.45),
        (None, "ASTER band 13", 10.657),
        (None, "ASTER band 14", 11.318),
    ],
)
def test_wavelength_of_the_band(place: Workplace, role: str | None, band: str, wavelength: float) -> None:
    """Over dense vegetation, whose emissivity no red changes."""
    emissivity = {"bt10": 0.987, "bt11": 0.989}.get(role or "", 0.99)
    found = run_pixels(
        place, "lst_single_channel", bt_path=Pixel(340, role), **_of_ndvi(0.05, 0.8), band=band
    )
    expected = 340 / (1 + wavelength * 340 / 14387.769 * math.log(emissivity))
    assert found == pytest.approx([expected], abs=2e-4)


@pytest.mark.parametrize(
    ("band", "ndvi", "red", "expected"),
    [
        ("Landsat 8-9 band 10", 0.1, 0.2, 0.979 - 0.046 * 0.2),
        ("Landsat 8-9 band 11", 0.1, 0.2, 0.982 - 0.027 * 0.2),
        ("Landsat 8-9 band 11", 0.35, 0.1, 0.977 + 0.012 * 0.25),
        ("Landsat 8-9 band 10", 0.51, 0.1, 0.987),
        ("Landsat 8-9 band 11", 0.51, 0.1, 0.989),
        ("MODIS band 32", 0.198, 0.1, 0.979 - 0.035 * 0.1),
        ("MODIS band 32", 0.202, 0.1, 0.986),
        ("MODIS band 32", 0.51, 0.1, 0.99),
    ],
)
def test_emissivity_of_other_bands(
    place: Workplace, band: str, ndvi: float, red: float, expected: float
) -> None:
    found = run_pixels(place, "surface_emissivity", **_of_ndvi(red, ndvi), band=band)
    assert found == pytest.approx([expected], abs=1e-5)


ASTER = {"tir10": 8.291, "tir11": 8.634, "tir12": 9.075, "tir13": 10.657, "tir14": 11.318}


def _aster(*temperatures: float) -> list[Pixel]:
    return [Pixel(value, role) for value, role in zip(temperatures, ASTER, strict=True)]


def _separate(place: Workplace, bands: list[Pixel], index: int, **options: Any) -> list[float]:
    return run_pixels(
        place,
        "temperature_emissivity_separation",
        tir_band_paths=bands,
        representative_band_index=index,
        **options,
    )


@pytest.mark.parametrize(("index", "emissivity"), enumerate((0.80602, 0.78460, 0.82328, 0.94865, 0.95693)))
def test_separation(place: Workplace, index: int, emissivity: float) -> None:
    bands = _aster(298.154445, 296.358201, 298.481137, 306.436053, 306.993550)
    found = _separate(place, bands, index)
    assert found == pytest.approx([310.23856, emissivity, 0.19947], abs=3e-4)


def test_separation_of_a_grey_surface(place: Workplace) -> None:
    bands = _aster(298.854182, 298.862464, 298.863232, 298.807227, 298.808233)
    temperature, _, contrast = _separate(place, bands, 3)
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
    temperature, lowest, _ = _separate(place, bands, 1)
    assert temperature == pytest.approx(310.701, abs=1e-3)
    assert lowest == pytest.approx(0.8201, abs=1e-4)


def test_per_overpass_correction(place: Workplace) -> None:
    found = run_pixels(
        place,
        "modis_day_night_lst",
        BT_day_path=Pixel(310, "bt31"),
        BT_night_path=Pixel(290, "bt31"),
        Emis_day_path=Pixel(0.95, "emissivity31"),
        Emis_night_path=Pixel(0.97, "emissivity31"),
    )
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
    found = run_pixels(
        place,
        "ATI",
        day_temp_path=Pixel(day, "bt31"),
        night_temp_path=Pixel(night, "bt31"),
        albedo_path=Pixel(albedo, "albedo"),
        **sun,
    )
    assert found == pytest.approx([expected], rel=2e-4, nan_ok=True)


@pytest.mark.parametrize(("water", "allowed"), [(0.49, False), (0.5, True), (3.0, True), (3.01, False)])
def test_water_vapour_of_the_single_channel(place: Workplace, water: float, allowed: bool) -> None:
    arguments = {"bt_path": Pixel(295, "bt10"), **BARE, "water_vapour": water}
    if allowed:
        assert 295 < run_pixels(place, "lst_single_channel", **arguments)[0] < 302
    else:
        with pytest.raises(InputError, match=r"0\.5 to 3 g/cm2"):
            run_pixels(place, "lst_single_channel", **arguments)


@pytest.mark.parametrize(("temperature", "kept"), [(169, False), (175, True), (353, True), (356, False)])
def test_the_coldest_and_the_hottest_surfaces_are_kept(
    place: Workplace, temperature: float, kept: bool
) -> None:
    bands = _pair(temperature, temperature, 1, 0, TIRS)
    found = run_pixels(place, "split_window", **bands, parameter="LST", water_vapour=0.0)
    assert math.isfinite(found[0]) == kept
