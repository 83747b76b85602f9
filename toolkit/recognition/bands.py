"""A band of a file: its identity, its scale, and what a person corrected."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from treeline.toolkit.recognition.caveats import caveats_in
from treeline.toolkit.recognition.edges import joins_smoothly
from treeline.toolkit.recognition.families import find_product
from treeline.toolkit.recognition.fills import CLASSES, COUNTED, HUGE, Fills, find_fills
from treeline.toolkit.recognition.identity import FileFacts, Identity, identify
from treeline.toolkit.recognition.model import Band, Correction, Evidence
from treeline.toolkit.recognition.periods import period_days
from treeline.toolkit.recognition.rules import encodings
from treeline.toolkit.recognition.sample import Statistics, statistics
from treeline.toolkit.recognition.scaling import (
    Scaling,
    StoredValues,
    check_range,
    find_scaling,
    possible_range,
    scaled_already,
    stated_scaling,
    without_range_of_another,
)
from treeline.toolkit.recognition.steepness import SMALLEST_PIXEL, STEEPEST, typical_slope
from treeline.toolkit.recognition.tags import FILL_TAGS, StatedScale, number_in, stated_scale
from treeline.toolkit.units import line_between
from treeline.toolkit.variables import VARIABLES

# How files write the units that values are brought from, by the unit that they are brought to. A kilogram of
# water on a square metre is a millimetre deep.
_WRITTEN = {
    "K": {
        "degC": re.compile(r"(deg\w*|°)?[ _]*c(elsius)?", re.IGNORECASE),
        "degF": re.compile(r"(deg\w*|°)?[ _]*f(ahrenheit)?", re.IGNORECASE),
    },
    "mm": {
        "mm": re.compile(r"kg[ /]?m(\*\*|\^)?-?2|kg/m(\*\*|\^)?2|millimet(re|er)s?", re.IGNORECASE),
        "cm": re.compile(r"cm|centimet(re|er)s?", re.IGNORECASE),
        "m": re.compile(r"m|met(re|er)s?( of water( equivalent)?)?", re.IGNORECASE),
        "in": re.compile(r"in|inch(es)?", re.IGNORECASE),
    },
    "m3/m3": {
        "m3/m3": re.compile(
            r"(m(\*\*|\^)?3[ /]?m(\*\*|\^)?-?3|m3/m3|cm(\*\*|\^)?3[ /]cm(\*\*|\^)?-?3)", re.IGNORECASE
        )
    },
    "mol/m2": {"mol/m2": re.compile(r"mol[ ./*]?m(\*\*|\^)?-?2", re.IGNORECASE)},
    "ppb": {"ppb": re.compile(r"ppbv?|1e-0?9|nmol[ /]?mol(\*\*|\^)?(-1)?", re.IGNORECASE)},
    "nW/cm2/sr": {
        "nW/cm2/sr": re.compile(
            r"nW(atts?)?[ ./*·(]*cm(\*\*|\^)?[-−]?2[ ./*·]?sr(\*\*|\^)?([-−]1)?\)?", re.IGNORECASE
        )
    },
    "m": {
        "m": re.compile(r"met(re|er)s?", re.IGNORECASE),
        "dm": re.compile(r"dm|decimet(re|er)s?", re.IGNORECASE),
        "cm": re.compile(r"cm|centimet(re|er)s?", re.IGNORECASE),
        "mm": re.compile(r"mm|millimet(re|er)s?", re.IGNORECASE),
        "km": re.compile(r"km|kilomet(re|er)s?", re.IGNORECASE),
        "ft": re.compile(r"ft|foot|feet|(international|intl)[ _]f(oo|ee)t", re.IGNORECASE),
        "us_ft": re.compile(r"us[-_ ]?(survey[-_ ]?)?(ft|foot|feet)|(ft|foot)[-_ ]?us", re.IGNORECASE),
    },
}
# Units as names of files spell them. Two letters may begin the name of a place, such as Fort Collins: they
# count where no word follows.
_IN_NAMES = re.compile(
    r"(?:^|[^a-z])(celsius|degc|fahrenheit|degf|feet|foot|inch|inches|decimet(?:re|er)s?|centimet(?:re|er)s?|"
    r"ft(?![^a-z]+[a-z]))(?![a-z])",
    re.IGNORECASE,
)
# Of what providers give in several units, what to say where neither the product nor the file tells it.
_WATER_GIVEN_OFF = (
    "Neither name nor file says whether {band} is in millimetres of a day, of eight days (MOD16) or a month; "
    "millimetres are assumed."
)
_UNIT_OPEN = {
    "evapotranspiration": _WATER_GIVEN_OFF,
    "potential_evapotranspiration": _WATER_GIVEN_OFF,
    "precipitation": "Neither name nor file says whether precipitation is millimetres per day (CHIRPS), "
    "millimetres per hour (IMERG) or metres (ERA5-Land); millimetres are assumed.",
}
# Water of which all is less than that in millimetres is more likely in metres or a rate per second.
_MAY_BE_METRES = {"precipitation": 1.5, "evapotranspiration": 0.1, "potential_evapotranspiration": 0.1}
_DEPTH_MAY_BE_METRES = (
    "Nothing in {band} is above {most:g}, and no name or tag says a unit: it may be metres (ERA5-Land), "
    "kg/m2 and second (climate models) or little water; millimetres are assumed."
)
_HEIGHT_OPEN = (
    "Neither name nor file says whether {band} is in metres or in feet, in which its coordinates are; "
    "metres are assumed."
)
_STEEP = (
    "If {band} is in metres, half of its ground is steeper than {slope:.0f} degrees, as no land is: its "
    "heights may be in decimetres, centimetres or feet; metres are assumed."
)
# Gentle land in decimetres looks as steep land in metres does; who stores fractions has no need of them.
_METRES_ASSUMED = (
    "Nothing says in which unit the whole numbers of {band} are: metres are assumed, not decimetres."
)
# Two letters may be a place's, and behind a number they are the side of a pixel: dtm_50cm.
_MAY_BE_UNIT = re.compile(r"(?:^|[^a-z])ft(?=[^a-z]+[a-z])|(?:^|[^a-z0-9])(?:dm|cm)(?![a-z])", re.IGNORECASE)
_MEANT = {"ft": "feet", "dm": "decimetres", "cm": "centimetres"}
_UNIT_IN_NAME = "The '{short}' in the name of {band} may mean {long} or a place; metres are assumed."
_SEA_LEFT_OUT = (
    "{band} declares 0 as no data, and its heights run down to it as to the sea: if 0 is sea level there, "
    "these pixels are left out."
)
_KELVIN = re.compile(r"k|kelvins?|deg(ree)?s?[ _]?k(elvin)?", re.IGNORECASE)
_RATE = re.compile(
    r"(mm|cm|m|in|kg[ /]?m(?:\*\*|\^)?-?2)(?: ?/ ?|[. ](?:per )?)([a-z]+)(?:(?:\*\*|\^)?-1)?", re.IGNORECASE
)
# What evaporates is told as the heat that it takes, too: 2.45 MJ for a kilogram (Allen et al. 1998, FAO
# Irrigation and Drainage Paper 56, chapter 3), so that 28.4 W/m2 for a day are 1 mm.
_HEAT = re.compile(
    r"(?:W(?:atts?)?|[MK]?J(?:oules?)?)[ ./*]*m(?:\*\*|\^)?-?2(?:[ ./*]*(?:s|d|day)(?:\*\*|\^)?(?:-1)?)?",
    re.IGNORECASE,
)
_IS_HEAT = (
    "{band} is in {unit}: the heat that evaporation takes, and no depth of water. Heat of 2.45 MJ/m2 "
    "evaporates 1 mm, which are 28.4 W/m2 for a whole day; bring it to millimetres of a known time first."
)
_SECONDS_OF_A_DAY = 86400.0
_TIMES = {
    "s": re.compile("s|sec|seconds?", re.IGNORECASE),
    "h": re.compile("h|hr|hours?", re.IGNORECASE),
    "day": re.compile("d|days?", re.IGNORECASE),
    "month": re.compile("mon|months?", re.IGNORECASE),
    "year": re.compile("a|yr|years?", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class BandResult:
    """A band, its sensor where its own description tells it, and what a person should know.

    Warnings say ``{band}`` where the band's name goes; ``offset_open`` tells that nothing says whether a
    Sentinel-2 band has its offset.
    """

    band: Band
    sensor: str | None = None
    warnings: tuple[str, ...] = ()
    offset_open: bool = False


def describe_band(
    facts: FileFacts,
    index: int,
    corrections: Mapping[str, Correction],
    date: datetime | None,
) -> BandResult:
    """Return a band of an opened file.

    Parameters
    ----------
    corrections : mapping of str to Correction
        By band name, index or role, without case; the empty name holds for every band.
    date : datetime, optional
        Of the file; tells whether a Sentinel-2 product may carry an offset.

    Raises
    ------
    RasterUnreadable
        The pixels cannot be decoded.
    """
    own_date, precision = facts.band_dates[index - 1] if facts.band_dates else (None, None)
    date = own_date or date
    identity = identify(facts, index, date)
    said = _join_corrections(corrections, identity, index)
    identity = _correct(identity, said)
    if said.role is None:
        identity = _without_heat(facts, index, identity)
    nodata = _declared_fill(facts, index)
    fills = _fills(facts, index, identity, nodata, said)
    kind = np.dtype(facts.header.dtypes[index - 1])
    found = _statistics(facts, index, identity, (*nodata, *fills.values, *(said.fill or ())))
    identity = _without_excess(identity, found)
    stored = StoredValues(
        role=identity.role,
        whole_numbers=kind.kind in "iub" or _is_packed(identity.role, found),
        kind=kind,
        statistics=found,
        encoding=identity.encoding,
        source=identity.source,
        confidence=identity.confidence,
        product=facts.product,
        groups=facts.groups,
        date=date,
    )
    read = without_range_of_another(
        _scaling(facts, index, stored), facts.sample.band(index), (*nodata, *fills.values)
    )
    scaling = _correct_scaling(read, stored, said)
    if not _keeps_fills(scaling, identity):
        # Somebody has scaled the numbers of the product since: its fill is a value like others now.
        fills = _fills(facts, index, replace(identity, encoding=None), (*nodata, *scaling.fill), said)
    # A band without a role has said so already if it has a warning of its own.
    silent = identity.role is None and identity.warnings
    warnings = identity.warnings if silent else (*identity.warnings, *scaling.warnings)
    own_tags = facts.header.band_tags[index - 1] if facts.header.count > 1 else {}
    warnings = (*warnings, *fills.warnings(), *caveats_in(own_tags, f"Band {index}"))
    by_baseline = stored.stated_encoding is not None and stored.stated_encoding.baseline_offset is not None
    unit = said.unit or identity.unit or _stated_unit(facts, index, stored, scaling)
    told = unit or facts.is_own or _KELVIN.fullmatch((facts.header.units[index - 1] or "").strip())
    assumed = "" if told else _open_unit(identity, stored, scaling)
    far_open = () if said.unit else _open_depth(facts, stored, unit, told=bool(told))
    if not told and scaling.scale == 1.0 and said.scale is None:
        far_open = (
            *far_open,
            *_open_height(facts, stored),
            *_too_steep(facts, index, stored, (*nodata, *fills.values)),
        )
    warnings = (*warnings, *far_open, *([assumed] if assumed else []))
    band = _band(index, identity, replace(said, unit=unit or scaling.unit), scaling, nodata)
    band = replace(band, unit_assumed=bool(assumed or far_open), unit_open=" ".join(far_open))
    assumed_scale = scaling.assumed and said.scale is None
    open_height = not (told or far_open or stored.encoding) and stored.role == "dem" and said.scale is None
    metres = _METRES_ASSUMED if open_height and stored.whole_numbers and scaling.scale == 1.0 else ""
    remark = _remark_on_sea(facts, index, band, said) or scaling.remark or metres
    band = replace(band, scale_assumed=assumed_scale, remark=remark)
    period = period_days(facts.tags, facts.product, facts.groups, date)
    band = replace(band, date=own_date, date_precision=precision, period_days=period)
    band = _with_guesses(band, scaling, said)
    # What a person said of the valid range holds instead of what the role can be.
    limited = facts.is_own or said.valid is not None
    band = _with_fills(band, fills, None if limited else possible_range(stored, band))
    return BandResult(band, identity.sensor, warnings, by_baseline and not scaling.known)


def _open_unit(identity: Identity, stored: StoredValues, scaling: Scaling) -> str:
    """Return a sentence about a unit that is assumed; empty where the name or the role tells it."""
    if any(each.source == "name" for each in scaling.evidence):
        return scaling.unit_open
    return scaling.unit_open or ("" if stored.encoding else _UNIT_OPEN.get(identity.role or "", ""))


def _open_depth(facts: FileFacts, stored: StoredValues, unit: str | None, *, told: bool) -> tuple[str, ...]:
    """Return sentences about a depth of water that may be another one by far: in metres, or of a day.

    A unit that is told leaves open whether a depth is that of the month; a rate does not.
    """
    encoding, variable = stored.stated_encoding, stored.variable
    if encoding is None and not told and not facts.is_own:
        return _little_water(stored)
    if encoding is None or variable is None or facts.is_own:
        return ()
    of_month = facts.name.date_precision == "month" and unit in (None, variable.unit)
    sentences = ("" if told else encoding.depth_open, encoding.month_open if of_month else "")
    return tuple(sentence for sentence in sentences if sentence)


def _little_water(stored: StoredValues) -> tuple[str, ...]:
    """Return a sentence about water of no known product that is as little as metres would be."""
    most = _MAY_BE_METRES.get(stored.role or "")
    if most is None or stored.statistics is None or not 0 < stored.statistics.maximum < most:
        return ()
    return (_DEPTH_MAY_BE_METRES.replace("{most:g}", f"{most:g}"),)


def _open_height(facts: FileFacts, stored: StoredValues) -> tuple[str, ...]:
    """Return a sentence about heights of no known product that may be in another unit than metres.

    Their name may hold one, or their coordinates are in feet.
    """
    if stored.role != "dem" or stored.encoding is not None:
        return ()
    if found := _MAY_BE_UNIT.search(Path(facts.name.name).stem):
        short = found[0][-2:]
        return (_UNIT_IN_NAME.replace("{short}", short).replace("{long}", _MEANT[short.casefold()]),)
    return (_HEIGHT_OPEN,) if facts.header.in_feet else ()


def _too_steep(
    facts: FileFacts, index: int, stored: StoredValues, fill: tuple[float, ...]
) -> tuple[str, ...]:
    """Return a sentence about heights of no known product that make slopes as no land has them."""
    pixel = facts.header.metres_a_pixel
    known = stored.role != "dem" or stored.encoding is not None or facts.is_own
    if known or pixel < SMALLEST_PIXEL or facts.sample.is_thinned:
        return ()
    slope = typical_slope(facts.sample.windows(index), pixel, fill)
    return (_STEEP.replace("{slope:.0f}", f"{slope:.0f}"),) if slope > STEEPEST else ()


def _remark_on_sea(facts: FileFacts, index: int, band: Band, said: Correction) -> str:
    """Return a sentence where heights run down to a declared fill of 0 as they do to the sea."""
    if band.role != "dem" or 0.0 not in band.fill or said.fill is not None or facts.is_own:
        return ""
    others = [value for value in band.fill if value]
    return _SEA_LEFT_OUT if joins_smoothly(facts.sample.windows(index), 0.0, others) else ""


def _without_excess(identity: Identity, found: Statistics | None) -> Identity:
    """Return what a band is without an encoding that was assumed of smaller values than it holds."""
    encoding = encodings().get(identity.encoding or "")
    if encoding is None or encoding.up_to is None or found is None or found.maximum <= encoding.up_to:
        return identity
    return replace(identity, encoding=None)


def _without_heat(facts: FileFacts, index: int, identity: Identity) -> Identity:
    """Return a band without the role of a depth of water where the file states the unit of a flux of heat."""
    unit, variable = (facts.header.units[index - 1] or "").strip(), VARIABLES.get(identity.role or "")
    if variable is None or variable.unit != "mm" or not _HEAT.fullmatch(unit):
        return identity
    warning = _IS_HEAT.replace("{unit}", unit)
    return replace(identity, role=None, encoding=None, unit=None, evidence=(), warnings=(warning,))


def _join_corrections(corrections: Mapping[str, Correction], identity: Identity, index: int) -> Correction:
    """Join the corrections of the file and of the band; the band's weighs more."""
    # From the whole file to the band by its own name; each later one overrides those before.
    keys = ["", (identity.role or "-").casefold(), str(index), identity.name.casefold()]
    joined: dict[str, Any] = {}
    for correction in (corrections[key] for key in keys if key in corrections):
        joined |= correction.stated_fields()
    return Correction(**joined)


