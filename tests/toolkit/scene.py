"""Small rasters of every role in every sorry state, each written when it is first asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from rasterio.features import geometry_mask
from rasterio.transform import from_origin

from tests.rasters import write_raster
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.recognition.model import RasterDescription
from treeline.toolkit.variables import variable

SIDE = 24
COUNT = 5
# As many months as a distribution needs.
MONTHS = 60
EVERY_MONTH = [f"{2021 + n // 12}-{n % 12 + 1:02}-15" for n in range(MONTHS)]
DATES = EVERY_MONTH[:COUNT]
LEFT, TOP = 500_000.0, 5_100_000.0
RIGHT, BOTTOM = LEFT + 10 * SIDE, TOP - 10 * SIDE
STACKS = {"stack": ("red", "nir")}

RANGES = {
    "reflectance": (0.05, 0.45),
    "temperature": (280.0, 310.0),
    "index": (0.05, 0.85),
    "radar": (-18.0, -6.0),
    "class": (0, 4),
    "quality": (0, 3),
    "image": (10, 240),
}
OF_ROLE = {
    "lst_night": (270.0, 280.0),
    "nir": (0.3, 0.5),
    "red": (0.03, 0.12),
    "dem": (200.0, 400.0),
    "nir_905": (0.2, 0.3),
    "nir_936": (0.15, 0.25),
    "nir_940": (0.1, 0.2),
    "mask": (0, 1),
    "fire_mask": (0, 1),
    "qa_pixel": (21_824, 22_280),
    "albedo": (0.1, 0.3),
    "terrain_slope": (1.0, 30.0),
    "tpi": (-5.0, 5.0),
    "illumination": (0.3, 0.9),
    "dnbr": (-0.2, 0.8),
    "no_change_probability": (0.94, 1.0),
    "digital_numbers": (8000, 20_000),
    "amplitude": (50.0, 400.0),
    "linear": (0.01, 0.4),
    "tir12": (285.0, 315.0),
}
CLOUDY = 0.03
WHOLE = ("class", "quality", "image")
NOTHING = {"nodata": -9.0, "nan": np.nan, "inf": np.inf, "zero": 0.0}
# A value that all stored types have and no variable of a scene.
HOLE = 60_000.0
PLACES: dict[str, dict[str, Any]] = {
    "elsewhere": {"origin": (900_000.0, 1_000_000.0)},
    "degrees": {"crs": "EPSG:4326", "origin": (15.0, 46.0535), "pixel": 0.00013},
    "bare": {"crs": None},
    "nodata": {"nodata": -9.0},
    "holes": {"nodata": HOLE},
}
# An area of interest: columns 4 to 19, rows 3 to 16 but for a corner; rasters differ ``beyond`` it.
AREA = shapely.Polygon(
    [
        (LEFT + 40, TOP - 30),
        (LEFT + 200, TOP - 30),
        (LEFT + 200, TOP - 170),
        (LEFT + 80, TOP - 170),
        (LEFT + 40, TOP - 120),
    ]
)
INSIDE = geometry_mask([AREA], (SIDE, SIDE), from_origin(LEFT, TOP, 10, 10), invert=True)
# The folder of amplitudes of Sentinel-1, with their annotation beside them.
AMPLITUDE = "amplitude"
UNREADABLE = {"text": b"This is no raster.", "empty": b""}


class RoleResolver(FileResolver):
    """Takes the name of a raster's folder for its role, and its number for its date."""

    def describe(self, address: str) -> tuple[RasterDescription, str | None]:
        found, band = super().describe(address)
        role = found.path.parent.name
        known = role != AMPLITUDE
        roles = [name if variable(name) else None for name in STACKS.get(role, (role if known else "vv",))]
        units = [about.unit if (about := variable(name)) else None for name in roles]
        bands = tuple(
            replace(band, role=name, unit=unit, scale=1.0, offset=0.0, scale_known=known)
            for band, name, unit in zip(found.bands, roles, units, strict=True)
        )
        date = datetime.fromisoformat(EVERY_MONTH[int(found.path.stem.rpartition("-")[2])])
        return replace(found, bands=bands, date=date, date_precision="day"), band


