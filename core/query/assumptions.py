"""What an expression has by default, because the question left it open: told with its paraphrase."""

from __future__ import annotations

from treeline.core.query.expression import Node, Trend, When

# What of a trend is told by a test, and not by the line itself.
_TESTED = ("significance", "p_value", "direction", "tau")
_ASSUMPTIONS = {
    "statistic": "the mean of the pixels",
    "people": "the sum of the pixels, which hold numbers of people",
    "dates": "the mean of the dates",
    "depth": "a depth of water is the mean of the pixels, summed over the dates",
    "over": "pixels of all dates together",
    "order": "the order of the statistics",
    "method": "least squares",
    "test": "Mann-Kendall",
    "limit": "half of the amplitude",
    "variable": "NDVI",
    "clouds": "clouds left in",
    "width": "the width of the bands",
    "flat": "flat is less than 10 % of slope, as level land is by the FAO",
    "steep": "steep is more than 30 % of slope, as steep land is by the FAO",
    "cloudy": "cloudy is more than half of the pixels under cloud",
}


def assumptions(expression: Node) -> tuple[str, ...]:
    """Return what an expression has by default, in words."""
    found = [
        "test" if slot == "method" and isinstance(node, Trend) and node.gives in _TESTED else slot
        for node in _walk(expression)
        for slot in getattr(node, "assumed", ())
    ]
    return tuple(dict.fromkeys(_ASSUMPTIONS.get(slot, slot) for slot in found))


def _walk(node: Node) -> list[Node]:
    found = list(node.walk())
    for part in list(found):
        if isinstance(part, When) and part.at is not None:
            found.extend(_walk(part.at))
    return found
