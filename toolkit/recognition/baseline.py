"""The offset of Sentinel-2 products: there from processing baseline 04.00 on, unless somebody removed it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from treeline.toolkit.recognition.families import find_product
from treeline.toolkit.recognition.model import Evidence, EvidenceSource
from treeline.toolkit.recognition.sample import Statistics

# ESA: baseline 04.00 became operational on 2022-01-25; older scenes were reprocessed with it later, so the
# baseline decides and not the date.
FIRST_BASELINE = 400
OPERATIONAL = datetime(2022, 1, 25)
# With the offset a stored value below 1000 is a negative reflectance; a few are legal in shadow and water.
TOO_DARK = 700
HALF_NEGATIVE = 800


@dataclass(frozen=True, slots=True)
class BaselineOffset:
    """The offset of a band, and whether it is known."""

    offset: float
    known: bool = True
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()


def baseline_offset(
    offset: float,
    product: str | None,
    groups: Mapping[str, str],
    statistics: Statistics | None,
    date: datetime | None,
) -> BaselineOffset:
    """Decide whether a Sentinel-2 band carries the offset.

    Parameters
    ----------
    offset : float
        What is added since baseline 04.00, as a reflectance.
    product : str or None
        Key of the product family; copies of Earth Search are decided by their values.
    groups : mapping
        Holds ``baseline`` such as ``0400`` or ``04.00`` where name or metadata state it, and
        ``without_offset`` where another band of the scene shows that there is none.
    """
    family = find_product(product)
    by_values = family is not None and family.offset_by_values
    digits = groups.get("baseline", "").replace(".", "")
    if digits.isdigit() and (int(digits) < FIRST_BASELINE or not by_values):
        return _by_baseline(offset, int(digits), statistics)
    if groups.get("without_offset"):
        because = f"{groups['without_offset']} of the same scene is too dark for an offset."
        return _known_offset(0.0, "sibling", because, 0.85)
    if statistics is not None and statistics.low < TOO_DARK:
        because = "The darkest pixels would be far below zero with the offset of baseline 04.00."
        return _known_offset(0.0, "value", because, 0.85)
    if date is not None and date < OPERATIONAL and not by_values:
        because = "Acquired before baseline 04.00; a product reprocessed since would carry an offset."
        return _known_offset(0.0, "default", because, 0.7)
    warning = (
        f"The values of {{band}} may carry the offset of {offset:g} that Sentinel-2 has from processing "
        "baseline 04.00 on; neither name nor metadata nor values tell. Say the offset."
    )
    return BaselineOffset(0.0, False, warnings=(warning,))


def _by_baseline(offset: float, baseline: int, statistics: Statistics | None) -> BaselineOffset:
    if baseline < FIRST_BASELINE:
        return _known_offset(0.0, "product", "The processing baseline is below 04.00.", 0.99)
    if statistics is None or statistics.median >= HALF_NEGATIVE:
        return _known_offset(offset, "product", "The processing baseline is 04.00 or later.", 0.99)
    warning = (
        f"The values of {{band}} should carry an offset of {offset:g} by their processing baseline, but half "
        "of them would be negative with it; it was taken for removed already."
    )
    because = "With the offset half of the pixels would be negative."
    return BaselineOffset(0.0, True, (Evidence("offset=0", "value", because, 0.8),), (warning,))


def _known_offset(offset: float, source: EvidenceSource, because: str, confidence: float) -> BaselineOffset:
    reason = Evidence(f"offset={offset:g}", source, because, confidence)
    return BaselineOffset(offset, True, (reason,))
