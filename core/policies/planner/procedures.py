"""Operations over time: how each is computed with the tools. One function an operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from core.policies.planner.grouping import Group, grouped, groups_of
from core.policies.planner.intent import Intent, Subject, Threshold
from core.policies.planner.measuring import Measuring, Number, Series
from core.policies.planner.plan import CannotAnswer, Steps
from core.policies.planner.units import converted, mode_of, opposite

_MOST_CALLS = 40


@dataclass(frozen=True)
class Finding:
    """What was found out.

    Attributes
    ----------
    value : float, optional
        The number that answers the question.
    label : str
        The date, month or year that answers it.
    rows : tuple of (label, value)
        A list that answers it.
    facts : dict
        Further numbers by name: ``percent``, ``p``, ``trend``, ``intercept``, ``first``, ``second`` ...
    """

    value: float | None = None
    unit: str = ""
    label: str = ""
    rows: tuple[tuple[str, float | None], ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


def value(measuring: Measuring, intent: Intent) -> Steps:
    """Return the number of one subject."""
    number: Number = yield from measuring.number(intent.subjects[0])
    facts = {"how": number.how, "dates": number.dates}
    return Finding(number.value, number.unit, facts=facts)


def series(measuring: Measuring, intent: Intent) -> Steps:
    """Return a number for each date, or for each month, season or year."""
    found: Series = yield from _grouped_series(measuring, intent)
    rows = tuple(zip(found.labels, found.values, strict=True))
    only = found.values[0] if len(rows) == 1 else None
    return Finding(only, found.unit, rows=rows)


def extreme(measuring: Measuring, intent: Intent) -> Steps:
    """Return when a number is highest or lowest, or changes the most."""
    found: Series = yield from _grouped_series(measuring, intent)
    if len(found.values) < 2 and intent.extremes_of == "change":
        raise CannotAnswer("A change needs at least two dates.", f"There is only {found.labels[0]}.")
    if intent.extremes_of == "change":
        found = yield from _steps_of(measuring, intent, found)
    name = "max_value_and_index" if intent.direction == "highest" else "min_value_and_index"
    result = yield from measuring.plan.call(name, f"Which of them is the {intent.direction}?", x=found.argument)
    best, index = result.value if result.value else (None, 0)
    rows = tuple(zip(found.labels, found.values, strict=True))
    return Finding(best, found.unit, label=found.labels[int(index)], rows=rows)


def change(measuring: Measuring, intent: Intent) -> Steps:
    """Return the numbers of two or more subjects and how the last differs from the first."""
    numbers: list[Number] = []
    for subject in intent.subjects:
        if intent.operation == "count":
            finding = yield from count(measuring, replace(intent, subjects=(subject,)))
            numbers.append(Number(finding.value, finding.unit))
        elif intent.operation == "variation":
            finding = yield from variation(measuring, replace(intent, subjects=(subject,)))
            numbers.append(Number(finding.value, "1"))
        else:
            numbers.append((yield from measuring.number(subject)))
    rows = tuple((label_of(s, intent), n.value) for s, n in zip(intent.subjects, numbers, strict=True))
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 2:
        return Finding(None, first.unit, rows=rows, facts={"how": first.how})
    apart = yield from measuring.plan.call("difference", "How far the two are apart.", a=first.value, b=last.value)
    facts: dict[str, Any] = {"how": first.how or last.how, "first": first.value, "second": last.value}
    if first.unit not in ("K", "degC") and first.value not in (None, 0) and (intent.in_percent or _over_time(intent)):
        relative = yield from measuring.plan.call(
            "percentage_change", "The same in per cent of the first.", a=first.value, b=last.value
        )
        facts["percent"] = relative.value
    signed = _signed(apart.value, first.value, last.value)
    return Finding(signed, first.unit, rows=rows, facts=facts)


def count(measuring: Measuring, intent: Intent) -> Steps:
    """Return on how many dates a number passes a limit."""
    subject, limit = intent.subjects[0], intent.limit
    if limit is None:
        raise CannotAnswer("To count dates I need a limit.", "Say, for example: more than 60 % of the area above 0.7.")
    if subject.statistic == "share" and subject.threshold is None and not subject.conditions:
        raise CannotAnswer(f"To count dates by a share of the area I need a limit of {subject.role}.", "Say, for example: above 0.7.")
    layer = yield from measuring.materials.layer(subject.role, subject)
    total = len(layer.items)
    if intent.grouping != "date" or subject.conditions or subject.statistic not in ("share", "mean"):
        found: Series = yield from _grouped_series(measuring, intent)
        number = _passing(found, limit)
        total = len(found.values)
    elif subject.statistic == "share" and subject.threshold is not None:
        number = yield from _count_by_share(measuring, subject, limit, layer)
    else:
        number = yield from _count_by_mean(measuring, subject, limit, layer)
    facts = {"dates": total, "count": number}
    if intent.as_share_of_dates and number is not None:
        return Finding(100.0 * number / total, "%", facts=facts)
    return Finding(number, intent.grouping + "s", facts=facts)


def _count_by_share(measuring: Measuring, subject: Subject, limit: Threshold, layer: Any) -> Steps:
    threshold = subject.threshold
    assert threshold is not None
    if threshold.upper is not None:
        found = yield from measuring.series(subject)
        return _passing(found, limit)
    bound = yield from measuring.limit(threshold, subject, layer)
    mode, ratio = mode_of(threshold), limit.value
    assert ratio is not None
    if limit.side == "below":
        # Fewer than r per cent meet the limit where more than 100 - r per cent do not.
        mode, ratio = opposite(mode), 100.0 - ratio
    arguments = {"image_paths": layer.argument, "value_threshold": bound, "ratio_threshold": ratio}
    arguments |= {} if mode == "above" else {"mode": mode}
    tool = measuring.plan.registry.get("count_images_exceeding_threshold_ratio")
    result = yield from measuring.plan.call(tool, "Count the dates whose share passes the limit.", **arguments)
    return result.value


def _count_by_mean(measuring: Measuring, subject: Subject, limit: Threshold, layer: Any) -> Steps:
    if limit.of_mean is not None:
        arguments = {"image_paths": layer.argument, "mean_multiplier": limit.of_mean}
        arguments |= {} if limit.side == "above" else {"mode": "below"}
        name = "count_images_exceeding_mean_multiplier"
        result = yield from measuring.plan.call(name, "Count the dates whose mean passes the limit.", **arguments)
        return result.value
    if limit.upper is not None:
        found = yield from measuring.series(subject)
        return _passing(found, limit)
    bound = yield from measuring.limit(limit, subject, layer)
    arguments = {"file_list": layer.argument, "threshold": bound, "above": limit.side == "above", "return_type": "count"}
    name = "calc_batch_image_mean_threshold"
    result = yield from measuring.plan.call(name, "Count the dates whose mean passes the limit.", **arguments)
    return result.value


def trend(measuring: Measuring, intent: Intent) -> Steps:
    """Return the slope of a straight line through the dates and whether it is significant."""
    found: Series = yield from _grouped_series(measuring, intent)
    if len(found.values) < 3:
        raise CannotAnswer(f"A trend needs at least three dates; there are {len(found.values)}.")
    times: list[Any] = [f"{d:%Y-%m-%d}" for d in found.dates if d is not None]
    dated = len(times) == len(found.values)
    if intent.grouping == "year" and dated:
        times = [d.year for d in found.dates if d is not None]
    arguments = {"x": times} if dated else {}
    line = yield from measuring.plan.call("compute_linear_trend", "A straight line through them.", y=found.argument, **arguments)
    test = yield from measuring.plan.call("mann_kendall_test", "Is there a monotonic trend at all?", x=found.argument)
    facts = {"dates": len(found.values), **_line(line.value), **_test(test.value)}
    unit = f"{found.unit if found.unit != '1' else ''} per year".strip() if dated else found.unit
    return Finding(facts.get("slope"), unit, facts=facts)


def variation(measuring: Measuring, intent: Intent) -> Steps:
    """Return the coefficient of variation of the dates' numbers."""
    found: Series = yield from _grouped_series(measuring, intent)
    result = yield from measuring.plan.call("coefficient_of_variation", "How much they vary.", x=found.argument)
    return Finding(result.value, "1", facts={"dates": len(found.values)})


