"""Values that stand for no data although nothing declares them: found in a sample of the stored values.

A value is taken for no data where it is a usual fill and stands apart from all other values, or where it is
repeated and stands very far from them. Where a value only may be no data it is left as it is and named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.recognition.edges import (
    alone_runs_straight,
    ends_abruptly,
    joins_smoothly,
    lies_anywhere,
    lies_around,
    lies_unrelated,
    runs_straight,
    steps_abruptly,
)
from treeline.toolkit.recognition.model import Evidence
from treeline.toolkit.recognition.rules import suspect_fills, usual_fills
from treeline.toolkit.variables import Variable

# Nothing physical is that large: 1e36 and more are fills of floats, whatever their digits.
HUGE = 1e36
# The smallest normal numbers of floats, which programs write for no data by mistake for the lowest ones
# (FLT_MIN and DBL_MIN of C).
LEAST = (float(np.finfo(np.float32).tiny), float(np.finfo(np.float64).tiny))
# Nothing physical is that small and repeated, but for a zero that a program made loggable: rain of
# 1e-12 kg/m2/s and columns of gases of 1e-8 mol/m2 are the smallest numbers that products have.
TINY = 1e-20
# How far from the others a value stands, in spans of the others: a usual fill, a suspect, any value at all.
_APART, _NOTICEABLE, _FAR = 0.25, 0.1, 1.0
# So often a value that is no usual fill must be repeated, among so many different others.
_REPEATED, _SEVERAL, _DIFFERENT = 10, 3, 16
# Half as far suffices of what is repeated, if there are so many steps of the others between it and these.
_MANY_STEPS = 50
# A value that a program wrote occurs more often than the others around it, by so many times and deviations.
_AROUND, _TIMES, _DEVIATIONS = 16, 5, 10
# A value that nothing names is looked at where it has so much of the sample.
_BLOCK = 0.02
# The same of a value within the range of the others, strewn or in patches; of quotients of small numbers
# many stand out, as a half and a third of 8-bit bands do.
_SPIKE, _TWICE, _SPIKES = 0.005, 2, 3
# Nearer to the others, in spans of these, is what was cut off at the end of a range; nobody cuts at nines.
_CUT_OFF = 0.005
_OF_NINES = re.compile(r"-?9{2,}(?:\.9+)?|-?8{3,}")
# The ends of a byte are a picture's white and black as often as they are no data.
ENDS_OF_BYTES = frozenset({-128.0, 127.0, 254.0, 255.0})
# Where more than that is nothing, it is the ground on which the others stand.
_MOSTLY_NOTHING = 0.5
# Kinds of variables whose numbers stand for something else.
COUNTED = frozenset({"quality", "class", "image"})
# Variables whose numbers name classes; that of no data stands far from them, and there are some of them.
CLASSES = frozenset({"landcover", "classes", "clusters"})
_AMONG_CLASSES, _FROM_CLASSES, _MOST_CLASSES = 3, 16, 64
# Variables of which nothing at all is a usual value.
NOTHING_IS_USUAL = frozenset(
    {
        "precipitation",
        "frp",
        "population",
        "built_surface",
        "built_surface_nres",
        "built_volume",
        "built_volume_nres",
        "built_height",
        "snow_depth",
        "snow_water_equivalent",
        "snow_fraction",
        "sea_ice",
        "fvc",
        "ntl_radiance",
        "cloud_free_count",
        "distance",
        "terrain_slope",
        "terrain_slope_percent",
        "change_count",
        "change_magnitude",
    }
)

# By these the sea is flattened in models of elevation: at the datum, or at low water in whole metres.
LEVELS_OF_THE_SEA = frozenset({0.0, -1.0})

# Variables that are nothing on water, and something as soon as it ends.
FLAT_WATER = frozenset({"terrain_slope", "terrain_slope_percent"})

# Variables that have one value wherever there is nothing, or the land is flat, of one class or of one soil.
ONE_VALUE_IS_USUAL = NOTHING_IS_USUAL | {
    "terrain_aspect",
    "hillshade",
    "illumination",
    "curvature",
    "tpi",
    "ruggedness",
    "roughness",
    "texture",
    "emissivity",
    "emissivity10",
    "emissivity11",
    "emissivity29",
    "emissivity31",
    "emissivity32",
    "emissivity_contrast",
    "soil_ph",
    "soil_organic_carbon",
    "clay_content",
    "sand_content",
    "silt_content",
    "coarse_fragments",
    "cation_exchange_capacity",
    "bulk_density",
    "soil_nitrogen",
    "organic_carbon_density",
    "organic_carbon_stock",
}


@dataclass(frozen=True, slots=True)
class FoundFill:
    """A value that nothing declares as no data.

    Attributes
    ----------
    share : float
        Of the pixels of the sample, 0 to 1.
    apart : float
        How far it stands from all other values, in spans of these; 0 where it stands among them.
    gap : float
        The same in stored units.
    """

    value: float
    share: float
    apart: float
    gap: float = 0.0


@dataclass(frozen=True, slots=True)
class Fills:
    """What a sample of a band shows of values that nothing declares.

    Attributes
    ----------
    certain : tuple of FoundFill
        Taken for no data.
    doubtful : tuple of FoundFill
        Left as they are; a person decides.
    unmet : tuple of float
        Usual fills that the sample does not hold, and that would be certain where the band does.
    """

    certain: tuple[FoundFill, ...] = ()
    doubtful: tuple[FoundFill, ...] = ()
    unmet: tuple[float, ...] = ()

    @property
    def values(self) -> tuple[float, ...]:
        """All of them, which tell nothing of the scale."""
        return tuple(fill.value for fill in (*self.certain, *self.doubtful))

    def evidence(self) -> tuple[Evidence, ...]:
        """Return the reasons."""
        sure = [(fill, f"fill={fill.value:g}", 0.95) for fill in self.certain]
        unsure = [(fill, f"fill={fill.value:g}, or a value", 0.5) for fill in self.doubtful]
        return tuple(
            Evidence(concludes, "value", f"{_share_of_sample(fill)} hold it, {_distance(fill)}.", confidence)
            for fill, concludes, confidence in (*sure, *unsure)
        )

    def warnings(self) -> tuple[str, ...]:
        """Return sentences that say ``{band}`` where the band's name goes."""
        certain = (
            f"{_share_of_sample(fill)} of {{band}} hold {fill.value:g}, which nothing declares as a fill and "
            "which no other value is near to; it is taken for no data."
            for fill in self.certain
        )
        doubtful = (
            f"{_share_of_sample(fill)} of {{band}} hold {fill.value:g}, which may be no data or a value; say "
            "the fill."
            for fill in self.doubtful
        )
        return (*certain, *doubtful)


