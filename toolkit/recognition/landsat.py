"""Landsat's MTL files: one scene's date, satellite and rescaling coefficients."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from treeline.toolkit.recognition.dates import parse_moment
from treeline.toolkit.recognition.families import sensor_of
from treeline.toolkit.recognition.rules import metadata_words
from treeline.toolkit.recognition.statements import BandStatement, Sidecar, load, parse_xml

Groups = dict[str, dict[str, str]]
# The names of Collection 2 and those before it.
THERMAL_CONSTANTS = ("LEVEL1_THERMAL_CONSTANTS", "TIRS_THERMAL_CONSTANTS", "THERMAL_CONSTANTS")
RESCALING_BEFORE = "RADIOMETRIC_RESCALING"


def read_mtl(candidate: Path, path: Path) -> Sidecar | None:
    """Return what an MTL file says of a raster; ``None`` if it is of another scene.

    The scale of Level 1 reflectance is corrected for the sun's elevation, as the USGS prescribes: the
    coefficients of the file give the reflectance of a sun in the zenith. Of a Level 1 thermal band it states
    radiance and the constants of the temperature (USGS, Landsat 8-9 Data Users Handbook, LSDS-1574).
    """
    scene = re.sub(r"_MTL$", "", candidate.stem, flags=re.IGNORECASE)
    if not path.name.startswith(scene):
        return None
    groups = load(candidate, _PARSERS.get(candidate.suffix.lower(), _parse_text))
    if not groups:
        return None
    band = path.stem[len(scene) :].strip("_")
    attributes = groups.get("IMAGE_ATTRIBUTES", {})
    platform = attributes.get("SPACECRAFT_ID", "").lower().replace("_", "-")
    parts = dict(metadata_words()["platforms"].get(platform, {}))
    if attributes.get("SENSOR_ID") == "MSS":  # beside the Thematic Mapper on Landsat 4 and 5
        parts["instrument"] = "LM"
    return Sidecar(
        source="The MTL file",
        date=_moment(attributes),
        sensor=sensor_of("landsat", parts),
        product="landsat",
        groups=parts,
        bands=(_statement(band, groups),),
    )


def _moment(attributes: Mapping[str, str]) -> datetime | None:
    day, clock = attributes.get("DATE_ACQUIRED", ""), attributes.get("SCENE_CENTER_TIME", "")
    return parse_moment(f"{day}T{clock[:8]}") or parse_moment(day)


def _statement(band: str, groups: Groups) -> BandStatement:
    return _thermal(band, groups) or _linear(band, groups)


def _thermal(band: str, groups: Groups) -> BandStatement | None:
    """Return how the digital numbers of a Level 1 thermal band become a radiance and a temperature."""
    number = band.removeprefix("B")
    constants = [
        _number(groups, group, f"K{n}_CONSTANT_BAND_{number}")
        for group in THERMAL_CONSTANTS
        for n in (1, 2)
        if group in groups
    ]
    rescaling = (
        "LEVEL1_RADIOMETRIC_RESCALING" if "LEVEL1_RADIOMETRIC_RESCALING" in groups else RESCALING_BEFORE
    )
    scale = _number(groups, rescaling, f"RADIANCE_MULT_BAND_{number}")
    offset = _number(groups, rescaling, f"RADIANCE_ADD_BAND_{number}")
    if scale is None or offset is None or len(constants) != 2 or None in constants:
        return None
    first, second = (float(constant) for constant in constants if constant is not None)
    return BandStatement(band, scale=scale, offset=offset, unit="K", planck=(first, second))


def _linear(band: str, groups: Groups) -> BandStatement:
    for group, name in (
        ("LEVEL2_SURFACE_REFLECTANCE_PARAMETERS", "REFLECTANCE"),
        ("LEVEL2_SURFACE_TEMPERATURE_PARAMETERS", "TEMPERATURE"),
        ("LEVEL1_RADIOMETRIC_RESCALING", "REFLECTANCE"),
    ):
        level1 = group.startswith("LEVEL1")
        # Level 1 files are called B4, Level 2 ones SR_B4 or ST_B10; the MTL of Level 2 holds the coefficients
        # of both.
        if level1 != bool(re.fullmatch(r"B\d+", band)):
            continue
        suffix = re.sub(r"^SR_B", "", band) if name == "REFLECTANCE" else band
        suffix = re.sub(r"^B", "", suffix) if level1 else suffix
        scale = _number(groups, group, f"{name}_MULT_BAND_{suffix}")
        offset = _number(groups, group, f"{name}_ADD_BAND_{suffix}")
        # Level 1 reflectance is (M Q + A) / sin(e), e the elevation of the sun; Level 2 is corrected already.
        sun = _sine_of_sun(groups) if level1 else 1.0
        if scale is not None and offset is not None and sun is not None:
            return BandStatement(band, scale=scale / sun, offset=offset / sun)
    return BandStatement(band)


def _sine_of_sun(groups: Groups) -> float | None:
    elevation = _number(groups, "IMAGE_ATTRIBUTES", "SUN_ELEVATION")
    return math.sin(math.radians(elevation)) if elevation is not None and elevation > 0 else None


def _number(groups: Groups, group: str, name: str) -> float | None:
    try:
        return float(groups[group][name])
    except (KeyError, ValueError):
        return None


def _parse_text(text: str) -> Groups:
    """Return the groups of the ``GROUP = ...`` form; a key may stand in several groups."""
    groups: Groups = {}
    stack: list[str] = []
    for line in text.splitlines():
        key, _, value = (part.strip() for part in line.partition("="))
        if key == "GROUP":
            stack.append(value)
        elif key == "END_GROUP" and stack:
            stack.pop()
        elif stack and value:
            groups.setdefault(stack[-1], {})[key] = value.strip('"')
    return groups


def _parse_json(text: str) -> Groups:
    return dict(_json_groups(json.loads(text)))


def _json_groups(content: Any) -> Iterator[tuple[str, dict[str, str]]]:
    for name, entry in content.items() if isinstance(content, dict) else ():
        if isinstance(entry, dict):
            yield name, {key: str(value) for key, value in entry.items() if not isinstance(value, dict)}
            yield from _json_groups(entry)


def _parse_xml(text: str) -> Groups:
    return {group.tag: {entry.tag: entry.text or "" for entry in group} for group in parse_xml(text)}


_PARSERS = {".json": _parse_json, ".xml": _parse_xml}
