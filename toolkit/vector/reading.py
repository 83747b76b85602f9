"""Reading vector files of the workspace; only allowed formats, nothing that follows addresses."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.errors import ShapelyError
from shapely.geometry import shape

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, PathOutside, RasterMissing
from treeline.toolkit.files import leads_elsewhere
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE
from treeline.toolkit.interest import HANDLE
from treeline.toolkit.limits import Limits
from treeline.toolkit.recognition.resolver import current_resolver
from treeline.toolkit.vector.archives import unpack_shapefile
from treeline.toolkit.vector.drivers import ALLOWED, driver_of, ogr
from treeline.toolkit.vector.features import Feature, Features, checked_crs
from treeline.toolkit.vector.geopackage import check_geopackage
from treeline.toolkit.vector.systems import check_system

# It is parsed as a whole, and takes about ten times its size in memory.
LARGEST_GEOJSON = 256 * 2**20
_DAMAGED = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, ShapelyError)
_WKT = re.compile(
    r"\s*(?:SRID=(?P<srid>\d{4,6});\s*)?"
    r"(?P<wkt>(?:MULTI)?(?:POLYGON|POINT|LINESTRING)\s*(?:Z\s*)?\(.*)",
    re.IGNORECASE | re.DOTALL,
)


def read_features(address: str) -> Features:
    """Read a vector file of the workspace.

    Parameters
    ----------
    address : str
        GeoJSON, GeoPackage, shapefile (zipped too) or FlatGeobuf; of a GeoPackage the first layer, or the
        one that ``file.gpkg#layer`` names. Or the geometry itself: WKT or GeoJSON in longitude and
        latitude, ``SRID=32633;POLYGON((...))`` in another CRS. ``@aoi`` is the area of interest.

    Raises
    ------
    RasterMissing, PathOutside
        From the resolver.
    InputError
        The file is of no allowed format, damaged, or has no features.
    """
    found = _of_interest(address) or _read_text(address) or _of_file(*_locate(address))
    items = tuple(item for item in found.items if item.geometry is not None and not item.geometry.is_empty)
    if not items:
        raise InputError(f"{found.name} has no features with a geometry.", "Give another file.")
    if not np.isfinite(shapely.get_coordinates([item.geometry for item in items])).all():
        raise InputError(f"{found.name} has coordinates that are no finite numbers.", "Write it again.")
    return replace(found, items=items)


def _of_interest(address: str) -> Features | None:
    if address.strip().casefold() != HANDLE:
        return None
    area = current_context().area
    if area is None:
        raise InputError("There is no area of interest.", "Set one with --aoi, or draw it on the map.")
    return Features(HANDLE, area.crs, (Feature(area.geometry),))


def _of_file(path: Path, layer: str | None) -> Features:
    match driver_of(path):
        case "GeoJSON":
            return _from_geojson(path)
        case "zip":
            return _from_archive(path)
        case driver:
            return _from_ogr(path, driver, layer)


def _read_text(text: str) -> Features | None:
    """Return geometries that are given as text; ``None`` where it is none."""
    if text.lstrip().startswith("{"):
        return _parse(text, "the GeoJSON given")
    match = _WKT.match(text)
    if match is None:
        return None
    try:
        geometry = shapely.from_wkt(match["wkt"])
    except ShapelyError as error:
        raise InputError(f"{text[:60]!r} is no valid WKT ({error}).", "Close every ring.") from None
    crs = checked_crs(f"EPSG:{match['srid']}") if match["srid"] else LONGITUDE_LATITUDE
    return Features("the WKT given", crs, (Feature(geometry),))


def _locate(address: str) -> tuple[Path, str | None]:
    try:
        # First as it stands: a file's name may hold a "#".
        return _confine(address), None
    except RasterMissing:
        file, mark, layer = address.rpartition("#")
        if not (mark and file):
            raise
        return _confine(file), layer


def _confine(address: str) -> Path:
    if "://" in address or address.startswith("/vsi"):
        raise PathOutside(f"{address[:80]!r} is not a file on this machine.", ALLOWED)
    path = current_resolver().path_of(address)
    if not path.is_file():
        raise InputError(f"{address!r} is a folder.", "Name a vector file in it.")
    return path


def _from_geojson(path: Path) -> Features:
    # Parsed here and not by GDAL: other drivers claim JSON files too, and some follow addresses in them.
    if path.stat().st_size > LARGEST_GEOJSON:
        raise InputError(f"{path.name} is larger than {LARGEST_GEOJSON // 2**20} MiB.", "Give a GeoPackage.")
    return replace(_parse(path.read_text("utf-8-sig", errors="replace"), path.name), path=path)


def _parse(text: str, name: str) -> Features:
    try:
        content = json.loads(text)
        items = tuple(_feature(one) for one in _members(content))
    except _DAMAGED as error:
        raise InputError(f"{name} is no valid GeoJSON ({error}).", "Check it.") from None
    return Features(name, _crs_of(content, name), items)


def _crs_of(content: Mapping[str, Any], name: str) -> str:
    """Return the CRS of a GeoJSON's member ``crs``: by name or EPSG code; a link is not followed.

    Without one longitude and latitude (RFC 7946); the member is that of the GeoJSON of 2008.
    """
    member = content.get("crs")
    if not member:
        return LONGITUDE_LATITUDE
    told = member.get("properties") if isinstance(member, Mapping) else None
    told = told if isinstance(told, Mapping) else {}
    if isinstance(named := told.get("name"), str):
        return LONGITUDE_LATITUDE if "CRS84" in named else checked_crs(named)
    if isinstance(code := told.get("code"), int | str):
        return checked_crs(f"EPSG:{code}")
    where = f" but links to {str(told['href'])[:80]!r}" if "href" in told else ""
    raise InputError(
        f"{name} does not name its CRS{where}.",
        "Write the CRS's name in its member 'crs', or write longitude and latitude without one.",
    )


def _members(content: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    match content["type"]:
        case "FeatureCollection":
            return content["features"]
        case "Feature":
            return [content]
        case _:
            return [{"geometry": content}]


def _feature(member: Mapping[str, Any]) -> Feature:
    geometry = member.get("geometry")
    # GeoJSON allows a feature without a geometry; an empty one is left out later.
    return Feature(shape(geometry) if geometry else shapely.Point(), member.get("properties") or {})


def _from_archive(path: Path) -> Features:
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        parts = unpack_shapefile(path, Path(folder), path.name)
        driver = driver_of(parts[".shp"])
        if driver != "ESRI Shapefile":
            raise InputError(f"The .shp file in {path.name} is no shapefile.", "Zip the shapefile again.")
        return replace(_from_ogr(parts[".shp"], driver, None), name=path.name, path=path)


def _from_ogr(path: Path, driver: str, layer: str | None) -> Features:
    if driver == "GPKG":
        check_geopackage(path)
    if driver == "ESRI Shapefile":
        _check_parts(path)
    check_system(path, driver)
    raw = ogr()
    from pyogrio import errors

    most = Limits.from_environment().features
    try:
        # One more than allowed, which tells that there are more.
        meta, _, geometries, columns = raw.read(path, layer=layer, force_2d=True, max_features=most + 1)
        if geometries is None:
            raise InputError(
                f"{path.name} holds a table without geometries.", "Name a layer with geometries."
            )
        if len(geometries) > most:
            raise InputError(f"{path.name} has more than {most:,} features.", "Give fewer at once.")
        crs = meta["crs"]
        fields, rows = meta["fields"], zip(*(column.tolist() for column in columns), strict=True)
        # Without attributes there is no column to take rows from.
        named = rows if columns else repeat(())
        found = zip(shapely.from_wkb(geometries), named, strict=bool(columns))
        items = tuple(Feature(geometry, dict(zip(fields, row, strict=True))) for geometry, row in found)
    except (errors.DataSourceError, errors.DataLayerError, errors.FeatureError) as error:
        raise InputError(f"{path.name} cannot be read: {_first_line(error, path)}", ALLOWED) from None
    except _DAMAGED as error:
        raise InputError(f"{path.name} is damaged ({_first_line(error, path)}).", "Write it again.") from None
    return Features(path.name, crs, items, path)


def _check_parts(path: Path) -> None:
    for part in path.parent.iterdir():
        if part.stem == path.stem and leads_elsewhere(part, path):
            raise InputError(f"{part.name} is a link to another folder.", "Give the file itself.")


def _first_line(error: Exception, path: Path) -> str:
    said = (str(error).splitlines() or [type(error).__name__])[0]
    return said.replace(str(path), path.name)[:200]
