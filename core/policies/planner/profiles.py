"""Values along a line of a vector file: the procedure and its sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.layers import Layer
from treeline.core.policies.planner.measured import unit_of
from treeline.core.policies.planner.plan import CannotAnswer, NoPixel, Steps
from treeline.core.policies.planner.titles import short_title
from treeline.core.policies.planner.wording import plain, when_of

if TYPE_CHECKING:
    from treeline.core.policies.planner.measuring import Measuring


def profile(measuring: Measuring, intent: Intent) -> Steps:
    """Return the values along a line: its ends, the lowest and the highest, with their distances."""
    subject = intent.subjects[0]
    assert subject.zone is not None
    layer: Layer = yield from measuring.materials.layer(subject.role, replace(subject, zone=None))
    if len(layer.items) > 1:
        raise CannotAnswer(
            f"A profile is of one date; there are {len(layer.items)}.",
            f"Name one, such as {layer.items[0].label}.",
        )
    result = yield from measuring.plan.call(
        "profile_along_line", "The values along the line.",
        input_path=layer.addresses[0], line_path=subject.zone.file,
    )  # fmt: skip
    points = [(row["distance"], row["value"]) for row in result.value if row["value"] is not None]
    if not points:
        raise NoPixel("No valid pixel lies under the line.", "Check extent and clouds.")
    facts = {
        "ends": (points[0], points[-1]),
        "lowest": min(points, key=lambda point: point[1]),
        "highest": max(points, key=lambda point: point[1]),
        "points": len(points),
    }
    return Finding(None, unit_of(subject, layer), facts=facts)


def along_the_line(intent: Intent, finding: Finding) -> str:
    """Return a profile in a sentence."""
    subject = intent.subjects[0]
    assert subject.zone is not None
    (_, begins), (length, ends) = finding.facts["ends"]
    far, high = finding.facts["highest"]
    near, low = finding.facts["lowest"]
    begins, ends, high, low = (plain(value, finding.unit) for value in (begins, ends, high, low))
    return (
        f"The {short_title(subject.role)} along {subject.zone.name}{when_of(subject)} runs from {begins} to "
        f"{ends} over {plain(length, 'm')}, in {finding.facts['points']} points: highest {high} after "
        f"{plain(far, 'm')}, lowest {low} after {plain(near, 'm')}."
    )