def find_fills(
    stored: NDArray[Any],
    declared: Sequence[float],
    variable: Variable | None,
    windows: Sequence[NDArray[Any]] = (),
    zero_may_be_none: bool = True,
) -> Fills:
    """Return the values of a sample that are, or may be, no data although nothing declares them.

    Parameters
    ----------
    stored : ndarray
        Stored values.
    declared : sequence of float
        Those that are known to be no data.
    variable : Variable, optional
        What the band is, if that is known; nothing is found in flags and pictures.
    windows : sequence of ndarray
        The same values where they lie, which tell of values that measurement may give as well.
    zero_may_be_none : bool
        Whether zero may stand for no data in a variable of which nothing is a value: not where the file
        itself declares another value.
    """
    finite = stored[np.isfinite(stored)]
    role = variable.role if variable is not None else ""
    if not finite.size or (variable is not None and variable.kind in COUNTED and role not in CLASSES):
        return Fills()
    levels, counts = np.unique(finite, return_counts=True)
    known = _are(levels, declared)
    if role in CLASSES:
        among = _among_classes(levels[~known], counts[~known])
        return (
            _with_border_of_zero(among, levels[~known], counts[~known], windows)
            if zero_may_be_none
            else among
        )
    found = _Levels(
        levels[~known],
        counts[~known],
        int(counts.sum()),
        _suspects(variable),
        _ends(variable),
        role in NOTHING_IS_USUAL,
    )

    def is_hole(value: float) -> bool:
        # Quotients next to each other jump, so that some of them are far anywhere.
        lies_so = lies_anywhere if found.are_quotients else ends_abruptly
        abrupt = role not in FLAT_WATER and bool(windows) and lies_so(windows, value, declared)
        return abrupt or runs_straight(windows, value)

    def is_none(value: float) -> bool:
        ground = role in FLAT_WATER or float(np.mean(finite == value)) > _MOSTLY_NOTHING
        return is_hole(value) or (not ground and bool(windows) and lies_unrelated(windows, value, declared))

    judged = _judge(found, is_none)
    # Canals and harbours are level and straight.
    if role != "dem" and windows:
        judged = _with_straight_block(judged, found, windows)
    if role not in ONE_VALUE_IS_USUAL and windows:
        judged = _with_spike(judged, found, windows, declared)
    if role == "dem" and windows:
        judged = _with_steps(_without_sea(judged, windows, declared), found, windows, declared)
    met = bool(known.any())
    if role not in NOTHING_IS_USUAL or met or not zero_may_be_none or 0.0 in judged.values:
        return judged
    return _with_nothing(judged, found, is_none)


