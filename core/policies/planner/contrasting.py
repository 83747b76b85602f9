"""How the numbers of several subjects are worked out and set against each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeline.core.policies.planner.counting import average_share, count
from treeline.core.policies.planner.findings import Finding, label_of
from treeline.core.policies.planner.heeding import first_of
from treeline.core.policies.planner.intent import Intent, Subject
from treeline.core.policies.planner.measured import Number
from treeline.core.policies.planner.measuring import Measuring
from treeline.core.policies.planner.plan import CannotAnswer, Steps, abreast
from treeline.core.policies.planner.timecourse import variation
from treeline.core.policies.planner.wording import what_of, when_of


def change(measuring: Measuring, intent: Intent) -> Steps:
    """Return the numbers of two or more subjects and how the last differs from the first."""
    layers = []
    for subject in intent.subjects:
        layers.append((yield from measuring.materials.layer(subject.role, subject)))
    ends = {subject.which for subject in intent.subjects} == {"first", "last"}
    if ends and len({layer.items for layer in layers}) == 1:
        only = layers[0].items[0].label
        raise CannotAnswer("A change needs at least two dates.", f"There is only {only}.")
    ways = [_compared(measuring, replace(intent, subjects=(subject,))) for subject in intent.subjects]
    # What a condition makes may serve several subjects: then one after the other.
    if any(subject.conditions for subject in intent.subjects):
        numbers = []
        for way in ways:
            numbers.append((yield from way))
    else:
        numbers = yield from abreast(ways)
    return (yield from _apart(measuring, intent, numbers))


def _compared(measuring: Measuring, intent: Intent) -> Steps:
    """Return the :class:`Number` of one of the subjects that are compared."""
    if intent.operation in _COMPARED:
        finding: Finding = yield from _COMPARED[intent.operation](measuring, intent)
        return Number(finding.value, finding.unit)
    subject = intent.subjects[0]
    number: Number = yield from measuring.number(subject)
    return there(measuring, subject, number)


def _apart(measuring: Measuring, intent: Intent, numbers: list[Number]) -> Steps:
    rows = tuple((label_of(s, intent), n.value) for s, n in zip(intent.subjects, numbers, strict=True))
    first, last = numbers[0], numbers[-1]
    if intent.ratio and len(numbers) == 2:
        return (yield from _ratio(measuring, intent, numbers, rows))
    statistics = [subject.statistic for subject in intent.subjects]
    ranged = statistics == ["min", "max"] and len({subject.role for subject in intent.subjects}) == 1
    apart = len({(s.role, s.statistic, s.percentile) for s in intent.subjects}) == len(numbers)
    if ranged or (apart and not intent.comparing):
        units = tuple(number.unit for number in numbers)
        told: dict[str, Any] = {"how": first.how, "units": units}
        if not ranged:
            return Finding(None, first.unit, rows=rows, facts=told)
        span = yield from measuring.plan.call("difference", "The range.", a=first.value, b=last.value)
        return Finding(span.value, first.unit, rows=rows, facts=told)
    if len(numbers) > 2:
        return Finding(None, first.unit, rows=rows, facts={"how": first.how})
    difference = yield from measuring.plan.call(
        "difference", "How far the two are apart.", a=first.value, b=last.value
    )
    facts: dict[str, Any] = {"how": first.how or last.how, "first": first.value, "second": last.value}
    tells = first.unit not in ("K", "degC", "dB") and (first.unit != "%" or intent.in_percent)
    if tells and first.value not in (None, 0) and (intent.in_percent or _over_time(intent)):
        relative = yield from measuring.plan.call(
            "percentage_change", "The same in per cent of the first.", a=first.value, b=last.value
        )
        facts["percent"] = relative.value
    # In time the later less the earlier; else the first that is named less the second.
    ends = (first.value, last.value) if _over_time(intent) else (last.value, first.value)
    value = difference.value if intent.absolute else signed(difference.value, *ends)
    if intent.only_percent and "percent" in facts:
        return Finding(facts["percent"], "%", rows=rows, facts={**facts, "unit": first.unit})
    return Finding(value, first.unit, rows=rows, facts=facts)


def _ratio(
    measuring: Measuring, intent: Intent, numbers: list[Number], rows: tuple[tuple[str, float | None], ...]
) -> Steps:
    upper, lower = (1, 0) if intent.ratio == "factor" and _over_time(intent) else (0, 1)
    above, below = numbers[upper], numbers[lower]
    if not below.value:
        raise CannotAnswer(f"The {rows[lower][0]} is 0; nothing can be divided by it.")
    result = yield from measuring.plan.call("division", "One by the other.", a=below.value, b=above.value)
    unit = "1" if above.unit == below.unit else above.unit
    unit += f" per {below.unit}" if below.unit not in ("1", "", above.unit) else ""
    facts = {"ratio": (upper, lower), "units": tuple(n.unit for n in numbers)}
    return Finding(result.value, unit, rows=rows, facts=facts)


# Operations whose numbers can be set against each other.
_COMPARED: dict[str, Callable[[Measuring, Intent], Steps]] = {
    "count": count,
    "average_share": average_share,
    "variation": variation,
}


def there(measuring: Measuring, subject: Subject, number: Number) -> Number:
    """Return a number that has a value.

    Raises
    ------
    CannotAnswer
        No pixel is valid.
    """
    if number.value is None:
        why = first_of(measuring.plan.observations[-1:]) or "no pixel is valid"
        raise CannotAnswer(
            f"There is no {what_of(subject)}{when_of(subject)}: {why}.", "Check nodata, clouds and extent."
        )
    return number


def _over_time(intent: Intent) -> bool:
    first, last = intent.subjects[0], intent.subjects[-1]
    return first.period != last.period or first.which != last.which


def signed(apart: float | None, first: float | None, last: float | None) -> float | None:
    """Return the distance of two numbers with the sign of the change from the first to the last."""
    if apart is None or first is None or last is None:
        return apart
    return -abs(apart) if last < first else abs(apart)