def _correct(identity: Identity, said: Correction) -> Identity:
    if said.role is None or said.role == identity.role:
        return identity
    reason = Evidence(f"role={said.role}", "person", "A person said so.")
    old, new = VARIABLES.get(identity.role or ""), VARIABLES.get(said.role)
    # Another band of the same product is stored alike; another kind of variable is not.
    alike = old is not None and new is not None and old.kind == new.kind
    encoding = identity.encoding if alike else None
    return replace(identity, role=said.role, encoding=encoding, unit=None, evidence=(reason,), warnings=())


def _statistics(
    facts: FileFacts, index: int, identity: Identity, nodata: tuple[float, ...]
) -> Statistics | None:
    known = encodings().get(identity.encoding or "")
    fill = (*nodata, *(known.fill if known else ()))
    return statistics(facts.sample.band(index), fill, known.valid if known else None)


def _fills(
    facts: FileFacts, index: int, identity: Identity, nodata: tuple[float, ...], said: Correction
) -> Fills:
    """Return the fills that nothing declares; none where a person named them or Treeline wrote the file."""
    if facts.is_own or said.fill is not None:
        return Fills()
    known = encodings().get(identity.encoding or "")
    declared = (*nodata, *((*known.fill, *known.physical_fill) if known else ()))
    windows = facts.sample.windows(index)
    variable = VARIABLES.get(identity.role or "")
    # Of a published map the legend tells what 0 is.
    may_be_none = not nodata and not (facts.product and identity.role in CLASSES)
    return find_fills(facts.sample.band(index), declared, variable, windows, may_be_none)


