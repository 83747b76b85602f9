"""The coordinate reference systems of vector files, looked at before GDAL follows what they name."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from treeline.toolkit.errors import InputError
from treeline.toolkit.geodesy import names_file
from treeline.toolkit.vector.drivers import HEADER_STARTS, LARGEST_HEADER

# A system of a shapefile is one line.
_LONGEST_LINE = 2**20
_MOST_SYSTEMS = 20_000


def check_system(path: Path, driver: str) -> None:
    """Refuse a vector file whose system names another file, which PROJ would open whatever it is.

    Parameters
    ----------
    driver : str
        By which GDAL reads it, whatever the ending of its name is.

    Raises
    ------
    InputError
    """
    if any(names_file(text) for text in _TEXTS[driver](path)):
        raise InputError(
            f"{path.name} names another file in its coordinate reference system.",
            "Write it again with the code of the system.",
        )


def _of_geopackage(path: Path) -> Iterator[str]:
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as connection:
        connection.text_factory = lambda content: content.decode("utf-8", "replace")
        rows = connection.execute("SELECT * FROM gpkg_spatial_ref_sys LIMIT ?", (_MOST_SYSTEMS + 1,))
        for number, row in enumerate(rows):
            if number == _MOST_SYSTEMS:
                raise InputError(
                    f"{path.name} lists more than {_MOST_SYSTEMS:,} coordinate reference systems.",
                    "Write it again with those that it has.",
                )
            yield "\n".join(_text(value) for value in row)
    # damaged, or without systems


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _of_shapefile(path: Path) -> Iterator[str]:
    for suffix in (".prj", ".PRJ"):
        yield _start(path.with_suffix(suffix), _LONGEST_LINE)


def _of_flatgeobuf(path: Path) -> Iterator[str]:
    yield _start(path, LARGEST_HEADER + HEADER_STARTS)


def _start(file: Path, longest: int) -> str:
    if not file.is_file():
        return ""
    with file.open("rb") as stream:
        return stream.read(longest).decode("utf-8", "replace")


_TEXTS: Mapping[str, Callable[[Path], Iterator[str]]] = {
    "GPKG": _of_geopackage,
    "ESRI Shapefile": _of_shapefile,
    "FlatGeobuf": _of_flatgeobuf,
}
