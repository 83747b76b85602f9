"""Rasters on the web that are read by ranges of bytes, through handles of Treeline's own.

GDAL is given one handle for one address: it lists no folder, looks for nothing beside the file, and follows
no redirection, since each request is made here.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import re
import urllib.error
import urllib.request
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import rasterio
from rasterio.abc import FileContainer
from rasterio.errors import RasterioError
from rasterio.io import DatasetReader

from treeline.toolkit.addresses import require_allowed
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.opening import check_limits, check_references
from treeline.toolkit.stated_systems import check_stream

ALLOWED = "TREELINE_CATALOGUES"
# A header and its tables of tiles mostly lie in one piece; 32 MiB are kept of a file.
PIECE, KEPT = 2**18, 128
SECONDS = 60
_RANGE = re.compile(r"bytes \d+-\d+/(\d+)")


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


class RangeFile(io.RawIOBase):
    """A file on the web that is read in pieces, the last of which are kept.

    Attributes
    ----------
    size : int
        In bytes.
    version : str
        Changes when the file does, as far as the server says so.
    """

    def __init__(self, address: str) -> None:
        require_allowed(address, ALLOWED)
        self.address = address
        self.requests = 0
        self._opener = urllib.request.build_opener(_NoRedirection)
        self._pieces: OrderedDict[int, bytes] = OrderedDict()
        self._place = 0
        self.size = 0
        self.version = ""
        self._piece(0)

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def seekable(self) -> bool:
        """Return that any place of it can be read."""
        return True

    def tell(self) -> int:
        """Return the place that is read next."""
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self.size}[whence]
        self._place = max(0, start + offset)
        return self._place

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        end = self.size if size is None or size < 0 else min(self._place + size, self.size)
        parts = []
        while self._place < end:
            number, within = divmod(self._place, PIECE)
            part = self._piece(number)[within : within + end - self._place]
            if not part:
                break
            parts.append(part)
            self._place += len(part)
        return b"".join(parts)

    def _piece(self, number: int) -> bytes:
        if number in self._pieces:
            self._pieces.move_to_end(number)
            return self._pieces[number]
        current_context().check_stop()
        self._pieces[number] = content = self._request(number * PIECE, PIECE)
        if len(self._pieces) > KEPT:
            self._pieces.popitem(last=False)
        return content

    def _request(self, start: int, length: int) -> bytes:
        self.requests += 1
        # Not compressed: places in a compressed stream are not those in the file.
        headers = {"Range": f"bytes={start}-{start + length - 1}", "Accept-Encoding": "identity"}
        request = urllib.request.Request(self.address, headers=headers)
        try:
            with self._opener.open(request, timeout=SECONDS) as answer:
                stated = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
                if answer.status != http.HTTPStatus.PARTIAL_CONTENT or stated is None:
                    raise RasterUnreadable(
                        f"The server of {self.name!r} does not send parts of files.", "Download the file."
                    )
                self.size = int(stated[1])
                marks = (answer.headers.get(name, "") for name in ("ETag", "Last-Modified"))
                self.version = " ".join((str(self.size), *marks))
                content: bytes = answer.read(length)
                return content
        except urllib.error.HTTPError as error:
            moved = 300 <= error.code < 400
            raise RasterUnreadable(
                f"The server answers {error.code} for {self.name!r}"
                + (", which leads elsewhere." if moved else "."),
                "Give the address that it leads to." if moved else "Look at the address.",
            ) from None
        except (OSError, http.client.HTTPException) as error:
            raise RasterUnreadable(
                f"{self.name!r} cannot be reached: {getattr(error, 'reason', error)}.", "Try again later."
            ) from None

    @property
    def name(self) -> str:
        """What it is called in its address."""
        return name_of(self.address)


class _OneFile(FileContainer):
    """A place in which there is one file."""

    def __init__(self, name: str, file: RangeFile) -> None:
        self._name, self._file = name, file

    def open(self, path: str, mode: str = "r", **_: object) -> RangeFile:
        if path != self._name or "w" in mode or "+" in mode:
            raise FileNotFoundError(path)
        self._file.seek(0)
        return self._file

    def isdir(self, path: str) -> bool:
        return False

    def isfile(self, path: str) -> bool:
        return path == self._name

    def ls(self, path: str) -> list[str]:
        return []

    def mtime(self, path: str) -> int:
        return 0

    def rm(self, path: str) -> None:
        raise PermissionError(path)

    def size(self, path: str) -> int:
        return self._file.size if path == self._name else 0


def name_of(address: str) -> str:
    """Return the name of the file at an address."""
    return PurePosixPath(unquote(urlsplit(address).path)).name


@contextlib.contextmanager
def open_by_ranges(file: RangeFile) -> Iterator[DatasetReader]:
    """Yield a GeoTIFF on the web, of which only the parts that are asked for are sent.

    Raises
    ------
    RasterUnreadable
        It cannot be reached, is no GeoTIFF, or names other files.
    """
    # GDAL gets a name of ours and never the address, so that it can open nothing beside it.
    name = "remote.tif"
    check_stream(file, file.name)
    try:
        with (
            rasterio.Env(GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR", VSI_CACHE=False),
            rasterio.open(name, driver="GTiff", opener=_OneFile(name, file), sharing=False) as dataset,
        ):
            check_references(dataset, file.name)
            check_limits(dataset, file.name)
            yield dataset
    except RasterioError as error:
        raise RasterUnreadable(
            f"{file.name} cannot be read as a GeoTIFF: {str(error).splitlines()[0]}.",
            "Download it and look at it.",
        ) from None
