"""How two variables go together: over the pixels, or over the dates."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.policies.planner.conditional import paired
from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.layers import Layer
from treeline.core.policies.planner.measuring import Measuring
from treeline.core.policies.planner.plan import CannotAnswer, Steps


def correlate(measuring: Measuring, intent: Intent) -> Steps:
    """Return the correlation of two variables, or of one variable at two times.

    Raises
    ------
    CannotAnswer
        There is only one.
    """
    if len(intent.subjects) != 2:
        raise CannotAnswer(
            "A correlation needs two variables.",
            "Name both, such as \u201ccorrelation of NDVI and LST\u201d.",
        )
    first, second = intent.subjects
    one: Layer = yield from measuring.materials.layer(first.role, first)
    other: Layer = yield from measuring.materials.layer(second.role, second)
    if first.period == second.period:
        one, other = paired(one, other)
    elif len(one.items) != 1 or len(other.items) != 1:
        raise CannotAnswer("Two times are correlated pixel by pixel, one date with one.", "Name two dates.")
    if intent.over_dates:
        return (yield from _over_dates(measuring, intent, one, other))
    several = len(one.items) > 1
    paths = [layer.addresses if several else layer.addresses[0] for layer in (one, other)]
    result = yield from measuring.plan.call(
        "raster_correlation", "Do they go together?", path1=paths[0], path2=paths[1]
    )
    facts = {
        "n": result.value["pixels"],
        "of": "pixels",
        "dates": len(one.items),
        "slope": result.value["slope"],
    }
    return Finding(result.value["r"], "1", facts=facts)


def _over_dates(measuring: Measuring, intent: Intent, one: Layer, other: Layer) -> Steps:
    if len(one.items) < 3:
        raise CannotAnswer(f"A correlation over dates needs at least three; there are {len(one.items)}.")
    first, second = (replace(s, statistic="mean") for s in intent.subjects)
    x = yield from measuring.series_of(first, one)
    y = yield from measuring.series_of(second, other)
    result = yield from measuring.plan.call(
        "correlation", "Do the dates' means go together?", x=x.argument, y=y.argument
    )
    facts = {"n": result.value["n"], "of": "dates", "p": result.value["p"]}
    return Finding(result.value["r"], "1", facts=facts)
