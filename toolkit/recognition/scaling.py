"""How the stored values of a band become physical ones, and how sure that is.

Warnings say ``{band}`` where the band's name goes, so that several bands can share a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition.baseline import baseline_offset
from treeline.toolkit.recognition.fills import COUNTED, HUGE
from treeline.toolkit.recognition.model import (
    SCALE_UNKNOWN,
    Band,
    Evidence,
    EvidenceSource,
    radiance_of,
    temperature_of,
)
from treeline.toolkit.recognition.rules import Encoding, encodings, packed_roles, readings
from treeline.toolkit.recognition.sample import Statistics
from treeline.toolkit.units import convert
from treeline.toolkit.variables import VARIABLES, Variable

MEASURED = {"reflectance", "temperature", "index", "radar"}
# Encodings whose numbers are physical values as they stand.
PHYSICAL = {"physical", "celsius", "linear_backscatter"}
# What a name means is a habit; what a product's name means is a standard.
HABITS = {"name", "description", "sibling", "tag"}
# Where the largest number that fits stands for less than that, most land could not be stored.
_LEAST_REACH = 0.1
# Fractions above what reflectance can be, up to the whole in per cent.
_BRIGHTEST, _ALL = 2.0, 100.0
# So many pixels hold what is there on purpose.
_SEVERAL = 3
# Of variables that reach to 2 at most, a scale that small leaves less than 1 % of their range.
_FRACTIONS, _PACKED = 2.0, 0.005


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
    planck: tuple[float, float] | None = None
    proportional: bool = True
    unit_open: str = ""
    assumed: bool = False
    remark: str = ""


@dataclass(frozen=True, slots=True)
class StoredValues:
    """What is known of the stored values before they are scaled."""

    role: str | None
    whole_numbers: bool
    statistics: Statistics | None
    encoding: str | None = None
    source: EvidenceSource = "name"
    confidence: float = 0.9
    product: str | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    date: datetime | None = None
    kind: np.dtype = np.dtype("float32")

    @property
    def eight_bits(self) -> bool:
        """Whether each value is a byte."""
        return self.kind.itemsize == 1

    @property
    def variable(self) -> Variable | None:
        """The variable of the role."""
        return VARIABLES.get(self.role or "")

    @property
    def stated_encoding(self) -> Encoding | None:
        """The encoding that the product or the name stands for."""
        return encodings().get(self.encoding or "")


def find_scaling(stored: StoredValues) -> Scaling:
    """Return the scaling of a band for which the file itself states none.

    The product or the name says how such values are stored; the values say whether somebody has scaled
    them since.
    """
    if stored.variable is None:
        return _without_role(stored)
    encoding = stored.stated_encoding
    if stored.variable.kind in COUNTED:
        fill, valid = (encoding.fill, encoding.valid) if encoding else ((), None)
        return Scaling(unit=stored.variable.unit, fill=fill, valid=valid)
    if encoding is not None and encoding.full_range and stored.kind.kind == "u":
        full = encoding.model_copy(update={"scale": 1.0 / float(np.iinfo(stored.kind).max)})
        return check_range(_from_encoding(full, stored), stored)
    if _is_stretched(stored):
        return _unknown(stored, "bytes cannot hold the numbers of the product", proportional=False)
    if _is_mask(stored):
        return _unknown(stored, "0 and 1 alone are those of a mask", proportional=False)
    if _fits_per_cent(stored):
        return _unknown(stored, "they fit per cent and the numbers of a product alike", proportional=True)
    if stored.whole_numbers and encoding is not None and encoding.fractions:
        return _unknown(
            stored, "the product stores fractions, and these are whole numbers", proportional=False
        )
    read = _read_values(stored)
    if encoding is not None and (_is_always_so(stored) or not _looks_physical(stored, read)):
        scaling = check_range(_from_encoding(encoding, stored), stored)
        if scaling.known or read is None or read.scale is None or stored.source not in HABITS:
            return scaling
    if read is not None:
        return check_range(_from_values(read, stored), stored)
    if _looks_like_numbers(stored):
        # Products hide an offset in numbers of 16 bits; those of 8 bits are a camera's counts.
        return _unknown(stored, "nothing says how to scale them", proportional=stored.eight_bits)
    return check_range(_physical(stored), stored)


def stated_scaling(
    stored: StoredValues,
    scale: float,
    offset: float,
    source: EvidenceSource,
    because: str,
    confidence: float,
    planck: tuple[float, float] | None = None,
) -> Scaling:
    """Return the scaling that a person, metadata or the file's own tags state."""
    encoding = stored.stated_encoding
    # The product's fills hold for its own numbers, not for values that somebody scaled otherwise.
    same = encoding is not None and (encoding.scale is None or abs(encoding.scale - scale) < 1e-3 * scale)
    evidence = Evidence(f"scale={scale:g}, offset={offset:g}", source, because, confidence)
    scaling = Scaling(
        scale=scale,
        offset=offset,
        unit=stored.variable.unit if stored.variable else None,
        fill=encoding.fill if encoding is not None and same else (),
        valid=encoding.valid if encoding is not None and same else None,
        evidence=(evidence,),
        planck=planck,
    )
    # What is stated is used although it is implausible; the warning stays.
    return replace(check_range(scaling, stored), known=True)


