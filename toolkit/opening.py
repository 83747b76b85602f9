"""Opening raster files: which drivers, which paths, and what is wrong with a file that will not open.

Below recognition, which reads headers and samples, and below the raster engine, which reads pixels.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from rasterio._err import CPLE_BaseError
from rasterio.errors import NotGeoreferencedWarning, RasterioError
from rasterio.io import DatasetReader

from treeline.toolkit.companions import check_one_header, envi_header, first_bytes, texts_beside
from treeline.toolkit.erdas import MAGIC, check_alone
from treeline.toolkit.errors import PathOutside, RasterMissing, RasterUnreadable
from treeline.toolkit.files import leads_elsewhere
from treeline.toolkit.geodesy import names_file
from treeline.toolkit.limits import Limits
from treeline.toolkit.stated_systems import check_stated_system, names_another_file

# GDAL takes a twentieth of the memory for its block cache and reads this once, at first use.
# A stream reads and writes whole tiles, so it needs few of them. Worker processes import this module too.
os.environ.setdefault("GDAL_CACHEMAX", "8")
# No file of the network is opened by itself; whoever may open one says so for that moment.
os.environ.setdefault("CPL_VSIL_CURL_ALLOWED_EXTENSIONS", ".none")

DRIVERS = {
    b"II*\x00": "GTiff",
    b"MM\x00*": "GTiff",
    b"II+\x00": "GTiff",
    b"MM\x00+": "GTiff",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff\xe0": "JPEG",
    b"\xff\xd8\xff\xe1": "JPEG",
    b"\xff\xd8\xff\xdb": "JPEG",
    b"\xff\xd8\xff\xee": "JPEG",
    b"\x00\x00\x00\x0c": "JP2OpenJPEG",
    b"\xff\x4f\xff\x51": "JP2OpenJPEG",
    MAGIC: "HFA",
}
# Formats whose pixels are kept in blocks, so that large ones are read in parts.
BLOCKED = frozenset({"GTiff", "HFA"})
# A block is decoded as a whole: a crafted header can claim one that takes all memory.
LARGEST_BLOCK = 512 * 2**20
# GDAL opens what these domains of metadata name, wherever it lies: overviews and grids of coordinates.
FOLLOWED = frozenset({"overviews", "proxyoverviewrequest", "geolocation"})
# Companions that GDAL opens with any driver it has, beside the file or in its name's place.
_COMPANIONS = (".ovr", ".OVR", ".msk", ".MSK")
_ERDAS_COMPANIONS = (".aux", ".AUX")
# Statistics and histograms have kilobytes; GDAL parses the file in memory as soon as it opens the raster.
LARGEST_KEPT_BESIDE = 4 * 2**20
# Beside an asset nothing is looked for, and servers are not waited for.
WEB: dict[str, Any] = {
    "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR",
    "CPL_VSIL_CURL_ALLOWED_EXTENSIONS": ".tif,.tiff",
    "GDAL_HTTP_CONNECTTIMEOUT": 15,
    "GDAL_HTTP_TIMEOUT": 60,
    "GDAL_HTTP_MAX_RETRY": 3,
}
ALLOWED = "GeoTIFF, JPEG 2000, PNG, JPEG, ENVI and ERDAS IMAGINE files are read."


def open_raster_file(path: str | os.PathLike[str]) -> DatasetReader:
    """Open a raster file on this machine, if it is of an allowed format and whole.

    Parameters
    ----------
    path : str or Path
        A local file. Addresses of GDAL's virtual file systems and of the network are refused.

    Returns
    -------
    rasterio.io.DatasetReader
        Opened for reading and not shared with others; the caller closes it.

    Raises
    ------
    PathOutside
        The path contains ``..``.
    RasterMissing
        There is no such file.
    RasterUnreadable
        Not a GeoTIFF, JPEG 2000, PNG or JPEG file, truncated, or without pixels.
    """
    file = _local_file(path)
    dataset = _open_with_companions(file)
    try:
        check_limits(dataset, file.name)
        _check_whole(dataset, file)
    # Whatever happens: an open file would stay locked on some systems.
    except BaseException:
        dataset.close()
        raise
    return dataset


def open_remote(address: str) -> DatasetReader:
    """Open a GeoTIFF on the web; the caller has seen to it that the address may be read, and closes it.

    Raises
    ------
    RasterUnreadable
        It cannot be read, or would make GDAL open other files.
    """
    name = Path(address).name
    try:
        with rasterio.Env(**WEB):
            dataset = rasterio.open(address, driver="GTiff")
    except RasterioError as error:
        raise RasterUnreadable(f"{name} cannot be read: {_first_line(error)}.", "Try again later.") from None
    return _harmless(dataset, name)


def check_limits(dataset: DatasetReader, name: str) -> None:
    """Refuse a raster with more bands or pixels than may be read here.

    Raises
    ------
    RasterUnreadable
    """
    limits = Limits.from_environment()
    most = limits.pixels if dataset.driver in BLOCKED else limits.plain_pixels
    for found, allowed, what in (
        (dataset.count, limits.bands, "bands"),
        (dataset.width * dataset.height, most, "pixels"),
    ):
        if found > allowed:
            raise RasterUnreadable(
                f"{name} has {found:,} {what}, more than the {allowed:,} that are read here.",
                "Cut it into smaller tiled GeoTIFFs, or raise TREELINE_LIMITS.",
            )


def _open_with_companions(file: Path) -> DatasetReader:
    """Open a file and its companions, each only if it names no other file."""
    driver = _driver(file)
    _check_companions(file)
    if driver == "HFA":
        check_alone(file)
    check_stated_system(file, driver)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            dataset = rasterio.open(file, driver=driver, sharing=False)
    except (RasterioError, CPLE_BaseError, ValueError) as error:
        # Where the file lies is nobody's business who may not look there.
        said = _first_line(error).replace(f"{file.parent}{os.sep}", "")
        raise RasterUnreadable(f"{file.name} cannot be opened: {said}.", ALLOWED) from error
    return _harmless(dataset, file.name)


def _harmless(dataset: DatasetReader, name: str) -> DatasetReader:
    try:
        check_references(dataset, name)
    except RasterUnreadable:
        dataset.close()
        raise
    return dataset


def check_references(dataset: DatasetReader, name: str) -> None:
    """Refuse an opened raster whose metadata name other files.

    GDAL follows what a domain names when pixels or overviews are asked for, not yet when it opens a file, and
    PROJ what a coordinate reference system names when a coordinate is.

    Raises
    ------
    RasterUnreadable
    """
    found = FOLLOWED.intersection(domain.casefold() for domain in dataset.tag_namespaces())
    if found:
        raise RasterUnreadable(
            f"{name} names other files in its metadata (domain {', '.join(sorted(found)).upper()}).",
            "Write it again without them, such as with gdal_translate -co COPY_SRC_OVERVIEWS=NO.",
        )
    if names_file(_wkt(dataset)):
        raise names_another_file(name)


def _wkt(dataset: DatasetReader) -> str:
    try:
        return str(dataset.crs.to_wkt()) if dataset.crs else ""
    except (RasterioError, CPLE_BaseError):  # damaged, which is said where it is read
        return ""


def _local_file(path: str | os.PathLike[str]) -> Path:
    text = os.fspath(path)
    if "://" in text or text.startswith("/vsi") or "\x00" in text or text.lstrip().startswith("<"):
        raise RasterUnreadable(f"{text[:80]!r} is not the path of a file on this machine.", ALLOWED)
    file = Path(text)
    if ".." in file.parts:
        raise PathOutside(f"The path {text!r} contains '..'.", "Give the path without '..'.")
    if not file.is_file():
        raise RasterMissing(f"There is no file {file.name!r} in {file.parent.name or str(file.parent)!r}.")
    return file


def _driver(file: Path) -> str:
    start = first_bytes(file)
    if not start:
        raise RasterUnreadable(f"{file.name} is empty.", ALLOWED)
    driver = DRIVERS.get(start[:4])
    if driver is None and envi_header(file) is not None:
        check_one_header(file)
        return "ENVI"
    if driver is None:
        raise RasterUnreadable(
            f"{file.name} is not a raster of an allowed format (it begins with {repr(start)[1:]}).", ALLOWED
        )
    return driver


def _text(file: Path) -> str:
    """Return what a file says; nothing where there is none."""
    try:
        return file.read_text("utf-8", "replace") if file.is_file() else ""
    except OSError as error:
        raise RasterUnreadable(f"{file.name} cannot be read: {error.strerror}.") from error


def _check_companions(file: Path) -> None:
    overviews = [file.with_name(file.name + suffix) for suffix in _COMPANIONS]
    erdas = [file.with_suffix(suffix) for suffix in _ERDAS_COMPANIONS]
    erdas += [file.with_name(file.name + suffix) for suffix in _ERDAS_COMPANIONS]
    texts = texts_beside(file)
    for companion in (*overviews, *erdas, *texts):
        _check_place(companion, file)
    for companion in overviews:
        if companion.is_file():
            if DRIVERS.get(first_bytes(companion)[:4]) != "GTiff":
                raise RasterUnreadable(
                    f"{companion.name} beside {file.name} is not a TIFF file.", "Remove it."
                )
            _open_with_companions(companion).close()
    for kept in texts:
        if kept.is_file() and kept.stat().st_size > LARGEST_KEPT_BESIDE:
            raise RasterUnreadable(
                f"{kept.name} beside {file.name} is larger than {LARGEST_KEPT_BESIDE // 2**20} MiB.",
                "Remove it.",
            )
    # GDAL may follow what the system names while it opens the raster, so it is looked at before.
    if any(names_file(_text(path)) for path in texts):
        raise names_another_file(file.name)
    for companion in erdas:
        if companion.is_file() and first_bytes(companion).startswith(MAGIC):
            raise RasterUnreadable(f"{companion.name} beside {file.name} may name other files.", "Remove it.")


def _check_place(companion: Path, file: Path) -> None:
    if leads_elsewhere(companion, file):
        raise RasterUnreadable(
            f"{companion.name} beside {file.name} is a link to another folder.", "Give the file itself."
        )
    if companion.exists() and not companion.is_file():  # a pipe would hold whoever opens it
        raise RasterUnreadable(f"{companion.name} beside {file.name} is no file.", "Remove it.")


def _check_whole(dataset: DatasetReader, file: Path) -> None:
    if dataset.count == 0 or dataset.width == 0 or dataset.height == 0:
        size = f"{dataset.width} x {dataset.height}, {dataset.count} bands"
        raise RasterUnreadable(f"{file.name} has no pixels ({size}).")
    if any(dtype.startswith("complex") for dtype in dataset.dtypes):
        raise RasterUnreadable(
            f"{file.name} holds complex values ({dataset.dtypes[0]}).",
            "Convert it to amplitude or phase first.",
        )
    shapes = zip(dataset.block_shapes, dataset.dtypes, strict=True)
    block = max(rows * columns * np.dtype(dtype).itemsize for (rows, columns), dtype in shapes)
    if block > LARGEST_BLOCK:
        raise RasterUnreadable(
            f"{file.name} is stored in blocks of {block // 2**20} MiB, too large to be read in parts.",
            "Write it again in tiles.",
        )
    if _last_byte(dataset) > file.stat().st_size:
        raise RasterUnreadable(
            f"{file.name} is truncated: its last block lies beyond its end.", "Copy it again."
        )


def is_whole(path: Path) -> bool:
    """Return whether a GeoTIFF that was just written holds every one of its blocks.

    GDAL compresses and writes in the background, and does not tell what fails when a file is closed.
    """
    length = path.stat().st_size
    with rasterio.open(path, driver="GTiff", sharing=False) as dataset:
        rows, columns = dataset.block_shapes[0]
        across, down = -(-dataset.width // columns), -(-dataset.height // rows)
        blocks = [f"{x}_{y}" for y in range(down) for x in range(across)]
        ends = (_block_end(dataset, band, block) for band in dataset.indexes for block in blocks)
        return all(0 < end <= length for end in ends)


def _last_byte(dataset: DatasetReader) -> int:
    """Return where the pixels of a file end as it tells of itself; 0 of a format that does not tell."""
    if dataset.driver == "ENVI":
        return _last_raw_byte(dataset)
    if dataset.driver != "GTiff":
        return 0
    rows, columns = dataset.block_shapes[-1]
    block = f"{(dataset.width - 1) // columns}_{(dataset.height - 1) // rows}"
    # The last block of the first and of the last band: files are cut off at their end, however their bands
    # are interleaved.
    ends = (_block_end(dataset, band, block) for band in {1, dataset.count})
    return max(ends)


def _last_raw_byte(dataset: DatasetReader) -> int:
    tags = dataset.tags(ns="ENVI")
    if tags.get("file_compression", "0").strip() not in ("", "0"):
        return 0
    pixels = dataset.width * dataset.height * sum(np.dtype(dtype).itemsize for dtype in dataset.dtypes)
    offset = tags.get("header_offset", "0").strip()
    return pixels + (int(offset) if offset.isdigit() else 0)


def _block_end(dataset: DatasetReader, band: int, block: str) -> int:
    offset = dataset.get_tag_item(f"BLOCK_OFFSET_{block}", "TIFF", bidx=band)
    size = dataset.get_tag_item(f"BLOCK_SIZE_{block}", "TIFF", bidx=band)
    return int(offset or 0) + int(size or 0)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or ["unknown fault"])[0].strip().rstrip(".")