class Scene:
    """A folder of rasters ``role/state-number.tif``, of vector files and with a catalogue."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.resolver = RoleResolver(folder)
        _write_vectors(folder)
        self._write_catalogue()

    def raster(self, role: str, state: str = "good", number: int = 0) -> str:
        """Return the address of a raster, which is written if it is not there."""
        path = self.folder / role / f"{state}-{number}.tif"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            self._write(path, role, state, number)
        return f"{role}/{path.name}"

    def in_state(self, value: Any, state: str = "good") -> Any:
        """Return a value with every raster ``role/good-n.tif`` in it in another state, written."""
        if isinstance(value, list):
            return [self.in_state(item, state) for item in value]
        if isinstance(value, dict):
            return {key: self.in_state(item, state) for key, item in value.items()}
        if not is_raster(value):
            return value
        role, _, name = value.partition("/")
        return self.raster(role, state, int(name.removesuffix(".tif").rpartition("-")[2]))

    def _write(self, path: Path, role: str, state: str, number: int) -> None:
        if state in UNREADABLE:
            path.write_bytes(UNREADABLE[state])
        elif state == "cut":
            whole = (self.folder / self.raster(role, "good", number)).read_bytes()
            path.write_bytes(whole[: len(whole) // 2])
        else:
            bands = [_values(each, state, number) for each in STACKS.get(role, (role,))]
            write_raster(path, np.stack(bands), **PLACES.get(state, {}))
        if role == AMPLITUDE:
            for kind, vector, table in (
                ("calibration", "calibrationVector", "sigmaNought"),
                ("noise", "noiseVector", "noiseLut"),
            ):
                text = f"<{vector}><line>0</line><pixel>0 9</pixel><{table}>300 310</{table}></{vector}>"
                path.with_name(f"{kind}-{path.stem}.xml").write_text(f"<a>{text}</a>")

    def _write_catalogue(self) -> None:
        asset = {"href": f"./{self.raster('red')}", "type": "image/tiff", "roles": ["data"]}
        item = {
            "type": "Feature",
            "stac_version": "1.0.0",
            "id": "one",
            "bbox": [14.9, 45.9, 15.1, 46.1],
            "geometry": _box(14.9, 45.9, 15.1, 46.1),
            "properties": {"datetime": "2021-01-15T10:00:00Z"},
            "assets": {"red": asset},
            "links": [],
        }
        link = {"rel": "item", "href": "./one.json", "type": "application/json"}
        catalogue = {
            "type": "Catalog",
            "stac_version": "1.0.0",
            "id": "few",
            "description": "One scene.",
            "links": [link],
        }
        (self.folder / "one.json").write_text(json.dumps(item))
        (self.folder / "catalog.json").write_text(json.dumps(catalogue))


def is_raster(value: Any) -> bool:
    """Return whether a value is the address of a raster of a scene."""
    return isinstance(value, str) and value.endswith(".tif") and "/" in value


def _values(role: str, state: str, number: int) -> np.ndarray:
    shape = (1, 1) if state == "pixel" else (SIDE, SIDE)
    if state in NOTHING:
        return np.full(shape, NOTHING[state], "float32")
    known = variable(role)
    low, high = OF_ROLE.get(role) or RANGES.get(known.kind if known else "", (0.1, 0.9))
    count = shape[0] * shape[1]
    place, date = ([*role.encode(), *n] for n in ((), (number,)))
    mixed = 0.7 * np.random.default_rng(place).random(count) + 0.2 * np.random.default_rng(date).random(count)
    mixed += 0.01 * number
    values = (low + (high - low) * mixed.reshape(shape)).astype("float32")
    if state == "holes":
        # A lake that every raster lacks, and clouds of each date.
        values[2:5, 3:7] = HOLE
        values[np.random.default_rng([*date, 1]).random(shape) < CLOUDY] = HOLE
    if state == "beyond":
        values = np.where(INSIDE, values, np.float32(low + high) - values)
    whole = role == "digital_numbers" or (known is not None and known.kind in WHOLE)
    return np.round(values).astype("uint16") if whole else values


def _write_vectors(folder: Path) -> None:
    middle = (LEFT + RIGHT) / 2
    spots = [[LEFT + 5 + 10 * (n % SIDE), TOP - 5 - 10 * (n // SIDE)] for n in range(0, SIDE * SIDE, 7)]
    line = {"type": "LineString", "coordinates": [[LEFT + 15, TOP - 15], [RIGHT - 15, BOTTOM + 15]]}
    files = {
        "zones": [_box(LEFT, BOTTOM, middle, TOP), _box(middle, BOTTOM, RIGHT, TOP)],
        "points": [{"type": "Point", "coordinates": spot} for spot in spots],
        "line": [line],
        "elsewhere": [_box(LEFT + 9e4, BOTTOM, RIGHT + 9e4, TOP)],
        "empty": [],
    }
    for name, geometries in files.items():
        (folder / f"{name}.geojson").write_text(json.dumps(_collection(geometries)))
    heights = [{"type": "Point", "coordinates": spot} for spot in spots[::3]]
    surface = [round(200 + spot[0] / 50 % 7 + spot[1] / 70 % 5, 3) for spot in spots[::3]]
    (folder / "heights.geojson").write_text(json.dumps(_collection(heights, height=surface)))
    (folder / "broken.geojson").write_text('{"type": "FeatureCollection", "features": [')


def _collection(geometries: list[dict[str, Any]], **columns: list[Any]) -> dict[str, Any]:
    features = [
        {
            "type": "Feature",
            "geometry": geometry,
            "properties": {
                "kind": "ab"[number % 2],
                **{name: each[number] for name, each in columns.items()},
            },
        }
        for number, geometry in enumerate(geometries)
    ]
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}
    return {"type": "FeatureCollection", "features": features, "crs": crs}


def _box(left: float, bottom: float, right: float, top: float) -> dict[str, Any]:
    ring = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]
    return {"type": "Polygon", "coordinates": [ring]}