def _with_nothing(fills: Fills, levels: _Levels, is_none: Callable[[float], bool]) -> Fills:
    """Add zero to the fills, in a variable of which nothing is a value, where it lies as a hole does."""
    (places,) = np.nonzero(levels.values == 0.0)
    several = places.size and int(levels.counts[places[0]]) >= _SEVERAL
    if not several or levels.different < _DIFFERENT or not is_none(0.0):
        return fills
    return replace(fills, doubtful=(*fills.doubtful, levels.fill(int(places[0]))))


def _with_straight_block(fills: Fills, levels: _Levels, windows: Sequence[NDArray[Any]]) -> Fills:
    """Add the most frequent value where it fills much of the sample within straight lines, whatever it is."""
    if levels.different < _DIFFERENT:
        return fills
    position = int(np.argmax(np.where(levels.others, levels.counts, 0)))
    value, share = float(levels.values[position]), int(levels.counts[position]) / levels.total
    if value in fills.values or value in levels.ends or share < _BLOCK:
        return fills
    if not levels.stands_out(position) or not runs_straight(windows, value):
        return fills
    return replace(fills, doubtful=(*fills.doubtful, levels.fill(position)))


def _with_spike(
    fills: Fills, levels: _Levels, windows: Sequence[NDArray[Any]], declared: Sequence[float]
) -> Fills:
    """Add the most frequent value, whatever it is, where it alone stands out and lies anywhere."""
    if levels.different < _DIFFERENT:
        return fills
    position = int(np.argmax(np.where(levels.others, levels.counts, 0)))
    found = levels.fill(position)
    value = found.value
    if value in fills.values or value in levels.ends or found.share < _SPIKE or levels.are_quotients:
        return fills
    if not levels.stands_out(position, _TWICE) or levels.is_next(found):
        return fills
    far_more_often = levels.stands_out(position)
    if not lies_anywhere(windows, value, (*declared, *fills.values), strewn=not far_more_often):
        return fills
    return replace(fills, doubtful=(*fills.doubtful, found))


def _without_sea(fills: Fills, windows: Sequence[NDArray[Any]], declared: Sequence[float]) -> Fills:
    """Leave out the level of the sea where the land runs down to it along shores as ragged as others."""

    def is_sea(value: float) -> bool:
        return (
            value in LEVELS_OF_THE_SEA
            and joins_smoothly(windows, value, declared)
            and not runs_straight(windows, value)
        )

    return replace(fills, doubtful=tuple(fill for fill in fills.doubtful if not is_sea(fill.value)))


def _with_steps(
    fills: Fills, levels: _Levels, windows: Sequence[NDArray[Any]], declared: Sequence[float]
) -> Fills:
    """Add the named values beside which the land steps as nowhere else, however few values there are."""
    left_out = (*declared, *(fill.value for fill in fills.certain))
    found = [
        levels.fill(position)
        for position in np.flatnonzero(~levels.others).tolist()
        if float(levels.values[position]) not in fills.values
        and steps_abruptly(windows, float(levels.values[position]), left_out)
    ]
    return replace(fills, doubtful=(*fills.doubtful, *found)) if found else fills


