"""What each number of an answer is, told from the steps that gave it and in words that no model chose.

Rules that read relations from a model's words miss some of them. Whoever rests on an answer can look here: a
number that is told as the mean of the forest, and is the maximum of the meadow, stands here as the latter.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from treeline.core.engine.actions import NumberSource
from treeline.core.engine.citations import read_citations
from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.evidence import adds_up
from treeline.core.engine.verification.facts import Fact
from treeline.core.engine.verification.grounded_answer import GroundedAnswer
from treeline.core.engine.verification.grounds import grounds_of
from treeline.core.engine.verification.labels import find_dates, find_names
from treeline.core.engine.verification.origins import UNKNOWN, Limit, Origin
from treeline.core.engine.verification.percent import change_of
from treeline.core.engine.verification.readings import difference_of, name_unit
from treeline.core.engine.verification.results import IDENTIFIERS, is_number, quantity_of
from treeline.core.engine.verification.statistic_words import find_statistics, noun_of, statistic_of
from treeline.toolkit.variables import VARIABLES

# Of more numbers some two differ by anything.
_MOST_OPERANDS = 24
_MOST_SOURCES = 40
_MOST_LISTED = 31
# How coarse in parts of itself a number is told that is one of many by chance.
_FINE = 0.05
_FEW = 3
# What stands between a number and what is cited for it names no other number.
_NEXT_CITATION = re.compile(r"[^\d\[\]]{0,60}?\[[^\[\]]+\]")
# What tables call a quantity by its unit.
_WORDS = {"percent": "share", "area_ha": "area", "area_on_ground": "area on the ground"}
_SIGN_OF_UNIT = {"degC": "\u00b0C", "degF": "\u00b0F", "degree": "\u00b0", "degrees": "\u00b0"}
_UNTOLD = frozenset({"", "1", "index", "class", "count"})
_LONGEST_SYMBOL = 6
# Statistics in the unit of what they are of.
_OF_THE_UNIT = frozenset({"mean", "median", "max", "min", "std", "percentile", "range"})
# What two numbers of results come to, in words.
_OPERATIONS: tuple[tuple[str, Callable[[float, float], float]], ...] = (
    ("{0} less {1}", lambda a, b: a - b),
    ("{0} and {1} together", lambda a, b: a + b),
    ("{0} divided by {1}", lambda a, b: a / b),
    ("change in per cent from {1} to {0}", lambda a, b: change_of(b, a)),
)


def find_sources(grounded: GroundedAnswer) -> tuple[NumberSource, ...]:
    """Return what the numbers of an answer are, in its order; those that no result gives have no source.

    Of several results that a number may be, the one is told that what stands beside it speaks of.
    """
    answer = grounded.answer_columns
    every = list(_stated(grounded))
    stated = every[:_MOST_SOURCES]
    cited = [_cited_beside(claim, grounded) for claim, _ in stated]
    own = [
        _nearest(_facts_of(answer, claim, clause), clause, answer, steps)
        for (claim, clause), steps in zip(stated, cited, strict=True)
    ]
    operands = _operands(answer, [fact for facts in own for fact in facts[:1]])
    found: dict[NumberSource, None] = {}
    for (claim, _), facts, steps in zip(stated, own, cited, strict=True):
        key = _as_told(claim)
        source = _source_of_fact(key, facts, grounded, steps) if facts else None
        source = source or _source_of_arithmetic(key, claim, operands, grounded)
        source = source or _source_of_column(key, claim, answer) or _without_source(key, claim, grounded)
        if source:
            found[source] = None
    left = len(every) - len(stated)
    return (
        *found,
        *([NumberSource(f"{left} more", (), "not looked up: the answer is long")] if left else []),
    )


def _stated(grounded: GroundedAnswer) -> Iterator[tuple[Claim, str]]:
    """Yield the numbers that an answer tells as found, with the clauses that state them."""
    for clause in grounded.answer_columns.clauses:
        for claim in claims_in(clause):
            if not grounded.is_given(claim) or grounded.follows(claim):
                yield claim, clause
    value = grounded.value()
    if value is not None and not any(abs(c.number - value.number) <= c.half for c in grounded.claims):
        yield value, grounded.text


def _facts_of(answer: AnswerColumns, claim: Claim, clause: str) -> list[Fact]:
    """Return the numbers of results that a number may be, rounded or in another unit.

    What is told coarsely is one of many by chance: it has to be of what is spoken of.
    """
    shown = [fact for fact in answer.facts if answer.shows(claim, [fact.number])]
    # A whole number of a few is the number of a class by chance.
    shown = [fact for fact in shown if fact.number % 1 or _key_of(fact) not in IDENTIFIERS]
    if claim.limit and not _is_fine(claim):
        return []
    if _is_fine(claim) and not claim.limit:
        return shown
    spoken = _labels_in(f"{clause} {answer.question}", answer)
    return [f for f in shown if not f.labels or any(_is_of(label, f.names | f.dates) for label in spoken)]


def _is_fine(claim: Claim) -> bool:
    return claim.half <= _FINE * abs(claim.number)


def _labels_in(text: str, answer: AnswerColumns) -> set[str]:
    return {*find_names(text, answer.columns), *find_dates(text, answer.columns)}


def _cited_beside(claim: Claim, grounded: GroundedAnswer) -> tuple[int, ...]:
    """Return the steps that sentences with a number cite for it: those right behind it, or any of them."""
    known, number = {step.number for step in grounded.state.steps}, re.escape(claim.text)
    found: list[int] = []
    for sentence in sentences(grounded.answer.text):
        for match in re.finditer(rf"(?<![\w.,])[-+\u2212]?{number}(?!\w|[.,]\d)", sentence):
            behind = _NEXT_CITATION.match(sentence[match.end() :])
            found += read_citations(behind[0] if behind else sentence, known)
    return tuple(dict.fromkeys(found))


def _nearest(facts: Sequence[Fact], clause: str, answer: AnswerColumns, cited: Collection[int]) -> list[Fact]:
    """Return facts, those first of steps that are cited, of what a clause or the question names."""
    statistics = find_statistics(clause) or find_statistics(answer.question)
    beside, asked = _labels_in(clause, answer), _labels_in(answer.question, answer)

    def fit(fact: Fact) -> tuple[bool, int, int, int, int]:
        own = fact.names | fact.dates
        return (
            fact.step.number not in cited,
            -sum(_is_of(label, own) for label in beside),
            -(fact.statistic in statistics),
            -sum(_is_of(label, own) for label in asked),
            -fact.step.number,  # what was handed on stands in several
        )

    return sorted(facts, key=fit)


def _is_of(label: str, own: Iterable[str]) -> bool:
    return any(each == label or bool(dates_in(label)) and each.startswith(label) for each in own)


def _operands(answer: AnswerColumns, told: Sequence[Fact]) -> list[Fact]:
    """Return what a difference may be of: the numbers that are told, and those of what is named.

    Of a year that is named each date is not: two of many numbers come to anything.
    """
    found = {fact.number: fact for fact in told}
    for label in sorted(_labels_in(f"{answer.question} {answer.text}", answer)):
        of_label: dict[str, list[Fact]] = {}
        for fact in answer.facts:
            if _is_of(label, fact.labels):
                of_label.setdefault(f"{fact.statistic} {_key_of(fact)}", []).append(fact)
        for facts in of_label.values():
            found.update({fact.number: fact for fact in facts if len(facts) <= _FEW})
    return list(found.values())[:_MOST_OPERANDS]


def _source_of_fact(
    key: str, facts: Sequence[Fact], grounded: GroundedAnswer, cited: Sequence[int]
) -> NumberSource:
    fact = facts[0]
    told = _describe(fact, grounded)
    others = {_describe(f, grounded): f for f in facts[1:] if f.number != fact.number}
    same = len(others) > 1 and len({f.number for f in facts}) > 1
    more = f"; as rounded, also {len(others)} other numbers" if same else ""
    wrong = _is_miscited(fact, cited, grounded)
    other = f", and not of step {cited[0]}, which is cited for it" if wrong else ""
    return NumberSource(key, (fact.step.number,), f"{told}: {_write(fact, grounded)}{more}{other}")


def _is_miscited(fact: Fact, cited: Sequence[int], grounded: GroundedAnswer) -> bool:
    """Return whether what is cited for a number is one step with numbers, and none that led to its own."""
    own = grounds_of(replace(grounded.answer, evidence=(fact.step.number,), map=""), grounded.state)
    (only, *others) = cited or [0]
    with_numbers = any(f.step.number == only for f in grounded.answer_columns.facts)
    return bool(only) and not others and with_numbers and only not in {step.number for step in own}


def _source_of_arithmetic(
    key: str, claim: Claim, operands: Sequence[Fact], grounded: GroundedAnswer
) -> NumberSource | None:
    """Return the two numbers that a number is the difference, sum, ratio or change of."""
    if not _is_fine(claim) and claim.unit in _UNTOLD:  # it is something by chance
        return None
    units = grounded.evidence.units
    for words, compute in _OPERATIONS:
        for a, b in itertools.permutations(operands, 2):
            if not _are_alike(a, b, grounded) or "together" in words and not adds_up(units.get(a.number, ())):
                continue
            number = compute(a.number, b.number)
            of = difference_of(units.get(a.number, ())) if "less" in words else ()
            of = ("%",) if "per cent" in words else ("1",) if "divided" in words else of
            if grounded.answer_columns.with_numbers({number: of}).shows(claim):
                told = words.format(*(f"{_write(f, grounded)} ({_describe(f, grounded)})" for f in (a, b)))
                steps = tuple(dict.fromkeys((a.step.number, b.step.number)))
                return NumberSource(key, steps, f"{told}: {number:.6g}")
    return None


def _are_alike(a: Fact, b: Fact, grounded: GroundedAnswer) -> bool:
    """Return whether two numbers can be set against each other: one kind of two things, two kinds of one."""
    units = grounded.evidence.units
    alike = (a.statistic, _key_of(a)) == (b.statistic, _key_of(b)) or a.names | a.dates == b.names | b.dates
    return alike and bool(a.number and b.number) and units.get(a.number, ()) == units.get(b.number, ())


def _source_of_column(key: str, claim: Claim, answer: AnswerColumns) -> NumberSource | None:
    """Return the column that a number is the mean, the sum or the range of."""
    if not _is_fine(claim) or claim.limit:
        return None
    for column in answer.columns:
        numbers = [*column.numbers.values()]
        units = answer.evidence.units.get(numbers[0], ()) if numbers else ()
        if len(numbers) < 2:
            continue
        told = {
            "mean": (sum(numbers) / len(numbers), units),
            "range": (max(numbers) - min(numbers), difference_of(units)),
            **({"sum": (sum(numbers), units)} if adds_up(units) else {}),
        }
        for name, (number, of) in told.items():
            if answer.with_numbers({number: of}).shows(claim):
                steps = {f.step.number for f in answer.facts if f.number in column.numbers.values()}
                what = f"{name} of {_quantity(column)}{len(numbers)} {'dates' if column.dated else 'rows'}"
                return NumberSource(key, tuple(sorted(steps)[:1]), f"{what}: {number:.6g}")
    return None


def _without_source(key: str, claim: Claim, grounded: GroundedAnswer) -> NumberSource | None:
    """Return what a number is that no result gives; small whole ones count what the answer lists."""
    if not claim.unit and claim.number % 1 == 0 and abs(claim.number) <= _MOST_LISTED or claim.limit:
        return None
    if claim.number in grounded.scene.pixels:
        return NumberSource(key, (), "the pixels of a raster, by the catalogue")
    working = grounded.working_of(claim)
    if working is not None:
        return NumberSource(key, (), f"worked out here, {working.told}: {working.number:.6g}")
    if grounded.follows(claim):
        return NumberSource(key, (), "follows from several results")
    return None if grounded.is_given(claim) else NumberSource(key, (), "no step gives it")


def _quantity(column: Column) -> str:
    told = column.quantity.replace("_", " ")
    return f"{noun_of(statistic_of(told) or told)} of " if told else ""


def _describe(fact: Fact, grounded: GroundedAnswer) -> str:
    """Return what a number of a result is: its statistic, its variable, and the ground and time it is of."""
    key, origin = _key_of(fact), fact.origin
    statistic = noun_of(fact.statistic)
    own = key and not statistic_of(key) and key.casefold() not in fact.names
    quantity = _WORDS.get(key, key.replace("_", " ")) if own else statistic
    quantity = quantity or quantity_of(fact.step).replace("_", " ")
    variables = ", ".join(sorted(map(_name_of_variable, origin.variables - {UNKNOWN})))
    head = " of ".join(filter(None, [quantity, variables])) or "value"
    names = ", ".join(sorted(_as_written(name, fact.step, grounded) for name in fact.names))
    limits = ", ".join(sorted(map(_name_limit, origin.limits)))
    clear = "without clouds" if origin.is_clear else ""
    parts = [names, _name_dates(fact.dates), limits, clear, _of_change(origin)]
    return ", ".join(filter(None, [head, *parts]))


def _key_of(fact: Fact) -> str:
    """Return what a table or record calls a number; empty where it does not, or by the number of a class."""
    keys = dict.fromkeys(_keys_of(fact.step.observation.value, fact.number))
    return next((key for key in keys if not key.lstrip("-").isdigit()), "")


def _keys_of(value: Any, number: float, key: str = "") -> Iterator[str]:
    if is_number(value) and float(value) == number:
        yield key
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _keys_of(item, number, str(name))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _keys_of(item, number, key)


def _name_of_variable(role: str) -> str:
    known = VARIABLES.get(role)
    if known is None or known.kind == "index" or role == "lst":
        return role.upper() if len(role) <= _LONGEST_SYMBOL else role.replace("_", " ")
    return known.title[:1].lower() + known.title[1:]


def _as_written(name: str, step: Step, grounded: GroundedAnswer) -> str:
    """Return a class or zone as results or the legend write it: labels are kept in lower case."""
    texts = (step.observation.text, *grounded.legend.values(), grounded.data_text)
    found = (re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.I) for text in texts)
    return next((match[0] for match in found if match), name)


def _name_dates(dates: frozenset[str]) -> str:
    told = sorted(dates)
    if len(told) <= _FEW:
        return ", ".join(told)
    return f"{len(told)} dates from {told[0]} to {told[-1]}"


def _name_limit(limit: Limit) -> str:
    return f"{'above' if limit.side > 0 else 'below'} {limit.number:g}"


def _of_change(origin: Origin) -> str:
    return {1: "later less earlier", -1: "earlier less later"}.get(origin.change, "")


def _write(fact: Fact, grounded: GroundedAnswer) -> str:
    """Return the number of a fact with its unit, with more digits than answers have."""
    units = {name_unit(unit) for unit in grounded.evidence.units.get(fact.number, ())} or _units_of_variable(
        fact
    )
    unit = units.pop() if len(units) == 1 else ""
    return f"{fact.number:.6g} {'' if unit in _UNTOLD else _SIGN_OF_UNIT.get(unit, unit)}".rstrip()


def _units_of_variable(fact: Fact) -> set[str]:
    """Return the unit of what was measured, for a statistic that has it and whose table tells none."""
    known = [VARIABLES[role] for role in fact.origin.variables if role in VARIABLES]
    return {each.unit for each in known} if fact.statistic in _OF_THE_UNIT and len(known) == 1 else set()


def _as_told(claim: Claim) -> str:
    """Return a number as an answer tells it, with its unit."""
    unit = "" if claim.unit in _UNTOLD else name_unit(claim.unit)
    per = f" per {claim.per}" if claim.per else ""
    return f"{claim.text} {_SIGN_OF_UNIT.get(unit, unit)}".rstrip() + per
