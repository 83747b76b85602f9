"""The plausible ranges: where a limit is moved, a wrong unit or scale passes or a right value is doubted."""

from __future__ import annotations

import math

import pytest

from treeline.toolkit.variables import _TABLE, VARIABLES

INFINITE = math.inf
# Every role once, with the range that is decided; the reasons stand beside the table of variables.
DECIDED: dict[tuple[float, float], str] = {
    (
        -0.2,
        1.6,
    ): "coastal blue green green1 yellow red rededge1 rededge2 rededge3 nir nir_broad nir08 nir09 cirrus "
    "swir12 swir1 "
    "swir2 pan nir_905 nir_936 nir_940",
    (150.0, 360.0): "bt6 bt6_high bt_s7 bt_s8 bt_s9 bt10 bt11 bt31 bt32 tir10 tir11 tir12 tir13 tir14",
    (170.0, 355.0): "lst lst_day lst_night",
    (0.6, 1.0): "emissivity29 emissivity31 emissivity32 emissivity emissivity10 emissivity11",
    (-1.0, 1.0): "ndvi ndwi mndwi ndmi ndbi nbr ndsi ndti ndre polarisation_ratio curvature illumination "
    "so2_column",
    (-1.0, 2.0): "evi evi2",
    (-1.5, 1.5): "savi msavi",
    (
        0.0,
        100.0,
    ): "wri imperviousness cloud_probability tree_cover water_occurrence water_recurrence clay_content "
    "sand_content silt_content coarse_fragments soil_nitrogen",
    (0.0, 1.0): "fvc clear_score albedo soil_moisture root_zone_soil_moisture profile_soil_moisture "
    "soil_moisture_layer_2 soil_moisture_layer_3 soil_moisture_layer_4 sea_ice snow_fraction "
    "emissivity_contrast no_change_probability fpar ndsi_snow_cover",
    (-0.5, 1.5): "tvdi",
    (
        0.0,
        2**32 - 1,
    ): "qa_pixel pixel_qa sr_cloud_qa bqa qa_radsat state_1km qa60 fmask scl cloud_mask qa_lst "
    "qa_vi vi_reliability vi_rank",
    (0.0, 2.0): "thermal_inertia",
    (-2.0, 5000.0): "ntl_radiance",
    (0.0, 63.0): "stable_lights",
    (268.0, 313.0): "sst",
    (-11000.0, 8900.0): "bathymetry",
    (-0.005, 0.02): "no2_column",
    (-0.1, 5.0): "co_column",
    (0.0, 0.5): "o3_column",
    (-0.05, 0.1): "hcho_column",
    (1000.0, 3000.0): "ch4_fraction",
    (0.0, 50.0): "lst_uncertainty",
    (0.0, 10000.0): "cloud_free_count built_surface built_surface_nres",
    (0.0, 18000.0): "frp",
    (0.0, 255.0): "fire_mask landcover open_water mask hillshade slope_position change_mask "
    "forest_loss_year forest_gain water_transition water_extent",
    (0.0, 120.0): "canopy_height",
    (-100.0, 100.0): "water_occurrence_change",
    (0.0, 12.0): "water_seasonality vapour_pressure_deficit",
    (2.0, 12.0): "soil_ph",
    (0.0, 300.0): "cation_exchange_capacity",
    (0.0, 2.7): "bulk_density",
    (0.0, 500.0): "organic_carbon_stock",
    (0.0, 1500.0): "precipitation",
    (180.0, 335.0): "air_temperature air_temperature_maximum air_temperature_minimum",
    (0.0, 10.0): "pwv lai",
    (0.0, 5.0): "aot vegetation_optical_depth",
    (-450.0, 8900.0): "dem",
    (0.0, 5e6): "built_volume built_volume_nres",
    (0.0, 1000.0): "chlorophyll built_height snow_depth soil_organic_carbon organic_carbon_density",
    (0.0, 1e6): "population population_density",
    (0.0, 4000.0): "turbidity",
    (0.0, 5000.0): "suspended_matter snow_water_equivalent ruggedness",
    (-50.0, 25.0): "vv vh hh hv",
    (0.0, 90.0): "incidence_angle terrain_slope",
    (0.0, 65535.0): "rgb rgb_pre rgb_post classes clusters change_count",
    (
        -INFINITE,
        INFINITE,
    ): "difference polarisation_difference frequency_difference trend_slope anomaly texture",
    (-10.0, 10.0): "aweinsh",
    (-2.0, 2.0): "dnbr rbr polarisation_index",
    (-5.0, 5.0): "rdnbr",
    (0.0, 6.0): "burn_severity",
    (-60.0, 90.0): "lst_range",
    (0.0, 2000.0): "terrain_slope_percent soil_water_storage",
    (-50.0, 50.0): "pdsi",
    (-8.3, 8.3): "spi spei",
    (0.0, 360.0): "terrain_aspect",
    (-3000.0, 3000.0): "tpi",
    (0.0, 9000.0): "roughness",
    (0.0, 4.1e7): "distance",
    (-60.0, 60.0): "log_ratio backscatter_ratio",
    (0.0, 4.0): "rvi",
    (0.0, INFINITE): "change_magnitude absolute_difference",
    (-1000.0, 1000.0): "gi_star",
    (0.0, 366.0): "burn_date",
    # The valid ranges of the user guides of MOD15, MOD16 and MOD17.
    (-3.0, 3.27): "npp",
    (0.0, 6.55): "gpp",
    (-10.0, 3270.0): "evapotranspiration",
    (-10.0, 6550.0): "potential_evapotranspiration",
}


