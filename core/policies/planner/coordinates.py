"""Places that a question gives by their longitude and latitude."""

from __future__ import annotations

import re
from collections.abc import Callable

from treeline.core.policies.planner.intent import Zone
from treeline.core.policies.planner.text import Reading, Span

_DEGREES = r"-?\d{1,3}\.\d+"
_SIGN = r"(?: ?degrees?)? ?"
_BETWEEN = r"(?:\W{0,3}|,? and )"
_NEXT = r"\s*[,;/ ]\s*"
_BOX = re.compile(
    rf"\b(?:bounding box|bbox|box|rectangle|extent|bounds)\W{{0,4}}(?:of )?\W?"
    rf"(?P<w>{_DEGREES}){_NEXT}(?P<s>{_DEGREES}){_NEXT}(?P<e>{_DEGREES}){_NEXT}(?P<n>{_DEGREES})[\])]?"
)
_POINTS = (
    re.compile(
        rf"\blat(?:itude)?\W{{0,3}}(?P<y>{_DEGREES}){_SIGN}{_BETWEEN}lon(?:g(?:itude)?)?\W{{0,3}}(?P<x>{_DEGREES})"
    ),
    re.compile(
        rf"\blon(?:g(?:itude)?)?\W{{0,3}}(?P<x>{_DEGREES}){_SIGN}{_BETWEEN}lat(?:itude)?\W{{0,3}}(?P<y>{_DEGREES})"
    ),
    re.compile(rf"(?P<y>{_DEGREES}){_SIGN}(?P<ns>[ns])\b{_BETWEEN}(?P<x>{_DEGREES}){_SIGN}(?P<ew>[ew])\b"),
    re.compile(rf"(?P<x>{_DEGREES}){_SIGN}(?P<ew>[ew])\b{_BETWEEN}(?P<y>{_DEGREES}){_SIGN}(?P<ns>[ns])\b"),
)
_BARE = re.compile(
    rf"\b(?:at|in|of|points?|locations?|positions?|coordinates?|place)\W{{1,3}}(?P<x>{_DEGREES}){_NEXT}"
    rf"(?P<y>{_DEGREES})\)?(?!\w|\.\d)"
)


def read_coordinates(reading: Reading) -> tuple[Zone, str] | None:
    """Return the place whose coordinates a question gives, with how they were read, and consume them.

    A pair without names is longitude, then latitude.
    """
    for pattern, place in _FORMS:
        match = pattern.search(reading.rest)
        found = place(match) if match else None
        if match and found:
            reading.consume(Span(*match.span()))
            return found
    return None


def _box(match: re.Match[str]) -> tuple[Zone, str] | None:
    west, south, east, north = (float(match[name]) for name in "wsen")
    if not (-180 <= west < east <= 180 and -90 <= south < north <= 90):
        return None
    corners = ((west, south), (east, south), (east, north), (west, north), (west, south))
    ring = ", ".join(f"{x:.12g} {y:.12g}" for x, y in corners)
    name = f"the rectangle from {west:g}, {south:g} to {east:g}, {north:g}"
    note = f"The rectangle was read as longitudes {west:g} to {east:g} and latitudes {south:g} to {north:g}."
    return Zone(name, file=f"POLYGON (({ring}))"), note


def _point(match: re.Match[str]) -> tuple[Zone, str] | None:
    given = match.groupdict()
    x = float(given["x"]) * (-1 if given.get("ew") == "w" else 1)
    y = float(given["y"]) * (-1 if given.get("ns") == "s" else 1)
    if abs(x) > 180 or abs(y) > 90:
        return None
    zone = Zone(f"{x:.12g}, {y:.12g}", file=f"POINT ({x:.12g} {y:.12g})", preposition="at")
    return zone, f"The place was read as longitude {x:.12g}, latitude {y:.12g}."


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[Zone, str] | None]], ...] = (
    (_BOX, _box),
    *((pattern, _point) for pattern in (*_POINTS, _BARE)),
)
