"""What the classes of a raster are called, and the colours that its file gives them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray
from rasterio.io import DatasetReader

from treeline.toolkit.errors import InputError, TreelineError
from treeline.toolkit.isolation import call_reader
from treeline.toolkit.json_texts import read_json
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.raster.source import Source

CLASSES_TAG = "TREELINE_CLASSES"
_LARGEST = 254  # of a byte, whose last value is no data
STYLE = ".qml"
"""The ending of a style of QGIS, which lies beside its raster."""
# The variables whose numbers are classes that a question may name.
CLASS_ROLES = ("landcover", "classes", "scl", "burn_date", "forest_loss_year")
Rgba = tuple[int, int, int, int]
_LARGEST_COMPANION = 2**20
# Columns of GDAL's raster attribute tables: what a class is called, and its number (GFU_Name, GFU_MinMax).
_NAME_COLUMN, _VALUE_COLUMN = "2", "5"

# Sentinel-2 scene classification: names and colours of ESA's Sentinel-2 L2A product definition.
_SCL = {
    2: ("dark area", "#2f2f2f"),
    3: ("cloud shadow", "#643200"),
    4: ("vegetation", "#00a000"),
    5: ("bare soil", "#ffe65a"),
    6: ("water", "#0000ff"),
    7: ("unclassified", "#808080"),
    8: ("cloud of medium probability", "#c0c0c0"),
    9: ("cloud of high probability", "#ffffff"),
    10: ("cirrus", "#64c8ff"),
    11: ("snow", "#ff96ff"),
}


# What land cover is drawn in where the file has no colours: forest is green and water blue.
_BY_NAME = tuple(
    (re.compile(rf"\b(?:{words})", re.IGNORECASE), colour)
    for words, colour in (
        ("conifer|needle|evergreen", "#1b5e3a"),
        ("broadlea|deciduous", "#4c9a4e"),
        ("forest|tree|wood(?!en)", "#2e7d32"),
        ("sc?hrub|bush|heath", "#b5a642"),
        ("grass|meadow|pasture", "#a6d96a"),
        ("crop|cultivat|arable|agricult|vineyard|orchard|field", "#f4c95d"),
        ("built|urban|artificial|settlement|impervious|road", "#c0392b"),
        ("bare|rock|sand|sparse", "#b8a99a"),
        ("snow|ice|glacier", "#dff3f7"),
        ("wetland|marsh|swamp|bog|mangrove", "#3fb7a6"),
        ("water|river|lake|sea|ocean", "#2166ac"),
        ("burn|fire", "#5d2a1f"),
    )
)


@dataclass(frozen=True, slots=True)
class ClassLegend:
    """What is known of the classes of a band besides their numbers.

    Attributes
    ----------
    names : mapping of int to str
        Empty where nothing names them.
    colours : mapping of int to tuple of int
        Red, green, blue and alpha from 0 to 255; empty without a colour table.
    """

    names: Mapping[int, str]
    colours: Mapping[int, Rgba]


def class_legend(source: Source) -> ClassLegend:
    """Return names and colours of the classes of a band.

    Names come from the tag ``TREELINE_CLASSES`` (``{"1": "Water"}`` or ``1 water, 2 forest``), else from
    GDAL's category names or attribute table in the ``.aux.xml`` beside the file, or the labels of a style of
    QGIS (``.qml``), else from the published map that it was recognised as, or from the role where that fixes
    them (the scene classification of Sentinel-2); colours from the file's colour table, else from the role.
    A file that cannot be read has neither.
    """
    try:
        names, colours = _of_file(source.path, _moments(source.path), source.band.index)
    except (OSError, TreelineError):
        names, colours = {}, {}
    if source.role == "landcover":
        names = names or dict(published_legend(source))
    names = names or _legends().get(source.role or "", {})
    if source.role == "scl":
        names = names or {value: name for value, (name, _) in _SCL.items()}
        colours = colours or {value: rgba(colour) for value, (_, colour) in _SCL.items()}
    return ClassLegend(dict(names), dict(colours))


def published_legend(source: Source) -> Mapping[int, str]:
    """Return what the classes of a published land-cover map are called; nothing of any other raster."""
    known = _legends()
    return known.get(source.description.product or "") or known.get(source.band.name) or {}


@lru_cache(maxsize=1)
def _legends() -> dict[str, dict[int, str]]:
    import yaml  # a call that needs no legend does without

    text = resources.files(__package__).joinpath("legends.yaml").read_text("utf-8")
    legends = yaml.safe_load(text)
    return {key: dict(_each_number(names)) for key, names in legends.items()}


def _each_number(names: Mapping[int | str, str]) -> Iterator[tuple[int, str]]:
    """Yield each number of a legend with its name; ``1-366`` stands for all from 1 to 366."""
    for numbers, name in names.items():
        first, _, last = str(numbers).partition("-")
        yield from ((number, name) for number in range(int(first), int(last or first) + 1))


def class_tags(origin: Source) -> dict[str, str]:
    """Return the tag by which a raster of the same values names its classes; none without names."""
    names = class_legend(origin).names
    return names_tags({str(value): name for value, name in names.items()}) if names else {}


def names_tags(names: Mapping[str, str]) -> dict[str, str]:
    """Return the tag by which a raster names its classes, from names by their number as text.

    Raises
    ------
    InputError
        A number is none, or no byte holds it.
    """
    wrong = next((each for each in names if not (each.isdigit() and int(each) <= _LARGEST)), None)
    if wrong is not None:
        raise InputError(f"class_names: {wrong!r} is no class.", f"Classes are numbers from 0 to {_LARGEST}.")
    return {CLASSES_TAG: json.dumps(dict(names))}


def require_classes(name: str, values: NDArray[np.floating]) -> None:
    """Refuse a raster as one of classes where it holds fractions; NaN is no data.

    Raises
    ------
    InputError
    """
    valid = values[~np.isnan(values)]
    if not np.array_equal(valid, np.rint(valid)):
        raise InputError(f"{name} holds no whole numbers, so it holds no classes.", "Classify it first.")


def usual_colour(name: str) -> str:
    """Return ``#rrggbb`` in which land cover of a name is mostly drawn; nothing for any other name."""
    return next((colour for words, colour in _BY_NAME if words.search(name)), "")