@dataclass(frozen=True)
class _Levels:
    """The values that occur, ascending, and how often each does.

    Attributes
    ----------
    total : int
        Pixels of the sample, fills among them.
    suspects : frozenset of float
        Values that may be no data in such a band.
    ends : frozenset of float
        Where such a variable ends by its nature, so that a hole there shows nothing.
    near_nothing : bool
        Whether the variable may be next to nothing: packing leaves 1e-19 m of rain where there is none.
    """

    values: NDArray[Any]
    counts: NDArray[np.int64]
    total: int
    suspects: frozenset[float]
    ends: frozenset[float] = frozenset()
    near_nothing: bool = False

    @cached_property
    def unphysical(self) -> NDArray[np.bool_]:
        """The values that are no measurement of anything."""
        sizes = np.abs(self.values.astype(np.float64))
        return (sizes >= HUGE) | np.isin(sizes, LEAST)

    @cached_property
    def usual(self) -> NDArray[np.bool_]:
        return _are(self.values, usual_fills())

    @cached_property
    def suspected(self) -> NDArray[np.bool_]:
        return _are(self.values, self.suspects) | self.tiny

    @cached_property
    def tiny(self) -> NDArray[np.bool_]:
        """The values that are next to nothing and repeated, as numbers of a measurement are not."""
        sizes = np.abs(self.values.astype(np.float64))
        return (sizes > 0) & (sizes < TINY) & (self.counts >= _SEVERAL) & (not self.near_nothing)

    @cached_property
    def others(self) -> NDArray[np.bool_]:
        """The values that no program writes for no data; where there are none, those that it may not."""
        suspicious = self.unphysical | self.usual
        plain = ~(suspicious | self.suspected)
        return plain if plain.any() else ~suspicious

    @property
    def candidates(self) -> list[int]:
        """The positions of what may be no data: usual fills, suspects, and both ends of the others."""
        others = np.flatnonzero(self.others).tolist()
        return sorted({*np.flatnonzero(~self.others).tolist(), *others[:1], *others[-1:]})

    def fill(self, position: int) -> FoundFill:
        """Return a value with its share and its distance from the others."""
        value, share = float(self.values[position]), int(self.counts[position]) / self.total
        mask = self.others.copy()
        mask[position] = False
        others = self.values[mask].astype(np.float64)
        if not others.size:
            return FoundFill(value, share, float("inf"), float("inf"))
        gap = max(float(others[0]) - value, value - float(others[-1]), 0.0)
        span = float(others[-1] - others[0])
        # Others that are all one value have no span; whatever is not that value is infinitely far in it.
        apart = 0.0 if not gap else gap / span if span else float("inf")
        return FoundFill(value, share, apart, gap)

    @cached_property
    def different(self) -> int:
        """How many others there are."""
        return int(np.count_nonzero(self.others))

    @cached_property
    def step(self) -> float:
        """The usual distance from one of the others to the next."""
        values = self.values[self.others].astype(np.float64)
        return float(np.median(np.diff(values))) if values.size > 1 else 0.0

    def usual_count(self, position: int) -> float:
        """Return how often each of the others around a value occurs."""
        ranks = np.flatnonzero(self.others)
        at = int(np.searchsorted(ranks, position))
        around = ranks[max(0, at - _AROUND) : at + _AROUND]
        around = around[around != position]
        return float(self.counts[around].mean()) if around.size else 0.0

    def stands_out(self, position: int, times: float = _TIMES) -> bool:
        """Tell whether a value occurs far more often than those around it."""
        count, usual = int(self.counts[position]), self.usual_count(position)
        return bool(count >= times * usual + _DEVIATIONS * np.sqrt(usual + 1))

    @cached_property
    def are_quotients(self) -> bool:
        """Whether several of the others stand out, as halves and thirds of small whole numbers do."""
        frequent = np.argsort(np.where(self.others, self.counts, 0))[-_SPIKES - 1 :].tolist()
        return all(self.stands_out(position, _TWICE) for position in frequent)

    def unmet(self) -> tuple[float, ...]:
        """Return the usual fills that are not there and would stand apart: negative ones and ends of a type.

        Others may be values of a part that was not sampled.
        """
        values = self.values[self.others].astype(np.float64)
        kind = self.values.dtype
        if not values.size:
            return ()
        margin = _APART * float(values[-1] - values[0])
        limits = None if kind.kind == "f" else np.iinfo(kind)
        ends = [] if limits is None else [float(limits.min), float(limits.max)]
        apart = (f for f in usual_fills() if f < values[0] - margin or f > values[-1] + margin)
        return tuple(sorted(f for f in apart if (f < 0 and kind.kind != "u") or f in ends))

    def is_next(self, fill: FoundFill) -> bool:
        """Tell whether a value stands at an end of the others and next to them."""
        return fill.apart > 0 and (fill.apart < _CUT_OFF or fill.gap < _SEVERAL * self.step)

    def is_certain(self, position: int, fill: FoundFill) -> bool:
        count = int(self.counts[position])
        if self.unphysical[position]:
            return True
        if self.usual[position]:
            return fill.apart >= _APART and (fill.value < 0 or count >= _SEVERAL)
        white = fill.value in ENDS_OF_BYTES and self.values.dtype.itemsize == 1
        return not white and fill.apart >= _FAR and count >= _REPEATED and self.different > _DIFFERENT

    def is_doubtful(self, position: int, fill: FoundFill, is_hole: Callable[[float], bool]) -> bool:
        """Tell whether a value may be no data: it stands alone, or stands out.

        What measurement or calculation cuts off gathers at an end of the range, next to the others; there it
        must lie as a hole does. So must a value that no program is known to write for no data.
        """
        count = int(self.counts[position])
        if count < _SEVERAL or self.different < _DIFFERENT:
            return False
        named = bool(self.usual[position] or self.suspected[position])
        repeated_far = count >= _REPEATED and fill.gap >= _MANY_STEPS * self.step
        if named and fill.apart >= (_NOTICEABLE / 2 if repeated_far else _NOTICEABLE):
            return True
        cut_off = self.is_next(fill) and not _OF_NINES.fullmatch(f"{fill.value:.6g}")
        quotient = not fill.apart and self.are_quotients
        usual_end = not named and fill.value in self.ends
        return (
            not usual_end
            and self.stands_out(position)
            and (named and not cut_off and not quotient or is_hole(fill.value))
        )


