"""Two workspaces by name alone: a series of images with terrain and land cover, and a simulated place."""

from __future__ import annotations

import datetime as dt

from treeline.core.query.inventory import Holding, Inventory, NamedGround

_DAY = dt.timedelta(days=1)


def _grid(first: dt.date, last: dt.date, step: int) -> set[dt.date]:
    return {first + k * _DAY for k in range(0, (last - first).days + 1, step)}


_NAMED = (
    "2015-07-11", "2015-07-31", "2015-08-20", "2015-08-30", "2015-09-29", "2016-05-26", "2016-06-05",
    "2016-08-14", "2016-10-23", "2016-12-12", "2017-05-21",
    "2017-08-04", "2017-08-29", "2017-10-08", "2017-11-27",
)  # fmt: skip
SERIES = tuple(
    sorted(
        {dt.date.fromisoformat(text) for text in _NAMED}
        | _grid(dt.date(2015, 9, 3), dt.date(2017, 12, 22), 19)
    )
)
SCENES = tuple(dt.date(2015, month, day) for month, day in ((7, 11), (7, 31), (8, 20), (8, 30), (9, 9)))
_BANDS = {"blue": "B02", "green": "B03", "red": "B04", "nir": "B08", "swir1": "B11", "swir2": "B12"}

MEADOWS = Inventory(
    holdings=(
        *(Holding(role, "1", SCENES, bands=(band,)) for role, band in _BANDS.items()),
        Holding("cloud_mask", "class", SERIES),
        Holding("dem", "m"),
        Holding("evi", "1", made=True),
        Holding("landcover", "class"),
        Holding("ndvi", "1", SERIES),
        Holding("ndwi", "1", made=True),
        Holding("reflectance", "1", made=True),
        Holding("terrain_aspect", "degree", made=True),
        Holding("terrain_slope", "degree", made=True),
        Holding("terrain_slope_percent", "%", made=True),
    ),
    grounds=(
        NamedGround("class", "landcover", "", (), "class"),
        NamedGround(
            "feature",
            "Cover.gpkg",
            "LULC_NAME",
            ("artificial surface", "cultivated land", "forest", "grassland", "schrubland"),
            "class",
        ),
    ),
    cloud_dates=SERIES,
)

_DEMO = tuple(
    dt.date.fromisoformat(text)
    for text in (
        "2021-04-12", "2021-05-16", "2021-06-19", "2021-07-22", "2021-08-24", "2021-10-05",
        "2022-04-08", "2022-05-12", "2022-06-15", "2022-07-18", "2022-08-20", "2022-10-04",
    )
)  # fmt: skip
DEMO = Inventory(
    holdings=(
        *(Holding(role, "1", _DEMO) for role in ("blue", "green", "red", "nir", "swir1", "swir2")),
        Holding("cloud_mask", "class", _DEMO),
        Holding("dem", "m"),
        Holding("landcover", "class"),
        Holding("lst", "K", _DEMO),
        Holding("nbr", "1", made=True),
        Holding("ndmi", "1", made=True),
        Holding("ndvi", "1", made=True),
        Holding("reflectance", "1", made=True),
        Holding("terrain_slope", "degree", made=True),
        Holding("terrain_slope_percent", "%", made=True),
    ),
    grounds=(
        NamedGround(
            "class",
            "landcover",
            "",
            ("Water", "Cropland", "Grassland", "Broadleaf forest", "Conifer forest", "Built up",
             "Bare ground"),
            "class",
        ),
        NamedGround(
            "feature",
            "Regions.geojson",
            "name",
            ("Ashfield", "Lakeside", "Larchford", "Marshend", "Millbrook", "Oakhollow", "Pinehurst",
             "Stonebridge",             "Upper Larchford", "Willowbank"),
            "polygon",
        ),
    ),
    cloud_dates=_DEMO,
)  # fmt: skip
PLACES = {"meadows": MEADOWS, "demo": DEMO}