# The range outside of which a pixel is no data, of every role that has one apart.
NO_DATA: dict[tuple[float, float], str] = {
    (-0.5, 3.0): DECIDED[-0.2, 1.6],
    (100.0, 510.0): DECIDED[150.0, 360.0],
    (140.0, 450.0): DECIDED[170.0, 355.0],
    (0.2, 1.05): DECIDED[0.6, 1.0],
    (-1.01, 1.01): "ndvi ndwi mndwi ndmi ndbi nbr ndsi ndti ndre",
    (-0.1, 1.1): "albedo soil_moisture root_zone_soil_moisture profile_soil_moisture soil_moisture_layer_2 "
    "soil_moisture_layer_3 soil_moisture_layer_4",
    (-0.1, 27000.0): "precipitation",
    (150.0, 350.0): DECIDED[180.0, 335.0],
    (-600.0, 9100.0): "dem",
    (200.0, 350.0): "sst",
    (0.0, 328.0): "lst_uncertainty",
    (-90.0, 60.0): DECIDED[-50.0, 25.0],
}


@pytest.mark.parametrize(("limits", "roles"), NO_DATA.items())
def test_the_limits_of_no_data_are_those_that_are_decided(limits: tuple[float, float], roles: str):
    assert {role: VARIABLES[role].limits for role in roles.split()} == dict.fromkeys(roles.split(), limits)


def test_a_role_without_limits_of_its_own_has_no_data_outside_of_what_is_plausible():
    apart = {role for roles in NO_DATA.values() for role in roles.split()}
    decided = {role: limits for limits, roles in DECIDED.items() for role in roles.split()}
    others = {role: limits for role, limits in decided.items() if role not in apart}
    assert {role: VARIABLES[role].limits for role in others} == others


@pytest.mark.parametrize(("limits", "roles"), DECIDED.items())
def test_the_limits_are_those_that_are_decided(limits: tuple[float, float], roles: str):
    assert {role: VARIABLES[role].plausible for role in roles.split()} == dict.fromkeys(roles.split(), limits)


def test_no_role_has_limits_that_nobody_decided():
    decided = [role for roles in DECIDED.values() for role in roles.split()]
    assert len(decided) == len(set(decided))
    assert set(decided) == {variable.role for variable in _TABLE}


# The extremes that were measured lie inside, and the usual mistakes of scale and unit outside.
@pytest.mark.parametrize(
    ("role", "value"),
    [
        ("lst", 175.2),  # East Antarctica, -98 C: Scambos et al. 2018, Geophys. Res. Lett. 45:6124
        ("lst", 353.95),  # Lut desert, 80.8 C: Zhao et al. 2021, Bull. Am. Meteorol. Soc. 102
        ("air_temperature", 184.0),  # Vostok, -89.2 C: World Meteorological Organization
        ("air_temperature", 329.85),  # Furnace Creek, 56.7 C: World Meteorological Organization
        ("dem", -430.0),  # shore of the Dead Sea
        ("dem", 8848.86),  # Mount Everest
        ("distance", 40_075_017.0),  # the equator
        ("red", 1.0),
    ],
)
def test_what_was_measured_is_plausible(role: str, value: float):
    low, high = VARIABLES[role].plausible
    assert low <= value <= high


@pytest.mark.parametrize(
    ("role", "value"),
    [
        ("lst", 30.0),  # degree Celsius
        ("lst", 15_000.0),  # MODIS counts
        ("red", 1_200.0),  # reflectance times 10,000
        ("ndvi", 7_000.0),  # MODIS counts
        ("bt10", 27.0),
        ("air_temperature", 20.0),
        ("emissivity", 490.0),
        ("fvc", 50.0),
        ("soil_moisture", 30.0),
        ("dem", -9999.0),
        ("sea_ice", 95.0),
    ],
)
def test_mistakes_of_scale_and_unit_are_implausible(role: str, value: float):
    low, high = VARIABLES[role].plausible
    assert not low <= value <= high