def _judge(levels: _Levels, is_hole: Callable[[float], bool]) -> Fills:
    certain, doubtful = [], []
    for position in levels.candidates:
        fill = levels.fill(position)
        if levels.is_certain(position, fill):
            certain.append(fill)
        elif levels.is_doubtful(position, fill, is_hole):
            doubtful.append(fill)
    return Fills(tuple(certain), tuple(doubtful), levels.unmet())


def _among_classes(values: NDArray[Any], counts: NDArray[np.int64]) -> Fills:
    """Return the numbers of no data among classes: usual fills and the end of a byte, far from them."""
    kind = values.dtype
    ends = [255.0] if kind == np.uint8 else [-128.0] if kind == np.int8 else []
    marks = (*(f for f in usual_fills() if kind.kind != "u" or f >= 0), *ends)
    suspicious = _are(values, marks) | (np.abs(values.astype(np.float64)) >= HUGE)
    classes, total = values[~suspicious].astype(np.float64), int(counts.sum())
    if classes.size < _AMONG_CLASSES:
        return Fills()
    span = float(classes[-1] - classes[0])

    def gap(value: float) -> float:
        return max(float(classes[0]) - value, value - float(classes[-1]))

    found = [
        FoundFill(float(value), int(count) / total, gap(float(value)) / span, gap(float(value)))
        for value, count in zip(values[suspicious], counts[suspicious], strict=True)
        if gap(float(value)) >= _FROM_CLASSES
    ]
    known = {fill.value for fill in found}
    unmet = (
        mark for mark in marks if mark not in known and gap(mark) >= _FROM_CLASSES and (mark < 0 or ends)
    )
    return Fills(tuple(found), (), tuple(sorted(unmet)))


def _with_border_of_zero(
    fills: Fills, values: NDArray[Any], counts: NDArray[np.int64], windows: Sequence[NDArray[Any]]
) -> Fills:
    """Add 0 below the other classes where it lies as what is outside of a map does.

    Around all of them and nowhere among them, or with outlines that are straight where no others are.
    """
    if not values.size or values[0] != 0 or values.size > _MOST_CLASSES:
        return fills
    around = values.size >= _AMONG_CLASSES and lies_around(windows, 0.0)
    several = values.size > _AMONG_CLASSES
    if not around and not (several and alone_runs_straight(windows, 0.0, values[1:].tolist())):
        return fills
    zero = FoundFill(0.0, int(counts[0]) / int(counts.sum()), 0.0)
    return replace(fills, doubtful=(*fills.doubtful, zero))


def _suspects(variable: Variable | None) -> frozenset[float]:
    """Return the values that may be no data in a band."""
    usual = {0.0} if variable is not None and variable.role in NOTHING_IS_USUAL else set()
    return suspect_fills() - usual


def _ends(variable: Variable | None) -> frozenset[float]:
    """Return the values at which a variable is cut off, which are no holes whatever lies beside them."""
    return frozenset({0.0, *(variable.limits if variable is not None else ())})


def _are(values: NDArray[Any], fills: Iterable[float]) -> NDArray[np.bool_]:
    """Tell which values are one of some fills, which stand as float32 in the pixels."""
    return np.isin(values.astype(np.float32), np.array([*fills], dtype=np.float32))


def _share_of_sample(fill: FoundFill) -> str:
    share = f"{fill.share:.2%}" if fill.share < 0.01 else f"{fill.share:.1%}"
    return f"{share} of a sample"


def _distance(fill: FoundFill) -> str:
    if np.isinf(fill.apart):
        return "far from all other values"
    return (
        f"{fill.apart:.2g} times the span of the others away from them"
        if fill.apart
        else "among other values"
    )