def _keeps_fills(scaling: Scaling, identity: Identity) -> bool:
    """Tell whether the fills of a band's product are fills of the band."""
    known = encodings().get(identity.encoding or "")
    return known is None or set(known.fill) <= set(scaling.fill)


def _with_guesses(band: Band, scaling: Scaling, said: Correction) -> Band:
    """Say of fills and a valid range that they were recognised where the values told the encoding."""
    if not any(e.source == "value" and e.concludes.startswith("scale") for e in band.evidence):
        return band
    fill = () if said.fill is not None else tuple(map(float, scaling.fill))
    return replace(band, recognised=fill, possible=band.valid, valid=said.valid)


def _with_fills(band: Band, fills: Fills, possible: tuple[float, float] | None) -> Band:
    low, high = _both(possible, band.possible)
    found = tuple(fill.value for fill in fills.certain if fill.value not in band.fill)
    unmet = (value for value in fills.unmet if low <= value <= high and value not in band.fill)
    doubtful = (fill.value for fill in fills.doubtful if low <= fill.value <= high)
    return replace(
        band,
        fill=(*band.fill, *found),
        recognised=tuple(dict.fromkeys((*band.recognised, *found, *unmet))),
        doubtful=tuple(value for value in doubtful if value not in band.fill),
        possible=None if possible is None else (low, high),
        evidence=(*band.evidence, *fills.evidence()),
    )


