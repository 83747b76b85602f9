"""What variables of NetCDF and HDF5 are called where their own names do not tell what they are."""

from __future__ import annotations

import re
from collections.abc import Mapping

from treeline.toolkit.recognition.names import describe_name

# What ERA5, CHIRPS, CRU TS, E-OBS, GLDAS, GLEAM and ESA CCI call variables whose names are short.
LONG_NAMES = {
    "precipitation": "precipitation",
    "rainfall": "precipitation",
    "near-surface temperature": "air_temperature",
    "actual evaporation": "evapotranspiration",
    "potential evaporation": "potential_evapotranspiration",
    "surface soil moisture": "soil_moisture",
    "root-zone soil moisture": "root_zone_soil_moisture",
    "volumetric soil moisture": "soil_moisture",
    "total precipitation": "precipitation",
    "total precipitation rate": "precipitation",
    "skin temperature": "lst",
    "vapor_pressure_deficit": "vapour_pressure_deficit",
    "vapor pressure deficit": "vapour_pressure_deficit",
    "2 metre temperature": "air_temperature",
    "volumetric soil water layer 1": "soil_moisture",
    "volumetric soil water layer 2": "soil_moisture_layer_2",
    "volumetric soil water layer 3": "soil_moisture_layer_3",
    "volumetric soil water layer 4": "soil_moisture_layer_4",
}
# Names of the CF standard whose role no name of a variable need tell.
STANDARD_NAMES = {
    "surface_temperature": "lst",
    "land_surface_temperature": "lst",
    "sea_surface_temperature": "sst",
    "sea_surface_skin_temperature": "sst",
    "sea_surface_subskin_temperature": "sst",
    "sea_surface_foundation_temperature": "sst",
    "mass_concentration_of_chlorophyll_a_in_sea_water": "chlorophyll",
    "surface_albedo": "albedo",
    "normalized_difference_vegetation_index": "ndvi",
    "precipitation_amount": "precipitation",
    "lwe_thickness_of_precipitation_amount": "precipitation",
    "precipitation_flux": "precipitation",
    "thickness_of_rainfall_amount": "precipitation",
    "rainfall_amount": "precipitation",
    "lwe_precipitation_rate": "precipitation",
    "height_above_mean_sea_level": "dem",
    "surface_altitude": "dem",
    "air_temperature": "air_temperature",
    "leaf_area_index": "lai",
    "volume_fraction_of_condensed_water_in_soil": "soil_moisture",
}
# The highest or lowest values of a time and how they spread have the standard name of the values, of which
# they are none: tasmax of CMIP, tmax of TerraClimate.
_OF_A_STATISTIC = re.compile(
    r"(max|min)(imum)?(?![a-z])|standard[ _]deviation|variance|percentile|quantile|anomal|(?<![a-z])range",
    re.IGNORECASE,
)
_EXTREME = re.compile(r"time: (maximum|minimum)")
# Elements of GRIB and their levels, as GDAL writes them to tags: code table 4.2 of WMO's FM 92 GRIB (TMP) and
# table 128 of ECMWF's parameters. Depths of rain count from the beginning of a forecast and are told by none.
IN_GRIB = {
    "TMP 2-HTGL": "air_temperature",
    "2T 0-SFC": "air_temperature",
    "TMP 0-SFC": "lst",
    "SKT 0-SFC": "lst",
}
# The attributes of a variable that tell what it is.
TELLING = ("long_name", "standard_name", "description", "cell_methods")


def is_extreme(cell_methods: str) -> bool:
    """Return whether a variable is the highest or the lowest value of each time."""
    return _EXTREME.search(cell_methods) is not None


def telling_name(name: str, attributes: Mapping[str, str]) -> str:
    """Return what tells the role of a variable: its name, or a role by its standard or its long name.

    Parameters
    ----------
    name : str
        Of the variable.
    attributes : mapping
        Its own, of which those of ``TELLING`` are looked at.
    """
    methods = attributes.get("cell_methods", "")
    if (extreme := _EXTREME.search(methods)) is not None:
        return f"{name}_{extreme[1]}"
    told = " ".join((name, *(attributes.get(key, "") for key in ("long_name", "description")), methods))
    if describe_name(f"{name}.tif").role is not None or _OF_A_STATISTIC.search(told):
        return name
    long_name = LONG_NAMES.get(attributes.get("long_name", "").lower(), name)
    return STANDARD_NAMES.get(attributes.get("standard_name", ""), long_name)


def name_in_grib(tags: Mapping[str, str]) -> str | None:
    """Return the role of a band that GDAL took out of a GRIB file; ``None`` of any other.

    Templates beyond the first two of table 4.0 are of means, extremes and other statistics of a time.
    """
    if tags.get("GRIB_PDS_PDTN", "0") not in ("0", "1"):
        return None
    return IN_GRIB.get(f"{tags.get('GRIB_ELEMENT')} {tags.get('GRIB_SHORT_NAME')}")
