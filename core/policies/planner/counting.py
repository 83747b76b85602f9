"""On how many dates a number passes a limit."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent, Subject, Threshold
from treeline.core.policies.planner.layers import Layer
from treeline.core.policies.planner.measured import Series
from treeline.core.policies.planner.measuring import Measuring
from treeline.core.policies.planner.periodic import grouped_series
from treeline.core.policies.planner.plan import CannotAnswer, Steps
from treeline.core.policies.planner.units import converted, mode_of, opposite


def count(measuring: Measuring, intent: Intent) -> Steps:
    """Return on how many dates a number passes a limit."""
    subject, limit = intent.subjects[0], intent.limit
    if limit is None:
        raise CannotAnswer(
            "To count dates I need a limit.", "Say, for example: more than 60 % of the area above 0.7."
        )
    if subject.statistic == "share" and subject.threshold is None and not subject.conditions:
        raise CannotAnswer(
            f"To count dates by a share of the area I need a limit of {subject.role}.",
            "Say, for example: above 0.7.",
        )
    layer = yield from measuring.materials.layer(subject.role, subject)
    total = len(layer.items)
    if intent.grouping != "date" or subject.conditions or subject.statistic not in ("share", "mean"):
        found: Series = yield from grouped_series(measuring, intent)
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


def average_share(measuring: Measuring, intent: Intent) -> Steps:
    """Return the mean of those dates' shares of the area that pass a limit."""
    subject, limit = intent.subjects[0], intent.limit
    if limit is None or subject.threshold is None or subject.statistic != "share":
        raise CannotAnswer(
            "I need a limit of the variable and one of the share.",
            "Say, for example: the mean share above 0.7 of the dates whose share exceeds 40 %.",
        )
    layer = yield from measuring.materials.layer(subject.role, subject)
    facts = {"dates": len(layer.items)}
    if limit.side == "above" and not limit.inclusive and subject.threshold.upper is None:
        bound = yield from measuring.limit(subject.threshold, subject, layer)
        tool = measuring.tool("mean_share_of_exceeding_images", "number")
        arguments = {tool.inputs[0].name: layer.argument, "value_threshold": bound}
        arguments |= {"ratio_threshold": limit.value, "mode": mode_of(subject.threshold)}
        result = yield from measuring.plan.call(tool, "The mean of the shares that pass.", **arguments)
        return Finding(result.value, "%", facts=facts)
    found: Series = yield from measuring.series(subject)
    kept = [v for v in found.values if v is not None and passes(v, found.unit, limit)]
    if not kept:
        return Finding(0.0, "%", facts=facts)
    result = yield from measuring.plan.call("mean", "The mean of the shares that pass.", x=kept)
    return Finding(result.value, "%", facts=facts)


def _count_by_share(measuring: Measuring, subject: Subject, limit: Threshold, layer: Layer) -> Steps:
    threshold = subject.threshold
    assert threshold is not None
    if threshold.upper is not None or limit.inclusive:
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
    result = yield from measuring.plan.call(
        tool, "Count the dates whose share passes the limit.", **arguments
    )
    return result.value


def _count_by_mean(measuring: Measuring, subject: Subject, limit: Threshold, layer: Layer) -> Steps:
    if limit.of_mean is not None:
        arguments = {"image_paths": layer.argument, "mean_multiplier": limit.of_mean}
        arguments |= {} if limit.side == "above" else {"mode": "below"}
        name = "count_images_exceeding_mean_multiplier"
        result = yield from measuring.plan.call(
            name, "Count the dates whose mean passes the limit.", **arguments
        )
        return result.value
    if limit.upper is not None or limit.inclusive:
        found = yield from measuring.series(subject)
        return _passing(found, limit)
    bound = yield from measuring.limit(limit, subject, layer)
    arguments = {
        "file_list": layer.argument,
        "threshold": bound,
        "above": limit.side == "above",
        "return_type": "count",
    }
    name = "calc_batch_image_mean_threshold"
    result = yield from measuring.plan.call(name, "Count the dates whose mean passes the limit.", **arguments)
    return result.value


def _passing(found: Series, limit: Threshold) -> int:
    """Return how many of the measured numbers pass a limit."""
    known = [v for v in found.values if v is not None]
    if limit.of_mean is not None and known:
        limit = replace(limit, value=limit.of_mean * sum(known) / len(known), unit="", of_mean=None)
    return sum(passes(v, found.unit, limit) for v in known)


def passes(value: float, unit: str, limit: Threshold) -> bool:
    """Return whether a number passes a limit; the limit is turned into the number's unit."""
    bound = converted(limit.value or 0.0, limit.unit, unit)
    above = value > bound or (limit.inclusive and value == bound)
    below = value < bound or (limit.inclusive and value == bound)
    within = limit.upper is None or value <= converted(limit.upper, limit.unit, unit)
    return (above if limit.side == "above" else below) and within