def scaled_already(stored: StoredValues, scale: float, offset: float) -> Scaling | None:
    """Return the scaling of values that somebody has scaled since, leaving the tag of the scale in the file.

    Numbers that a scale was made for are whole. Fractions that are plausible as they are, and that the scale
    would make implausible or next to nothing, are physical values: what writes masked and scaled arrays back
    to a file often keeps its tags.
    """
    variable, found = stored.variable, stored.statistics
    if variable is None or found is None or found.whole or stored.kind.kind != "f" or scale <= 0:
        return None
    low, high = variable.plausible
    if not low <= found.median <= high:
        return None
    nothing_left = high <= _FRACTIONS and scale <= _PACKED
    too_cold = variable.kind == "temperature" and not low <= found.median * scale + offset <= high
    if not (nothing_left or too_cold):
        return None
    warning = (
        f"A tag states a scale of {scale:g} and an offset of {offset:g}, but the values of {{band}} (median "
        f"{found.median:g}) are scaled already; they are taken as they are."
    )
    scaling = _from_values(encodings()["physical"], stored)
    return replace(scaling, warnings=(*scaling.warnings, warning), remark=warning)


def without_range_of_another(scaling: Scaling, values: np.ndarray, known: tuple[float, ...]) -> Scaling:
    """Leave out fill and valid range of the product whose scale was read from values that are none of it.

    The index of any sensor in ten-thousandths reaches below the -0.2 of MODIS; where its fill is not there,
    what lies beyond its range are values.

    Parameters
    ----------
    values : ndarray
        The sample, as stored.
    known : tuple of float
        Values of it that are no data.
    """
    if not scaling.assumed or scaling.valid is None:
        return scaling
    low, high = scaling.valid
    beyond = values[np.isfinite(values) & ((values < low) | (values > high)) & ~np.isin(values, known)]
    filled = int(np.isin(beyond, scaling.fill).sum())
    is_filled = filled >= _SEVERAL or bool(set(scaling.fill) & set(known))
    if is_filled or np.unique(beyond).size < _SEVERAL:
        return scaling
    return replace(scaling, fill=(), valid=None)


def check_range(scaling: Scaling, stored: StoredValues) -> Scaling:
    """Add a warning where the physical values are not plausible for the role."""
    variable, found = stored.variable, stored.statistics
    if variable is None or found is None or not scaling.known:
        return scaling
    median = temperature_of(found.median * scaling.scale + scaling.offset, scaling.planck)
    low, high = variable.plausible
    if _is_dark(scaling, stored):
        dark = (
            f"By a scale of {scaling.scale:g} and an offset of {scaling.offset:g} nearly all values of "
            "{band} are below 0, which no reflectance is; say scale and offset."
        )
        return replace(scaling, known=False, proportional=False, warnings=(*scaling.warnings, dark))
    if low <= median <= high:
        return scaling
    warning = (
        f"The values of {{band}} are not plausible for {variable.title}: their median is {median:g}, "
        f"outside of {low:g} to {high:g} {variable.unit}; check role and scale."
    )
    return replace(scaling, known=False, warnings=(*scaling.warnings, warning))


def _is_dark(scaling: Scaling, stored: StoredValues) -> bool:
    """Tell whether the offset leaves less than no reflectance: the numbers have another scale then.

    Correction takes too much from single dark pixels, and not from the brightest hundredth.
    """
    found = stored.statistics
    if found is None or not _is_reflectance(stored) or scaling.offset >= 0 or scaling.scale <= 0:
        return False
    return found.magnitude99 * scaling.scale + scaling.offset < 0


