"""Which parts of a question an answer leaves out, by how the planner reads the question.

An answer is held against what it cites; whether it tells all that was asked no step can show. Where the
question has one reading in its own words, that tells how many numbers, dates and names are asked for, and of
what each is. What an answer says of why it cannot tell a part is a reason, and no part left out in silence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from treeline.core.engine.actions import Answer
from treeline.core.engine.checks import COUNT
from treeline.core.engine.state import State
from treeline.core.engine.verification.claims import Claim, claim_of, claims_in, dates_in
from treeline.core.engine.verification.clauses import clauses_of, sentences
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.grounded_answer import GroundedAnswer
from treeline.core.engine.verification.labels import find_dates, find_names
from treeline.core.engine.verification.notation import COUNTABLE
from treeline.core.engine.verification.readings import readings_of
from treeline.core.engine.verification.shares import shares_in_words
from treeline.core.engine.verification.statistic_words import find_statistics
from treeline.core.query.asked_parts import AskedPart
from treeline.toolkit.units import UNITS

# Of more rows the first are named.
_MOST_NAMED = 5
# Longer tables are told by their ends, or by a file.
_LONG_TABLE = 12
_OF_A_DAY = len("2021-07-12")
# One number for several things.
_FOR_SEVERAL = re.compile(
    r"\b(?:both|each|all|every|equal\w*|same|identical\w*|alike|neither|either|none|no difference|unchanged)"
    r"\b",
    re.I,
)
# What tells a table without its rows: its ends, what is left of it, the file that holds it.
_SUMS_UP = re.compile(
    r"\b(?:between|range[sd]?|from|lowest|highest|smallest|largest|minimum|maximum|least|most|others?|rest|"
    r"remain\w*|all|every|each|none|table|map|file|csv|figure|chart|product)\b|\b\w+\.(?:csv|json|parquet|tif)\b",
    re.I,
)
# Why something cannot be told.
_CANNOT = re.compile(
    r"\b(?:cannot|can not|can't|could not|couldn't|unable|not (?:possible|available|known|given|told|"
    r"computed|measured|determined|there)|unavailable|unknown|impossible|undefined|missing|lack(?:s|ing)?|"
    r"(?:is|are|was|were|has|have|holds?|there(?:'s| is| are| was| were)) no|without)\b",
    re.I,
)
_REST = re.compile(r"\b(?:rest|others?|remaining|second|third|that part|latter|former)\b", re.I)


@dataclass(frozen=True, slots=True)
class SaidPart:
    """A part that a question asks for, and how it is said in words."""

    part: AskedPart
    said: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What an answer leaves out of a question.

    Attributes
    ----------
    said : tuple of str
        The parts that it says nothing of.
    explained : tuple of str
        Those of which it says why it cannot tell them.
    """

    said: tuple[str, ...] = ()
    explained: tuple[str, ...] = ()


def find_left_out(answer: Answer, state: State, parts: Sequence[SaidPart]) -> LeftOut:
    """Return which parts of a question an answer leaves out; of a choice among options none."""
    if state.choices or not answer.answers or not parts:
        return LeftOut()
    told = _ToldAnswer(answer, state, tuple(parts))
    lost = dict.fromkeys([*told.lost_rows(), *told.lost_labels(), *told.lost_numbers()])
    explained = {each for each in lost if told.explains(each)}
    said = {each.said: told.describe(each) for each in lost if each not in explained}
    return LeftOut(tuple(said.values()), tuple(each.said for each in lost if each in explained))


def describe_left_out(left: Sequence[str]) -> str:
    """Return what a model is told of the parts that its answer leaves out; empty where there are none."""
    if not left:
        return ""
    lines = "\n".join(f"- {each}" for each in left)
    return (
        f"The question asks for more than the answer tells. It leaves out:\n{lines}\nAnswer again in full: "
        "call the tools that give what is missing and cite their steps, or say in a sentence why that part "
        "cannot be told."
    )


def reason_of_left_out(left: Sequence[str]) -> str:
    """Return why an answer is unverified that leaves out parts of the question."""
    return f"The answer leaves out a part of the question: {'; '.join(left)}."


def warning_of_left_out(explained: Sequence[str]) -> str:
    """Return what is said beside an answer that tells why it leaves out parts of the question."""
    return f"The answer tells the rest of the question, and why it leaves this out: {'; '.join(explained)}."


