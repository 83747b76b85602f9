"""What results have in place of a number or a day that none of them gives, for who has to mend an answer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator

from treeline.core.engine.actions import action_name
from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import Claim, claims_in
from treeline.core.engine.verification.evidence_of_steps import evidence_of
from treeline.core.engine.verification.grounded_answer import GroundedAnswer
from treeline.core.engine.verification.labels import labels_in
from treeline.core.engine.verification.notation import DATES
from treeline.core.engine.verification.rates import name_time
from treeline.core.engine.verification.readings import name_unit, readings_of
from treeline.core.engine.verification.results import numbers_in

_MOST = 3
_OF_A_DAY = len("2016-08-14")
# So far in parts of it a number may lie from the one that a class or date has, to be meant for it.
_NEAR = 0.5


def describe_nearest(grounded: GroundedAnswer, claim: Claim) -> str:
    """Return what the evidence has for a number that it does not give.

    A step that is not cited and has it; the number in another unit; what the class or date has that its
    clause names; else the nearest numbers.
    """
    apart = (step for step in grounded.state.calls if step not in grounded.grounds)
    elsewhere = next((s for s in apart if evidence_of([s]).shows(claim, grounded.falls)), None)
    if elsewhere is not None:
        return f"it is of step {elsewhere.number} ({action_name(elsewhere.action)}), which is not cited."
    numbers = {n: step for step in grounded.grounds for n in numbers_in(step.observation.value)}
    nearest = sorted(numbers, key=lambda n: abs(n - claim.number))[:_MOST]
    if not nearest:
        return "they hold no number."
    first = nearest[0]
    told = name_unit(claim.unit) or (claim.thing if claim.thing in DATES else "")
    if abs(first - claim.number) <= claim.half and told:
        return _in_another_unit(grounded, claim, first, numbers[first], told)
    own = next(_of_labels(grounded.answer_columns, claim), "")
    said = ", ".join(f"{n:.6g} (step {numbers[n].number})" for n in nearest)
    return own or f"they give {said}."


def _in_another_unit(grounded: GroundedAnswer, claim: Claim, number: float, step: Step, told: str) -> str:
    own = " and ".join(map(name_unit, grounded.evidence.units.get(number, ()))) or "no unit that is told"
    per = name_time(grounded.evidence.rates.get(number, 0.0))
    own, wanted = (f"{unit} per {time}" if time else unit for unit, time in ((own, per), (told, claim.per)))
    if own == "1":
        own = "parts of one"
    return f"step {step.number} has {number:.6g} in {own}, not in {wanted}."


def _of_labels(answer: AnswerColumns, claim: Claim) -> Iterator[str]:
    """Yield what a class, zone or date has that the clause of a number names, where that is near to it."""
    for clause in (each for each in answer.clauses if claim in claims_in(each)):
        for label in labels_in(clause, answer.columns):
            held = [n for column in answer.columns if column.has_several for n in column.under(label)]
            read = [(n, r) for n in held for r in readings_of(claim, n, answer.evidence.units.get(n, ()))]
            near = sorted(read, key=lambda pair: abs(pair[1] - claim.number))[:1]
            for number, reading in near:
                if abs(reading - claim.number) <= _NEAR * abs(claim.number):
                    same = abs(reading - number) <= abs(number) * 1e-9
                    unit = f" {name_unit(claim.unit)}" if claim.unit else ""
                    read_as = "" if same else f", which is {reading:.6g}{unit}"
                    yield f"{label} has {number:.6g}{read_as}."


def describe_nearest_days(date: str, known: Collection[str]) -> str:
    """Return of which days near to a date results are; of all of them the first where it is no day."""
    days = sorted(day for day in known if len(day) >= len("2016-08"))
    if not days:
        return "they tell no date."
    if len(date) == _OF_A_DAY:
        days.sort(key=lambda day: abs(_ordinal(day) - _ordinal(date)))
    return f"they are of {', '.join(sorted(days[:_MOST]))}{' ...' * (len(days) > _MOST)}."


def _ordinal(day: str) -> int:
    return dt.date.fromisoformat(day if len(day) == _OF_A_DAY else f"{day}-15").toordinal()
