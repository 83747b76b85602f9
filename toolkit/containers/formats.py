"""Which files are containers of rasters, and which files in them are taken out, by the endings of names."""

from __future__ import annotations

from pathlib import Path

TARS = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
RAW = frozenset({"", ".dat", ".bsq", ".bil", ".bip", ".img", ".raw", ".envi"})
RASTERS = frozenset({".tif", ".tiff", ".jp2", ".j2k", ".png", ".jpg", ".jpeg", *RAW})
ARRAYS = frozenset({".nc", ".nc4", ".cdf", ".h5", ".hdf5", ".he5", ".hdf"})
METADATA = frozenset({".xml", ".json", ".txt", ".hdr"})
HEIGHTS = ".hgt"
# Beside what was taken out of an archive: why some of its files were not read, by their names.
UNREAD = ".unread.json"
ZARR = ".zarr"
# What a folder of Zarr begins with, and all that begins with a point in one.
ZARR_MARKS = frozenset({".zgroup", ".zmetadata", ".zattrs", ".zarray"})
ZARR_STARTS = (".zgroup", ".zmetadata", "zarr.json")
# Files that may hold rasters which can be taken out; a folder of Zarr is known by its own suffix.
SUFFIXES = frozenset({".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", HEIGHTS, *ARRAYS})
TAKEN = RASTERS | ARRAYS | METADATA | {HEIGHTS}


def is_container(path: Path) -> bool:
    """Return whether a file, or a folder of Zarr, may hold rasters that can be taken out, by its name."""
    if path.suffix.lower() == ZARR:
        return path.is_dir()
    name = path.name.lower()
    if path.suffix.lower() in (".gz", ".bz2", ".xz") and not name.endswith(TARS):
        return path.suffix.lower() == ".gz" and Path(path.stem).suffix.lower() in RASTERS | ARRAYS | {HEIGHTS}
    return path.suffix.lower() in SUFFIXES
