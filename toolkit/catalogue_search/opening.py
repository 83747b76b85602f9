"""Opening STAC catalogues: folders of the workspace, static ones on the web, and searchable services."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from rasterio.io import DatasetReader

from treeline.toolkit.addresses import WebAddress, require_allowed
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, PathOutside, TreelineError
from treeline.toolkit.extras import import_optional
from treeline.toolkit.opening import open_raster_file, open_remote
from treeline.toolkit.recognition.resolver import current_resolver

ENTRIES = ("catalog.json", "collection.json")
ALLOWED = "TREELINE_CATALOGUES"
LONGEST_WAIT = 60


def open_catalogue(catalogue: str) -> Any:
    """Return a catalogue of pystac, of which a searchable one is a ``pystac_client.Client``.

    Parameters
    ----------
    catalogue : str
        A folder or a JSON file of the workspace, or an address with http or https.

    Raises
    ------
    BackendMissing
        The libraries are not installed.
    InputError
        It is no catalogue.
    PathOutside
        Its address may not be used.

    Notes
    -----
    ``TREELINE_CATALOGUES`` in the environment lists the addresses that may be used, each with what lies
    below it, with blanks between; without it any address may.
    """
    if "://" not in catalogue:
        return _of_folder(entry_of(catalogue))
    require_allowed(catalogue, ALLOWED)
    pystac_client = import_optional("pystac_client", "stac")
    from pystac.errors import STACError, STACTypeError
    from pystac_client.exceptions import APIError
    from pystac_client.stac_api_io import StacApiIO
    from requests.adapters import HTTPAdapter
    from requests.exceptions import RequestException

    class AllowedAdapter(HTTPAdapter):
        """Sends requests to allowed addresses only, those that a link or a redirection names too."""

        def send(self, request: Any, *args: Any, **options: Any) -> Any:
            current_context().check_stop()
            require_allowed(str(request.url), ALLOWED)
            return super().send(request, *args, **options)

    class WebIO(StacApiIO):
        """Reads from the web only; a link to a file of this machine is no link."""

        def read_text(self, source: Any, *args: Any, **options: Any) -> str:
            WebAddress.of(os.fspath(getattr(source, "href", source)))
            return super().read_text(source, *args, **options)

    # The library waits without end unless it is told.
    reading = WebIO(timeout=LONGEST_WAIT)
    for scheme in ("http://", "https://"):
        reading.session.mount(scheme, AllowedAdapter(max_retries=2))
    try:
        return pystac_client.Client.open(catalogue, stac_io=reading)
    except (APIError, STACError, STACTypeError, RequestException, ValueError, KeyError) as error:
        raise _unusable(catalogue, error) from None


def entry_of(catalogue: str) -> Path:
    """Return the JSON file in which a catalogue of the workspace begins.

    Raises
    ------
    InputError
        There is none in the folder.
    """
    path = current_resolver().path_of(catalogue)
    if path.is_file():
        return path
    entry = next((path / name for name in ENTRIES if (path / name).is_file()), None)
    if entry is None:
        raise InputError(f"{catalogue!r} holds neither {' nor '.join(ENTRIES)}.", "Name a STAC catalogue.")
    return entry


def checked_place(href: str, folder: Path | None) -> str:
    """Return the place of an asset that may be read.

    Parameters
    ----------
    folder : Path or None
        Where the catalogue lies; its files must lie there too. ``None`` for one on the web, whose assets
        must be on the web, where catalogues may be read.

    Raises
    ------
    PathOutside
        The asset lies elsewhere.
    RasterError
        It is no GeoTIFF, PNG or JPEG, or truncated.
    """
    if folder is None:
        require_allowed(href, ALLOWED)
    else:
        href = str(local_place(href, folder))
    open_place(href).close()
    return href


def open_place(href: str) -> DatasetReader:
    """Open an asset whose place may be read; the caller closes it.

    Raises
    ------
    RasterError
        It is not readable, or names other files.
    """
    return open_remote(href) if "://" in href else open_raster_file(href)


def local_place(href: str, folder: Path) -> Path:
    """Return the path of a file of a catalogue in a folder.

    Raises
    ------
    PathOutside
        It leaves the folder, by its path or by a link.
    """
    parts = urlsplit(href)
    if parts.scheme not in ("", "file"):
        raise PathOutside(
            f"{href[:80]!r} lies outside the catalogue's folder.", "Give the catalogue's address."
        )
    path = Path(unquote(parts.path) if parts.scheme else href)
    # Resolved before it is compared, so that neither ".." nor a symbolic link leads out.
    path = (path if path.is_absolute() else folder / path).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise PathOutside(f"{href[:80]!r} leaves the catalogue's folder.", "Copy the file into the folder.")
    return path


def _of_folder(entry: Path) -> Any:
    pystac = import_optional("pystac", "stac")
    from pystac.errors import STACError, STACTypeError
    from pystac.stac_io import DefaultStacIO

    class FolderIO(DefaultStacIO):
        """Reads the files of one folder only."""

        def read_text(self, source: Any, *args: Any, **options: Any) -> str:
            current_context().check_stop()
            return local_place(os.fspath(getattr(source, "href", source)), entry.parent).read_text("utf-8")

    try:
        return pystac.Catalog.from_file(str(entry), stac_io=FolderIO())
    except (STACError, STACTypeError, ValueError, KeyError, OSError) as error:
        raise _unusable(entry.name, error) from None


def _unusable(name: str, error: Exception) -> TreelineError:
    reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
    return InputError(f"{name!r} is no usable STAC catalogue: {reason}", "Give its folder or its address.")
