"""The parts of the ground that a question names: "in the forest", "of class 2", "which land cover class"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from treeline.core.policies.planner import cues
from treeline.core.policies.planner.conventions import CONVENTIONS, EXTENTS
from treeline.core.policies.planner.coordinates import read_coordinates
from treeline.core.policies.planner.intent import Statistic, Subject, Zone
from treeline.core.policies.planner.linking import Linked
from treeline.core.policies.planner.periods import Times
from treeline.core.policies.planner.text import Reading, Span
from treeline.core.policies.planner.wording import listed
from treeline.core.policies.planner.zones import ZoneGroup

_EACH = r"(?:each|every|per|by|which|what|all|rank(?: the)?|list(?: the)?)(?: of)?(?: the)?"
_WHICH = rf"(?:{_EACH}|of the|the)"
_CLASS_GROUP = (
    rf"\b{_WHICH} (?:land[- ]?(?:cover|use) |lulc |vegetation )?(?:class(?:es)?|categor(?:y|ies)|"
    r"(?:cover |land[- ]?(?:cover|use) )types?)\b"
    r"|\b(?:by|per|each|which|what) (?:kind of |type of )?land[- ]?(?:cover|use)\b"
    r"|\bland[- ]?(?:cover|use) (?:composition|distribution|statistics|shares)\b"
)
_POLYGONS = (
    r"(?:polygons?|regions?|zones?|parcels?|districts?|villages?|features?|sites?|settlements?|places?)"
)
# What vector files are of, by where things are that they hold.
_FEATURES = {
    "in": _POLYGONS,
    "at": r"(?:(?:sampl(?:e|ing) |field )?points?|stations?|sites?|locations?|plots?|gauges?|towers?|wells?)",
    "along": r"(?:lines?|transects?|profiles?|paths?|routes?)",
}
_AREA = r"(?:areas? of interest|regions? of interest|aoi|roi|areas? (?:that |which )?i (?:drew|gave))"
_BEFORE = re.compile(
    r"(?:\b(?:in|of|over|within|inside|across|for|on|at|from|by|with|is|was|are|were|under|between|and|or|than|"
    r"versus|vs\.?|against|to|outside|covered|ha|km2|m2|how (?:large|big|green|much|many)|where)"
    rf"(?: the| a| an| all| its| class| this| my| {_POLYGONS})*|^(?:the|mean|average)?"
    r"|\b(?:the|only|more|less|much|many)) ?$"
)
_AFTER = re.compile(
    r"^(?:'s?)? (?:pixels?|areas?|polygons?|class|land|zone|region|cover|extent|surface|district|than)\b"
)
_NUMBERED = (
    r"\b(?:land[- ]?cover |lulc |scl )?class(?:es)? (?:number |no\.? )?"
    r"(?P<n>\d+(?:(?:,|,? and|,? or|,? to) \d+)*)"
)

# Kinds of land as map legends name them, and as questions do.
_KINDS: tuple[tuple[str, str, str], ...] = (
    ("forest", r"forest|wood|tree", r"(?:forest(?:s|ed)?|wood(?:s|lands?|ed)?|trees?)"),
    ("water", r"water", r"(?:water(?: bod(?:y|ies)| surfaces?)?|lakes?|rivers?|reservoirs?|ponds?)"),
    ("grassland", r"grass|meadow|pasture", r"(?:grass(?:lands?|y)?|meadows?|pastures?)"),
    (
        "cropland",
        r"crop|cultivat|agric|arable|farm",
        r"(?:crop(?:lands?|s)?|(?:arable|cultivated|agricultural|crop) (?:land|fields|areas?)|farmland)",
    ),
    (
        "built-up land",
        r"built|urban|artificial|settle|impervious",
        r"(?:built[- ]?up|urban|artificial|impervious|sealed|towns?|cit(?:y|ies)|villages?|settlements?)",
    ),
    ("shrubland", r"schrub|shrub|bush|scrub", r"(?:shrub(?:lands?|s)?|bush(?:es|land)?|scrub)"),
    ("bare ground", r"bare|rock|soil|sparse", r"(?:bare (?:ground|soil|land|areas?)|rocks?)"),
    ("wetland", r"wetland|marsh|swamp|bog", r"(?:wetlands?|marsh(?:es)?|swamps?|bogs?)"),
    ("snow", r"snow|ice", r"(?:snow|ice)"),
)


@dataclass(frozen=True, slots=True)
class Zoning:
    """The zones of a question.

    Attributes
    ----------
    every : bool
        All zones of a kind are asked for, each by itself.
    pick : bool
        The one with the highest or lowest number is asked for.
    """

    zones: tuple[Zone, ...] = ()
    every: bool = False
    pick: bool = False
    notes: tuple[str, ...] = ()

    @property
    def is_line(self) -> bool:
        """True where the question names nothing but a line."""
        return [zone.preposition for zone in self.zones] == ["along"]


def read_zones(
    reading: Reading, groups: Sequence[ZoneGroup], times: Times, statistic: Statistic | None
) -> Zoning:
    """Return the zones that a question names, and consume their words."""
    placed = read_coordinates(reading)
    if placed is not None:
        return Zoning((placed[0],), notes=(placed[1],))
    group = _group(reading, groups)
    if group is not None:
        pick = reading.has(f"{cues.HIGHEST}|{cues.LOWEST}")
        return Zoning(group.zones or (Zone("", group.role),), every=True, pick=pick)
    found: list[tuple[int, Zone]] = []
    for pattern, zone in _names(groups):
        for match in list(reading.find(rf"(?<![\w-])(?:{pattern})(?![\w-])")):
            if _is_place(reading, match) and not _changes_with_time(match[0], times, statistic):
                found += [(match.start(), one) for one in _meant(zone, match)]
                reading.consume(Span(*match.span()))
                break
    zones = _most_telling(zone for _, zone in sorted(found, key=lambda entry: entry[0]))
    return Zoning(zones, notes=tuple(note for zone in zones for note in _note(zone)))


def _most_telling(zones: Iterable[Zone]) -> tuple[Zone, ...]:
    """Leave out a file as a whole where one of its features is named: "the parcel Lakeside"."""
    named = list(zones)
    single = {zone.file for zone in named if zone.attribute or zone.number}
    return tuple(zone for zone in named if zone.attribute or zone.number or zone.file not in single)


def size_is_asked(linked: Linked, zoning: Zoning, mentioned: bool, statistic: Statistic | None) -> bool:
    """Return whether the zones themselves are measured, and no variable in them."""
    if not (zoning.zones or zoning.every) or mentioned or linked.threshold or linked.conditions:
        return False
    return statistic in (*EXTENTS, None, "sum")


def in_zones(subjects: tuple[Subject, ...], zoning: Zoning) -> tuple[Subject, ...]:
    """Return subjects limited to zones, one for each zone."""
    if not zoning.zones:
        return subjects
    return tuple(replace(subject, zone=zone) for zone in zoning.zones for subject in subjects)


def _group(reading: Reading, groups: Sequence[ZoneGroup]) -> ZoneGroup | None:
    """Return the kind of zones of which each is asked for."""
    for group in groups:
        match = next(reading.find(_of_each(group)), None)
        if match is not None and (group.zones or group.role):
            reading.consume(Span(*match.span()))
            return group
    return None


def _of_each(group: ZoneGroup) -> str:
    """Return a pattern of words that ask for each zone of a group by itself."""
    if group.kind == "class":
        return _CLASS_GROUP
    if group.kind == "polygon":
        own = r"[ _]".join(map(re.escape, group.attribute.lower().split("_")))
        return rf"\b{_EACH} (?:[\w-]+ ){{0,3}}?(?:{_POLYGONS}|{own}s?)\b(?! of )"
    names = "|".join(re.escape(zone.name.lower()) for zone in group.zones)
    words = rf"{_words_of(group)}\b(?! (?:{names})\b)"
    if group.whole is not None and group.whole.preposition == "at":
        return rf"\b(?:(?:at|of|in|for|from) (?:(?:the|all|these|those|my) )*|{_EACH} )(?:[\w-]+ )?{words}"
    return rf"\b{_EACH} (?:[\w-]+ )?{words}(?! of )"


def _words_of(group: ZoneGroup) -> str:
    """Return a pattern of what the features of a file are called: by their kind, or by the file's name."""
    assert group.whole is not None
    stem = re.sub(r"[\W_]+", r"[\\W_]", PurePath(group.whole.file).stem.lower())
    singular = re.sub(r"(?<=\w{2})s$", "", stem)
    return rf"(?:{_FEATURES[group.whole.preposition]}|{singular}(?:e?s)?)"


