"""What the tags inside a raster file say."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from treeline.toolkit.counted_times import is_readable, moments_of
from treeline.toolkit.recognition.dates import parse_moment
from treeline.toolkit.recognition.rules import products

COUNTED_TIME = "NETCDF_DIM_time"
"""What GDAL writes of a band's time in a NetCDF file: a number in units that stand in a tag of the file."""

TIME_IN_GRIB = "GRIB_VALID_TIME"
_SECONDS_IN_GRIB = re.compile(r"\s*(-?\d{1,12})(?: sec UTC)?\s*$")
ACQUISITION_TAGS = (
    "ACQUISITIONDATETIME",
    "SENSING_TIME",
    "PRODUCT_START_TIME",
    "DATATAKE_1_DATATAKE_SENSING_START",
    "DATE_ACQUIRED",
    "RANGEBEGINNINGDATE",
    COUNTED_TIME,
    "system:time_start",
)
SCALE_TAGS = ("SCALE", "scale_factor", "Scale", "scale")
OFFSET_TAGS = ("OFFSET", "add_offset", "Offset", "offset")
DIVISOR_TAG = "reflectance_scale_factor"
"""In an ENVI header: what stored values are divided by to be reflectance."""

FILL_TAGS = ("_FillValue", "missing_value")
UNIT_TAGS = ("units", "unit", "Units", "Unit", "UNITS", "UNIT")


@dataclass(frozen=True, slots=True)
class StatedScale:
    """A scale that a file states."""

    scale: float
    offset: float
    because: str


def number_in(tags: Mapping[str, str], names: tuple[str, ...]) -> float | None:
    """Return the number that the first of some tags holds."""
    for name in names:
        try:
            number = float(tags[name])
        except (KeyError, ValueError):
            continue
        if math.isfinite(number):
            return number
    return None


def stated_scale(
    scale: float, offset: float, band: Mapping[str, str], file: Mapping[str, str]
) -> StatedScale | None:
    """Return the scale that GDAL's own fields or a custom tag state; ``None`` when nothing is stated.

    A scale of a thousand or more is the divisor of raw MODIS files and is turned round.
    """
    because = "The file states scale and offset."
    if (scale, offset) == (1.0, 0.0):
        divisor = number_in(file, (DIVISOR_TAG,))
        if divisor is not None and divisor > 0:
            because = f"The header states a reflectance scale factor of {divisor:g}."
            return StatedScale(1.0 / divisor, 0.0, because)
        tagged = number_in(band, SCALE_TAGS) or number_in(file, SCALE_TAGS)
        if tagged is None:
            return None
        scale, offset = tagged, number_in(band, OFFSET_TAGS) or number_in(file, OFFSET_TAGS) or 0.0
        because = "A tag of the file states the scale."
    # A scale of 10000 would make reflectance of a million; what is meant is 1 / 10000.
    if scale >= 1000:
        return StatedScale(1.0 / scale, offset, f"A tag states {scale:g}, which raw files mean as a divisor.")
    usable = scale != 0 and math.isfinite(scale) and math.isfinite(offset)
    return StatedScale(scale, offset, because) if usable else None


def unit_in(*tags: Mapping[str, str]) -> str | None:
    """Return the unit that the first of some sets of tags states; GDAL's own field may be empty beside it."""
    stated = next((each[name] for each in tags for name in UNIT_TAGS if each.get(name)), None)
    in_grib = next((each["GRIB_UNIT"] for each in tags if each.get("GRIB_UNIT")), "")
    # In brackets, as are parts of it: [kg/(m^2)].
    return stated or re.sub(r"[\[\]()]", "", in_grib) or None


def acquisition(tags: Mapping[str, str]) -> tuple[datetime, str] | None:
    """Return the moment of acquisition that a tag states, and the tag's name."""
    for name in ACQUISITION_TAGS:
        text = tags.get(name, "")
        moment = _epoch(text) if name == "system:time_start" else parse_moment(text)
        if moment is not None:
            return moment, name
    return None


def counted_moment(band: Mapping[str, str], file: Mapping[str, str]) -> datetime | None:
    """Return the moment of a band that GDAL took out of a NetCDF or GRIB file; ``None`` of any other.

    Of a calendar whose days are none of the Gregorian one, there is none.
    """
    units, calendar = file.get("time#units", ""), file.get("time#calendar", "")
    number = number_in(band, (COUNTED_TIME,))
    if number is None and (valid := _SECONDS_IN_GRIB.match(band.get(TIME_IN_GRIB, ""))) is not None:
        number, units, calendar = float(valid[1]), "seconds since 1970-01-01", ""
    if number is None or not is_readable(units, calendar):
        return None
    try:
        return moments_of((number,), units, calendar)[0]
    except (ValueError, OverflowError):
        return None


def tagged_moment(tags: Mapping[str, str]) -> datetime | None:
    """Return the moment in ``TIFFTAG_DATETIME``, which is the acquisition or the time of writing."""
    return parse_moment(tags.get("TIFFTAG_DATETIME", ""))


def product_of(tags: Mapping[str, str]) -> str | None:
    """Return the key of the product family that leaves such tags."""
    for product in products():
        if product.tags and all(re.search(p, tags.get(name, "")) for name, p in product.tags.items()):
            return product.key
    return None


def _epoch(text: str) -> datetime | None:
    # Milliseconds since 1970, as Earth Engine writes them: fewer digits would be seconds.
    if not re.fullmatch(r"\d{11,13}", text):
        return None
    moment = datetime.fromtimestamp(int(text) / 1000, UTC).replace(tzinfo=None)
    return moment if 1950 <= moment.year <= 2035 else None