def _both(*ranges: tuple[float, float] | None) -> tuple[float, float]:
    """Return what lies in all of some ranges."""
    known = [limits for limits in ranges if limits is not None]
    return max((low for low, _ in known), default=-HUGE), min((high for _, high in known), default=HUGE)


def _declared_fill(facts: FileFacts, index: int) -> tuple[float, ...]:
    statement = facts.statement(index)
    beside = statement.fill if statement is not None else ()
    tagged = number_in(facts.header.band_tags[index - 1], FILL_TAGS)
    stated = (facts.header.nodata[index - 1], tagged, *beside)
    return tuple(dict.fromkeys(float(n) for n in stated if n is not None and not np.isnan(n)))


def _scaling(facts: FileFacts, index: int, stored: StoredValues) -> Scaling:
    """Return the scaling by the most trusted source that states one."""
    variable, family = stored.variable, find_product(facts.product)
    # Products of Treeline say themselves how they are packed, and need no guessing.
    if facts.is_own and stored.source == "tag":
        packed = (facts.header.scales[index - 1], facts.header.offsets[index - 1])
        return Scaling(*packed, unit=variable.unit if variable else None)
    counted = variable is not None and variable.kind in COUNTED
    if counted or (family is not None and family.offset_by_values):
        return find_scaling(stored)
    statement = facts.statement(index)
    if statement is not None and statement.scale is not None and facts.sidecar is not None:
        encoding = stored.stated_encoding
        if encoding is not None and encoding.baseline_offset is not None:
            baseline = "0400" if statement.offset < 0 else stored.groups.get("baseline", "0000")
            return find_scaling(replace(stored, groups={**stored.groups, "baseline": baseline}))
        because = f"{facts.sidecar.source} beside the file states it."
        line = _in_own_unit(statement.scale, statement.offset, statement.unit, stored)
        return stated_scaling(stored, *line, "metadata", because, 0.98, statement.planck)
    scale, offset = facts.header.scales[index - 1], facts.header.offsets[index - 1]
    tagged = stated_scale(scale, offset, facts.header.band_tags[index - 1], facts.tags)
    if tagged is not None and (done := scaled_already(stored, tagged.scale, tagged.offset)):
        return done
    if tagged is not None and not _leaves_offset(tagged, stored):
        unit = facts.header.units[index - 1] or _unit_of_offset(tagged.offset, stored)
        line = _in_own_unit(tagged.scale, tagged.offset, unit, stored)
        return stated_scaling(stored, *line, "tag", tagged.because, 0.95)
    by_unit = _by_unit(facts.header.units[index - 1], stored)
    return by_unit or _by_name(facts, index, stored) or find_scaling(stored)