def possible_range(stored: StoredValues, band: Band) -> tuple[float, float] | None:
    """Return the stored range outside of which a band's role has no value.

    Only that of all numbers where the role, its scale or its unit is not known for sure: values that are no
    value of the role speak against the role as well.
    """
    variable, found = stored.variable, stored.statistics
    if variable is not None and variable.kind in COUNTED:
        return None
    any_number = (-HUGE, HUGE)
    if variable is None or not band.scale_known or not band.scale:
        return any_number
    try:
        low, high = (convert(limit, variable.unit, band.unit or variable.unit) for limit in variable.limits)
    except InputError:
        return any_number
    median = band.physical(found.median) if found is not None else low
    # Where even the median is no value of the role, role or scale are wrong, and everything would be cut off.
    if not low <= median <= high:
        return any_number
    ends = sorted((radiance_of(limit, band.planck) - band.offset) / band.scale for limit in (low, high))
    # A limit that is stored as a float32 is off in its last digit.
    slack = 1e-6 * max(map(abs, ends))
    return max(ends[0] - slack, -HUGE), min(ends[1] + slack, HUGE)


def _read_values(stored: StoredValues) -> Encoding | None:
    reading = readings().get(stored.role or "")
    if reading is None or stored.statistics is None:
        return None
    value = getattr(stored.statistics, reading.statistic)
    if reading.statistic == "magnitude99" and not stored.statistics.whole:
        # Fractions of which half are as small as physical ones are these, however large a few of them are:
        # interpolation mixes a fill into what lies beside it.
        physical = next((r.between for r in reading.ranges if r.encoding == "physical"), None)
        if physical is not None and abs(stored.statistics.median) < physical[1]:
            value = abs(stored.statistics.median)
    fitting = (r for r in reading.ranges if r.between[0] <= value < r.between[1])
    found = next((r for r in fitting if r.whole_numbers or not stored.whole_numbers), None)
    return encodings()[found.encoding] if found else None


def _is_stretched(stored: StoredValues) -> bool:
    """Tell whether reflectance is stored in bytes, of which the product's scale would leave next to nothing.

    Somebody stretched them for a screen, by a scale and an offset that nothing tells.
    """
    encoding = stored.stated_encoding
    if encoding is None or encoding.scale is None or not stored.eight_bits or not _is_reflectance(stored):
        return False
    return encoding.scale * np.iinfo(np.uint8).max < _LEAST_REACH


def _is_mask(stored: StoredValues) -> bool:
    """Tell whether an index or a temperature of no known product has no other values than 0 and 1."""
    found, variable = stored.statistics, stored.variable
    measured = variable is not None and variable.kind in ("index", "temperature")
    if found is None or not measured or not found.whole or stored.stated_encoding is not None:
        return False
    return found.distinct > 1 and (found.minimum, found.maximum) == (0.0, 1.0)


def _fits_per_cent(stored: StoredValues) -> bool:
    """Tell whether reflectance by the habit of a name has fractions and the size of per cents."""
    found = stored.statistics
    if stored.stated_encoding is None or found is None or found.whole or stored.source not in HABITS:
        return False
    return _is_reflectance(stored) and _BRIGHTEST < found.magnitude99 <= _ALL


def _is_reflectance(stored: StoredValues) -> bool:
    return stored.variable is not None and stored.variable.kind == "reflectance"


def _is_always_so(stored: StoredValues) -> bool:
    """Tell whether values are stored as the product says, whatever they look like.

    Where products store whole numbers, fractions within the range of the variable were scaled since.
    """
    encoding, found = stored.stated_encoding, stored.statistics
    if encoding is None or not encoding.always:
        return False
    if not encoding.whole or stored.variable is None or found is None or found.whole:
        return True
    return found.maximum > stored.variable.plausible[1]


def _looks_physical(stored: StoredValues, read: Encoding | None) -> bool:
    if stored.role in readings():
        return read is not None and read.name in PHYSICAL
    if stored.whole_numbers or stored.statistics is None or stored.variable is None:
        return False
    low, high = stored.variable.plausible
    return low <= stored.statistics.median <= high


def _looks_like_numbers(stored: StoredValues) -> bool:
    measured = stored.variable is not None and stored.variable.kind in MEASURED
    if stored.statistics is None:
        return measured and stored.whole_numbers
    # Values outside of every range of the role's readings are of no known encoding.
    whole_index = stored.variable is not None and stored.variable.kind == "index" and stored.whole_numbers
    packed = stored.whole_numbers and stored.role in packed_roles()
    return stored.role in readings() or whole_index or packed