def spikes(measuring: Measuring, intent: Intent) -> Steps:
    """Return how often the number jumps up."""
    found: Series = yield from _grouped_series(measuring, intent)
    result = yield from measuring.plan.call("count_spikes_from_values", "Count the sudden rises.", values=found.argument)
    return Finding(result.value, "spikes", facts={"dates": len(found.values)})


def change_points(measuring: Measuring, intent: Intent) -> Steps:
    """Return after which dates the level changes."""
    found: Series = yield from _grouped_series(measuring, intent)
    result = yield from measuring.plan.call("detect_change_points", "Where does the level change?", signal=found.argument)
    positions = [int(i) for i in result.value or [] if 0 < int(i) < len(found.labels)]
    rows = tuple((found.labels[i], found.values[i]) for i in positions)
    return Finding(float(len(positions)), "change points", rows=rows, facts={"dates": len(found.values)})


def seasonality(measuring: Measuring, intent: Intent) -> Steps:
    """Return the period after which the numbers repeat."""
    found: Series = yield from _grouped_series(measuring, intent)
    result = yield from measuring.plan.call("detect_seasonality_acf", "Do they repeat?", values=found.argument)
    lag = result.value if isinstance(result.value, int) else None
    return Finding(lag, "dates", label=str(result.value), facts={"dates": len(found.values)})


PROCEDURES: dict[str, Callable[[Measuring, Intent], Steps]] = {
    "value": value,
    "series": series,
    "extreme": extreme,
    "change": change,
    "count": count,
    "trend": trend,
    "variation": variation,
    "spikes": spikes,
    "change_points": change_points,
    "seasonality": seasonality,
}


