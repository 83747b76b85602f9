"""Numbers that a text works out of others that it states: sums, differences, parts, changes, conversions.

An analyst tells how many pixels there are and goes on with their area, their share of the scene, or how much
more they are than before. Each number that is worked with has to follow from the results itself.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.claims import SPANS, Claim
from treeline.core.engine.verification.evidence import adds_up
from treeline.core.engine.verification.notation import COUNTABLE
from treeline.core.engine.verification.percent import change_of, part_of_one, per_cent, rest_of
from treeline.core.engine.verification.readings import readings_of
from treeline.core.engine.verification.times_told import DAYS_OF

# Of more numbers some two come to anything.
_MOST_ADDED, _MOST_PAIRED = 6, 10
# How coarse in parts of itself what is worked out of several may be told, and how unsure it may be.
_FINE, _SURE = 0.02, 0.05
_WHOLE = 100.0
_MANY = 100  # pixels
_THINGS = frozenset({COUNT, *(thing.rstrip("s") for thing in COUNTABLE)})
_SQUARE_METRES = {"m2": 1.0, "ha": 1e4, "km2": 1e6}
# A bound is told near to what it bounds: less than half a hectare of 0.44.
_NEAR_BOUND = 2.0


@dataclass(frozen=True, slots=True)
class Working:
    """What a number was worked out of.

    Attributes
    ----------
    told : str
        The operation with its numbers, as ``8067 of 10100 in per cent``.
    number : float
        What it comes to.
    slack : float
        By how much that is uncertain, since its numbers are rounded.
    is_alone : bool
        It is of one number, so that it comes to nothing by chance.
    """

    told: str
    number: float
    slack: float = 0.0
    is_alone: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known of the rasters: how many pixels they have; areas of one and of all, in square metres."""

    pixels: tuple[float, ...] = ()
    pixel_areas: tuple[float, ...] = ()
    areas: tuple[float, ...] = ()


def find_working(claim: Claim, others: Sequence[Claim], scene: Scene, side: int = 0) -> Working | None:
    """Return what a number was worked out of; ``None`` where nothing comes to it.

    Parameters
    ----------
    others : sequence of Claim
        The numbers that stand beside it and follow from the results.
    side : int
        Of a limit: whether something is more (1) or less (-1) than it.
    """
    if claim.limit:
        return next((w for w in _workings(claim, others, scene) if _is_bounded(claim, w, side)), None)
    return next((w for w in _workings(claim, others, scene) if _is_it(claim, w)), None)


def find_variance(claim: Claim, others: Sequence[Claim]) -> Working | None:
    """Return of which correlation a share of the variance in per cent is the square; ``None`` of none."""
    for other in others:
        if claim.unit == "%" and not other.limit and "." in other.text and abs(other.number) <= 1:
            share, slack = per_cent(other.number**2), per_cent(2 * abs(other.number) * other.half)
            if abs(share - claim.number) <= claim.half + slack:
                return Working(f"{other.text} squared in per cent", share, slack)
    return None


def _is_it(claim: Claim, working: Working) -> bool:
    size, off = abs(claim.number), abs(claim.number - working.number)
    if working.is_alone:
        return off <= claim.half * (1 + 1e-6) + working.slack
    # About 70 of 69.98: what is told coarsely may be near all the same.
    half = min(claim.half * (1 + 1e-6), _FINE * size)
    return working.slack <= _SURE * size and off <= half + working.slack


def _is_bounded(claim: Claim, working: Working, side: int) -> bool:
    """Return whether a limit lies on the side of a number that it is said to, and is near to it."""
    low, high = sorted((abs(claim.number), abs(working.number)))
    beyond = (abs(working.number) - abs(claim.number)) * side
    return side != 0 and beyond >= 0 and low > 0 and high / low <= _NEAR_BOUND


def _workings(claim: Claim, others: Sequence[Claim], scene: Scene) -> Iterator[Working]:
    others = [other for other in others if other != claim and not other.limit]
    yield from _conversions(claim, others)
    yield from _areas(claim, others, scene)
    yield from _lengths_of_time(claim, others)
    alike = [other for other in others if _measure(other) == _measure(claim)]
    if _measure(claim) not in ("", "1"):
        yield from _sums(claim, alike)
        yield from _differences(alike)
        yield from _parts_of_wholes(alike, others)
        yield from _means(alike, others)
    if claim.unit == "%":
        yield from _parts(others, scene)
    if claim.unit == "1":  # told as so many times
        yield from _ratios(others)
    if _may_be_pixels(claim):
        yield from _parts_in_pixels(others, scene)


def _measure(claim: Claim) -> str:
    """Return the unit of a number, or what it counts."""
    return claim.unit or (claim.thing.rstrip("s") if claim.thing in COUNTABLE else "")


def _may_be_pixels(claim: Claim) -> bool:
    """Return whether a number counts pixels, or counts what it does not name: 8,067 of the 10,100 pixels."""
    return _measure(claim) in (COUNT, "pixel") or _is_bare(claim) and claim.number >= _MANY


def _is_bare(claim: Claim) -> bool:
    return not _measure(claim) and claim.number % 1 == 0


def _are_alike(one: Claim, other: Claim) -> bool:
    """Return whether two numbers are of one kind, so that one can be a part of the other."""
    if _is_bare(one) or _is_bare(other):  # two bands are no part of four components
        many = all(_may_be_pixels(each) for each in (one, other))
        return many or _is_bare(one) and _is_bare(other) and one.thing == other.thing
    return _measure(one) == _measure(other)


