"""Words that look like a condition but name no variable with a limit: "in the forest"."""

from __future__ import annotations

import re

from treeline.core.policies.planner.intent import Operation, Statistic, Subject
from treeline.core.policies.planner.leftovers import names_a_place
from treeline.core.policies.planner.text import Reading, alternatives
from treeline.core.policies.planner.titles import short_title
from treeline.core.policies.planner.vocabulary import Lexicon
from treeline.core.policies.planner.zones import ZONE

_GROUND = alternatives(
    r"burn(?:ed|t)? (?:areas?|scars?|forests?|pixels|land|zones?)",
    r"(?:broadleaf |conifer(?:ous)? |deciduous )?(?:forests?|woodlands?)(?: areas?| pixels)?",
    r"(?:crop|farm|grass|wet|shrub|bare |built-up |agricultural |arable |urban )(?:lands?|grounds?|areas?)",
    r"(?:agricultural |crop )?fields?|meadows?|pastures?|vineyards?|orchards?",
    r"(?:the )?(?:town|city|village|settlement|lake|river|reservoir|coast|glacier)s?",
    r"(?:flooded|irrigated|snow-covered|vegetated) (?:areas?|land|pixels|zones?)",
    r"water bod(?:y|ies)",
    r"(?:north|south|east|west)(?:ern|erly)?(?:-facing)? (?:slopes?|half|part|side)",
    r"(?:steep|flat|gentle) (?:slopes?|land|terrain)",
)
_BEFORE = (
    r"\b(?:in|of|over|within|inside|across|for|on|where|at|between|than|is|was|are|were|did|does|has|had)"
    r"(?: all)?(?: the| a| an)?"
)
_LIMITING = re.compile(
    rf"{_BEFORE} (?P<a>{_GROUND})(?![\w-])"
    rf"|\b(?P<b>{_GROUND})'s?(?= )"
)


def unused_scenery(
    reading: Reading, subjects: tuple[Subject, ...], lexicon: Lexicon
) -> tuple[tuple[str, ...], str]:
    """Return what to say of words that were read as mere scenery, and what they are where nothing tells it.

    A place with a name stands for the whole image; without one the words ask for a part of it, which only
    a limit tells.
    """
    if any(s.conditions or s.threshold or s.place or s.zone for s in subjects):
        return (), ""
    match = _LIMITING.search(reading.text)
    if match is None:
        return (), ""
    words = (match["a"] or match["b"]).strip()
    if names_a_place(reading, lexicon) or re.search(r"\bfields?$", words):
        said = f"All pixels were counted: nothing told me which belong to \u201c{words}\u201d; {_LIMIT}."
        return (said,), ""
    return (), words


_LIMIT = "a limit would, such as \u201cwhere NDVI > 0.5\u201d"


def remedy_of(words: str, lexicon: Lexicon) -> str:
    """Return what would tell which pixels belong to a kind of ground."""
    if any(group.role and not group.zones for group in lexicon.zones):
        numbered = "The classes of the land cover have numbers and no names"
        return f"{numbered}; say, for example, \u201cof class 2\u201d."
    polygons = f"polygons or a land cover that name \u201c{words}\u201d"
    return f"{_LIMIT[0].upper()}{_LIMIT[1:]}, and so would {polygons}."


def unlimited_area(
    statistic: Statistic | None, base: Subject, operation: Operation, reading: Reading, lexicon: Lexicon
) -> str:
    """Return what is asked for when it is an area and nothing says which pixels belong to it."""
    limited = base.threshold is not None or base.conditions or base.role == ZONE
    if statistic != "area" or operation not in ("value", "change") or limited:
        return ""
    ground = re.search(rf"\b(?P<a>{_GROUND})(?![\w-])", reading.text)
    nameless = any(group.role and not group.zones for group in lexicon.zones)
    if ground and nameless:
        return (
            f"the area of \u201c{ground['a']}\u201d: the classes of the land cover have numbers and no "
            "names; say, for example, \u201carea of class 2\u201d"
        )
    name = short_title(base.role)
    example = f"\u201carea with {name} above 0.3\u201d"
    return f"an area without a limit: say which values belong to it, such as {example}"
