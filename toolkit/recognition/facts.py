"""What a name alone says of a raster."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from treeline.toolkit.recognition.dates import FoundDate, moment_text
from treeline.toolkit.recognition.model import Evidence


@dataclass(frozen=True, slots=True)
class NameFacts:
    """What a name alone says of a raster.

    Attributes
    ----------
    role : str or None
        A key of :data:`treeline.toolkit.variables.VARIABLES`.
    band : str or None
        The part of the name that is the band, such as ``B04`` or ``sur_refl_b01``.
    date, date_precision, sensor, product, place, warnings, evidence
        As in :class:`treeline.toolkit.recognition.model.RasterDescription`.
    encoding : str or None
        Key of the way in which such files usually store their values; pixels have the last word.
    scale, offset : float or None
        Of that encoding.
    unit : str or None
        Of the physical values.
    confidence : float
        Of the role, 0 to 1.
    groups : tuple of (name, text)
        Parts of a product name, such as the processing baseline.
    cadence : str or None
        ``month`` or ``year`` for products that come so.
    """

    name: str
    role: str | None = None
    band: str | None = None
    date: datetime | None = None
    date_precision: str | None = None
    sensor: str | None = None
    product: str | None = None
    place: str = ""
    encoding: str | None = None
    scale: float | None = None
    offset: float | None = None
    unit: str | None = None
    confidence: float = 0.0
    warnings: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    groups: tuple[tuple[str, str], ...] = ()
    cadence: str | None = None


def date_evidence(found: FoundDate | None) -> tuple[Evidence, ...]:
    """Return the reason for a date that a name holds."""
    if found is None:
        return ()
    because = f"The name holds a date (form {found.rule})."
    return (Evidence(f"date={moment_text(found.date, found.precision)}", "name", because, 0.95),)


def date_precision(found: FoundDate | None, cadence: str | None) -> str | None:
    """Return how precise a date is meant: the first day of a monthly product is the month."""
    if found is None:
        return None
    starts = {"month": found.date.day == 1, "year": found.date.day == found.date.month == 1}
    return cadence if found.precision == "day" and cadence and starts[cadence] else found.precision