def _names(groups: Sequence[ZoneGroup]) -> Iterator[tuple[str, Zone]]:
    """Yield patterns of names and their zones, the longest names first, kinds of land after them."""
    spoken = [group for group in groups if group.role != "scl"]
    named = [zone for group in spoken for zone in group.zones]
    for zone in sorted(named, key=lambda zone: -len(zone.name)):
        words = re.findall(r"[^\W_]+", zone.name.lower())
        if len("".join(words)) > 1:
            yield r"[\W_]*".join(map(re.escape, words)) + r"(?:s|es)?", zone
    for group in groups:
        if group.whole is not None:
            for zone in group.zones:
                yield rf"{_words_of(group)} {re.escape(zone.name.lower())}", zone
            area = f"{_AREA}|" if group.whole.preposition == "in" else ""
            yield f"{area}{_words_of(group)}", group.whole
    for role in dict.fromkeys(group.role for group in groups if group.kind == "class"):
        yield _NUMBERED, Zone("", role)
    for name, legend, spoken_words in _KINDS:
        for group in spoken:
            fitting = [zone for zone in group.zones if re.search(legend, zone.name.lower())]
            if fitting and (group.kind == "class" or len(fitting) == 1):
                yield spoken_words, _together(name, fitting)


def _together(name: str, zones: Sequence[Zone]) -> Zone:
    classes = tuple(value for zone in zones for value in zone.classes)
    return replace(zones[0], name=name, classes=classes, parts=tuple(zone.name for zone in zones))


