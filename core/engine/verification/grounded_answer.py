"""What an answer states, beside what it rests on: which of its numbers follow, and which need no evidence."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from treeline.core.engine.actions import Answer
from treeline.core.engine.checks import COUNT
from treeline.core.engine.citations import without_citations
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.canonical_words import in_canonical_words
from treeline.core.engine.verification.claims import (
    Claim,
    claim_of,
    claims_in,
    dates_in,
    dates_of_file,
    months_in,
    with_classes_named,
    with_counted_days,
    with_plain_dates,
)
from treeline.core.engine.verification.clauses import clauses_of, sentences
from treeline.core.engine.verification.clouds import CLOUDS
from treeline.core.engine.verification.columns import Column, changes_of_months, columns_of
from treeline.core.engine.verification.comparisons import exchange_places, exchange_proportions
from treeline.core.engine.verification.degree_words import (
    exchange_fragmentation,
    exchange_moisture,
    exchange_uniformity,
    of_others,
)
from treeline.core.engine.verification.evidence import Evidence, adds_up, has_parts, limits_of
from treeline.core.engine.verification.evidence_of_steps import evidence_of
from treeline.core.engine.verification.labels import (
    ALL_TOGETHER,
    find_names,
    labels_in,
    legend_in,
    names_in_question,
)
from treeline.core.engine.verification.notation import (
    COUNTABLE,
    DATES,
    in_plain_digits,
    with_english_months,
    with_numbers_apart,
)
from treeline.core.engine.verification.origins import trace_origins
from treeline.core.engine.verification.own_arithmetic import (
    Scene,
    Working,
    as_days,
    find_variance,
    find_working,
)
from treeline.core.engine.verification.percent import part_of_one, per_cent
from treeline.core.engine.verification.phrases import ends_of_range, side, tells_difference, way
from treeline.core.engine.verification.question_words import asks_count
from treeline.core.engine.verification.rates import asks_rate, lasts_about
from treeline.core.engine.verification.readings import difference_of
from treeline.core.engine.verification.relation_words import levels_of_significance
from treeline.core.engine.verification.results import is_number, numbers_in
from treeline.core.engine.verification.samples import name_samples
from treeline.core.engine.verification.times_told import (
    count_dates_of_years,
    is_day_of_year,
    is_length_of_time,
    is_span,
)

# Of a longer row some share is near to any number.
_MOST_SHARES = 12
_TEMPERATURES = ("K", "degC", "degF")
_OF_PIXELS = ("m", "degrees")
_FALLS = re.compile(
    r"\b(?:f[ae]ll|fallen|drop|declin|decreas|reduc|los[st]|lower|less|fewer|below|cool|cold|shr[aiu]nk|down|"
    r"differ|apart|smaller|dri?e[rd]|earlier)\w*",
    re.I,
)
_DRYNESS = re.compile(r"tvdi|cwsi|dryness|drought|aridity|deficit|spei|\bvpd\b")
# The levels by which tests are usually told: named in an answer, they are no result that a step has to show.
_SIGNIFICANCE = (0.001, 0.01, 0.05, 0.1)
_CONFIDENCE = (0.1, 1.0, 5.0, 10.0, 90.0, 95.0, 99.0, 99.9)
# A share above it is told as confidence, one below as significance: nobody speaks of 40 % confidence.
_SURE = 50.0
_OF_THINGS = re.compile(
    r"\b(?:%|per ?cent|percentage|share|fraction|proportion|part) (?:of|in) (?:all |the |these |those |its )*"
    r"(?:\w+ )?(?:\w*(?:dates|days|images|scenes|rasters|months|years|acquisitions|observations|times|"
    r"classes|zones|districts|fields|parcels|polygons|regions|values|cases|points))\b",
    re.I,
)
_OF_NAMES = ("class", "zone", "categor", "region", "type")
_LEFT_OUT = re.compile(r"\b(\d+) dates?\b(?: of (\d+)\b)?")
_REMAINS = re.compile(
    r"\b(?:not|none|never|rest|remain\w*|others?|without|except|but|while|fail\w*|miss\w*|short of)\b|n't\b",
    re.I,
)
_PER = re.compile(
    r"\b(?:per|(?:every|each)(?: additional| further| extra| more)?|(?:high|low|great|small|larg)er by) "
    r"(\d[\d.,]* ?\S*)",
    re.I,
)
_AGAINST_MEAN = re.compile(
    r"\b(?:above|below|than|exceed\w*|under|over|of|from|to|around) (?:the |its |their |that )?(?:\w+ ){0,2}?"
    r"(?:mean|average)\b|\b(?:above|below)-average\b",
    re.I,
)
_SIZE = re.compile(r"\b(\d+) x (\d+) pixels\b")
_GRID = re.compile(r"\b(\d+) x (\d+) pixels of ([\d.]+) x ([\d.]+) m\b")
# What has an extent that the catalogue tells.
_OF_EXTENT = re.compile(
    r"\b(?:pixel|cell|grid|resolution|spacing|sampling|scene|area|image|raster|map|extent|region|site|total|"
    r"whole|entire|all|of (?:about |around |the )*\d|square|wide|high|tall|side)",
    re.I,
)
# What tells that numbers are taken together, or what is left of a whole.
_ADDS = re.compile(
    r"\b(?:together|combined|jointly|total\w*|altogether|overall|sum\w*|both|all|add\w*|plus|whole|"
    r"mak(?:e|es|ing) up|made up|account\w*|cover\w*|majority|"
    r"insgesamt|zusammen|skupaj|ensemble|juntos|insieme)\b|\+",
    re.I,
)
_NO_OTHER = re.compile(r"\b(?:no|none of the|not one of the) others?\b", re.I)
_TURN = 360.0  # degrees of the whole circle
_ROUGH = 0.02  # 101 ha are told as about 100 ha
_OF_A_KIND = "more of this kind"
_AND_MORE = re.compile(r"\band (\d+) (?:more|others)\b")
_TESTED = re.compile(r"\bp\s*[-=<>\u2264\u2265]|\bp[- ]values?\b|\bsignifican", re.I)
_LEVEL = re.compile(r"\b(?:confidence|significan\w*|level|interval|CI)\b", re.I)
# So many at an end of an order are a part of it: the first two points.
_AT_AN_END = r"\b(?:the|these|those) (?:first|last|other|remaining|next|two) "
_PER_CENT = re.compile(r"%|\bper ?cent|\bshare\b|\bproportion\b|\bfraction\b", re.I)
_YEARS = re.compile(r"\b(?:\d+|[a-z]+) (?:\w+ )?years\b", re.I)
# A time that lasts so long, and no list of years.
_ABOUT_SO_LONG = re.compile(
    r"\b(?:almost|nearly|about|around|roughly|approximately|over|more than|less than|some) \w+ years\b", re.I
)
_PAIR = re.compile(r"\b(?:between|of|for|on|in) (?:the|these|those) two\b", re.I)
# What says that one number was divided by another.
_RATIO = re.compile(
    r"\b(?:ratios?|times|twice|thrice|doubl\w+|tripl\w+|hal(?:f|ves|ved)|thirds?|quarters?|fractions?|"
    r"proportion\w*|shares?|parts?|quotient|divided|relative\w*|factor|\w*fold|per|as (?:much|many)|each|"
    r"apiece)\b|%",
    re.I,
)
_REST = re.compile(
    r"\b(?:not|rest|remain\w*|leav(?:es|ing)|wrong\w*|errors?|without|outside|other|else|non|free|clear)\b",
    re.I,
)
# The parts of what a policy is told that are about the data.
_OF_DATA = ("catalogue", "holdings")
_AMOUNTS = frozenset({"ha", "km2", "m2", "acre", COUNT})
_VARIANCE = re.compile(r"\bvarian|\bvariation|\bvariability", re.I)


@dataclass(frozen=True)
class GroundedAnswer:
    """An answer beside what it rests on."""

    answer: Answer
    state: State
    grounds: tuple[Step, ...]

    @cached_property
    def evidence(self) -> Evidence:
        """What the results hold that it rests on."""
        return evidence_of(self.grounds, limits_of(self.state.question))

    def with_text(self, text: str) -> GroundedAnswer:
        """Return an answer of another text beside the same results, which are not read again."""
        other = replace(self, answer=replace(self.answer, text=text))
        other.__dict__.update(evidence=self.evidence, columns=self.columns, legend=self.legend)
        return other

    @cached_property
    def text(self) -> str:
        """The answer's text, its dates written out, and places by their labels."""
        told = without_citations(self.answer.text, [step.number for step in self.state.steps])
        told = with_english_months(with_numbers_apart(with_classes_named(told)))
        told = name_samples(told, self.columns)
        told = exchange_proportions(in_canonical_words(told))
        told = with_plain_dates(told, self.evidence.dates, dates_in(self.state.question))
        return with_counted_days(told, self.evidence.dates)

    @cached_property
    def answer_columns(self) -> AnswerColumns:
        """What the answer says, beside the columns of its evidence."""
        asked, chosen = (
            with_plain_dates(with_english_months(text), self.evidence.dates)
            for text in (self.state.question, self.option)
        )
        asked, chosen = (name_samples(text, self.columns) for text in (asked, chosen))
        told = exchange_places(self.text, names_in_question(asked, self.columns))
        exchanges = [
            exchange_uniformity,
            *([exchange_moisture] if _DRYNESS.search(self.evidence.words) else []),
            *([exchange_fragmentation] if "patches" in self.evidence.words else []),
        ]
        for exchange in exchanges:
            asked, told, chosen = exchange(asked), exchange(told), exchange(chosen)
        return AnswerColumns(
            asked,
            told,
            chosen,
            [claim for claim in self.claims if not self.is_given(claim) or self._is_offered(claim)],
            self.value(),
            self.columns,
            self.grounds,
            self.evidence,
            count_dates_of_years(self.state.context.get("holdings", "")),
            self.legend,
            trace_origins(self.state.calls, self.legend),
        )

    def _is_offered(self, claim: Claim) -> bool:
        """Return whether an option alone names a number that a result gives: it is told as what was found."""
        offered = any(_is_same(claim.number, c.number) for c in claims_in("\n".join(self.state.choices)))
        asked = any(_is_same(claim.number, c.number) for c in claims_in(self.state.question))
        return offered and not asked and self.evidence.shows(claim)

    @cached_property
    def columns(self) -> list[Column]:
        """The results as columns."""
        return columns_of(self.grounds, self.legend, self.state.calls)

    @cached_property
    def legend(self) -> dict[str, str]:
        """The names of classes by their number."""
        return legend_in(self.state.context.get("holdings", ""))

    @cached_property
    def question_text(self) -> str:
        """What was said before anything was found: the question and its options."""
        return "\n".join([self.state.question, *self.state.choices])

    @cached_property
    def data_text(self) -> str:
        """What was told of the data; advice and documents of tools say nothing of this place."""
        return "\n".join(self.state.context.get(part, "") for part in _OF_DATA)

    @cached_property
    def given_numbers(self) -> tuple[float, ...]:
        """The numbers that need no evidence: those of the question, of what was told, and of the calls."""
        return (*self._said_numbers, *(claim.number for claim in (*self._data_claims, *self._extents)))

    @cached_property
    def _said_numbers(self) -> tuple[float, ...]:
        """The numbers of the question, its understanding and the calls."""
        told = [claim.number for claim in claims_in(f"{self.question_text} {self.answer.read_as}")]
        return (
            *told,
            *limits_of(self.state.question),
            *numbers_in(self.answer.expression),
            *self.evidence.told,
            *self.evidence.usual,
        )

    @cached_property
    def _data_claims(self) -> list[Claim]:
        """The numbers of what a policy was told of the data and of the task."""
        return [c for part in ("catalogue", "cards") for c in claims_in(self.state.context.get(part, ""))]

    @cached_property
    def _extents(self) -> list[Claim]:
        """How large rasters, and their pixels, are on the ground, by what the catalogue tells."""
        found = []
        for match in _GRID.finditer(self.state.context.get("catalogue", "")):
            columns, rows, width, height = map(float, match.groups())
            sides, area = (columns * width, rows * height), columns * width * rows * height
            lengths = [(round(n), "m") for n in (width, height, *sides)] + [(n / 1e3, "km") for n in sides]
            found += [claim_of(n, unit) for n, unit in (*lengths, (area / 1e4, "ha"), (area / 1e6, "km2"))]
        return found

    def _is_extent(self, claim: Claim) -> bool:
        """Return whether a number is an extent, as roughly as it is told."""
        alike = (e for e in self._extents if e.unit == claim.unit)
        return any(abs(e.number - claim.number) <= max(claim.half, _ROUGH * e.number) for e in alike)

    def _tells_extent(self, claim: Claim) -> bool:
        """Return whether a number is told as the size of a raster or of its pixels, and of no class in it."""
        told = [part for part in sentences(self.text) if claim.text in part and _OF_EXTENT.search(part)]
        own = [clause for part in told for clause in clauses_of(part) if claim.text in clause]
        of_all = rf"\b(?:of|out of) (?:about |all |the )*{re.escape(claim.text)}"
        return any(not find_names(part, self.columns) or re.search(of_all, part) for part in own)

    @cached_property
    def claims(self) -> list[Claim]:
        """The numbers of its text."""
        return claims_in(self.text)

    @cached_property
    def falls(self) -> bool:
        """Whether it tells of less, so that a number may stand without its sign."""
        if way(self.text) > 0:  # what is said to rise by a number did not fall by it
            return False
        return _FALLS.search(f"{self.state.question} {self.text}") is not None

    @cached_property
    def stated_numbers(self) -> list[float]:
        """The numbers of the evidence that the answer states, and the limits of the question."""
        rest = _REST.search(f"{self.state.question} {self.text}")
        shares = [claim.number for claim in self.claims if claim.unit == "%"]
        makes_all = any(round(a + b, 6) == 100 for a in shares for b in shares)
        whole = [100.0, 1.0, *(total for total, _ in self._totals)] if rest or makes_all else []
        # Of a year that is named each date is not: two of many numbers come to anything.
        labels = labels_in(f"{self.state.question} {self.text}", self.columns)
        rows: dict[str, list[float]] = {}
        for column in self.columns:
            own = [n for each in labels if len(row := column.under(each)) == 1 for n in row]
            rows.setdefault(column.quantity, []).extend(own)
        # Of one that is named alone each quantity has a number: its height by its area is nothing.
        of_several = [row for row in rows.values() if len(row) > 1 or whole or set(row) & set(self._behind)]
        return [*self._behind, *itertools.chain(*of_several), *self.evidence.limits, *whole]

    @cached_property
    def _totals(self) -> list[tuple[float, tuple[str, ...]]]:
        """What all classes or zones add up to, with units: those that are named leave the rest."""
        found = []
        for column in self.columns:
            numbers = [*column.numbers.values()]
            units = self.evidence.units.get(numbers[0], ())
            if not column.dated and len(numbers) > 1 and _is_amount(units):
                # What belongs to no class is part of the ground.
                rows = [numbers, *(row for row in self.evidence.series if set(numbers) < set(row))]
                found += [(math.fsum(row), units) for row in rows]
        return found

    @cached_property
    def _behind(self) -> list[float]:
        """The numbers of the evidence that the answer states."""
        return list(dict.fromkeys(n for claim in self.claims for n in self.evidence.behind(claim)))

    @cached_property
    def _named(self) -> list[list[float]]:
        """The numbers of the dates, classes and zones that the question or the answer names, by columns."""
        labels = labels_in(f"{self.state.question} {self.text}", self.columns)
        return [[n for label in labels for n in column.under(label)] for column in self.columns]

    @cached_property
    def sums(self) -> list[tuple[float, tuple[str, ...]]]:
        """Sums, means and shares of what the answer names, or states of one column, with units."""
        stated = [[n for n in self._behind if n in c.numbers.values()] for c in self.columns]
        labels = labels_in(f"{self.state.question} {self.text}", self.columns)
        each = [column.under(label) for column in self.columns for label in labels]  # of one year its dates
        told = labels_in(self.text, self.columns)
        rows = [*self._named, *stated, *each, *([n for t in told for n in c.under(t)] for c in self.columns)]
        whole = [
            column
            for column in self.columns
            if not column.of or dates_in(column.of) or column.of in self._both_texts
        ]
        rows += [row for column in whole if self._states_sum(row := [*column.numbers.values()])]
        rows += map(list, self._largest())
        rows += [
            [n for label in labels_in(clause, [column]) for n in column.under(label)]
            for clause in clauses_of(self.text)
            for column in self.columns
        ]
        slopes = [float(r["slope"]) for r in self._records if is_number(r.get("slope"))]
        per_base = [(slope * base, ()) for slope in slopes for base in self._bases]
        shares = [
            (per_cent(math.fsum(row), total), ("%",))
            for row in stated
            if len(row) > 1
            for total, _ in self._totals
            if total
        ]
        # What a month that is named without a year has in two of them.
        months = months_in(self.answer.text) | months_in(self.text)  # a month of both years has no date
        named = {f"-{month}" for month in months} if self._tells_difference else set[str]()
        moved = [row[of] for row in changes_of_months(self.columns) for of in named & row.keys()]
        changes = [(b - a, difference_of(self.evidence.units.get(a, ()))) for a, b in moved]
        if len(changes) > 1:
            changes.append((math.fsum(n for n, _ in changes) / len(changes), changes[0][1]))
        known = set(self.evidence.numbers)
        of_kinds = [
            (n, (c.unit,)) for c in self.columns if c.unit for n in c.numbers.values() if n not in known
        ]
        return [
            *shares,
            *per_base,
            *of_kinds,
            *changes,
            *(self._changes_of_named() if self._tells_difference else ()),
            *(each for row in rows if len(row) > 1 for each in self._sums_of(row)),
        ]

    def _changes_of_named(self) -> Iterator[tuple[float, tuple[str, ...]]]:
        """Yield by how much classes and zones that are named differ from one table to another of its kind."""
        kinds: dict[tuple[str, str], list[Column]] = {}
        for column in self.columns:
            if not column.dated:
                kinds.setdefault((column.quantity, column.unit), []).append(column)
        for one, other in (pair for alike in kinds.values() for pair in itertools.combinations(alike[:4], 2)):
            for label in find_names(self.text, [one, other]):
                for a, b in itertools.product(one.under(label), other.under(label)):
                    units = difference_of(self.evidence.units.get(a, ()))
                    yield from ((a - b, units), (b - a, units))

    def _largest(self) -> Iterator[Sequence[float]]:
        """Yield the largest numbers of rows, as many as are told: two components, three classes."""
        counts = {int(c.number) for c in self.claims if c.thing and c.number % 1 == 0}
        for row in (*(column.numbers.values() for column in self.columns), *self.evidence.series):
            largest = sorted(row, reverse=True)
            yield from (largest[:count] for count in counts if 1 < count < len(largest))

    @cached_property
    def _records(self) -> list[dict[str, Any]]:
        return [step.observation.value for step in self.grounds if isinstance(step.observation.value, dict)]

    @cached_property
    def _bases(self) -> set[float]:
        """For how much of another variable a slope is told: so much per 100 m."""
        return {claim.number for match in _PER.finditer(self.text) for claim in claims_in(match[1])[:1]}

    def _sums_of(self, row: Sequence[float]) -> Iterator[tuple[float, tuple[str, ...]]]:
        total, shared = math.fsum(row), {self.evidence.units.get(n, ()) for n in row}
        units = shared.pop() if len(shared) == 1 else ()
        yield from [(total, units)] if adds_up(units) else []
        yield total / len(row), units
        if has_parts(units):
            yield from ((per_cent(n, total), ("%",)) for n in row[:_MOST_SHARES] if total)

    def _states_sum(self, row: Sequence[float]) -> bool:
        return any(Evidence((math.fsum(row),)).shows(claim) for claim in self.claims)

    def follows(self, claim: Claim) -> bool:
        """Return whether a number follows from the results."""
        asked = f"{self.state.question} {self.state.context.get('catalogue', '')}"
        told = [claim]
        # Rasters of so much a month have numbers that no result tells to be rates.
        if claim.per and asks_rate(claim.per, asked) and not self.evidence.rates:
            told += [] if self._is_change_of_other_time(claim) else [replace(claim, per="")]
        falls = self.falls and not claim.text.startswith("+")
        asks_share = not claim.unit and _PER_CENT.search(self.state.question)
        told += [replace(each, unit="%") for each in told] if asks_share else []
        return any(self._extended.gives(each, self.stated_numbers, falls, self.sums) for each in told)

    def _is_change_of_other_time(self, claim: Claim) -> bool:
        """Return whether a number is a whole change, over another time than the one it is told for."""
        size = abs(claim.number)
        days = [over for change, over in self.evidence.changes if abs(abs(change) - size) <= claim.half]
        return bool(days) and not any(lasts_about(over, claim.per) for over in days)

    @cached_property
    def _extended(self) -> Evidence:
        """The evidence with the units of its totals, and what question and answer let be derived from it."""
        return replace(
            self.evidence,
            units={**dict(self._totals), **self.evidence.units},
            adds=_ADDS.search(f"{self.state.question} {self.answer_text}") is not None,
            sets_apart=self._tells_difference,
            tells_ratio=_RATIO.search(f"{self.state.question} {self.answer_text}") is not None,
            counts_shares=self._tells_share_of_things,
            side=self._side_of_counts,
            tells_rest=_REST.search(f"{self.state.question} {self.text}") is not None,
            against_mean=_AGAINST_MEAN.search(f"{self.state.question} {self.answer_text}") is not None,
        )

    @cached_property
    def _side_of_counts(self) -> int:
        """On which side of a limit is counted: the question's, where the answer tells of no other."""
        asked = side(self.state.question)
        told = {side(clause) for clause in clauses_of(self.text)}
        return 0 if -asked in told or _REMAINS.search(self.text) else asked

    @cached_property
    def _tells_difference(self) -> bool:
        """Whether question or answer set things against each other: else no number is one less another."""
        spoken = f"{self.state.question} {self.answer_text}"
        return tells_difference(spoken) or _REST.search(spoken) is not None

    @cached_property
    def _tells_share_of_things(self) -> bool:
        """Whether question or answer speak of a part of dates, classes or zones."""
        told = f"{self.state.question} {self.answer_text}"
        return asks_count(self.state.question) or _OF_THINGS.search(told) is not None

    def is_given(self, claim: Claim) -> bool:
        """Return whether a number needs no evidence: it was said before, or counts what the answer lists."""
        listed = self._listed | self._listed_things(claim)
        if self.answer.expression and claim.number in self._dates_of_catalogue:
            return True
        if claim.number == _TURN and claim.unit == "degree":
            return True
        if claim.number in _SIGNIFICANCE and (claim.limit or _TESTED.search(self.text)):
            return True
        if claim.unit == "%" and claim.number in _CONFIDENCE and self._is_level(claim):
            return True
        # How many there are is told without decimals; of none nothing is listed, and none has to be found.
        if claim.unit in ("", COUNT) and "." not in claim.text and claim.number and claim.number in listed:
            return True
        if any(_is_same(claim.number, n) for n in self._said_numbers if n) and not self._is_other_share(
            claim
        ):
            return True
        # A number of the catalogue is of its own unit: 12 pixels are no 12 %.
        if any(_is_same(claim.number, c.number) and _is_alike(claim, c) for c in self._data_claims):
            return True
        if self._is_extent(claim) and self._tells_extent(claim):
            return True
        if self._records and claim.number in self._bases:
            return True
        if self._is_rest(claim, listed) or claim.unit in ("", COUNT) and claim.number in self.scene.pixels:
            return True
        if claim.unit in ("", COUNT) and re.search(
            rf"{_AT_AN_END}{re.escape(claim.text)}\b", self._plain, re.I
        ):
            return True
        # A limit that the question or a call names, in another unit.
        named = (*limits_of(self.state.question), *self.evidence.told)
        return claim.unit in _TEMPERATURES and Evidence(named).shows(replace(claim, limit=False))

    @cached_property
    def _listed(self) -> frozenset[float]:
        """How many dates and names the answer lists, and of how many dates there are numbers in its times."""
        dates = dates_in(self.text)
        listed = {float(len(dates)), float(len(find_names(self.text, self.columns)))}
        listed |= {float(self._count_of(date)) for date in dates}
        listed |= {float(len(column.under(date))) for date in dates for column in self._dated_columns}
        if _PAIR.search(self.text):
            listed.add(2.0)
        if _YEARS.search(self.text) and not _ABOUT_SO_LONG.search(self.text):
            listed.add(float(len({date[:4] for date in self.evidence.dates})))
        return frozenset(listed)

    def _listed_things(self, claim: Claim) -> set[float]:
        """Return how many of what a number is told to count the columns have."""
        listed = set[float]()
        if claim.thing in DATES and re.search(
            rf"\b(?:all|these|those) {re.escape(claim.text)}\b", self._plain
        ):
            listed |= {float(len(column.numbers)) for column in self._dated_columns}
        if claim.thing.startswith(_OF_NAMES):
            listed |= {float(len(column.numbers)) for column in self.columns if not column.dated}
        if claim.thing:  # of how many largest a sum is told
            listed |= {float(len(row)) for row in self._largest() if self._states_sum(row)}
        return listed

    @cached_property
    def _plain(self) -> str:
        """The answer's text with its numbers in digits."""
        return in_plain_digits(self.text)

    @cached_property
    def _dated_columns(self) -> list[Column]:
        """The columns by date, but those that only tell how cloudy the dates were."""
        return [column for column in self.columns if column.dated and column.quantity != CLOUDS]

    @cached_property
    def _dates_of_catalogue(self) -> set[float]:
        """Of how many dates the planner says what it did with them, which no call tells: data lack them."""
        return {float(n) for match in _LEFT_OUT.finditer(self.answer.text) for n in match.groups() if n}

    def _count_of(self, date: str) -> int:
        """Return how many numbers results have of a day, month or year."""
        day_of_files = [text for step in self.grounds for text in self._files_of(step)]
        return sum(any(each.startswith(date) for each in dates_of_file(text)) for text in day_of_files)

    @staticmethod
    def _files_of(step: Step) -> list[str]:
        lists = [each for each in (step.observation.arguments or {}).values() if isinstance(each, list)]
        return [text for each in lists for text in each if isinstance(text, str)]

    def _is_other_share(self, claim: Claim) -> bool:
        """Return whether a number is told as a share and was said as none: the limit of an index."""
        told = claims_in(f"{self.question_text} {self.answer.read_as}")
        own = {each.unit for each in told if _is_same(claim.number, each.number)}
        return claim.unit == "%" and not claim.limit and "%" not in own

    def _is_level(self, claim: Claim) -> bool:
        """Return whether a share is one of confidence or significance: at the 5 % level, 95 % confidence."""
        if claim.number > _SURE:
            return _LEVEL.search(self.text) is not None
        return any(level == part_of_one(claim.number) for level, _ in levels_of_significance(self.text))

    def _is_rest(self, claim: Claim, listed: Collection[float]) -> bool:
        """Return whether a number is how many of a list the answer leaves out: "and 60 more" of 100."""
        told = {float(match[1]) for match in _AND_MORE.finditer(self.text)}
        shown = {*listed, float(self.text.count(";") + 1)}
        shown |= {1.0} if _OF_A_KIND in self.text else set()  # the first stands for the others
        return claim.number in told and any(count - claim.number in shown for count in self.evidence.counts)

    def is_catalogued(self, claim: Claim) -> bool:
        """Return whether the catalogue itself tells the number, such as the size of a pixel.

        Whole numbers are counts there, and a number without a unit of length may be of anything.
        """
        if claim.unit not in _OF_PIXELS:
            return False
        told = claims_in(self.state.context.get("catalogue", ""))
        return any("." in c.text and abs(claim.number - c.number) <= c.half * (1 + 1e-6) for c in told)

    def _is_between_dates(self, claim: Claim) -> bool:
        named = dates_in(f"{self.state.question} {self.text}")
        read = sorted(self.evidence.dates)
        # What lies between the first and the last date of the results need not be named.
        return is_span(claim, self.text, [*named, *read[:1], *read[-1:]])

    def tells_time(self, claim: Claim) -> bool:
        """Return whether a number is a time: between dates, a day of the year, days as weeks or years."""
        return (
            self._is_between_dates(claim)
            or is_day_of_year(claim, self.text, self.evidence)
            or is_length_of_time(claim, self.evidence)
        )

    def is_bound(self, claim: Claim) -> bool:
        """Return whether a limit is the end of a column that is rounded away from it: all above 0.62."""
        of = self.answer_columns.clauses
        direction = next((side(clause) for clause in of if claim in claims_in(clause)), 0)
        if not claim.limit or not direction:
            return False
        if any(_NO_OTHER.search(clause) for clause in of if claim in claims_in(clause)):
            direction = -direction
        apart = [
            {label: (n - claim.number) * direction for label, n in column.numbers.items()}
            for column in self.columns
        ]
        named = self.answer_columns.labels
        others = [[n for label, n in row.items() if label not in named] for row in apart]
        whole = any(row and 0 <= min(row.values()) <= 2 * claim.half for row in apart)
        return whole or of_others(self.text) and any(row and min(row) >= 0 for row in others)

    def is_end_of_range(self, claim: Claim) -> bool:
        """Return whether all that its clause names lies between it and another number: 5.1 and 5.3 K."""
        for clause in self.answer_columns.clauses:
            ends = ends_of_range(clause)
            labels = labels_in(clause, self.columns)
            if claim.text not in [text for text, _ in ends] or not labels:
                continue
            low, high = (number for _, number in ends)
            rows = [[n for label in labels for n in column.under(label)] for column in self.columns]
            return any(row and low - claim.half <= min(row) <= max(row) <= high + claim.half for row in rows)
        return False

    def working_of(self, claim: Claim) -> Working | None:
        """Return what other numbers of its paragraph a number was worked out of; ``None`` where of none.

        Each of them has to follow; how large images are is known. What a limit is of stands in its sentence.
        """
        parts = sentences(self.text) if claim.limit else self.text.splitlines()
        of = next((part for part in parts if claim in claims_in(part)), self.text)
        known = (self.follows, self._is_between_dates, self._is_extent)
        told = [c for c in claims_in(of) if c.number in self.scene.pixels or any(is_it(c) for is_it in known)]
        told += self._areas_of_named(of) if claim.unit in _AMOUNTS else []
        direction = side(of) * (-1 if claim.unit == "1" and claim.number < 1 else 1)
        found = find_working(claim, [as_days(other) for other in told], self.scene, direction)
        found = found or (find_variance(claim, told) if _VARIANCE.search(of) else None)
        sentence = next((part for part in sentences(self.text) if claim in claims_in(part)), "")
        return found or (self._share_of_named(claim, sentence) if claim.unit == "%" else None)

    def _share_of_named(self, claim: Claim, sentence: str) -> Working | None:
        """Return what classes or zones that a sentence names have of all together, where a share is that."""
        for column in (column for column in self.columns if column.unit in _AMOUNTS and not column.dated):
            names = [name for name in find_names(sentence, [column]) if name != ALL_TOGETHER]
            part = [n for name in names for n in column.under(name)]
            whole = math.fsum(n for label, n in column.numbers.items() if label != ALL_TOGETHER)
            if len(part) == len(names) > 1 and whole:
                share = per_cent(math.fsum(part), whole)
                if abs(share - claim.number) <= claim.half:
                    return Working(f"{' + '.join(names)} of all, in per cent", share)
        return None

    def _areas_of_named(self, text: str) -> list[Claim]:
        """Return the areas of the classes and zones that a text names, of which it may tell parts."""
        labels = find_names(text, self.columns)
        areas = [column for column in self.columns if column.unit in _AMOUNTS]
        found = [(n, column.unit) for column in areas for label in labels for n in column.under(label)]
        return [claim_of(number, unit) for number, unit in dict.fromkeys(found)]

    @cached_property
    def scene(self) -> Scene:
        """How many pixels the rasters have, and how large these and all are, by what the catalogue tells."""
        catalogue = self.state.context.get("catalogue", "")
        pixels = tuple(dict.fromkeys(float(w) * float(h) for w, h in _SIZE.findall(catalogue)))
        areas = tuple(dict.fromkeys(float(w) * float(h) for *_, w, h in _GRID.findall(catalogue)))
        grids = (tuple(map(float, match.groups())) for match in _GRID.finditer(catalogue))
        return Scene(pixels, areas, tuple(dict.fromkeys(math.prod(grid) for grid in grids)))

    def value(self) -> Claim | None:
        """Return the number of the answer; unit and time are those of its text where it has none."""
        if self.answer.value is None:
            return None
        claim = claim_of(self.answer.value, self.answer.unit)
        alike = [c for c in self.claims if abs(c.number - claim.number) <= c.half * (1 + 1e-6)]
        if not alike:
            return claim
        return replace(claim, unit=claim.unit or alike[0].unit, per=alike[0].per)

    @cached_property
    def _both_texts(self) -> str:
        return f"{self.state.question} {self.answer_text}".casefold()

    @cached_property
    def answer_text(self) -> str:
        """Its text and its option, in lower case."""
        return f"{self.answer.text} {self.option}".casefold()

    @cached_property
    def option(self) -> str:
        """The option that it chooses; empty where it chooses none."""
        place = ord(self.answer.choice) - ord("A") if self.answer.choice else -1
        return self.state.choices[place] if 0 <= place < len(self.state.choices) else ""


def _is_same(one: float, other: float) -> bool:
    return abs(abs(one) - abs(other)) <= 1e-9 * abs(other)


def _is_alike(claim: Claim, other: Claim) -> bool:
    """Return whether two numbers are of one unit, and count the same things where one counts some."""
    one, another = claim.thing.rstrip("s"), other.thing.rstrip("s")
    counts = any(f"{thing}s" in COUNTABLE for thing in (one, another))
    return claim.unit in ("", other.unit) and (one == another or not counts and not (one and another))


def _is_amount(units: Sequence[str]) -> bool:
    return bool(units) and set(units) <= _AMOUNTS
