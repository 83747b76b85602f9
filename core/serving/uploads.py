"""Uploads into a workspace: streamed to disk, checked, and refused with one sentence."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from treeline.core.confinement import call
from treeline.core.errors import AccessDenied, QuotaReached
from treeline.core.metrics import UPLOADED
from treeline.core.metrics import UPLOADS as ANSWERED
from treeline.core.runs.quotas import Quotas, check_disk, check_workspace
from treeline.core.serving.layers import TokenRegistry
from treeline.core.serving.rates import Allowance, asker_of, refuse
from treeline.core.serving.threads import Threads
from treeline.core.workspace import Workspace
from treeline.core.workspace.workspace import RASTER_SUFFIXES, VECTOR_SUFFIXES
from treeline.toolkit.containers import SUFFIXES as CONTAINERS
from treeline.toolkit.containers import has_shapefile
from treeline.toolkit.containers.unpacking import check_container
from treeline.toolkit.errors import InputError, TreelineError
from treeline.toolkit.limits import Limits
from treeline.toolkit.raster import open_raster_file
from treeline.toolkit.raster.classes import STYLE
from treeline.toolkit.vector import read_features
from treeline.toolkit.whole_files import hidden_name_beside

_LOG = logging.getLogger(__name__)

Run = Callable[..., Awaitable[Any]]

# Beside a raster: STAC items, Landsat's MTL, and the style of QGIS, which names classes.
COMPANION_SUFFIXES = frozenset({".json", ".txt", ".xml", STYLE})
# Images of ERDAS come as they are; raw ones, which may end alike, with their header in a ZIP.
IMAGES = RASTER_SUFFIXES | {".img"}
# A shapefile is several files, so it comes zipped.
ACCEPTED = IMAGES | COMPANION_SUFFIXES | CONTAINERS | VECTOR_SUFFIXES - {".shp"}
ACCEPTED_TEXT = (
    "GeoTIFF, JPEG 2000, NetCDF, HDF5, PNG, JPEG, or ZIP and TAR of them; areas as GeoJSON, GeoPackage, "
    "FlatGeobuf or zipped shapefiles; STAC .json, MTL .txt"
)
"""What may come in, for who chooses files and who is told that one may not."""
# File systems take names of 255 bytes, and what lies beside a file has its name and a suffix more.
_LONGEST_NAME = 240
_NAME = re.compile(r"^[^\x00-\x1f/\\:*?\"<>|]{1,200}$")


class NoRoom(InputError):
    """An upload is larger than is taken, or the disk is full."""


class UploadRegistry(TokenRegistry[Workspace]):
    """Workspaces that may be written to, behind tokens.

    Attributes
    ----------
    on_kept : callable, optional
        Told of each file that came in, by its workspace and its name, while the person acts who sent it.
    check_owner : callable, optional
        Refuses so many more bytes in a workspace whose owner has as many as may be.
    """

    def __init__(self) -> None:
        super().__init__()
        self.on_kept: Callable[[Workspace, str], None] | None = None
        self.check_owner: Callable[[Workspace, int], None] | None = None

    def check_quotas(self, workspace: Workspace, more: int) -> None:
        """Refuse another file of so many bytes that the workspace, or its owner, may not have.

        Raises
        ------
        QuotaReached
        """
        check_workspace(workspace.folder, more, Quotas.from_environment())
        if self.check_owner is not None:
            self.check_owner(workspace, more)

    def check_disk(self, workspace: Workspace, more: int = 0) -> None:
        """Refuse so many bytes more than what lies in a workspace, what is being sent among it.

        Raises
        ------
        QuotaReached
        """
        check_disk(workspace.folder, more, Quotas.from_environment())
        if self.check_owner is not None:
            self.check_owner(workspace, more)

    def tell(self, workspace: Workspace, name: str) -> None:
        """Tell whoever wants to know that a file came in."""
        if self.on_kept is not None:
            self.on_kept(workspace, name)


UPLOADS = UploadRegistry()
_ALLOWANCE, _THREADS = Allowance(), Threads()
# Nobody need say how large a file is that is sent, so it is looked at after so many bytes again.
_STEP = 2**26


class _UploadWriter:
    """A file that comes in, into a workspace that may hold so much.

    Parameters
    ----------
    announced : int
        Bytes that were checked before.
    """

    def __init__(self, workspace: Workspace, target: Path, stream: BinaryIO, announced: int = 0) -> None:
        self._workspace, self._target, self._stream = workspace, target, stream
        self._checked = announced
        self.written = 0

    def write(self, chunk: bytes) -> None:
        """Write a part.

        Raises
        ------
        NoRoom, QuotaReached
        """
        self.written += len(chunk)
        check_room(self._target, self.written)
        if self.written > self._checked:
            UPLOADS.check_disk(self._workspace, len(chunk))
            self._checked = self.written + _STEP
        self._stream.write(chunk)


def save_upload(workspace: Workspace, name: str, chunks: Iterable[bytes]) -> Path:
    """Write a file into a workspace and return its path; the workspace is not refreshed.

    Raises
    ------
    InputError
        The name is not usable, or there is a file of that name already.
    NoRoom
        It is too large, or the disk is full.
    QuotaReached
        The workspace holds as much as it may.
    RasterUnreadable, InputError
        The file is no raster or vector file of an allowed format, or it is not whole. Nothing is kept of it.
    """
    target = upload_path(workspace, name)
    UPLOADS.check_quotas(workspace, 0)
    temporary = hidden_name_beside(target)
    try:
        with temporary.open("wb") as stream:
            writing = _UploadWriter(workspace, target, stream)
            for chunk in chunks:
                writing.write(chunk)
        _keep(workspace, temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    UPLOADS.tell(workspace, name)
    return target


def upload_path(workspace: Workspace, name: str) -> Path:
    """Return where an upload of a name goes.

    Raises
    ------
    InputError
        The name is a path, is hidden, has no usable suffix, or is taken.
    AccessDenied
        The workspace may only be read.
    """
    if not workspace.writable:
        raise AccessDenied("You may not add files to this workspace.", "Take a copy of it, or ask its owner.")
    if not _NAME.match(name) or not name.isprintable() or name.startswith("."):
        raise InputError(
            f"{name!r} is not usable as a file name.", "Use letters, digits, '-', '_' and one suffix."
        )
    if (size := len(name.encode())) > _LONGEST_NAME:
        raise InputError(
            f"{name[:20]!r}... is a name of {size} bytes; up to {_LONGEST_NAME} are taken.", "Shorten it."
        )
    suffix = Path(name).suffix.lower()
    if suffix not in ACCEPTED:
        raise InputError(
            f"{name!r} is neither a raster nor a vector file by its name.",
            f"What is read: {ACCEPTED_TEXT}.",
        )
    target = workspace.inputs_folder / name
    if target.exists():
        raise InputError(
            f"There is a file {name!r} already.", "Remove it first, or give the new one another name."
        )
    return target


async def upload(request: Request) -> Response:
    """Answer ``PUT /upload/{token}/{name}``: stream the body to disk in constant memory."""
    answer = refuse(request, "uploads", lambda quotas: quotas.uploads, _ALLOWANCE) or await _answer(request)
    ANSWERED.labels(answer.status_code).inc()
    return answer


async def _answer(request: Request) -> Response:
    run = partial(_THREADS.run, asker_of(request))
    workspace = await run(UPLOADS.get, request.path_params["token"])
    if workspace is None:
        raise HTTPException(404)
    try:
        target = upload_path(workspace, request.path_params["name"])
        announced = _announced_size(request)
        check_room(target, announced)
        await run(UPLOADS.check_quotas, workspace, announced)
        written = await _stream(run, request.stream(), workspace, target, announced)
        UPLOADED.inc(written)
        _LOG.info("Uploaded %s, %d bytes.", target.name, written)
        await run(UPLOADS.tell, workspace, target.name)
        return JSONResponse({"name": target.name, "bytes": written}, status_code=201)
    except (NoRoom, QuotaReached) as error:
        return JSONResponse({"error": str(error)}, status_code=413)
    except TreelineError as error:
        status = 409 if "already" in error.message else 422
        return JSONResponse({"error": str(error)}, status_code=status)
    except ClientDisconnect:  # a tab that was closed; nobody hears the answer
        return Response(status_code=400)
    except OSError as error:
        _LOG.warning("An upload could not be written: %s.", error.strerror)
        return JSONResponse({"error": f"The file cannot be written: {error.strerror}."}, status_code=507)


def _announced_size(request: Request) -> int:
    text = request.headers.get("content-length", "0")
    return int(text) if text.isdecimal() else 0


async def _stream(
    run: Run, chunks: AsyncIterator[bytes], workspace: Workspace, target: Path, announced: int
) -> int:
    temporary = hidden_name_beside(target)
    try:
        with temporary.open("wb") as stream:
            writing = _UploadWriter(workspace, target, stream, announced)
            async for chunk in chunks:
                await run(writing.write, chunk)
        await run(_keep, workspace, temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return writing.written


def check_room(target: Path, size: int) -> None:
    """Refuse an upload that is too large, or that would fill the disk.

    Parameters
    ----------
    size : int
        Bytes that have come, or that are said to come.

    Raises
    ------
    NoRoom
    """
    limits = Limits.from_environment()
    if size > limits.upload:
        raise NoRoom(
            f"{target.name} is larger than {limits.upload / 2**30:.3g} GiB, the largest file that is taken.",
            "Cut it, or have it laid on the server and its folder linked.",
        )
    if shutil.disk_usage(target.parent).free < limits.free:
        raise NoRoom(
            f"There is no room for {target.name} on the server's disk.", "Remove what is not needed."
        )


def _keep(workspace: Workspace, temporary: Path, target: Path) -> None:
    UPLOADS.check_disk(workspace)  # others may have sent as much meanwhile
    try:
        call(check_file, temporary, target.suffix.lower())
    except TreelineError as error:
        message = error.message.replace(temporary.name, target.name)
        raise type(error)(message, error.hint) from error
    temporary.replace(target)


def check_file(path: Path, suffix: str) -> None:
    """Refuse a file that is not what its suffix says.

    Raises
    ------
    RasterUnreadable, InputError
    """
    if suffix in IMAGES:
        open_raster_file(path).close()
    elif suffix in VECTOR_SUFFIXES and (suffix != ".zip" or has_shapefile(path)):
        read_features(str(path))
    elif suffix in CONTAINERS:
        check_container(path)
