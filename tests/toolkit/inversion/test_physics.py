"""Formulas of the retrievals against the worked numbers of their papers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion import by_vegetation, physics, single_channel, thermal_inertia
from treeline.toolkit.inversion.bands import BANDS, SOBRINO_2004
from treeline.toolkit.inversion.emissivity import emissivity_from_ndvi, vegetation_proportion

TIRS = BANDS["Landsat 8-9 band 10"]


@pytest.mark.parametrize(
    ("brightness", "emissivity", "wavelength", "wien", "planck"),
    [
        (300, 0.97, 10.895, 302.0903, 302.0641),
        (300, 0.97, 11.5, 302.2072, 302.1724),
        (295, 0.986, 10.895, 295.9320, 295.9213),
        (310, 0.95, 11.03, 313.8255, 313.7664),
    ],
)
def test_emissivity_correction(
    brightness: float, emissivity: float, wavelength: float, wien: float, planck: float
) -> None:
    assert physics.correct_for_emissivity(brightness, emissivity, wavelength) == pytest.approx(wien, abs=1e-4)
    radiance = physics.planck_radiance(brightness, wavelength) / emissivity
    assert physics.planck_temperature(radiance, wavelength) == pytest.approx(planck, abs=1e-4)


@given(st.floats(180, 345), st.floats(8, 13))
def test_planck_inverts(temperature: float, wavelength: float) -> None:
    radiance = physics.planck_radiance(temperature, wavelength)
    assert physics.planck_temperature(radiance, wavelength) == pytest.approx(temperature, abs=1e-6)


@pytest.mark.parametrize(
    ("brightness", "emissivity", "water_vapour", "expected"),
    [(295, 0.97, 1.0, 298.0345), (295, 0.97, 2.0, 298.2330), (300, 0.986, 2.0, 303.5579)],
)
def test_generalised_single_channel(
    brightness: float, emissivity: float, water_vapour: float, expected: float
) -> None:
    found = single_channel.generalised_single_channel(brightness, emissivity, water_vapour, TIRS)
    assert found == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize(
    ("ndvi", "red", "expected"),
    [(0.35, 0.1, 0.987), (0.45, 0.1, 0.988778), (0.1, 0.15, 0.97375), (0.7, 0.05, 0.99)],
)
def test_emissivity_of_sobrino(ndvi: float, red: float, expected: float) -> None:
    assert emissivity_from_ndvi(ndvi, red, SOBRINO_2004) == pytest.approx(expected, abs=1e-6)


def test_vegetation_proportion() -> None:
    np.testing.assert_allclose(
        vegetation_proportion(np.array([0.1, 0.35, 0.45, 0.8])), [0, 0.25, 0.694444, 1], atol=1e-6
    )


@pytest.mark.parametrize(
    ("albedo", "day", "night", "expected"), [(0.2, 310, 285, 0.032), (0.25, 318.2, 289.7, 0.0263158)]
)
def test_thermal_inertia(albedo: float, day: float, night: float, expected: float) -> None:
    found = thermal_inertia.apparent_thermal_inertia(
        1.0, np.float64(day), np.float64(night), np.float64(albedo)
    )
    assert found == pytest.approx(expected, abs=1e-7)


def test_thermal_inertia_needs_a_warmer_day() -> None:
    assert np.isnan(
        thermal_inertia.apparent_thermal_inertia(1.0, np.float64(280), np.float64(285), np.float64(0.2))
    )
    assert np.isnan(
        thermal_inertia.apparent_thermal_inertia(1.0, np.float64(300), np.float64(285), np.float64(25))
    )


@pytest.mark.parametrize(
    ("latitude", "declination", "expected"), [(40, 23.44, 1.603871), (40, -23.44, 0.604129), (0, 0, 1.570796)]
)
def test_solar_correction(latitude: float, declination: float, expected: float) -> None:
    assert thermal_inertia.solar_correction(latitude, declination) == pytest.approx(expected, abs=1e-6)


def test_solar_correction_without_sunset() -> None:
    with pytest.raises(InputError, match="rise and set"):
        thermal_inertia.solar_correction(80, 23)


def test_modes_by_vegetation() -> None:
    with pytest.raises(InputError, match="mode"):
        by_vegetation.calculate_max_lst_by_ndvi("r.tif", "n.tif", "l.tif", 0.3, mode="over")
