"""DIMAP files of SPOT 6-7, Pléiades and Pléiades Neo: order, calibration and date of the bands of an image.

Airbus Defence and Space, Pléiades and SPOT 6-7 Imagery User Guides: radiance is the digital number over the
gain plus the bias; reflectance at the top of the atmosphere is pi L d^2 / (E0 sin e).
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

from treeline.toolkit.recognition.dates import parse_moment
from treeline.toolkit.recognition.statements import BandStatement, Sidecar, load, parse_xml

PREFIX = "dim_"
ROLES = {
    "B0": "blue",
    "B1": "green",
    "B2": "red",
    "B3": "nir",
    "P": "pan",
    "PAN": "pan",
    "R": "red",
    "G": "green",
    "B": "blue",
    "NIR": "nir",
    "RE": "rededge1",
    "DB": "coastal",
}
# Products whose digital numbers are still those of the calibration.
CALIBRATED = frozenset({"BASIC", "REFLECTANCE"})


def read_dimap(candidate: Path, path: Path) -> Sidecar | None:
    """Return what a DIMAP file says of a raster; ``None`` if it is of another image."""
    root: ElementTree.Element | None = load(candidate, parse_xml)
    if root is None or path.name not in _files(root):
        return None
    indexes = {_text(each, "BAND_ID"): _text(each, "BAND_INDEX") for each in root.iter("Raster_Index")}
    order = sorted((name for name in indexes if indexes[name].isdigit()), key=lambda name: int(indexes[name]))
    date = parse_moment(f"{_first(root, 'IMAGING_DATE')}T{_first(root, 'IMAGING_TIME')[:8]}")
    fill = _fill(root)
    mission = f"{_first(root, 'MISSION')} {_first(root, 'MISSION_INDEX')}".strip()
    return Sidecar(
        source="The DIMAP file",
        date=date,
        sensor=mission or None,
        bands=tuple(replace(_statement(root, name, date), fill=fill) for name in order),
    )


def _statement(root: ElementTree.Element, name: str, date: datetime | None) -> BandStatement:
    role = ROLES.get(name.upper())
    if _first(root, "RADIOMETRIC_PROCESSING") not in CALIBRATED:
        return BandStatement(name, role)
    reflectance = _of_band(root, "Band_Reflectance", name)
    if reflectance is not None and (gain := _number(reflectance, "GAIN")):
        return BandStatement(name, role, scale=1 / gain, offset=_number(reflectance, "BIAS") or 0.0)
    radiance, irradiance = (_of_band(root, tag, name) for tag in ("Band_Radiance", "Band_Solar_Irradiance"))
    sun = _sine_of_sun(root)
    if radiance is None or irradiance is None or sun is None or date is None:
        return BandStatement(name, role)
    gain, bias, energy = _number(radiance, "GAIN"), _number(radiance, "BIAS"), _number(irradiance, "VALUE")
    if not gain or bias is None or not energy:
        return BandStatement(name, role)
    # pi d^2 / (E0 sin e): radiance to reflectance, see above; with it the line of the radiance becomes one of
    # the reflectance.
    factor = math.pi * _distance(date) ** 2 / (energy * sun)
    return BandStatement(name, role, scale=factor / gain, offset=factor * bias)


def _fill(root: ElementTree.Element) -> tuple[float, ...]:
    """Return the counts that mean no data; a saturated pixel has a value."""
    counts = [
        _number(each, "SPECIAL_VALUE_COUNT")
        for each in root.iter("Special_Value")
        if _text(each, "SPECIAL_VALUE_TEXT").upper() == "NODATA"
    ]
    return tuple(count for count in counts if count is not None)


def _distance(date: datetime) -> float:
    """Return how far the sun is, in astronomical units (Duffett-Smith 1988), true to some ten-thousandths."""
    return 1 - 0.01672 * math.cos(math.radians(0.9856 * (date.timetuple().tm_yday - 4)))


def _sine_of_sun(root: ElementTree.Element) -> float | None:
    places = list(root.iter("Located_Geometric_Values"))
    centre = [place for place in places if _text(place, "LOCATION_TYPE").casefold() == "center"]
    for place in (*centre, *places, root):
        elevation = next((_float(each.text) for each in place.iter("SUN_ELEVATION")), None)
        if elevation is not None:
            return math.sin(math.radians(elevation)) if elevation > 0 else None
    return None


def _files(root: ElementTree.Element) -> set[str]:
    return {
        PurePosixPath(each.get("href", "").replace("\\", "/")).name for each in root.iter("DATA_FILE_PATH")
    }


def _of_band(root: ElementTree.Element, tag: str, name: str) -> ElementTree.Element | None:
    return next((each for each in root.iter(tag) if _text(each, "BAND_ID") == name), None)


def _first(root: ElementTree.Element, tag: str) -> str:
    return next(((each.text or "").strip() for each in root.iter(tag)), "")


def _text(element: ElementTree.Element, name: str) -> str:
    return (element.findtext(name) or "").strip()


def _number(element: ElementTree.Element, name: str) -> float | None:
    return _float(element.findtext(name))


def _float(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None