def procedure_of(intent: Intent) -> Callable[[Measuring, Intent], Steps]:
    """Return how an intent is worked on; several subjects are compared, whatever is asked of each."""
    return change if len(intent.subjects) > 1 else PROCEDURES[intent.operation]


def label_of(subject: Subject, intent: Intent) -> str:
    """Return how a subject differs from those that it is compared with."""
    from core.policies.planner.measuring import describe

    others = [s for s in intent.subjects if s is not subject]
    if any(s.place != subject.place for s in others):
        return subject.place
    if any(s.sensor != subject.sensor for s in others):
        return subject.sensor
    if any(s.period != subject.period or s.which != subject.which for s in others):
        return subject.period.label
    if any(s.role != subject.role for s in others):
        return subject.role
    if subject.conditions and any(s.conditions != subject.conditions for s in others):
        return "where " + " and ".join(describe(c) for c in subject.conditions)
    if subject.threshold is not None and any(s.threshold != subject.threshold for s in others):
        return f"{subject.threshold.side} {subject.threshold.value:g} {subject.threshold.unit}".strip()
    return f"{subject.statistic} {subject.role}"


def _grouped_series(measuring: Measuring, intent: Intent) -> Steps:
    """Return the numbers of the dates, or of the months, seasons or years that they make."""
    subject = intent.subjects[0]
    if intent.grouping == "date":
        return (yield from measuring.series(subject))
    layer = yield from measuring.materials.layer(subject.role, subject)
    groups = groups_of(layer.items, intent.grouping, merge_years=intent.operation == "extreme" and intent.grouping != "year")
    if len(groups) > _MOST_CALLS:
        raise CannotAnswer(f"There are {len(groups)} {intent.grouping}s; I work on at most {_MOST_CALLS}.", "Ask for a shorter period.")
    values = []
    unit = ""
    for group in groups:
        number = yield from measuring.number(grouped(subject, group))
        values.append(number.value)
        unit = number.unit
    measuring.plan.remark(_group_remark(intent, groups))
    return Series(tuple(group.item for group in groups), tuple(values), unit, values)


def _group_remark(intent: Intent, groups: list[Group]) -> str:
    few = [f"{g.item.label} {g.count}" for g in groups]
    return f"Each {intent.grouping} is the mean of its dates ({', '.join(few[:14])})."


def _steps_of(measuring: Measuring, intent: Intent, found: Series) -> Steps:
    """Return the changes from each date to the next one."""
    values: list[float | None] = []
    name = "percentage_change" if intent.in_percent else "difference"
    if len(found.values) - 1 > _MOST_CALLS:
        raise CannotAnswer(f"There are {len(found.values)} dates; I compare at most {_MOST_CALLS}.", "Ask for a shorter period.")
    for before, after in zip(found.values, found.values[1:], strict=False):
        result = yield from measuring.plan.call(name, "From one to the next.", a=before, b=after)
        values.append(_signed(result.value, before, after) if name == "difference" else result.value)
    pairs = zip(found.items, found.items[1:], strict=False)
    items = tuple(replace(after, label=f"{before.label} to {after.label}") for before, after in pairs)
    return Series(items, tuple(values), "%" if intent.in_percent else found.unit, values)


def _passing(found: Series, limit: Threshold) -> int:
    """Return how many of the measured numbers pass a limit."""
    bound = converted(limit.value or 0.0, limit.unit, found.unit)
    if limit.of_mean is not None:
        known = [v for v in found.values if v is not None]
        bound = limit.of_mean * sum(known) / len(known)
    tests: dict[str, Callable[[float], bool]] = {
        "above": lambda v: v > bound,
        "below": lambda v: v < bound,
        "above_equal": lambda v: v >= bound,
        "below_equal": lambda v: v <= bound,
    }
    upper = limit.upper if limit.upper is not None else float("inf")
    return sum(tests[mode_of(limit)](v) and v <= upper for v in found.values if v is not None)


def _over_time(intent: Intent) -> bool:
    first, last = intent.subjects[0], intent.subjects[-1]
    return first.period != last.period or first.which != last.which


def _signed(apart: float | None, first: float | None, last: float | None) -> float | None:
    if apart is None or first is None or last is None:
        return apart
    return -abs(apart) if last < first else abs(apart)


def _line(found: Any) -> dict[str, Any]:
    if isinstance(found, dict):
        return {"slope": found.get("slope"), "intercept": found.get("intercept"), "line_p": found.get("p")}
    pair = found if isinstance(found, list) and len(found) > 1 else [None, None]
    return {"slope": pair[0], "intercept": pair[1]}


def _test(found: Any) -> dict[str, Any]:
    if isinstance(found, dict):
        return {"trend": found.get("trend"), "p": found.get("p"), "tau": found.get("tau"), "sen": found.get("slope")}
    names = ("trend", "p", "z", "tau")
    return dict(zip(names, found, strict=False)) if isinstance(found, list) else {}
