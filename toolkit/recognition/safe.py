"""Sentinel-2 products in the SAFE format: which of its images are data, and what its metadata state."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from treeline.toolkit.recognition.dates import parse_moment
from treeline.toolkit.recognition.families import sensor_of
from treeline.toolkit.recognition.statements import BandStatement, Sidecar, load, parse_xml

SUFFIX = ".safe"
METADATA = ("MTD_MSIL2A.xml", "MTD_MSIL1C.xml")
# Folders of a product whose images say how good its data are, or show them.
NO_DATA = frozenset({"QI_DATA", "AUX_DATA", "HTML", "rep_info", "preview"})
# GRANULE/<tile>/IMG_DATA/R10m/<image> below the product.
LEVELS_ABOVE = 5
_IMAGE = re.compile(r"(?P<what>.+_(?P<band>B\d{2}|B8A|SCL|AOT|WVP))(?:_(?P<metres>\d{2})m)?$")
# Of the images that no question is asked of: a picture and a preview of the whole.
_PICTURE = re.compile(r"_(?:TCI|PVI)(?:_\d{2}m)?$")
# PSD of ESA (S2-PDGS-TAS-DI-PSD, version 14.9): band_id counts the bands in this order.
BAND_IDS = ("B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B8A", "B09", "B10", "B11", "B12")

Texts = dict[str, dict[str, str]]


def product_folder(path: Path) -> Path | None:
    """Return the SAFE folder that a file lies in; ``None`` if it lies in none."""
    return next((each for each in path.parents[:LEVELS_ABOVE] if each.suffix.lower() == SUFFIX), None)


def data_images(paths: Iterable[Path]) -> list[Path]:
    """Leave out what a SAFE folder holds besides its data: pictures, masks and coarser copies of a band."""
    kept: dict[tuple[Path, str], tuple[int, Path]] = {}
    others: list[Path] = []
    for path in paths:
        product = product_folder(path)
        if product is None:
            others.append(path)
            continue
        if NO_DATA.intersection(path.relative_to(product).parts) or _PICTURE.search(path.stem):
            continue
        found = _IMAGE.fullmatch(path.stem)
        if found is None:
            others.append(path)
            continue
        metres, key = int(found["metres"] or 0), (product, found["what"])
        # The finest of the copies of a band at 10, 20 and 60 m.
        if key not in kept or metres < kept[key][0]:
            kept[key] = metres, path
    return sorted([*others, *(path for _, path in kept.values())])


def read_safe(path: Path) -> Sidecar | None:
    """Return what the metadata of a SAFE folder say of an image in it; ``None`` where there are none."""
    product, found = product_folder(path), _IMAGE.fullmatch(path.stem)
    if product is None or found is None:
        return None
    for name in METADATA:
        texts = load(product / name, _parse)
        if texts:
            return _sidecar(name, texts, found["band"])
    return None


def _sidecar(name: str, texts: Texts, band: str) -> Sidecar:
    plain = texts[""]
    level = name.removeprefix("MTD_MSI").removesuffix(".xml")
    groups = {"level": level, "satellite": plain.get("SPACECRAFT_NAME", "").replace("Sentinel-", "S")}
    baseline = plain.get("PROCESSING_BASELINE", "")
    if re.fullmatch(r"\d{2}\.\d{2}", baseline):
        groups["baseline"] = baseline.replace(".", "")
    return Sidecar(
        source=name,
        date=parse_moment(plain.get("DATATAKE_SENSING_START", "")[:19])
        or parse_moment(plain.get("PRODUCT_START_TIME", "")[:19]),
        sensor=sensor_of("sentinel2", groups),
        product="sentinel2",
        groups=groups,
        bands=(_statement(texts, band),),
    )


def _statement(texts: Texts, band: str) -> BandStatement:
    """Return scale and offset; without offsets none is added, as before processing baseline 04.00."""
    quantification = _number(texts[""], "BOA_QUANTIFICATION_VALUE", "QUANTIFICATION_VALUE")
    if quantification is None or quantification <= 0 or band not in BAND_IDS:
        return BandStatement(band)
    offsets = texts.get("BOA_ADD_OFFSET") or texts.get("RADIO_ADD_OFFSET") or {}
    added = _number(offsets, str(BAND_IDS.index(band))) or 0.0
    # ESA: reflectance is (DN + offset) / quantification value.
    return BandStatement(band, scale=1 / quantification, offset=added / quantification)


def _number(texts: dict[str, str], *names: str) -> float | None:
    for name in names:
        try:
            return float(texts[name])
        except (KeyError, ValueError):
            continue
    return None


def _parse(text: str) -> Texts:
    """Return the texts by tag, below ``""``; those of tags with a ``band_id`` by it, below their tag."""
    texts: Texts = {"": {}}
    for entry in parse_xml(text).iter():
        tag, content = entry.tag.rpartition("}")[2], (entry.text or "").strip()
        if "band_id" in entry.attrib:
            texts.setdefault(tag, {})[entry.attrib["band_id"]] = content
        elif content:
            texts[""].setdefault(tag, content)
    return texts
