"""Formats of rasters that are not opened: one sentence each that says what would do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from treeline.toolkit.companions import is_raw_raster

HDF4 = b"\x0e\x03\x13\x01"
_CONVERT = "Convert it to GeoTIFF, such as with gdal_translate, and give that."
_GRIB = (
    "is a GRIB file, which is not read. Order it as NetCDF where the provider offers that, as the Climate "
    "Data Store does, or convert it: `cdo -f nc copy` keeps names, units and dates; of the GeoTIFF of "
    "gdal_translate, temperatures are known with their dates."
)
# By the ending of a file; each goes on from the file's name.
UNREADABLE: Mapping[str, str] = {
    ".vrt": "is a virtual raster, which names other files. Give the files themselves.",
    ".grib": _GRIB,
    ".grb": _GRIB,
    ".grb2": _GRIB,
    ".grib2": _GRIB,
    ".ecw": "is an ECW file, which is not read. " + _CONVERT,
    ".sid": "is a MrSID file, which is not read. " + _CONVERT,
    ".img": "is a raw file without its header (.hdr), which is not read. " + _CONVERT,
    ".asc": "is an ASCII grid, which is not read. " + _CONVERT,
    ".7z": "is a 7-Zip archive, which is not opened. Give a ZIP or TAR archive, or the files in it.",
    ".rar": "is a RAR archive, which is not opened. Give a ZIP or TAR archive, or the files in it.",
}
_HDF4 = (
    "is an HDF4 file, which the GDAL that is installed here cannot open. Order it as GeoTIFF (such as "
    "from AppEEARS, LAADS or Earthdata Search), or convert it with gdal_translate of a GDAL that has HDF4, "
    "such as that of conda-forge with libgdal-hdf4."
)


def reason_unreadable(path: Path) -> str | None:
    """Return in a sentence why a file that looks like rasters is not read; ``None`` of any other file."""
    if path.suffix.lower() in (".hdf", ".h4", ".hdf4", ".he4") and _first_bytes(path) == HDF4:
        return f"{path.name} {_HDF4}"
    sentence = None if is_raw_raster(path) else UNREADABLE.get(path.suffix.lower())
    return f"{path.name} {sentence}" if sentence else None


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(4)
    except OSError:
        return b""