def rgba(text: str) -> Rgba:
    """Return an opaque colour from ``#rrggbb``."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue, 255


def _moments(path: Path) -> tuple[int, ...]:
    """Return when a file and those beside it that name its classes were written; 0 where one is not there."""
    beside = (_attributes_of(path), _style_of(path))
    written = (each.stat().st_mtime_ns if each.is_file() else 0 for each in beside)
    return path.stat().st_mtime_ns, *written


def _attributes_of(path: Path) -> Path:
    return path.with_name(path.name + ".aux.xml")


def _style_of(path: Path) -> Path:
    return path.with_suffix(STYLE)


@lru_cache(maxsize=512)
def _of_file(path: Path, modified: tuple[int, ...], band: int) -> tuple[dict[int, str], dict[int, Rgba]]:
    return call_reader(_names_and_colours, path, band)


def _names_and_colours(path: Path, band: int) -> tuple[dict[int, str], dict[int, Rgba]]:
    with open_raster_file(path) as dataset:
        names = _class_names(dataset.tags().get(CLASSES_TAG, "")) or _categories(path, band)
        return names, _colour_table(dataset, band)


def _class_names(text: str) -> dict[int, str]:
    if text.startswith("{"):
        try:
            return {int(value): str(name) for value, name in read_json(text).items()}
        except ValueError:  # no JSON, or no numbers
            return {}
    # The form "1 water, 2 forest", which is short enough to be written by hand.
    return {int(m[1]): m[2].strip() for m in re.finditer(r"\b(\d{1,9}) ([^,]+)", text)}


def _categories(path: Path, band: int) -> dict[int, str]:
    """Return what GDAL keeps beside a file as names of classes, else those of a style of QGIS."""
    kept = _companion(_attributes_of(path))
    here = None if kept is None else kept.find(f"PAMRasterBand[@band='{band}']")
    names: dict[int, str] = {}
    if here is not None:
        # the first is that of 0; an empty one names nothing
        names = dict(enumerate((e.text or "").strip() for e in here.findall("CategoryNames/Category")))
        names = names or _of_table(here)
    if not names and (style := _companion(_style_of(path))) is not None:
        names = {
            number: entry.get("label", "").strip()
            for drawing in style.iter("rasterrenderer")
            if drawing.get("band") == str(band)
            for entry in drawing.iter("paletteEntry")
            if (number := _whole(entry.get("value"))) is not None
        }
    return {value: name for value, name in names.items() if name and name != str(value)}


def _companion(path: Path) -> ElementTree.Element | None:
    """Return a small XML file beside a raster; ``None`` where there is none that can be read."""
    if not path.is_file() or path.stat().st_size > _LARGEST_COMPANION:
        return None
    text = path.read_text("utf-8", errors="replace")
    # Entities can be nested so that a short file grows to gigabytes when it is read; no legend needs them.
    if "<!ENTITY" in text or ("<!DOCTYPE" in text and "<!DOCTYPE qgis" not in text):
        return None
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return None


def _of_table(band: ElementTree.Element) -> dict[int, str]:
    """Return the names in a raster attribute table of GDAL, by the usages of its columns."""
    table = band.find("GDALRasterAttributeTable")
    usages = [] if table is None else [each.findtext("Usage") for each in table.findall("FieldDefn")]
    if table is None or _VALUE_COLUMN not in usages or _NAME_COLUMN not in usages:
        return {}
    value, name = usages.index(_VALUE_COLUMN), usages.index(_NAME_COLUMN)
    rows = [[cell.text or "" for cell in row.findall("F")] for row in table.findall("Row")]
    return {
        number: row[name].strip()
        for row in rows
        if len(row) == len(usages) and (number := _whole(row[value])) is not None
    }


def _whole(text: str | None) -> int | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


def _colour_table(dataset: DatasetReader, band: int) -> dict[int, Rgba]:
    try:
        return dict(dataset.colormap(band))
    except ValueError:  # the band has none
        return {}
