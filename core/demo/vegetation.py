"""How the demo's surfaces look and grow: spectra, calendars of growth, rotation of crops.

The figures are round numbers typical of such surfaces in the six reflective bands of a
Landsat-like sensor; they describe no measurement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeline.core.demo.landscape import Cover, Landscape
from treeline.core.demo.noise import Field, generator

BANDS = ("blue", "green", "red", "nir", "swir1", "swir2")

SPECTRA: dict[str, tuple[float, ...]] = {
    "cereal": (0.028, 0.062, 0.034, 0.440, 0.205, 0.090),
    "rape": (0.030, 0.075, 0.036, 0.480, 0.215, 0.095),
    "rape_flower": (0.050, 0.165, 0.135, 0.470, 0.220, 0.100),
    "maize": (0.027, 0.066, 0.036, 0.470, 0.200, 0.085),
    "beet": (0.028, 0.072, 0.033, 0.560, 0.225, 0.095),
    "grass": (0.033, 0.076, 0.046, 0.385, 0.225, 0.110),
    "broadleaf": (0.019, 0.046, 0.024, 0.400, 0.175, 0.072),
    "conifer": (0.015, 0.028, 0.018, 0.250, 0.105, 0.046),
    "straw": (0.090, 0.130, 0.175, 0.285, 0.350, 0.255),
    "hay": (0.062, 0.098, 0.125, 0.270, 0.300, 0.195),
    "litter": (0.042, 0.060, 0.082, 0.190, 0.215, 0.140),
    "loam": (0.068, 0.092, 0.124, 0.205, 0.275, 0.230),
    "forest_floor": (0.025, 0.036, 0.045, 0.120, 0.125, 0.080),
    "rock": (0.105, 0.122, 0.140, 0.185, 0.225, 0.210),
    "roof": (0.072, 0.086, 0.120, 0.190, 0.225, 0.200),
    "concrete": (0.105, 0.118, 0.128, 0.170, 0.190, 0.175),
    "asphalt": (0.078, 0.088, 0.098, 0.120, 0.145, 0.140),
    "char": (0.024, 0.027, 0.032, 0.066, 0.130, 0.145),
    "river": (0.048, 0.066, 0.048, 0.026, 0.012, 0.008),
    "lake": (0.036, 0.042, 0.022, 0.014, 0.006, 0.004),
    "cloud": (0.640, 0.630, 0.630, 0.660, 0.480, 0.370),
}


def spectrum(name: str) -> NDArray[np.float32]:
    """Return the reflectance of a surface in the order of :data:`BANDS`, shape (6, 1)."""
    return np.array(SPECTRA[name], np.float32)[:, None]


@dataclass(frozen=True, slots=True)
class Growth:
    """How one kind of land grows over the year.

    Attributes
    ----------
    canopy, dead, ground : str
        Spectra of green plants, of dead plants, and of what is below.
    days : tuple of int
        Days of the year.
    green : tuple of float
        Share of the ground that green plants cover on these days.
    dry : tuple of float
        Share of the rest that dead plants cover on these days.
    sensitive : float
        Share of the green that the worst drought takes.
    """

    canopy: str
    dead: str
    ground: str
    days: tuple[int, ...]
    green: tuple[float, ...]
    dry: tuple[float, ...]
    sensitive: float


GROWTH: tuple[Growth, ...] = (
    Growth(
        "cereal",
        "straw",
        "loam",
        (60, 95, 130, 160, 174, 186, 215, 245, 270, 300),
        (0.35, 0.55, 0.92, 0.90, 0.66, 0.08, 0.06, 0.10, 0.05, 0.20),
        (0.00, 0.00, 0.00, 0.20, 0.60, 0.90, 0.80, 0.60, 0.10, 0.00),
        0.16,
    ),
    Growth(
        "rape",
        "straw",
        "loam",
        (60, 95, 118, 150, 168, 180, 215, 245, 270, 300),
        (0.55, 0.78, 0.92, 0.88, 0.60, 0.10, 0.08, 0.12, 0.30, 0.50),
        (0.00, 0.00, 0.00, 0.10, 0.60, 0.85, 0.75, 0.50, 0.10, 0.00),
        0.12,
    ),
    Growth(
        "maize",
        "straw",
        "loam",
        (60, 130, 150, 172, 195, 235, 258, 276, 300),
        (0.04, 0.04, 0.20, 0.58, 0.90, 0.88, 0.66, 0.16, 0.05),
        (0.10, 0.02, 0.00, 0.00, 0.00, 0.10, 0.50, 0.75, 0.40),
        0.22,
    ),
    Growth(
        "beet",
        "straw",
        "loam",
        (60, 115, 140, 168, 195, 250, 275, 300),
        (0.02, 0.04, 0.20, 0.72, 0.93, 0.90, 0.80, 0.20),
        (0.05, 0.00, 0.00, 0.00, 0.00, 0.05, 0.10, 0.20),
        0.20,
    ),
    Growth(
        "grass",
        "hay",
        "loam",
        (60, 95, 125, 152, 160, 190, 230, 270, 300),
        (0.45, 0.62, 0.86, 0.88, 0.74, 0.76, 0.72, 0.70, 0.58),
        (0.70, 0.60, 0.40, 0.50, 0.50, 0.60, 0.60, 0.60, 0.60),
        0.50,
    ),
    Growth(
        "broadleaf",
        "litter",
        "forest_floor",
        (60, 95, 112, 132, 160, 235, 268, 285, 305),
        (0.18, 0.22, 0.50, 0.88, 0.95, 0.92, 0.80, 0.62, 0.25),
        (0.80, 0.80, 0.60, 0.40, 0.40, 0.40, 0.70, 0.90, 0.90),
        0.10,
    ),
    Growth(
        "conifer",
        "litter",
        "forest_floor",
        (60, 130, 180, 270, 300),
        (0.84, 0.88, 0.92, 0.90, 0.87),
        (0.20, 0.20, 0.20, 0.20, 0.20),
        0.06,
    ),
    Growth(
        "grass",
        "hay",
        "rock",
        (60, 130, 180, 270, 300),
        (0.03, 0.06, 0.09, 0.07, 0.04),
        (0.10, 0.10, 0.10, 0.10, 0.10),
        0.40,
    ),
)
"""Four crops, then grassland, both forests and bare ground."""

CROPS = 4
_OF_COVER = {
    Cover.GRASSLAND: 4,
    Cover.BROADLEAF_FOREST: 5,
    Cover.CONIFER_FOREST: 6,
    Cover.BARE_GROUND: 7,
    Cover.BUILT_UP: 4,
    Cover.WATER: 7,
}
_CROP_SHARES = (0.40, 0.16, 0.28, 0.16)


def growth_numbers(place: Landscape, year: int) -> NDArray[np.int64]:
    """Return the index into :data:`GROWTH` of each pixel; crops rotate from year to year."""
    rng = generator(place.seed, f"crops {year}")
    crop = rng.choice(CROPS, place.parcels.count, p=_CROP_SHARES)[place.parcels.numbers]
    of_cover = np.zeros(max(Cover) + 1, np.int64)
    of_cover[list(_OF_COVER)] = list(_OF_COVER.values())
    return np.where(place.cover == Cover.CROPLAND, crop, of_cover[place.cover])


def canopy_state(
    place: Landscape, kinds: NDArray[np.int64], day: int, drought: float, vigour: Field
) -> tuple[Field, Field]:
    """Return the green share of the ground and the dead share of the rest, 0 to 1.

    Parameters
    ----------
    place : Landscape
        Where.
    kinds : ndarray of int
        Result of :func:`growth_numbers`.
    day : int
        Day of the year.
    drought : float
        Lack of soil water, 0 to 1.
    vigour : ndarray of float32
        How much denser than usual plants stand, about 1.
    """
    # A field that was sown later is as far as others were some days before.
    today = day - _lag(place, day)
    green = np.zeros(kinds.shape, np.float32)
    dry = np.zeros(kinds.shape, np.float32)
    sensitive = np.array([growth.sensitive for growth in GROWTH], np.float32)[kinds]
    for number, growth in enumerate(GROWTH):
        here = kinds == number
        green[here] = np.interp(today[here], growth.days, growth.green)
        dry[here] = np.interp(today[here], growth.days, growth.dry)
    lost = drought * sensitive * np.clip(1 - 0.30 * place.wetness, 0.3, 1.5)
    return np.clip(green * vigour * (1 - lost), 0, 0.98), np.clip(dry + 0.8 * lost, 0, 1)


def _lag(place: Landscape, day: int) -> Field:
    # Spring comes later and autumn earlier with height, three days per hundred metres.
    sown = np.clip(generator(place.seed, "sowing").normal(0, 4, place.parcels.count), -8, 8)
    height = 0.03 * (place.terrain.elevation - place.terrain.elevation.min()) * (1 if day < 190 else -1)
    farmed = place.mask_of(Cover.CROPLAND, Cover.GRASSLAND)
    return np.where(farmed, sown[place.parcels.numbers], height).astype(np.float32)


def canopy_name(growth: Growth, day: int) -> str:
    """Return the spectrum of a canopy on a day: rape flowers in spring."""
    flowering = growth.canopy == "rape" and 112 <= day <= 140
    return "rape_flower" if flowering else growth.canopy
