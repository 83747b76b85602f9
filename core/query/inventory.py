"""What the data of a workspace are called: the names that a question may use beside the lexicon's own.

The reader knows the workspace by this alone. It is made once from a workspace and does not depend
on the order of its files.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

# What follows from the ground's height alone has no date, and neither has what else does not change.
TERRAIN_ROLES = frozenset({
    "dem", "terrain_slope", "terrain_slope_percent", "terrain_aspect", "hillshade", "curvature", "tpi",
    "illumination", "slope_position", "ruggedness", "roughness",
    "flow_direction", "flow_accumulation",
})  # fmt: skip
STATIC_ROLES = TERRAIN_ROLES | {"landcover", "distance"}


@dataclass(frozen=True, slots=True)
class Holding:
    """A variable that is there, or can be made from what is there.

    Attributes
    ----------
    role : str
    unit : str
        Of its physical values.
    dates : tuple of date
        In order; empty for one without a date.
    made : bool
        It follows from others by a tool.
    sensors, sites : tuple of str
        Where its files say them.
    bands : tuple of str
        What the files call the band: B04.
    periods : bool
        It is a rate, and known how long the time is of which each value is the mean.
    images : int
        How many rasters with a date there are; more than dates where a day has two.
    """

    role: str
    unit: str = ""
    dates: tuple[dt.date, ...] = ()
    made: bool = False
    sensors: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    bands: tuple[str, ...] = ()
    periods: bool = False
    images: int = 0


@dataclass(frozen=True, slots=True)
class NamedGround:
    """Classes of a raster, or features of a vector file, that have names.

    Attributes
    ----------
    by : str
        ``class`` or ``feature``.
    source : str
        Role of the class raster; name of the vector file.
    attribute : str
        Of the vector file that holds the names.
    names : tuple of str
    noun : str
        What one of them is called: "class", "region", "parcel", "polygon", ...
    geometry : str
        ``polygon``, ``line`` or ``point``.
    dates : tuple of date
        Of the class rasters, in order, where there are several.
    """

    by: str
    source: str
    attribute: str
    names: tuple[str, ...]
    noun: str = ""
    geometry: str = "polygon"
    dates: tuple[dt.date, ...] = ()

    @property
    def dated(self) -> bool:
        """True where there are class rasters of several dates."""
        return len(self.dates) > 1


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a workspace holds, by name.

    Attributes
    ----------
    holdings : tuple of Holding
    grounds : tuple of NamedGround
    methods : tuple of str
        Usual names of published methods that can be carried out, lower case.
    cloud_dates : tuple of date
        Dates of which clouds are known.
    area_of_interest : bool
        ``@aoi`` is set.
    undated_clouds : bool
        A cloud mask or quality band is there that has no date.
    """

    holdings: tuple[Holding, ...] = ()
    grounds: tuple[NamedGround, ...] = ()
    methods: tuple[str, ...] = ()
    cloud_dates: tuple[dt.date, ...] = ()
    area_of_interest: bool = False
    undated_clouds: bool = False

    @property
    def knows_clouds(self) -> bool:
        """Whether anything tells where clouds are."""
        return self.undated_clouds or bool(self.cloud_dates)

    def holding(self, role: str) -> Holding | None:
        """Return what there is of a role."""
        return next((holding for holding in self.holdings if holding.role == role), None)

    @property
    def dates(self) -> tuple[dt.date, ...]:
        """Every date of any variable, in order."""
        return tuple(sorted({date for holding in self.holdings for date in holding.dates}))