@dataclass(frozen=True)
class _ToldAnswer:
    """An answer beside the parts that its question asks for."""

    answer: Answer
    state: State
    parts: tuple[SaidPart, ...]

    @cached_property
    def grounded(self) -> GroundedAnswer:
        """The answer beside all results, whichever it cites: what is left out is cited by none."""
        results = tuple(step for step in self.state.calls if step.observation.kind == "result")
        return GroundedAnswer(self.answer, self.state, results)

    @cached_property
    def text(self) -> str:
        """What it says, its dates written out."""
        return self.grounded.text

    @cached_property
    def claims(self) -> list[Claim]:
        """The numbers that it tells, each once in whatever units, but for those that repeat the question."""
        asked = {abs(claim.number) for claim in claims_in(self.state.question)}
        found = set(self.grounded.evidence.numbers)
        value = self.answer.value
        given = [claim_of(value, self.answer.unit)] if value is not None else []
        kept: list[Claim] = []
        for claim in [*claims_in(self.text), *shares_in_words(self.text), *given]:
            repeats = abs(claim.number) in asked and claim.number not in found
            if not repeats and not any(_is_same(claim, other) for other in kept):
                kept.append(claim)
        return kept

    def lost_rows(self) -> list[SaidPart]:
        """Return the tables of which it tells one row, or some and nothing of the others."""
        return [each for each in self.parts if each.part.along and self._untold_rows(each.part)]

    def _untold_rows(self, part: AskedPart) -> list[str]:
        """Return the labels of a table that it does not tell."""
        if part.value != "number":
            return []
        rows, told = self._rows(part), self._labels_told(part)
        left = [label for label in rows if label not in told]
        if len(rows) < 2 or not left:
            return []
        if (
            len(told) < 2
            and len(self.claims) < 2
            and not re.search(r"\bcsv|table|chart|map\b", self.text, re.I)
        ):
            return left
        return [] if len(rows) > _LONG_TABLE or _SUMS_UP.search(self.text) else left

    def _labels_told(self, part: AskedPart) -> list[str]:
        columns = [column for column in self.grounded.columns if column.dated is (part.along == "date")]
        if part.along == "date":
            return [own for date in dates_in(self.text) for own in self._rows(part) if own.startswith(date)]
        named = Column(dict.fromkeys([*self.grounded.legend.values(), *part.names], 0.0))
        return find_names(self.text, [*columns, named])

    def _rows(self, part: AskedPart) -> list[str]:
        """Return what a table has a row of, by the results, or else by what is told of the data."""
        dated = part.along == "date"
        tables = [c for c in self.grounded.columns if c.dated is dated and c.has_several]
        if tables:
            told = find_dates if dated else find_names
            best = max(tables, key=lambda column: (len(told(self.text, [column])), len(column.numbers)))
            return [*best.numbers]
        if dated:
            days = dates_in(self.state.context.get("catalogue", ""))
            return [day for day in days if len(day) == _OF_A_DAY and _is_of(day, part.dates)]
        by_class = any(getattr(each, "by", "") == "class" for each in part.expression.walk())
        return [*self.grounded.legend.values()] if by_class and self.grounded.legend else []

    def lost_labels(self) -> list[SaidPart]:
        """Return the parts that ask for dates or names of which it tells none, or too few."""
        return [
            each
            for each in self.parts
            if each.part.value in ("date", "name") and self._labels(each.part) < self._count_wanted(each.part)
        ]

    def _count_wanted(self, part: AskedPart) -> int:
        """Return how many dates or names are to be told: one of a single thing is left to other rules."""
        if len(self.parts) < 2 and part.count < 2:
            return 0
        there = self._known_labels(part)
        return min(max(part.count, 1), there) if there else 0

    def _known_labels(self, part: AskedPart) -> int:
        """Return how many labels the results have; dates stand in any of them."""
        tables = [c for c in self.grounded.columns if c.dated is (part.value == "date")]
        return max((len(column.numbers) for column in tables), default=0)

    def _labels(self, part: AskedPart) -> int:
        if part.value == "date":
            return len(dates_in(self.text)) or len(self.claims) * bool(_WITHIN_YEAR.search(self.text))
        return len(find_names(self.text, self.grounded.columns)) or bool(
            any(name in self.grounded.answer_text for name in self.grounded.evidence.names)
        )

    def lost_numbers(self) -> list[SaidPart]:
        """Return the parts that ask for a number where the answer has too few of them."""
        wanted = [each for each in self.parts if each.part.value == "number" and not each.part.along]
        alone = len(self.parts) < 2
        if not wanted or alone or _FOR_SEVERAL.search(self.text) and self.claims:
            return []
        fits = {each: [c for c in self.claims if self._may_be(c, each.part, wanted)] for each in wanted}
        count = len(_parts_without_number(fits))
        # Any of them may go without a number: it is that of which nothing else is told either.
        told = {each: self._told_of(each.part, wanted) for each in wanted}
        order = sorted(wanted, key=lambda each: told[each])
        if not count or count == len(order) or told[order[count - 1]] < told[order[count]]:
            return order[:count]
        alike = [each for each in order if told[each] == told[order[count]]]
        sure = [each for each in order[:count] if each not in alike]
        said = f"{count - len(sure)} of these: {', '.join(each.said for each in alike)}"
        return [*sure, SaidPart(alike[0].part, said)]

    def _may_be(self, claim: Claim, part: AskedPart, others: Sequence[SaidPart]) -> bool:
        """Return whether a number of the answer can be what a part asks for."""
        counted = part.unit.rstrip("s") in {thing.rstrip("s") for thing in COUNTABLE} or part.unit == COUNT
        if claim.thing in COUNTABLE or claim.unit == COUNT:
            return counted
        if counted and (claim.unit or claim.number % 1):
            return False
        if not _is_comparable(claim.unit, part.unit):
            return False
        before = self._leading(claim)
        named, asked = find_statistics(before), {s for each in others for s in each.part.statistics}
        if named and not named & asked and part.statistic:  # a deviation beside a mean is no maximum
            return False
        own = {each.part.statistic for each in others}
        return len(own) < 2 or not named & own or part.statistic in named

    def _leading(self, claim: Claim) -> str:
        """Return what stands before a number in its clause, up to the number before it."""
        clause = next((each for each in clauses_of(self.text) if claim.text in each), "")
        head = clause[: clause.find(claim.text)] if claim.text in clause else ""
        return re.split(r"\d(?:[\d.,]*\d)?", head)[-1]

    def _told_of(self, part: AskedPart, others: Sequence[SaidPart]) -> int:
        """Return how much an answer says, beside numbers, of what sets a part apart from the others."""
        told = " ".join(clause for clause in clauses_of(self.text) if claims_in(clause))
        return sum(any(_names(told, word) for word in words) for words in _apart(part, others))

    def explains(self, each: SaidPart) -> bool:
        """Return whether the answer says why a part cannot be told."""
        reasons = [sentence for sentence in sentences(self.answer.text) if _CANNOT.search(sentence)]
        others = [other for other in self.parts if other != each]
        own = [word for words in _apart(each.part, others) for word in words] or [*each.part.words]
        untold = self._untold_rows(each.part) if each.part.along else []
        return any(
            _REST.search(reason) or any(_names(reason, word) for word in (*own, *untold))
            for reason in reasons
        )

    def describe(self, each: SaidPart) -> str:
        """Return a part in words; of a table with the rows that are not told."""
        left = self._untold_rows(each.part) if each.part.along else []
        if not left:
            return each.said
        more = f" and {len(left) - _MOST_NAMED} more" if len(left) > _MOST_NAMED else ""
        return f"{each.said} (nothing is told of {', '.join(left[:_MOST_NAMED])}{more})"