def _without_role(stored: StoredValues) -> Scaling:
    if not stored.whole_numbers:
        return Scaling(warnings=("The content of {band} is not recognised; say its role.",))
    warning = (
        "The content of {band} is not recognised, and the whole numbers may be digital numbers; "
        "say its role and scale."
    )
    return Scaling(known=False, warnings=(warning,))


def _physical(stored: StoredValues) -> Scaling:
    assert stored.variable is not None
    because = "Nothing states a scale, and the values fit the variable as they are."
    if stored.statistics is None:
        because = "Nothing states a scale, and no valid pixel could tell."
    fill = stored.stated_encoding.physical_fill if stored.stated_encoding else ()
    evidence = Evidence("scale=1", "default", because, 0.6)
    return Scaling(unit=stored.variable.unit, fill=fill, evidence=(evidence,))


def _unknown(stored: StoredValues, why: str, proportional: bool) -> Scaling:
    median = f"median {stored.statistics.median:g}" if stored.statistics else "no valid pixel"
    evidence = Evidence(SCALE_UNKNOWN, "value", f"{_capital(why)} ({median}).", 0.5)
    warning = f"The values of {{band}} look like digital numbers, and {why}; say scale and offset."
    encoding = stored.stated_encoding
    fill, valid = (encoding.fill, encoding.valid) if encoding else ((), None)
    return Scaling(
        known=False,
        fill=fill,
        valid=valid,
        evidence=(evidence,),
        warnings=(warning,),
        proportional=proportional,
    )


def _from_values(read: Encoding, stored: StoredValues) -> Scaling:
    assert stored.statistics is not None and stored.variable is not None
    median = f"median {stored.statistics.median:g}"
    if read.name == "physical":
        encoding = stored.stated_encoding
        fill = encoding.physical_fill if encoding else _impossible(stored.variable)
        evidence = Evidence("scale=1", "value", f"The values are physical already ({median}).", 0.9)
        return Scaling(unit=stored.variable.unit, fill=fill, evidence=(evidence,))
    if read.scale is None:
        return _unknown(stored, read.because, read.proportional)
    because = f"The values ({median}) lie where {read.name.replace('_', ' ')} is stored."
    evidence = Evidence(f"scale={read.scale:g}, offset={read.offset:g}", "value", because, 0.8)
    if read.name == stored.encoding:
        return _from_encoding(read, stored)
    if read.unit_open:
        return Scaling(
            read.scale, read.offset, True, read.unit, read.fill, None, (evidence,), unit_open=read.unit_open
        )
    warning = (
        f"Scale {read.scale:g} and offset {read.offset:g} of {{band}} were read from the values alone; "
        "nothing in the file states them."
    )
    return Scaling(
        scale=read.scale,
        offset=read.offset,
        unit=read.unit,
        fill=read.fill,
        valid=read.valid,
        evidence=(evidence,),
        warnings=(warning,),
        assumed=True,
    )


def _impossible(variable: Variable) -> tuple[float, ...]:
    """Return fills that no physical value can be: nothing on Earth is at zero kelvin."""
    return (0.0,) if variable.unit == "K" else ()


def _from_encoding(encoding: Encoding, stored: StoredValues) -> Scaling:
    if encoding.scale is None:
        return _unknown(stored, encoding.because, encoding.proportional)
    if encoding.valid and stored.statistics and not _is_between(stored.statistics.median, encoding.valid):
        why = f"they are none of {encoding.name.replace('_', ' ')}"
        return replace(_unknown(stored, why, encoding.proportional), valid=None)
    because = f"{_capital(encoding.name.replace('_', ' '))} is stored so."
    evidence = Evidence(f"scale={encoding.scale:g}", stored.source, because, stored.confidence)
    by_habit = stored.source in HABITS
    scaling = Scaling(
        scale=encoding.scale,
        offset=encoding.offset,
        unit=encoding.unit or (stored.variable.unit if stored.variable else None),
        fill=encoding.fill,
        valid=encoding.valid,
        evidence=(evidence,),
        warnings=(encoding.warning,) if encoding.warning and by_habit else (),
        unit_open=encoding.unit_open if by_habit else "",
    )
    if encoding.baseline_offset is None:
        return scaling
    found = baseline_offset(
        encoding.baseline_offset, stored.product, stored.groups, stored.statistics, stored.date
    )
    return replace(
        scaling,
        offset=found.offset,
        known=found.known,
        proportional=found.known,
        evidence=(evidence, *found.evidence),
        warnings=(*scaling.warnings, *found.warnings),
    )


def _is_between(value: float, limits: tuple[float, float]) -> bool:
    return limits[0] <= value <= limits[1]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
