"""How the stored values of a band become physical ones, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from toolkit.recognition.model import Evidence, EvidenceSource
from toolkit.recognition.names import product_named
from toolkit.recognition.rules import Encoding, encodings, readings
from toolkit.recognition.sample import Statistics
from toolkit.variables import VARIABLES

# Sentinel-2 processing baseline 04.00 and the day on which it became operational.
OFFSET_BASELINE = 400
OFFSET_SINCE = datetime(2022, 1, 25)
MEASURED = {"reflectance", "temperature", "index"}


@dataclass(frozen=True, slots=True)
class Scaling:
    """The scale of a band with its reasons."""

    scale: float = 1.0
    offset: float = 0.0
    known: bool = True
    unit: str | None = None
    fill: tuple[float, ...] = ()
    valid: tuple[float, float] | None = None
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stored:
    """What is known of the stored values before they are scaled."""

    label: str
    role: str | None
    whole_numbers: bool
    statistics: Statistics | None
    encoding: str | None = None
    encoding_source: EvidenceSource = "name"
    confidence: float = 0.9
    product: str | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    date: datetime | None = None


def find_scaling(stored: Stored) -> Scaling:
    """Return the scaling of a band for which the file itself states none.

    The product or the name says how such values are stored; the values say whether somebody has scaled them since.
    """
    variable = VARIABLES.get(stored.role or "")
    if variable is None:
        return _without_role(stored)
    if variable.kind in ("quality", "class", "image"):
        return _as_stated(encodings().get(stored.encoding or "physical", encodings()["physical"]), stored)
    read = _read_values(stored)
    stated = encodings().get(stored.encoding or "")
    if stated is not None and not _looks_physical(stored, read):
        return _from_encoding(stated, stored)
    if read is not None:
        return _from_values(read, stored, stated)
    if stated is None and _looks_like_numbers(stored):
        return _unknown(stored, "nothing says how to scale them")
    return _physical(stored, stated)


def _read_values(stored: Stored) -> Encoding | None:
    reading = readings().get(stored.role or "")
    if reading is None or stored.statistics is None or (stored.whole_numbers and not reading.whole_numbers):
        return None
    value = getattr(stored.statistics, reading.statistic)
    name = next((r.encoding for r in reading.ranges if r.between[0] <= value < r.between[1]), None)
    return encodings()[name] if name else None


def _looks_physical(stored: Stored, read: Encoding | None) -> bool:
    if stored.role in readings():
        return read is not None and read.name in ("physical", "celsius")
    statistics = stored.statistics
    if stored.whole_numbers or statistics is None:
        return False
    low, high = VARIABLES[stored.role or ""].plausible
    return low <= statistics.median <= high


def _looks_like_numbers(stored: Stored) -> bool:
    variable = VARIABLES[stored.role or ""]
    if variable.kind not in MEASURED:
        return False
    if stored.statistics is None:
        return stored.whole_numbers
    low, high = variable.plausible
    reads = readings().get(stored.role or "")
    outside = not low <= stored.statistics.median <= high
    return outside or (stored.whole_numbers and reads is not None and not reads.whole_numbers)


def _without_role(stored: Stored) -> Scaling:
    if not stored.whole_numbers:
        return Scaling(warnings=(f"What {stored.label} shows is not recognised; say its role.",))
    message = (
        f"What {stored.label} shows is not recognised, and its whole numbers may be digital numbers; "
        "say its role and scale."
    )
    return Scaling(known=False, warnings=(message,))


def _as_stated(encoding: Encoding, stored: Stored) -> Scaling:
    unit = VARIABLES[stored.role or ""].unit
    return Scaling(unit=unit, fill=encoding.fill, valid=encoding.valid)


def _physical(stored: Stored, stated: Encoding | None) -> Scaling:
    because = "Nothing states a scale, and the values fit the variable as they are."
    if stored.statistics is None:
        because = "Nothing states a scale, and no valid pixel could tell."
    fill = stated.physical_fill if stated else ()
    evidence = (Evidence("scale=1", "default", because, 0.6),)
    return Scaling(unit=VARIABLES[stored.role or ""].unit, fill=fill, evidence=evidence)


def _unknown(stored: Stored, why: str) -> Scaling:
    found = stored.statistics
    values = f" (median {found.median:g})" if found else ""
    message = f"The values of {stored.label} look like digital numbers{values}, and {why}; say scale and offset."
    return Scaling(known=False, warnings=(message,))


def _from_values(read: Encoding, stored: Stored, stated: Encoding | None) -> Scaling:
    assert stored.statistics is not None
    if read.name == "physical":
        because = f"The values are physical already (median {stored.statistics.median:g})."
        fill = stated.physical_fill if stated else ()
        unit = VARIABLES[stored.role or ""].unit
        return Scaling(unit=unit, fill=fill, evidence=(Evidence("scale=1", "value", because, 0.9),))
    if read.scale is None:
        return _unknown(stored, read.because)
    because = f"The values (median {stored.statistics.median:g}) lie where {read.name.replace('_', ' ')} is stored."
    warning = (
        f"The scale {read.scale:g} and offset {read.offset:g} of {stored.label} were read from its values "
        f"(median {stored.statistics.median:g}); nothing in the file states them."
    )
    evidence = Evidence(f"scale={read.scale:g}, offset={read.offset:g}", "value", because, 0.8)
    return Scaling(
        read.scale, read.offset, True, read.unit, read.fill, read.valid, (evidence,), (warning,)
    )


def _from_encoding(stated: Encoding, stored: Stored) -> Scaling:
    if stated.scale is None:
        scaling = _unknown(stored, stated.because)
        return Scaling(known=False, fill=stated.fill, valid=stated.valid, warnings=scaling.warnings)
    offset, known, reason, warnings = stated.offset, True, None, ()
    if stated.baseline_offset is not None:
        offset, known, reason, warnings = _baseline_offset(stated.baseline_offset, stored)
    because = f"{stated.name.replace('_', ' ').capitalize()} is stored so."
    evidence = Evidence(f"scale={stated.scale:g}", stored.encoding_source, because, stored.confidence)
    return Scaling(
        scale=stated.scale,
        offset=offset,
        known=known,
        unit=stated.unit,
        fill=stated.fill,
        valid=stated.valid,
        evidence=(evidence, reason) if reason else (evidence,),
        warnings=warnings,
    )


def _baseline_offset(offset: float, stored: Stored) -> tuple[float, bool, Evidence | None, tuple[str, ...]]:
    """Decide whether a Sentinel-2 band carries the offset that came with baseline 04.00."""
    statistics = stored.statistics
    product = product_named(stored.product)
    dark = statistics is not None and statistics.low < 700
    baseline = stored.groups.get("baseline", "").replace(".", "")
    if dark and product is not None and product.offset_by_values:
        return 0.0, True, _offset_evidence(0.0, "value", "The darkest pixels show that it was removed already.", 0.9), ()
    if baseline and not (product is not None and product.offset_by_values):
        return _stated_offset(offset, int(baseline), statistics, stored.label)
    if dark:
        because = "The darkest pixels lie where the offset of baseline 04.00 would make them negative."
        return 0.0, True, _offset_evidence(0.0, "value", because, 0.85), ()
    if stored.date is not None and stored.date < OFFSET_SINCE:
        because = "Acquired before baseline 04.00; a product reprocessed since would carry an offset."
        return 0.0, True, _offset_evidence(0.0, "default", because, 0.7), ()
    warning = (
        f"{stored.label} may carry the offset of {offset:g} that Sentinel-2 has from processing baseline 04.00 on; "
        "neither name nor metadata tell the baseline. Say the offset."
    )
    return 0.0, False, None, (warning,)


def _stated_offset(
    offset: float, baseline: int, statistics: Statistics | None, label: str
) -> tuple[float, bool, Evidence | None, tuple[str, ...]]:
    if baseline < OFFSET_BASELINE:
        return 0.0, True, _offset_evidence(0.0, "product", "The processing baseline is below 04.00.", 0.99), ()
    if statistics is not None and statistics.median < 800:
        warning = f"{label} should carry an offset of {offset:g}, but its values show that it was removed already."
        because = "With the offset half of the pixels would be negative."
        return 0.0, True, _offset_evidence(0.0, "value", because, 0.85), (warning,)
    return offset, True, _offset_evidence(offset, "product", "The processing baseline is 04.00 or later.", 0.99), ()


def _offset_evidence(offset: float, source: EvidenceSource, because: str, confidence: float) -> Evidence:
    return Evidence(f"offset={offset:g}", source, because, confidence)