_WITHIN_YEAR = re.compile(r"\bday \d{1,3}\b|\b(?:spring|summer|autumn|fall|winter)\b", re.I)


def _apart(part: AskedPart, others: Sequence[SaidPart]) -> list[Collection[str]]:
    """Return by what a part is told apart from others: statistic, names, dates, variables."""
    kinds: list[tuple[Collection[str], list[Collection[str]]]] = [
        ({part.statistic} - {""}, [{o.part.statistic} for o in others]),
        (part.names, [o.part.names for o in others]),
        (part.dates, [o.part.dates for o in others]),
        (part.roles, [o.part.roles for o in others]),
    ]
    found: list[Collection[str]] = [
        own for own, theirs in kinds if own and any(own != each for each in theirs)
    ]
    return found + [{part.unit}] * (part.unit not in ("", "1"))


def _names(text: str, word: str) -> bool:
    """Return whether a text names a statistic, a class, a date or a variable."""
    if word in find_statistics(text):
        return True
    if dates_in(word):
        return any(date.startswith(word) for date in dates_in(text))
    last = word.split()[-1] if word.split() else word
    return re.search(rf"(?<!\w){re.escape(last)}(?:s|es)?(?!\w)", text, re.I) is not None


def _is_same(claim: Claim, other: Claim) -> bool:
    """Return whether two numbers are one, each in its unit: 0.34 and 34 %."""
    half = max(claim.half, other.half) * (1 + 1e-6)
    if claim.unit == other.unit:
        counted = {each.thing for each in (claim, other) if each.thing in COUNTABLE}
        return abs(claim.number - other.number) <= half and len(counted) < 2
    units = (other.unit,) if other.unit else ()
    return bool(claim.unit) and any(
        abs(claim.number - n) <= half for n in readings_of(claim, other.number, units)
    )


def _is_comparable(one: str, other: str) -> bool:
    quantities = [UNITS[unit].quantity if unit in UNITS else "" for unit in (one, other)]
    return "" in quantities or quantities[0] == quantities[1]


def _is_of(day: str, times: Collection[str]) -> bool:
    return not times or any(day.startswith(time) for time in times)


def _parts_without_number(fits: Mapping[SaidPart, Sequence[Claim]]) -> list[SaidPart]:
    """Return the parts that are left where each number is given to one part that it may be, at the best."""
    owner: dict[int, SaidPart] = {}

    def place(part: SaidPart, seen: set[int]) -> bool:
        for claim in fits[part]:
            if id(claim) in seen:
                continue
            seen.add(id(claim))
            if id(claim) not in owner or place(owner[id(claim)], seen):
                owner[id(claim)] = part
                return True
        return False

    return [part for part in fits if not place(part, set())]