def _conversions(claim: Claim, others: Sequence[Claim]) -> Iterator[Working]:
    """Yield others in the unit of a number, of which they have another one."""
    for other in others:
        if other.unit and claim.unit and other.unit != claim.unit:
            for number in readings_of(claim, other.number, (other.unit,)):
                factor = abs(number / other.number) if other.number else 1.0
                yield Working(f"{other.text} {other.unit}", number, other.half * factor, is_alone=True)


def _areas(claim: Claim, others: Sequence[Claim], scene: Scene) -> Iterator[Working]:
    """Yield the areas of so many pixels, and of one."""
    size = _SQUARE_METRES.get(claim.unit, 0.0)
    for area in scene.pixel_areas if size else ():
        yield Working("the area of a pixel", area / size, is_alone=True)
        for other in others:
            if _may_be_pixels(other):
                number = other.number * area / size
                yield Working(f"{other.text} pixels of {area:g} m2", number, is_alone=True)
    for whole in scene.areas if size else ():
        for other in (each for each in others if each.unit == "%"):
            part, slack = (part_of_one(n) * whole / size for n in (other.number, other.half))
            yield Working(f"{other.text} % of {whole / size:g} {claim.unit}", part, slack)


def _lengths_of_time(claim: Claim, others: Sequence[Claim]) -> Iterator[Working]:
    """Yield numbers of days as weeks, months or years."""
    days = DAYS_OF.get((claim.thing or claim.unit).rstrip("s"), 0.0)
    for other in others if days else ():
        if (other.thing or other.unit).rstrip("s") == "day":
            yield Working(f"{other.text} days", other.number / days, is_alone=True)


def _sums(claim: Claim, alike: Sequence[Claim]) -> Iterator[Working]:
    """Yield what numbers of one unit come to, and what they leave of a whole."""
    if not adds_up((claim.unit,)):
        return
    alike = alike[:_MOST_ADDED]
    for count in range(2, len(alike) + 1):
        for some in itertools.combinations(alike, count):
            total, slack = math.fsum(c.number for c in some), math.fsum(c.half for c in some)
            told = " + ".join(c.text for c in some)
            yield Working(told, total, slack)
            if claim.unit == "%":
                yield Working(f"100 - ({told})", _WHOLE - total, slack)


def _differences(alike: Sequence[Claim]) -> Iterator[Working]:
    for a, b in itertools.permutations(alike[:_MOST_PAIRED], 2):
        yield Working(f"{a.text} - {b.text}", a.number - b.number, a.half + b.half)


def _parts_of_wholes(alike: Sequence[Claim], others: Sequence[Claim]) -> Iterator[Working]:
    """Yield so many per cent of numbers."""
    for share in (other for other in others if other.unit == "%"):
        for whole in alike[:_MOST_PAIRED]:
            part = part_of_one(share.number) * whole.number
            slack = part_of_one(share.half) * abs(whole.number) + part_of_one(abs(share.number)) * whole.half
            yield Working(f"{share.text} % of {whole.text}", part, slack)


def _means(alike: Sequence[Claim], others: Sequence[Claim]) -> Iterator[Working]:
    """Yield what there is for each of so many: hectares for each patch."""
    for count in (other for other in others if _measure(other) in _THINGS and other.number > 1):
        for total in alike[:_MOST_PAIRED]:
            yield Working(
                f"{total.text} / {count.text}", total.number / count.number, total.half / count.number
            )


def _parts(others: Sequence[Claim], scene: Scene) -> Iterator[Working]:
    """Yield what one number is of another of its kind in per cent, and by how much it changed."""
    for a, b in itertools.permutations(others[:_MOST_PAIRED], 2):
        if b.number and _are_alike(a, b):
            slack = per_cent(a.half, abs(b.number)) + per_cent(b.half * abs(a.number), b.number**2)
            sure = b.number in scene.pixels
            yield Working(f"{a.text} of {b.text} in per cent", per_cent(a.number, b.number), slack, sure)
            yield Working(
                f"change from {b.text} to {a.text} in per cent", change_of(b.number, a.number), slack
            )
            if 0 <= a.number <= b.number:
                rest = rest_of(per_cent(a.number, b.number))
                yield Working(f"what {a.text} of {b.text} leave in per cent", rest, slack, sure)
    for other in others:
        if _may_be_pixels(other):
            yield from (
                Working(
                    f"{other.text} of {whole:,.0f} pixels in per cent",
                    per_cent(other.number, whole),
                    is_alone=True,
                )
                for whole in scene.pixels
            )


def _ratios(others: Sequence[Claim]) -> Iterator[Working]:
    """Yield how many times as large as another one of its kind a number is."""
    for a, b in itertools.permutations(others[:_MOST_PAIRED], 2):
        # Without a unit whole numbers are counts of different things.
        measured = a.unit != "1" and (bool(a.unit) or bool(a.number % 1 and b.number % 1))
        if b.number and measured and _measure(a) == _measure(b):
            slack = a.half / abs(b.number) + b.half * abs(a.number) / b.number**2
            yield Working(f"{a.text} / {b.text}", a.number / b.number, slack)


def _parts_in_pixels(others: Sequence[Claim], scene: Scene) -> Iterator[Working]:
    """Yield how many pixels so many per cent are."""
    for share in others:
        if share.unit == "%":
            yield from (
                Working(
                    f"{share.text} % of {whole:,.0f} pixels",
                    part_of_one(share.number) * whole,
                    part_of_one(share.half) * whole,
                    is_alone=True,
                )
                for whole in scene.pixels
            )


def as_days(claim: Claim) -> Claim:
    """Return a number of days with its unit told, so that it is known for one."""
    return replace(claim, unit="days") if claim.thing in SPANS and claim.thing.startswith("day") else claim
