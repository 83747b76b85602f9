"""What evidence supports: the numbers, dates and names of results, and what follows from them."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from treeline.core.engine.checks import COUNT, INDEX
from treeline.core.engine.verification.claims import (
    SPANS,
    Claim,
    claims_in,
)
from treeline.core.engine.verification.notation import COUNTABLE, DATES
from treeline.core.engine.verification.percent import change_of, part_of_one, per_cent
from treeline.core.engine.verification.rates import mentions, readings_per
from treeline.core.engine.verification.readings import (
    difference_of,
    is_difference,
    is_measured,
    readings_of,
    without_difference,
)

# Sums, differences and ratios of many numbers come near to any number, and would bear out whatever is said.
_MOST_PAIRED = 12
_MOST_SERIES = 200
# What the same sum may differ by in another order of its terms.
_RELATIVE = 1e-9
_WHOLE = 100.0
# How coarse in parts of itself a number may be told that is derived; that is converted to an unsaid unit.
_FINE, _FINEST = 0.05, 0.005
# A whole number that is smaller is one of several things by chance.
_LARGE = 1000
_SHARES = {"half": 50.0, "third": 100 / 3, "quarter": 25.0, "majority": 50.0}


@dataclass(frozen=True)
class Evidence:
    """What the results of some steps hold.

    Attributes
    ----------
    numbers : tuple of float
        Every number in them.
    single : tuple of float
        Those that are a whole result: what sums and differences are made of.
    series : tuple of tuple
        Lists of numbers, and columns of tables.
    names : tuple of str
        The names that results list: classes, zones.
    counts : tuple of float
        How many things they list, wrote or read.
    dates : frozenset of str
    words : str
        All they say, in lower case.
    limits : tuple of float
        Limits of the question, that items of a series are counted against.
    told : tuple of float
        Numbers of arguments: they were said, not found.
    usual : tuple of float
        Those that their tools used of themselves.
    noted : tuple of float
        Numbers of warnings and of products, which belong to no date or name that a result lists.
    units : mapping
        The units that numbers are known to have; one that a result tells without a unit is left out.
    implied : tuple of tuple
        What records lead to, with its units: the square of a correlation, the range of extremes.
    rates : mapping
        The numbers that are rates, with the days that they are told for.
    changes : tuple of tuple
        How much dated numbers change, with the days between.
    computed : frozenset of float
        What formulas made of numbers in hand: no result tells their unit.
    parts : tuple of float
        The parts of rasters that masks mark, and that are valid, from 0 to 1.
    adds : bool
        Whether two numbers count together: not where nothing is said to be so much in all.
    sets_apart : bool
        Whether differences of its numbers count: not where nothing is said to differ.
    tells_ratio : bool
        Whether ratios of its numbers count: not where nothing is said to be a part or so many times another.
    side : int
        Above (1) or below (-1) a limit the numbers of a series are counted; on both sides for 0.
    tells_rest : bool
        Whether of a list of yes and no those that are not so count too.
    against_mean : bool
        Whether the mean of a series is a limit, too.
    counts_shares : bool
        Whether how many of several lie beyond a limit counts as a share: not of ground, which has pixels.
    """

    numbers: tuple[float, ...] = ()
    single: tuple[float, ...] = ()
    series: tuple[tuple[float, ...], ...] = ()
    names: tuple[str, ...] = ()
    counts: tuple[float, ...] = ()
    dates: frozenset[str] = frozenset()
    words: str = ""
    limits: tuple[float, ...] = ()
    told: tuple[float, ...] = ()
    noted: tuple[float, ...] = ()
    units: Mapping[float, tuple[str, ...]] = field(default_factory=dict)
    implied: tuple[tuple[float, tuple[str, ...]], ...] = ()
    rates: Mapping[float, float] = field(default_factory=dict)
    changes: tuple[tuple[float, float], ...] = ()
    parts: tuple[float, ...] = ()
    computed: frozenset[float] = frozenset()
    adds: bool = True
    sets_apart: bool = True
    tells_ratio: bool = True
    counts_shares: bool = True
    side: int = 0
    tells_rest: bool = True
    against_mean: bool = True
    usual: tuple[float, ...] = ()

    def gives(
        self,
        claim: Claim,
        stated: Iterable[float] = (),
        falls: bool = False,
        sums: Iterable[tuple[float, tuple[str, ...]]] = (),
    ) -> bool:
        """Return whether a number follows: it stands there, or simple arithmetic leads to it.

        Parameters
        ----------
        stated : iterable of float
            Those numbers of the evidence that the answer states too, and the limits of the question:
            differences and ratios of these count.
        falls : bool
            What fell by 0.2 may be written without its sign.
        sums : iterable of tuple
            Sums and means of what the answer names, with their units.
        """
        if claim.per and (self._gives_rate(claim, falls) or not mentions(claim.per, self.words)):
            return self._gives_rate(claim, falls)
        if self.shows(claim, falls):
            return not (claim.per and self._is_rate(claim, falls))
        if claim.unit == "%" and any(_near(claim, per_cent(n), falls) for n in self.parts):
            return True
        if claim.unit and self._has_other_unit(claim):
            return False
        told = itertools.chain(sums, self._pair(list(dict.fromkeys(stated))))
        if any(
            _says(claim, n, falls, _FINE if units == _RATIO and _is_bare(claim) else math.inf, units)
            for n, units in told
            if self._may_be(claim, units)
        ):
            return True
        # A count is not written with decimals: 1.00 is another number.
        countable = (
            claim.unit == COUNT
            or claim.unit == "%"
            and self.counts_shares
            or claim.unit == ""
            and not ("." in claim.text and claim.number % 1 == 0)
        )
        if countable and any(_near(claim, n, falls, _FINE) for n in self._all_counts()):
            return True
        return any(
            _says(claim, n, falls, _FINE, units) for n, units in self._derive() if self._may_be(claim, units)
        )

    def _gives_rate(self, claim: Claim, falls: bool) -> bool:
        """Return whether something changes so fast."""
        rates = {n: days for n, days in self.rates.items() if self._can_be_told_in(claim, n)}
        paces = readings_per(claim, rates, self.changes, self.numbers)
        return any(_says(claim, pace, falls) for pace in paces)

    def _can_be_told_in(self, claim: Claim, slope: float) -> bool:
        """Return whether the unit of a claim is one of a slope: that of shares are percentage points."""
        units = self.units.get(slope, ())
        return not any(map(is_difference, units)) or any(True for _ in readings_of(claim, slope, units))

    def _is_rate(self, claim: Claim, falls: bool) -> bool:
        return any(_says(claim, number, falls) for number in self.rates)

    def _has_other_unit(self, claim: Claim) -> bool:
        """Return whether a claim has the digits of a number that is of another quantity."""
        near = [n for n in self.numbers if _near(claim, n, falls=True, coarsest=_FINE)]
        alike = [n for n in near if n % 1 or abs(n) >= _LARGE]
        return any(u and not list(readings_of(claim, n, u)) for n in alike for u in [self.units.get(n, ())])

    def shows(self, claim: Claim, falls: bool = False) -> bool:
        """Return whether a number stands there, rounded or in another unit."""
        return any(
            _says(claim, number, falls, units=self.units.get(number, ()))
            for number in self.numbers
            if number in self.computed or self._may_be(claim, self.units.get(number, ()))
        )

    def _may_be(self, claim: Claim, units: Sequence[str]) -> bool:
        """Return whether a number of some units, or of none, can be the area that is claimed."""
        return bool(units) or claim.unit not in _AREAS or not self._has_areas

    @cached_property
    def _has_areas(self) -> bool:
        """Whether some numbers are known to be areas."""
        return any(_AREAS & set(known) for known in self.units.values())

    def behind(self, claim: Claim, falls: bool = False) -> list[float]:
        """Return the numbers of the evidence that a claim may be, in the unit that it is told in."""
        return [
            each
            for n in self.numbers
            for each in readings_of(claim, n, self.units.get(n, ()))
            if _near(claim, each, falls)
        ]

    def per_cents(self) -> list[float]:
        """Return the numbers that are shares, in per cent, and what counts are of what was read."""
        found = [number for number in self.numbers if self.units.get(number) == ("%",)]
        found += [per_cent(number) for number in self.numbers if self.units.get(number) == ("1",)]
        found += [per_cent(n) for n in self.parts]
        found += [
            per_cent(n, count) for n in self.single for count in self.counts if count and 0 <= n <= count
        ]
        return found

    def _all_counts(self) -> Iterator[float]:
        yield from self.counts
        for values in self.series[:_MOST_SERIES]:
            side = 1 if set(values) <= {0.0, 1.0} and not self.tells_rest else self.side
            yield from _counts_beyond(values, self.limits, side, self.against_mean)

    def _derive(self) -> Iterator[tuple[float, tuple[str, ...]]]:
        """Yield what follows from the numbers of one series, and of single results, with its units."""
        known = {units for n in self.single if (units := self.units.get(n))}
        # A mean and a share make up no series.
        several = [self.single] if len(self.single) > 1 and len(known) <= 1 else []
        for values in (*self.series[:_MOST_SERIES], *several):
            units = self._units_of_all(values)
            if not _is_whole(values, units):  # the mean of all parts of a whole tells nothing of any
                yield from ((n, self.units.get(n) or units) for n in _summaries(values, self._add_up(values)))
            yield from ((n, difference_of(units)) for n in _spans(values) if self.sets_apart)
            yield from ((n, ("%",)) for n in _shares(values, of_all=has_parts(units)))
        yield from self.implied
        if len(self.single) <= _MOST_PAIRED:
            yield from self._pair([*self.single, *self.limits])

    def _add_up(self, values: Sequence[float]) -> bool:
        return all(adds_up(self.units.get(n, ())) for n in values)

    def _units_of_all(self, values: Sequence[float]) -> tuple[str, ...]:
        """Return the units that all numbers share; a difference has that of what it is made of."""
        shared = {tuple(map(without_difference, self.units.get(n, ()))) for n in values}
        return shared.pop() if len(shared) == 1 else ()

    def _pair(self, numbers: Sequence[float]) -> Iterator[tuple[float, tuple[str, ...]]]:
        """Yield what follows from two numbers with its units: differences, sums, ratios, changes.

        Hectares and per cent add up to nothing.
        """
        for a, b in itertools.permutations(numbers[: 2 * _MOST_PAIRED], 2):
            one, other = self.units.get(a, ()), self.units.get(b, ())
            # Of an index the rest is one too, and no share.
            units = one if one == other else _INDEX if _INDEX in (one, other) and () in (one, other) else ()
            if units or not one or not other:
                apart = self.sets_apart and a and b  # a number less nothing is itself
                yield from [(a - b, difference_of(units))] if apart else []
                # A limit of the question is no part of what results come to.
                found = not {a, b} & set(self.limits).difference(self.numbers)
                yield from [(a + b, units)] if found and self.adds and a and b and adds_up(units) else []
            alike = units or [*map(without_difference, one)] == [*map(without_difference, other)]
            of = (
                ("1",)
                if alike and one and other
                else ()
                if not one or not other
                else (f"{one[0]}/{other[0]}",)
            )
            yield from [(a / b, of)] if b and (self.tells_ratio or of not in ((), _RATIO)) else []
            yield from [(change_of(b, a), ("%",))] if b else []


# Where results have such numbers with their units, one without is of something else: pixels are no hectares.
_AREAS = frozenset({"ha", "km2", "m2", "acre"})
_INTENSIVE = frozenset({INDEX, "K", "degC", "degF", "degree", "degrees", "dB"})
_INDEX = (INDEX,)
_RATIO = ("1",)
_OF_INDEX = 0.05  # an index, from -1 to 1, is told in tenths at least
_OF_WHOLES = frozenset({"ha", "km2", "m2", "acre", "%", "", COUNT})


def _says(
    claim: Claim, number: float, falls: bool, coarsest: float = math.inf, units: Sequence[str] = ()
) -> bool:
    """Return whether a claim states a number, at most so coarsely in parts of it.

    What is converted to a unit that nobody names must be told finely: 7 is a rounding of too much.
    """
    counts = claim.thing in COUNTABLE  # of things there are so many in every unit
    if tuple(units) == _INDEX and claim.half > _OF_INDEX:  # 1 is no rounding of an index of 0.5
        claim = replace(claim, half=_OF_INDEX)
    if units and all(map(is_measured, units)) and (claim.thing in DATES or counts and number % 1):
        return False  # 137 m are no 137 days, and 98.5 % no 98 patches
    if claim.thing in SPANS and any(unit in SPANS and unit[:3] != claim.thing[:3] for unit in units):
        return False  # nor are 137 days 137 months
    return any(
        _near(claim, n, falls, coarsest if n == number or claim.unit else _FINEST)
        for n in readings_of(claim, number, units)
        if not counts or n == number
    )


def _is_bare(claim: Claim) -> bool:
    """Return whether a whole number stands alone, and is not told as how many times as large something is."""
    return not claim.unit and "." not in claim.text


def _near(claim: Claim, number: float, falls: bool, coarsest: float = math.inf) -> bool:
    number = abs(number) if falls and claim.number >= 0 else number
    exact = max(_RELATIVE * abs(number), 1e-12)
    fine = math.isinf(coarsest) or claim.half <= coarsest * abs(claim.number)
    half = claim.half * (1 + 1e-6) if fine else 0.0
    return abs(claim.number - number) <= max(half, exact)


def has_parts(units: Sequence[str]) -> bool:
    """Return whether numbers of some units make up a whole: areas and counts do, heights do not."""
    return not set(units) - _OF_WHOLES


def _is_whole(values: Sequence[float], units: Sequence[str]) -> bool:
    """Return whether some numbers are the shares of a whole, in per cent."""
    return tuple(units) == ("%",) and len(values) > 1 and abs(math.fsum(values) - _WHOLE) < _RELATIVE * _WHOLE


def adds_up(units: Sequence[str]) -> bool:
    """Return whether numbers of some units come to a sum: temperatures, indices and slopes do not."""
    return not any(unit in _INTENSIVE for unit in units)


def _summaries(values: Sequence[float], with_sum: bool = True) -> Iterator[float]:
    """Yield the mean, extremes and median of a series, and its sum."""
    if values:
        total = math.fsum(values)
        yield from [total] if with_sum else []
        yield from (total / len(values), max(values), min(values), statistics.median(values))


def _spans(values: Sequence[float]) -> Iterator[float]:
    """Yield the range of a series and how far its last number lies from its first."""
    if values:
        yield from (max(values) - min(values), values[-1] - values[0], values[0] - values[-1])


def _shares(values: Sequence[float], *, of_all: bool = True) -> Iterator[float]:
    """Yield what a series comes to in per cent: its change, and the part that each number is of all."""
    if values and values[0]:
        yield change_of(values[0], values[-1])
    total = math.fsum(values)
    if total and of_all:
        yield from (per_cent(value, total) for value in values[:_MOST_SERIES])


def _counts_beyond(
    values: Sequence[float], limits: Sequence[float], side: int = 0, against_mean: bool = True
) -> Iterator[float]:
    """Yield how many of a series lie beyond a limit, also as a share of all; on either side of it for 0."""
    if len(values) < 2:
        return
    mean = math.fsum(values) / len(values)
    parts = [part_of_one(n) for n in limits]
    of_mean = [mean, *(mean * factor for part in parts for factor in (1 + part, 1 - part, part))]
    shifted = [limit for n in limits for limit in (n, part_of_one(n), n + 273.15)]
    whole = (_WHOLE,) if 1 < max(values) <= _WHOLE else ()
    for limit in {0.0, *whole, *(of_mean if against_mean else ()), *shifted}:
        for count in (sum(v > limit for v in values), sum(v >= limit for v in values)):
            sides = {1: (count,), -1: (len(values) - count,), 0: (count, len(values) - count)}
            for chosen in sides[side]:
                yield from (float(chosen), per_cent(chosen, len(values)))


def limits_of(question: str) -> tuple[float, ...]:
    """Return the limits that a question names, as numbers or in words such as half."""
    words = [share for word, share in _SHARES.items() if word in question.casefold()]
    return (*(claim.number for claim in claims_in(question)), *words)
