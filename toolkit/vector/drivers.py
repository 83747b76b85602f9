"""The drivers by which vector files are opened: no other claims a file, whatever stands in it.

GDAL asks every driver it has whether a file is its own, and some that describe other sources in text take any
file that holds their words. They are left out before the library is loaded, and a file is told by its first
bytes besides.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from pathlib import Path
from typing import Any

from treeline.toolkit.errors import InputError

ALLOWED = "GeoJSON, GeoPackage, shapefile (zipped too) and FlatGeobuf files are read, and WKT."
# Every driver of the library but those of GeoPackage, shapefile, FlatGeobuf, GeoJSON and memory.
LEFT_OUT = (
    "ADBC", "AIVector", "AVCBin", "AVCE00", "AmigoCloud", "Arrow", "CAD", "CSV", "CSW", "Carto", "DGN",
    "DXF", "EDIGEO", "EEDA", "ESRIJSON", "Elasticsearch", "GDALG", "GML", "GMLAS", "GPSBabel", "GPX",
    "GTFS", "GeoJSONSeq", "GeoRSS", "HANA", "HTTP", "Idrisi", "JML", "JSONFG", "KML", "LIBKML", "LVBAG",
    "MBTiles", "MSSQLSpatial", "MVT", "MapInfo File", "MapML", "MiraMonVector", "MySQL", "NAS", "NGW",
    "OAPIF", "OCI", "ODBC", "ODS", "OGCAPI", "OGR_GMT", "OGR_PDS", "OGR_VRT", "OSM", "OpenFileGDB",
    "PCIDSK", "PDF", "PDS4", "PGDUMP", "PGeo", "PLSCENES", "PMTiles", "Parquet", "PostgreSQL", "S57",
    "SQLite", "SXF", "Selafin", "TopoJSON", "VDV", "VFK", "VICAR", "WAsP", "WFS", "XLS", "XLSX", "XODR",
)  # fmt: skip
# Which it reads once, when it is loaded; it complains of those that it does not have.
_SETTINGS = {"OGR_SKIP": ",".join(LEFT_OUT), "CPL_LOG": os.devnull}

_GEOPACKAGE = slice(68, 70)
_STARTS = {
    b"SQLite format 3\x00": "GPKG",
    b"\x00\x00\x27\x0a": "ESRI Shapefile",
    b"fgb\x03fgb": "FlatGeobuf",
    b"PK\x03\x04": "zip",
}
# The bytes of a FlatGeobuf's header, as a number after the magic. None is larger, so that a zero ends what a
# driver of text would look through.
HEADER_STARTS, LARGEST_HEADER = 12, 10 * 2**20
_HEADER = slice(8, HEADER_STARTS)


@cache
def ogr() -> Any:
    """Return what reads and writes vector files, loaded with the allowed drivers alone."""
    before = {name: os.environ.get(name) for name in _SETTINGS}
    os.environ.update(_SETTINGS)
    try:
        return importlib.import_module("pyogrio.raw")
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def driver_of(path: Path) -> str:
    """Return the driver of a vector file by its first bytes; ``zip`` of an archive.

    Raises
    ------
    InputError
        It is of no allowed format.
    """
    with path.open("rb") as stream:
        start = stream.read(72)
    driver = next((driver for mark, driver in _STARTS.items() if start.startswith(mark)), None)
    if driver == "FlatGeobuf" and int.from_bytes(start[_HEADER], "little") > LARGEST_HEADER:
        driver = None
    if driver is not None and (driver != "GPKG" or start[_GEOPACKAGE] == b"GP"):
        return driver
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return "GeoJSON"
    raise InputError(
        f"{path.name} is no vector file of an allowed format (it begins with {repr(start[:8])[1:]}).", ALLOWED
    )
