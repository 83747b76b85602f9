"""The demo's two years: overpass dates, the sun, the weather, and the events."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

BURN_DATE = date(2022, 7, 29)
DROUGHT_YEAR = 2022


@dataclass(frozen=True, slots=True)
class Overpass:
    """One acquisition.

    Attributes
    ----------
    date : datetime.date
        Day of the overpass, about 10 h local solar time.
    sun_elevation, sun_azimuth : float
        Degrees.
    air : float
        Air temperature in the valley, K.
    heating : float
        How much warmer than the air dry bare ground is, K.
    water : float
        Temperature of the water's surface, K.
    drought : float
        Lack of soil water, 0 (none) to 1.
    clouds : float
        Share of the scene under clouds, about.
    """

    date: date
    sun_elevation: float
    sun_azimuth: float
    air: float
    heating: float
    water: float
    drought: float
    clouds: float

    @property
    def day(self) -> int:
        """Day of the year."""
        return self.date.timetuple().tm_yday

    @property
    def is_burned(self) -> bool:
        """Whether the fire is over."""
        return self.date >= BURN_DATE


OVERPASSES = (
    Overpass(date(2021, 4, 12), 49.0, 152.0, 284.0, 11.0, 282.0, 0.0, 0.0),
    Overpass(date(2021, 5, 16), 58.0, 147.0, 289.0, 13.0, 287.0, 0.0, 0.20),
    Overpass(date(2021, 6, 19), 62.0, 142.0, 294.0, 15.0, 292.0, 0.05, 0.0),
    Overpass(date(2021, 7, 22), 60.0, 142.0, 296.5, 15.5, 295.0, 0.10, 0.0),
    Overpass(date(2021, 8, 24), 53.0, 148.0, 294.0, 13.5, 295.0, 0.10, 0.12),
    Overpass(date(2021, 10, 5), 37.0, 160.0, 286.0, 8.0, 289.0, 0.0, 0.32),
    Overpass(date(2022, 4, 8), 48.0, 153.0, 284.5, 11.5, 281.5, 0.10, 0.0),
    Overpass(date(2022, 5, 12), 57.0, 147.0, 291.0, 14.0, 287.5, 0.25, 0.15),
    Overpass(date(2022, 6, 15), 62.0, 142.0, 297.0, 16.5, 293.5, 0.55, 0.0),
    Overpass(date(2022, 7, 18), 61.0, 141.0, 299.0, 17.0, 297.0, 0.90, 0.0),
    Overpass(date(2022, 8, 20), 54.0, 147.0, 297.0, 15.5, 297.0, 1.00, 0.0),
    Overpass(date(2022, 10, 4), 38.0, 160.0, 286.5, 9.0, 289.5, 0.45, 0.24),
)
