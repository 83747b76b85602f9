"""What is known of a raster file: its bands, their roles, units, scales and fills, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from treeline.toolkit.errors import InputError

EvidenceSource = Literal[
    "person", "metadata", "description", "tag", "product", "name", "sibling", "value", "default"
]

# What is concluded where numbers need a scale that nothing states; the reason says whose they are.
SCALE_UNKNOWN = "scale unknown"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for one conclusion.

    Attributes
    ----------
    concludes : str
        The conclusion, such as ``role=nir`` or ``scale=0.0001``.
    source : str
        Where it was read: from the most to the least trusted, ``person``, ``metadata``
        (STAC, MTL), ``description``, ``tag``, ``product`` (a strong product name), ``name``,
        ``sibling``, ``value``, ``default``.
    because : str
        A sentence for people.
    confidence : float
        0 to 1.
    """

    concludes: str
    source: EvidenceSource
    because: str
    confidence: float = 1.0


def temperature_of(radiance: float, planck: tuple[float, float] | None) -> float:
    """Return the brightness temperature of a radiance by K1 and K2; without these the value as it is."""
    if planck is None:
        return radiance
    # T = K2 / ln(K1 / L + 1), in kelvin.
    return planck[1] / math.log(planck[0] / radiance + 1.0) if radiance > 0 else math.nan


def radiance_of(temperature: float, planck: tuple[float, float] | None) -> float:
    """Return the radiance of a brightness temperature, the inverse of :func:`temperature_of`."""
    return temperature if planck is None else planck[0] / (math.exp(planck[1] / temperature) - 1.0)


@dataclass(frozen=True, slots=True)
class Band:
    """One band of a raster file.

    Attributes
    ----------
    index : int
        From 1, as GDAL counts.
    name : str
        Band description, the product's band name, or ``band 1``.
    role : str or None
        A key of :data:`treeline.toolkit.variables.VARIABLES`; ``None`` when not recognised.
    unit : str or None
        Unit of the physical value.
    scale, offset : float
        ``physical = stored * scale + offset``.
    scale_known : bool
        False when the values look like digital numbers and nothing says how to scale them.
    proportional : bool
        False where an unknown scale hides an offset as well, so that not even ratios are right.
    fill : tuple of float
        Stored values that mean "no data": the declared nodata and the product's known fills.
    valid : tuple of float, optional
        Stored range outside of which a value is fill.
    recognised : tuple of float
        Stored values that nothing declares and that are taken for no data where they are met: those of the
        fill that were recognised by the values, and usual fills far from all that was sampled.
    doubtful : tuple of float
        Stored values that may be no data or values; they are left as they are.
    possible : tuple of float, optional
        Stored range outside of which the role has no value; what is there is taken for no data and said.
    planck : tuple of float, optional
        The constants K1 and K2 of a thermal band: scale and offset give its radiance, and these the
        brightness temperature in kelvin.
    unit_assumed : bool
        Whether neither the name nor the file tells the unit.
    unit_open : str
        A sentence about a unit that is assumed and may be another one by far, with ``{band}`` for the band; a
        result of it is doubtful.
    scale_assumed : bool
        Whether the values alone told the scale.
    remark : str
        What to say wherever the band is read, with ``{band}`` for the band.
    date : datetime, optional
        Where the bands of the file are of different dates; ``date_precision`` as that of a raster.
    period_days : float, optional
        The days of which a value that is a rate is the mean, where that is known.
    """

    index: int
    name: str
    role: str | None = None
    unit: str | None = None
    scale: float = 1.0
    offset: float = 0.0
    scale_known: bool = True
    proportional: bool = True
    fill: tuple[float, ...] = ()
    valid: tuple[float, float] | None = None
    recognised: tuple[float, ...] = ()
    doubtful: tuple[float, ...] = ()
    possible: tuple[float, float] | None = None
    planck: tuple[float, float] | None = None
    unit_assumed: bool = False
    unit_open: str = ""
    scale_assumed: bool = False
    remark: str = ""
    date: datetime | None = None
    date_precision: str | None = None
    period_days: float | None = None
    evidence: tuple[Evidence, ...] = ()

    def physical(self, stored: float) -> float:
        """Return the physical value of a stored one."""
        return temperature_of(stored * self.scale + self.offset, self.planck)


@dataclass(frozen=True, slots=True)
class RasterDescription:
    """One raster file as the workspace and the tools know it.

    Attributes
    ----------
    crs : str or None
        As ``EPSG:n`` where there is a code, else WKT; ``None`` without a CRS.
    transform : tuple of float
        The six coefficients of the affine transform ``(a, b, c, d, e, f)``.
    bounds : tuple of float
        ``(left, bottom, right, top)`` in the CRS.
    date : datetime or None
        Acquisition, or the first moment of the period (timezone-naive UTC).
    date_precision : str or None
        ``instant``, ``minute``, ``day``, ``month`` or ``year``.
    sensor : str or None
        For people, such as ``Sentinel-2 MSI``.
    product : str or None
        Key of the product family that was recognised.
    place : str
        What the name says besides role and date; groups a series.
    warnings : tuple of str
        What a person should know, in sentences.
    """

    path: Path
    driver: str
    width: int
    height: int
    dtype: str
    crs: str | None
    transform: tuple[float, float, float, float, float, float]
    bounds: tuple[float, float, float, float]
    bands: tuple[Band, ...]
    date: datetime | None = None
    date_precision: str | None = None
    sensor: str | None = None
    product: str | None = None
    place: str = ""
    warnings: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = field(default=())

    def at_band(self, band: Band) -> RasterDescription:
        """Return the description as it holds for one band, which may have a date of its own."""
        if band.date is None:
            return self
        return replace(self, date=band.date, date_precision=band.date_precision)

    def band_of_role(self, *roles: str) -> Band | None:
        """Return the first band that has one of the roles, in the order of the roles."""
        for role in roles:
            for band in self.bands:
                if band.role == role:
                    return band
        return None


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person said of a band or of a whole file; nothing else outweighs it.

    A field that is ``None`` says nothing; ``date``, ``date_precision``, ``sensor`` and ``place`` hold for
    the file.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    role: str | None = None
    unit: str | None = None
    scale: float | None = None
    offset: float | None = None
    fill: tuple[float, ...] | None = None
    valid: tuple[float, float] | None = None
    date: datetime | None = None
    date_precision: str | None = None
    sensor: str | None = None
    place: str | None = None

    def stated_fields(self) -> dict[str, Any]:
        """Return the fields that say something."""
        stated = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {name: value for name, value in stated.items() if value is not None}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Correction:
        """Return a correction from plain data, as it was stored or came from a form.

        Raises
        ------
        InputError
            A field is unknown or has a value of the wrong type.
        """
        try:
            return TypeAdapter(cls).validate_python(dict(content))
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"]) or "correction"
            found = str(first.get("input"))[:60]
            raise InputError(
                f"The correction's {name!r} is not usable ({first['msg']}); found {found!r}.",
                f"Its fields are {', '.join(entry.name for entry in fields(cls))}.",
            ) from None
