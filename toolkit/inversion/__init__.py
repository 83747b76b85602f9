"""Physical quantities retrieved from what a sensor measured."""

from __future__ import annotations

from treeline.toolkit.inversion import (
    by_vegetation,
    day_night,
    fire_power,
    microwave,
    polarisation,
    radar,
    sea_ice,
    single_channel,
    snow_depth,
    split_window,
    surface_emissivity,
    suspended_matter,
    tes,
    thermal_inertia,
    turbidity,
    vegetation_depth,
    water_vapour,
)

__all__ = [
    "by_vegetation",
    "day_night",
    "fire_power",
    "microwave",
    "polarisation",
    "radar",
    "sea_ice",
    "single_channel",
    "snow_depth",
    "split_window",
    "surface_emissivity",
    "suspended_matter",
    "tes",
    "thermal_inertia",
    "turbidity",
    "vegetation_depth",
    "water_vapour",
]
