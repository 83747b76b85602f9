from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from treeline.core.demo.landscape import Cover, build_landscape
from treeline.core.demo.seasons import BURN_DATE, DROUGHT_YEAR, OVERPASSES
from treeline.core.demo.sensor import brightness_temperature, observe
from treeline.core.demo.surface import Scenery
from treeline.core.demo.vegetation import BANDS, GROWTH, SPECTRA

SEED = 7


@pytest.fixture(scope="module")
def place():
    return build_landscape(SEED, 240)


@pytest.fixture(scope="module")
def scenes(place):
    scenery = Scenery(place)
    return {o.date.isoformat(): observe(scenery.ground(o), o, SEED) for o in OVERPASSES}


def normalised_difference(scene, one, other):
    first, second = (scene.reflectance[BANDS.index(band)] for band in (one, other))
    return (first - second) / (first + second)


def mean_of(scene, values, mask):
    return values[mask & ~scene.cloud].mean()


@pytest.mark.parametrize(
    ("surface", "emissivity", "brightness"), [(302.0641, 0.97, 300.0), (295.9213, 0.986, 295.0)]
)
def test_brightness_temperature_inverts_published_examples(surface, emissivity, brightness):
    # Surface temperatures that the exact Planck function gives at 10.895 um.
    found = brightness_temperature(np.array([surface]), np.array([emissivity]))
    assert found[0] == pytest.approx(brightness, abs=0.002)


@given(temperature=st.floats(250, 340), emissivity=st.floats(0.9, 1.0))
def test_a_grey_body_looks_colder_than_it_is(temperature, emissivity):
    found = brightness_temperature(np.array([temperature]), np.array([emissivity]))[0]
    assert found <= temperature + 1e-4
    # Wien's limit, c2 / wavelength = 1320.6 K, is the most that the exact function can differ by.
    assert temperature - found < -(temperature**2) * np.log(emissivity) / 1320 + 1e-3


def test_tables_are_whole():
    assert all(
        len(values) == len(BANDS) and min(values) > 0 and max(values) < 1 for values in SPECTRA.values()
    )
    for growth in GROWTH:
        assert {growth.canopy, growth.dead, growth.ground} <= set(SPECTRA)
        assert len(growth.days) == len(growth.green) == len(growth.dry)
        assert list(growth.days) == sorted(set(growth.days))
    assert all(first.date < second.date for first, second in pairwise(OVERPASSES))


def test_reflectance_is_physical(scenes):
    for scene in scenes.values():
        assert scene.reflectance.min() > -0.02
        assert scene.reflectance.max() < 0.9


def test_broadleaf_forest_greens_in_spring_and_conifers_hardly_change(place, scenes):
    rise = {}
    for cover in (Cover.BROADLEAF_FOREST, Cover.CONIFER_FOREST):
        early, late = (
            mean_of(scenes[date], normalised_difference(scenes[date], "nir", "red"), place.cover == cover)
            for date in ("2021-04-12", "2021-06-19")
        )
        rise[cover] = late - early
        assert late > 0.8
    assert rise[Cover.BROADLEAF_FOREST] > 0.25
    assert rise[Cover.CONIFER_FOREST] < 0.1


def test_water_and_town_are_not_green(place, scenes):
    scene = scenes["2021-06-19"]
    ndvi = normalised_difference(scene, "nir", "red")
    assert mean_of(scene, ndvi, place.terrain.lake) < 0
    assert mean_of(scene, ndvi, place.settlement.density > 0.7) < 0.4


def test_water_index_finds_the_lake(place, scenes):
    scene = scenes["2021-07-22"]
    found = normalised_difference(scene, "green", "swir1") > 0
    assert found[ndimage.binary_erosion(place.terrain.lake)].mean() > 0.99
    assert found[place.cover != Cover.WATER].mean() < 0.02


def test_drought_dries_and_heats_the_fields(place, scenes):
    farmed = place.mask_of(Cover.GRASSLAND)
    usual, dry = scenes["2021-07-22"], scenes["2022-07-18"]
    assert dry.overpass.date.year == DROUGHT_YEAR
    greenness = [mean_of(s, normalised_difference(s, "nir", "red"), farmed) for s in (usual, dry)]
    warmth = [mean_of(s, s.temperature, farmed) for s in (usual, dry)]
    assert greenness[0] - greenness[1] > 0.08
    assert warmth[1] - warmth[0] > 3


def test_temperature_falls_with_greenness_and_height(place, scenes):
    scene = scenes["2021-07-22"]
    level = (place.terrain.elevation < 260) & (place.cover != Cover.WATER)
    ndvi = normalised_difference(scene, "nir", "red")
    assert np.corrcoef(ndvi[level], scene.temperature[level])[0, 1] < -0.7
    conifers = place.cover == Cover.CONIFER_FOREST
    lapse = np.polyfit(place.terrain.elevation[conifers], scene.temperature[conifers], 1)[0]
    assert -0.010 < lapse < -0.004


def test_the_fire_shows_only_after_its_date(place, scenes):
    for date, scene in scenes.items():
        burned = mean_of(scene, normalised_difference(scene, "nir", "swir2"), place.burned)
        assert (burned < 0.15) == (date >= BURN_DATE.isoformat()), date


def test_clouds_are_bright_cold_and_have_no_surface_temperature(scenes):
    cloudy = [scene for scene in scenes.values() if scene.overpass.clouds]
    assert len(cloudy) >= 4
    for scene in cloudy:
        assert 0.05 < scene.cloud.mean() < 0.6
        assert np.isnan(scene.temperature[scene.cloud]).all()
        assert scene.brightness[scene.cloud].mean() < scene.brightness[~scene.cloud].mean() - 4
        blue = scene.reflectance[0]
        assert blue[scene.cloud].mean() > 3 * blue[~scene.cloud].mean()
        assert (blue[~scene.cloud] > 0.4).mean() < 0.01


def test_clear_dates_have_no_cloud(scenes):
    for scene in scenes.values():
        if not scene.overpass.clouds:
            assert not scene.cloud.any()
            assert np.isfinite(scene.temperature).all()