def _is_packed(role: str | None, found: Statistics | None) -> bool:
    """Return whether temperatures are stored in whole numbers of any type: measured ones have fractions.

    One or two values say nothing.
    """
    variable = VARIABLES.get(role or "")
    if found is None or variable is None or variable.kind != "temperature":
        return False
    return found.whole and found.distinct > 2


def _leaves_offset(tagged: StatedScale, stored: StoredValues) -> bool:
    """Tell whether a tag states the scale of the product and no offset: the product's offset holds then.

    Providers write the scale of HLS temperatures without the zero of their degrees Celsius, and programs that
    cut Sentinel-2 and Landsat write no offset where they know none.
    """
    own = stored.stated_encoding
    if own is None or own.scale is None or tagged.offset:
        return False
    has_offset = bool(own.offset) or own.baseline_offset is not None
    return has_offset and math.isclose(own.scale, tagged.scale, rel_tol=1e-3)


def _unit_of_offset(offset: float, stored: StoredValues) -> str:
    """Return degrees Celsius where an offset of a temperature brings kelvins to them; else nothing."""
    # Within 0.2, as some files write the offset as 273 or 273.2.
    in_kelvin = stored.variable is not None and stored.variable.unit == "K"
    return "degC" if in_kelvin and abs(offset + 273.15) < 0.2 else ""


