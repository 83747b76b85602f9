"""Units that an answer leaves out of numbers whose results have one, or replaces by what is no unit of them.

A number without its unit is shown with that of its result beside it, in square brackets: what stands in them
is not of who answered. It is asked for where the answer goes back for something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from treeline.core.engine.actions import Answer
from treeline.core.engine.checks import COUNT, INDEX
from treeline.core.engine.state import State
from treeline.core.engine.verification.claims import Claim, claims_in, find_unit
from treeline.core.engine.verification.grounded_answer import GroundedAnswer
from treeline.core.engine.verification.grounds import grounds_of, without_lost_citations
from treeline.core.engine.verification.notation import COUNTABLE
from treeline.core.engine.verification.readings import PROBABILITY, readings_of, without_difference
from treeline.toolkit.units import UNITS

# What needs no unit beside it, and what counts things, which are named.
_PLAIN = frozenset({"", "1", INDEX, PROBABILITY, COUNT, "class", "date", "dates", "images", "days", "months"})
_SIGNS = {"degC": "\u00b0C", "degF": "\u00b0F", "degree": "\u00b0", "degrees": "\u00b0"}
# Other units that a number without a unit may have been converted to.
_CONVERTED = ("degC", "K", "ha", "km2", "m2", "km", "m")
_WORD = re.compile(r"[^\W\d_]+[23\u00b2\u00b3]?")
_SYMBOL = re.compile(r"\u00b0\s?[CF]|%")
# Units of measures that no result has: so many hours are no hectares.
_OTHERS = re.compile(
    r"(?:milli|micro)?(?:seconds?|minutes?|hours?)|yards?|dunams?|li(?:t(?:re|er))s?|gallons?|barrels?|volts?|"
    r"watts?|joules?|pascals?|knots?|dollars?|euros?|cubic|arpents?|roods?|rods?|fathoms?|miles?|bushels?|"
    r"stremmas?|feddans?|rai|mu|tatami|pounds?|ounces?",
    re.I,
)
_TIMES = re.compile(r"(?:days?|weeks?|months?|years?|decades?)", re.I)
_OF_TIME = frozenset({"days", "weeks", "months", "years", "day", "s", "h"})


@dataclass(frozen=True, slots=True)
class MissingUnit:
    """A number of an answer and the unit that its result has."""

    claim: Claim
    unit: str

    @property
    def sign(self) -> str:
        """The unit as it is written."""
        return _SIGNS.get(self.unit, self.unit)


def find_missing_units(answer: Answer, state: State) -> tuple[MissingUnit, ...]:
    """Return the numbers of an answer that stand without the unit of their results, each once.

    A unit that the question, or another place of the answer, names is understood. Options have theirs.
    """
    answer = without_lost_citations(answer, state)
    if not answer.answers or answer.expression or state.choices:
        return ()
    grounded = GroundedAnswer(answer, state, tuple(grounds_of(answer, state)))
    found: dict[str, MissingUnit] = {}
    for claim in [*grounded.claims, *([value] if (value := grounded.value()) is not None else [])]:
        unit = _unit_of(grounded, claim)
        if unit and not _is_told(grounded, unit):
            found.setdefault(claim.text, MissingUnit(claim, unit))
    return tuple(found.values())


def find_units_of_others(grounded: GroundedAnswer) -> Iterator[str]:
    """Yield the numbers that have a unit in the results and the word of another one here."""
    for claim in grounded.claims:
        word = claim.thing
        if not word or not (_OTHERS.fullmatch(word) or _TIMES.fullmatch(word) and claim.number % 1):
            continue
        unit = _unit_of(grounded, replace(claim, thing=""))
        if unit and unit not in _OF_TIME:
            yield f"The results give {claim.text} in {_SIGNS.get(unit, unit)}, not in {word}."


def describe_missing_units(missing: tuple[MissingUnit, ...]) -> Iterator[str]:
    """Yield a line for each number without its unit, for who has to word it anew."""
    for each in missing:
        yield f"{each.claim.text} stands without a unit: its result is in {each.sign}."


def with_missing_units(answer: Answer, state: State) -> Answer:
    """Return an answer with the units that it leaves out, in square brackets behind its numbers."""
    missing = find_missing_units(answer, state)
    text, unit = answer.text, answer.unit
    for each in missing:
        number = rf"(?<![\w.,\[])({re.escape(each.claim.text)})(?![\w\[]|[.,]\d| \[)"
        text = re.sub(number, rf"\1 [{each.sign}]", text, count=1)
        own = answer.value is not None and abs(abs(answer.value) - abs(each.claim.number)) <= each.claim.half
        unit = unit or (each.unit if own else "")
    return replace(answer, text=text, unit=unit) if missing else answer


def remark_on_units(before: Answer, after: Answer) -> str:
    """Return what was added to an answer, in a sentence; empty where nothing was."""
    if before.unit == after.unit and before.text.count("[") >= after.text.count("["):
        return ""
    return "The answer left out units: what stands in square brackets is the unit of the result."


def _unit_of(grounded: GroundedAnswer, claim: Claim) -> str:
    """Return the unit of the result that a number without a unit states; empty where it needs none."""
    if claim.unit or claim.limit or claim.per or claim.thing in COUNTABLE or grounded.is_given(claim):
        return ""
    evidence = grounded.evidence
    own = [n for n in evidence.numbers if abs(abs(n) - abs(claim.number)) <= claim.half * (1 + 1e-6)]
    if any(n in evidence.rates for n in own):  # what it changes by is told with the time it takes
        return ""
    if own:
        units = {without_difference(u) for n in own for u in evidence.units.get(n, ("",))}
    else:
        units = {
            other
            for n in evidence.numbers
            for unit in evidence.units.get(n, ())
            for other in _CONVERTED
            if _measures(unit) == _measures(other) != "" and unit != other
            if any(
                abs(each - claim.number) <= claim.half
                for each in readings_of(replace(claim, unit=other), n, (unit,))
            )
        }
    counted = not claim.number % 1 and claim.number in evidence.counts
    return units.pop() if len(units) == 1 and not units & _PLAIN and not counted else ""


def _measures(unit: str) -> str:
    return UNITS[unit].quantity if unit in UNITS else ""


def _is_told(grounded: GroundedAnswer, unit: str) -> bool:
    """Return whether answer or question name a unit, or another one of the same quantity."""
    told = f"{grounded.answer.text} {grounded.state.question}"
    named = {find_unit(word) or word for word in (*_WORD.findall(told), *_SYMBOL.findall(told))}
    named |= {claim.unit for claim in (*grounded.claims, *claims_in(grounded.state.question))}
    named |= {find_unit(grounded.answer.unit) or grounded.answer.unit}
    kind = _measures(unit)
    return unit in named or bool(kind) and any(_measures(each) == kind for each in named)
