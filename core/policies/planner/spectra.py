"""Statistics of each band of a scene, in place of the reflectance of no band."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.policies.planner.plan import CannotAnswer, Steps
from treeline.core.policies.planner.values import Mark, Numbers, Scale, Value
from treeline.core.policies.planner.work import Work, shortcut
from treeline.core.query.expression import REFLECTANCE, Aggregate, Variable, Zones
from treeline.core.query.rewriting import rewrite
from treeline.core.query.titles import short_title
from treeline.toolkit.variables import VARIABLES


@shortcut(Aggregate)
def by_bands(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return a statistic of each band of a scene, and of each date where there are several."""
    if not isinstance(node.by, Zones) or node.by.by != "spectral":
        return None
    bands: list[Numbers] = []
    roles = _bands(work)
    for role in roles:

        def measure(leaf: Variable, role: str = role) -> Variable:
            return replace(leaf, role=role) if leaf.role == REFLECTANCE else leaf

        bands.append((yield from work.numbers(rewrite(replace(node, by=None), Variable, measure))))
    scales = bands[0].scales
    if any(band.scales != scales for band in bands):
        raise CannotAnswer("The bands are not of the same dates.", "Name a date.")
    marks = Scale("zone", tuple(Mark(short_title(role)) for role in roles))
    of_dates = zip(*(band.values for band in bands), strict=True)
    values = tuple(value for each in of_dates for value in each)
    return Numbers((*scales, marks), values, bands[0].unit, bands[0].truth)


def _bands(work: Work) -> list[str]:
    """Return the roles of the bands of reflectance that are there, in the order of their wavelengths."""
    held = {layer.role for layer in work.materials.derivation.layers}
    found = [role for role, known in VARIABLES.items() if role in held and known.kind == "reflectance"]
    if len(found) < 2:
        raise CannotAnswer("There are no bands of reflectance to tell apart.")
    return found