def _by_unit(unit: str | None, stored: StoredValues) -> Scaling | None:
    """Return the scaling of temperatures, depths of water and heights that are stored in the unit stated.

    ``None`` where the file states none, or one in which the values are not plausible. Heights may be whole
    numbers; those of the others have a scale that the file does not state. The unit that a file states weighs
    more than the one in which its product is delivered: precipitation of ERA5-Land may be in millimetres.
    """
    line = _in_own_unit(1.0, 0.0, unit, stored)
    heights = stored.variable is not None and stored.variable.unit == "m"
    nothing_to_bring = line == (1.0, 0.0) and not (_states_own_unit(unit, stored) and stored.encoding)
    if nothing_to_bring or (stored.whole_numbers and not heights):
        return None
    per_day = ", which is told per day" if _parts_of_rate(unit or "")[1] == "s" else ""
    scaling = stated_scaling(stored, *line, "tag", f"The file states the unit {unit}{per_day}.", 0.9)
    return None if scaling.warnings else scaling


def _by_name(facts: FileFacts, index: int, stored: StoredValues) -> Scaling | None:
    """Return the scaling of values in the unit that the name of the file or the band holds, as dem_ft does.

    ``None`` where it holds none, or one in which the values are not plausible.
    """
    names = (Path(facts.name.name).stem, facts.header.descriptions[index - 1] or "")
    found = next((match for name in names if (match := _IN_NAMES.search(name))), None)
    if found is None or any(facts.header.units):
        return None
    scaling = _by_unit(found[1], stored)
    if scaling is None:
        return None
    reason = Evidence(scaling.evidence[0].concludes, "name", f"The name holds '{found[1]}'.", 0.8)
    warning = (
        f"The values of {{band}} are taken as stored in {found[1]}, as the name says; nothing else states it."
    )
    return replace(scaling, evidence=(reason,), warnings=(warning,))


