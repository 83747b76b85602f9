"""The XML beside an analytic image of PlanetScope or RapidEye: what makes reflectance of its radiance.

Planet Imagery Product Specifications: reflectance at the top of the atmosphere is the digital number times
the band's ``reflectanceCoefficient``.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree import ElementTree

from treeline.toolkit.recognition.families import band_order, read_product_name
from treeline.toolkit.recognition.statements import BandStatement, Sidecar, load, parse_xml

# 20210601_093012_1003_3B_AnalyticMS_metadata.xml, and with what was done to an ordered image at its end.
_NAME = re.compile(r"_metadata(?=(?:_clip|_reproject)*\.xml$)", re.IGNORECASE)


def is_planet(name: str) -> bool:
    """Tell whether a file may be the metadata of a Planet image, by its name."""
    return _NAME.search(name) is not None


def read_planet(candidate: Path, path: Path) -> Sidecar | None:
    """Return what the XML of a Planet image says of a raster; ``None`` if it is of another image.

    The image of surface reflectance has the same XML, whose coefficients are none of it.
    """
    if _NAME.sub("", candidate.name)[: -len(".xml")] != path.stem:
        return None
    named = read_product_name(path.name)
    root: ElementTree.Element | None = load(candidate, parse_xml)
    if root is None or named is None or "_SR" in dict(named.groups).get("asset", ""):
        return None
    found = {int(number): scale for number, scale in map(_band, _all(root, "bandSpecificMetadata")) if number}
    order = band_order(named.product, dict(named.groups), len(found))
    if not order or sorted(found) != list(range(1, len(order) + 1)) or None in found.values():
        return None
    bands = tuple(BandStatement(name, scale=found[place]) for place, name in enumerate(order, start=1))
    return Sidecar("The XML of Planet", product=named.product, groups=dict(named.groups), bands=bands)


def _band(element: ElementTree.Element) -> tuple[str, float | None]:
    number, scale = (_text(element, tag) for tag in ("bandNumber", "reflectanceCoefficient"))
    try:
        value = float(scale)
    except ValueError:
        value = 0.0
    return number if number.isdigit() else "", value if math.isfinite(value) and value > 0 else None


def _all(element: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in element.iter() if _local(each) == name]


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _text(element: ElementTree.Element, name: str) -> str:
    return next(((each.text or "").strip() for each in _all(element, name)), "")
