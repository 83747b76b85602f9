"""What words for the ground mean as limits of an index, where the literature has a usual one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from treeline.core.policies.planner.intent import Condition, Statistic, Threshold
from treeline.core.policies.planner.leftovers import names_a_place
from treeline.core.policies.planner.linking import Linked
from treeline.core.policies.planner.text import Reading, alternatives
from treeline.core.policies.planner.titles import marked_ground, short_title
from treeline.core.policies.planner.vocabulary import Lexicon
from treeline.core.policies.planner.wording import limit_of
from treeline.toolkit.index.burn import SEVERITY_LIMITS, SEVERITY_NAMES

_KEY_BENSON = "Key & Benson 2006"
_SOBRINO = "Sobrino et al. 2004"


@dataclass(frozen=True, slots=True)
class Usual:
    """A usual limit of an index.

    Attributes
    ----------
    needs : str
        The role without which the index would be another one, or could not be had.
    """

    role: str
    limit: Threshold
    source: str
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Convention:
    """Words for a kind of ground, and the limits that tell it, the best first.

    Attributes
    ----------
    greenness : bool
        The words mean a degree as well, as "vegetation cover" does: only what is asked in area or share
        is an extent.
    """

    name: str
    words: str
    limits: tuple[Usual, ...]
    greenness: bool = False


CONVENTIONS: tuple[Convention, ...] = (
    Convention(
        "water",
        r"(?:(?:open |surface )?water(?: bod(?:y|ies)| surfaces?| areas?| extent)?|flooded|inundated|"
        r"(?:lakes?|reservoirs?|ponds?))",
        (
            Usual("ndwi", Threshold("above", 0.0), "McFeeters 1996", "green"),
            Usual("mndwi", Threshold("above", 0.0), "Xu 2006"),
            Usual("open_water", Threshold("above", 0.0), "Martinis et al. 2009"),
        ),
    ),
    Convention(
        "snow",
        r"snow(?:y|[- ]covered| cover| extent)?",
        (Usual("ndsi", Threshold("above", 0.4), "Hall et al. 1995"),),
    ),
    Convention(
        "burned ground",
        r"(?:burn(?:ed|t|s)?|fire)(?:[- ]?(?:scars?|severity|areas?))?|scorched",
        (Usual("dnbr", Threshold("above", SEVERITY_LIMITS[2], inclusive=True), _KEY_BENSON, "nbr"),),
    ),
    Convention(
        "bare ground",
        r"(?:bare|(?:not |non-?|un)vegetated)(?: (?:soil|ground|land|areas?))?",
        (Usual("ndvi", Threshold("below", 0.2), _SOBRINO),),
    ),
    Convention(
        "dense vegetation",
        r"dense(?:ly)? (?:vegetation|vegetated)",
        (Usual("ndvi", Threshold("above", 0.5), _SOBRINO),),
    ),
    Convention(
        "vegetation",
        r"(?:vegetation|vegetated|plants?|green (?:areas?|land))",
        (Usual("ndvi", Threshold("above", 0.2), _SOBRINO),),
        greenness=True,
    ),
    Convention(
        "built-up land",
        r"(?:built[- ]?up|urban|impervious|sealed)(?: (?:areas?|land|surfaces?))?",
        (Usual("ndbi", Threshold("above", 0.0), "Zha et al. 2003"),),
    ),
)

EXTENTS = ("area", "share", "pixels")


def usual_limit(
    reading: Reading, statistic: Statistic | None, available: Callable[[str], bool]
) -> tuple[Usual, str] | None:
    """Return the usual limit of the ground whose extent a question asks for, and how it was read.

    ``None`` where no extent is asked for, or no index that would tell it can be had.
    """
    for convention in CONVENTIONS:
        if not _asks_extent(reading, convention, statistic):
            continue
        for usual in convention.limits:
            if available(usual.needs or usual.role):
                usual = _of_severity(reading, usual)
                return usual, said(convention.name, usual)
    return None


def conventional(reading: Reading, linked: Linked, statistic: Statistic | None, lexicon: Lexicon) -> bool:
    """Give a question for the extent of some ground the usual limit; return whether that was done."""
    if linked.threshold or linked.conditions or _named_itself(linked, reading, lexicon):
        return False
    found = usual_limit(reading, statistic, lexicon.available)
    if found is None:
        return False
    usual, note = found
    linked.target = linked.named = usual.role
    linked.threshold = usual.limit
    linked.notes.append(note)
    return True


_ON = r"(?:of|in|on|over|within|for|is|was|are|were|did|does)(?: all)?(?: the)?"


def ground_condition(
    reading: Reading, linked: Linked, statistic: Statistic | None, lexicon: Lexicon
) -> Condition | None:
    """Return what tells the ground that a variable is asked of, as in "How warm was the lake?"; notes it."""
    if linked.target is None or linked.threshold or linked.conditions or names_a_place(reading, lexicon):
        return None
    for convention in CONVENTIONS:
        match = re.search(rf"\b{_ON} {convention.words}(?![\w-]| (?:index|temperature))", reading.text)
        if match is None or convention.greenness or statistic in EXTENTS:
            continue
        for usual in convention.limits:
            if lexicon.available(usual.needs or usual.role) and usual.role != linked.target:
                linked.notes.append(said(convention.name, usual))
                return Condition(usual.role, usual.limit)
    return None


def _named_itself(linked: Linked, reading: Reading, lexicon: Lexicon) -> bool:
    """Return whether the question names an index, or a variable of the workspace, and no mere ground."""
    if linked.target is None or not linked.exact:
        return False
    return linked.target in lexicon.roles or reading.has(rf"\b{linked.target}\b")


def said(name: str, usual: Usual) -> str:
    """Return in a sentence which limit was taken."""
    title = short_title(usual.role)
    if marked_ground(usual.role):
        return f"{title.partition(' (')[0].capitalize()} was taken for {name} ({usual.source})."
    return f"{title} {limit_of(usual.limit)} was taken for {name} ({usual.source})."


def _asks_extent(reading: Reading, convention: Convention, statistic: Statistic | None) -> bool:
    ground = rf"\b{convention.words}"
    if statistic in EXTENTS and reading.has(rf"{ground}\b"):
        return True
    if convention.greenness:
        return reading.has(r"\bvegetated (?:areas?|land|surface)\b")
    about = alternatives(
        rf"\b(?:covered|occupied|affected) (?:by|with|in)(?: the| a)? (?:\w+ )?{ground}\b",
        rf"{ground}(?:[- ](?:cover(?:ed|age)?|extents?|surfaces?|areas?|scars?|severity)\b)",
        rf"\bhow much (?:\w+ )?(?:of (?:the )?(?:\w+ )?(?:is|was|are|were)(?: under)? )?{ground}\b",
        rf"\b(?:is|was|are|were) there (?:any |some )?{ground}\b",
        rf"^(?:is|was|are|were) (?:any |some )?{ground} (?:present|visible)\b",
        rf"\b(?:extent|amount|presence|size|area) of (?:the )?{ground}\b",
    )
    return reading.has(about)


def severity_classes(reading: Reading, linked: Linked) -> bool:
    """Make a question for burned ground by class of severity one of each class; return whether it is."""
    asked = (
        rf"\b(?:by|per|each|every|all|of the|in the) (?:class(?:es)? of )?{_SEVERITY}|\bseverity classes\b"
    )
    if linked.target != "dnbr" or not reading.has(asked):
        return False
    ends = (*SEVERITY_LIMITS[3:], None)
    limits = [
        Threshold("above", low, inclusive=True, upper=high)
        for low, high in zip(SEVERITY_LIMITS[2:], ends, strict=True)
    ]
    linked.rivals = [
        {"name": f"{name}, dNBR {limit_of(limit)}", "threshold": limit}
        for name, limit in zip(SEVERITY_NAMES[3:], limits, strict=True)
    ]
    linked.threshold = limits[0]
    return True


_SEVERITY = r"(?:burn )?severity(?: class(?:es)?| levels?)?\b(?! index)"


def _of_severity(reading: Reading, usual: Usual) -> Usual:
    """Return the limits of the class of burn severity that a question names."""
    named = re.search(
        r"(?P<least>at least |minimum )?"
        r"(?P<class>high|moderate(?:[- ]to)?[- ]high|moderate(?:[- ]to)?[- ]low|moderate|medium|low)"
        r"(?: or (?:higher|more|above))?(?: burn)?[- ]severity(?: or (?:higher|more|above))?",
        reading.text,
    )
    if usual.role != "dnbr" or named is None:
        return usual
    name = named["class"].replace(" to ", "-").replace("-to-", "-").replace(" ", "-")
    ends = ("moderate-low", "moderate-high") if name in ("moderate", "medium") else (name, name)
    first, last = (SEVERITY_NAMES.index(f"{end} severity") for end in ends)
    open_above = last == len(SEVERITY_NAMES) - 1 or named["least"] or " or " in named[0]
    upper = None if open_above else SEVERITY_LIMITS[last]
    return replace(usual, limit=replace(usual.limit, value=SEVERITY_LIMITS[first - 1], upper=upper))