def _states_own_unit(unit: str | None, stored: StoredValues) -> bool:
    """Tell whether a file states the unit that values of the role are brought to from others."""
    own = stored.variable.unit if stored.variable is not None else ""
    written = (unit or "").strip()
    return own in _WRITTEN and own in (written, _unit_of_file(written, stored), _parts_of_rate(written)[0])


def _stated_unit(facts: FileFacts, index: int, stored: StoredValues, scaling: Scaling) -> str | None:
    """Return the unit that the file states, where the role does not settle it: mm/h is no mm.

    Temperatures, depths of water and heights are brought to the unit of their role; ratios, classes and radar
    have no unit that a file could choose.
    """
    unit, variable = (facts.header.units[index - 1] or "").strip(), stored.variable
    written = _unit_of_file(unit, stored)
    brought = any(each.source in ("tag", "metadata") for each in scaling.evidence)
    if variable is not None and written is not None and (brought or written == variable.unit):
        return variable.unit
    settled = variable is None or variable.unit in ("K", "1", "class", "") or variable.kind == "radar"
    if facts.is_own or settled or not unit:
        return None
    depth, time = _parts_of_rate(unit)
    if not time or depth not in _WRITTEN.get(variable.unit, {}):  # type: ignore[union-attr]
        return unit
    is_brought = brought or _in_own_unit(1.0, 0.0, unit, stored) == (1.0, 0.0)
    return f"{variable.unit}/{'day' if time == 's' else time}" if is_brought else unit  # type: ignore[union-attr]


def _parts_of_rate(unit: str) -> tuple[str, str]:
    """Return depth and time of a rate such as ``mm d-1`` or ``m day**-1``; two empty texts of other units."""
    found = _RATE.fullmatch(unit.strip())
    time = next((name for name, form in _TIMES.items() if form.fullmatch(found[2])), "") if found else ""
    depth = found[1].lower() if found else ""
    return ("mm" if depth.startswith("kg") else depth, time) if time else ("", "")


def _in_own_unit(scale: float, offset: float, unit: str | None, stored: StoredValues) -> tuple[float, float]:
    """Return scale and offset to the role's own unit, where these are in another one of the quantity.

    A rate of a depth comes to millimetres in its time, and one in a second, as of models, to those in a day.
    """
    depth, time = _parts_of_rate(unit or "")
    named = _unit_of_file(unit, stored) or depth
    if stored.variable is None or named not in _WRITTEN.get(stored.variable.unit, {}):
        return scale, offset
    factor, zero = line_between(named, stored.variable.unit)
    factor *= _SECONDS_OF_A_DAY if time == "s" else 1.0
    return scale * factor, offset * factor + zero


def _unit_of_file(unit: str | None, stored: StoredValues) -> str | None:
    """Return the unit that a file means, where values of the role are brought from it to the role's own."""
    written = _WRITTEN.get(stored.variable.unit, {}) if stored.variable else {}
    return next((name for name, form in written.items() if form.fullmatch((unit or "").strip())), None)


def _correct_scaling(scaling: Scaling, stored: StoredValues, said: Correction) -> Scaling:
    if said.scale is None and said.offset is None:
        return scaling
    scale = said.scale if said.scale is not None else scaling.scale
    offset = said.offset if said.offset is not None else (0.0 if said.scale is not None else scaling.offset)
    reason = Evidence(f"scale={scale:g}, offset={offset:g}", "person", "A person said so.")
    unit = stored.variable.unit if stored.variable else None
    plain = replace(scaling, known=True, scale=scale, offset=offset, unit=unit, warnings=(), planck=None)
    return replace(check_range(replace(plain, evidence=(reason,)), stored), known=True)


def _band(
    index: int, identity: Identity, said: Correction, scaling: Scaling, nodata: tuple[float, ...]
) -> Band:
    fill = said.fill if said.fill is not None else (*nodata, *map(float, scaling.fill))
    return Band(
        index=index,
        name=identity.name,
        role=identity.role,
        unit=said.unit,
        scale=scaling.scale,
        offset=scaling.offset,
        scale_known=scaling.known,
        proportional=scaling.known or scaling.proportional,
        fill=tuple(dict.fromkeys(fill)),
        valid=said.valid or scaling.valid,
        planck=scaling.planck,
        evidence=(*identity.evidence, *scaling.evidence),
    )