def _meant(zone: Zone, match: re.Match[str]) -> list[Zone]:
    """Return the zone that a name means, or a zone for each number of "classes 2 and 3"."""
    if zone.name:
        return [zone]
    numbers = [int(n) for n in re.findall(r"\d+", match["n"])]
    if " to " in match["n"]:
        numbers = list(range(numbers[0], numbers[-1] + 1))
    return [replace(zone, name=f"class {n}", classes=(float(n),)) for n in numbers]


def _is_place(reading: Reading, match: re.Match[str]) -> bool:
    before, after = reading.text[: match.start()], reading.text[match.end() :]
    numbered = "n" in match.groupdict()
    return numbered or _BEFORE.search(before) is not None or _AFTER.match(after) is not None


def _changes_with_time(words: str, times: Times, statistic: Statistic | None) -> bool:
    """Return whether the extent of such ground is better told by an index of the dates that are asked for."""
    if statistic not in EXTENTS or times.kind == "always":
        return False
    return any(re.fullmatch(convention.words, words) for convention in CONVENTIONS)


def _note(zone: Zone) -> list[str]:
    """Say what was taken for a word that is not the name itself."""
    if zone.attribute:
        return [f"Taken are the polygons of {zone.file} whose {zone.attribute} is \u201c{zone.member}\u201d."]
    if not zone.parts or zone.parts == (zone.name,):
        return []
    word = "class" if len(zone.parts) == 1 else "classes"
    return [f"\u201c{zone.name}\u201d was read as the {word} {listed(list(zone.parts))}."]
