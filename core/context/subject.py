"""Which of the data a question speaks of in their own words: classes, polygons, clear dates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from treeline.core.workspace import Workspace
from treeline.core.workspace.class_names import NamesBeside, is_of_classes, vectors_beside
from treeline.core.workspace.collections import UNKNOWN_ROLE
from treeline.knowledge import CardMatch, CardSearch, TaskCard
from treeline.knowledge.words import words
from treeline.toolkit import ToolContext, registry, use_context
from treeline.toolkit.raster import Source, class_legend
from treeline.toolkit.tool import Reads
from treeline.toolkit.vector import Features

Phrases = tuple[tuple[str, ...], ...]

_CLASS_WORDS = ("land cover", "landcover", "land use", "class", "classes", "legend")
_ZONE_WORDS = ("region", "zone", "polygon", "parcel", "district", "municipality", "named area")
_CLEAR_WORDS = ("cloud", "cloudy", "cloudless", "cloudfree", "clear", "free of clouds", "cloud free")
# Who asks for a map to be made does not mean the one that is there.
_MAKING = frozenset({"classify", "classified", "classification", "cluster", "clustering", "segment", "train"})
_CLEARING = "apply_cloud_mask"
_SHORTEST_NAME = 3


@dataclass(frozen=True)
class Subject:
    """What the data of a workspace hold of what a question names.

    Parameters
    ----------
    question : str
    roles : frozenset of str
        Of the rasters that are there.
    legends : tuple of dict
        Names of the classes of each raster of classes.
    names : frozenset of str
        The names that polygons have.
    zones : bool
        Whether there are polygons.
    """

    question: str
    roles: frozenset[str]
    legends: tuple[dict[int, str], ...] = ()
    names: frozenset[str] = frozenset()
    zones: bool = False

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that work on what the question names, where the data hold it."""
        by_zone, by_class = bool(self._zones), bool(self._classes) and _MAKING.isdisjoint(self._words)
        chosen = [
            *(["zonal_statistics"] if by_zone else []),
            *(["zonal_class_shares"] if by_zone and by_class else []),
            *(["statistics_by_class", "area_by_class"] if by_class else []),
            *(["class_transitions"] if by_class and len(self.legends) > 1 else []),
            *([_CLEARING] if self._clear else []),
        ]
        return tuple(chosen)

    @cached_property
    def rest(self) -> str:
        """The question without the words by which the data are called."""
        left = list(self._words)
        for phrase in sorted((*self._classes, *self._zones, *self._clear), key=len, reverse=True):
            for start in reversed(_places(left, phrase)):
                del left[start : start + len(phrase)]
        return " ".join(left)

    def makes_anew(self, tool: str) -> bool:
        """Return whether a tool makes what the data hold, and the question does not ask for it."""
        made = registry().get(tool).bands if tool in registry() else ()
        return bool(self.roles.intersection(made)) and not self._asks_to_make

    def cards(self, search: CardSearch) -> list[CardMatch]:
        """Return the cards that fit the question by more than words by which the data are called.

        Those whose variables the data do not hold, and those that make what is there already out of other
        things, are left out.
        """
        tools, roles = registry(), self.roles
        reach = None if UNKNOWN_ROLE in roles else tools.roles_from(roles)
        found = [
            match
            for match in search.search(self.question)
            if reach is None or reach.issuperset(search.cards[match.id].roles)
        ]
        if self._asks_to_make:
            return found
        by_rest = {match.id: match for match in search.search(self.rest, len(search.cards))}

        def fits(card: TaskCard) -> bool:
            chain = (tools.get(name) for name in card.tools if name in tools)
            if any(roles.intersection(tool.bands).difference(card.roles) for tool in chain):
                return False
            # Where the tools for the question are known, likeness alone is no reason for others.
            return card.id in by_rest and bool(by_rest[card.id].matched or not self.tools)

        return [match for match in found if fits(search.cards[match.id])]

    @cached_property
    def _asks_to_make(self) -> bool:
        """Whether it asks for what is there to be made anew, by a word for that or the name of a method."""
        makers = (tool for tool in registry() if self.roles.intersection(tool.bands))
        methods = {" ".join(pair) for tool in makers for pair in pairwise(tool.name.split("_"))}
        methods -= {role.replace("_", " ") for role in self.roles}
        return not _MAKING.isdisjoint(self._words) or bool(self._spoken(sorted(methods)))

    @cached_property
    def _words(self) -> list[str]:
        return words(self.question)

    @cached_property
    def _classes(self) -> Phrases:
        names = [name for legend in self.legends for name in legend.values()]
        return self._spoken([*_CLASS_WORDS, *names]) if self.legends else ()

    @cached_property
    def _zones(self) -> Phrases:
        classes = {name for legend in self.legends for name in legend.values()}
        return self._spoken([*_ZONE_WORDS, *sorted(self.names - classes)]) if self.zones else ()

    @cached_property
    def _clear(self) -> Phrases:
        read = (parameter.contract for parameter in registry().get(_CLEARING).inputs)
        masks = {role for contract in read if isinstance(contract, Reads) for role in contract.roles}
        return self._spoken(_CLEAR_WORDS) if self.roles & masks else ()

    def _spoken(self, phrases: Iterable[str]) -> Phrases:
        parted = dict.fromkeys(tuple(words(phrase)) for phrase in phrases)
        return tuple(phrase for phrase in parted if phrase and _places(self._words, phrase))


def subject_of(question: str, workspace: Workspace) -> Subject:
    """Return what a question names of the data of a workspace."""
    with use_context(ToolContext(output_folder=workspace.folder, resolver=workspace.resolver)):
        vectors = [found for _, found in vectors_beside(workspace) if isinstance(found, Features)]
        polygons = [f for f in vectors if any(i.geometry.geom_type.endswith("Polygon") for i in f.items)]
        legends = tuple(_legends(workspace))
    roles = frozenset(collection.role for collection in workspace.collections.values())
    return Subject(question, roles, legends, frozenset(_names(question, polygons)), bool(polygons))


def _legends(workspace: Workspace) -> Iterator[dict[int, str]]:
    beside = NamesBeside(workspace)
    for collection in workspace.collections.values():
        for member in collection.members[:2]:
            source = Source(member.description, member.band)
            if is_of_classes(source) and (names := class_legend(source).names or beside.of(source)):
                yield dict(names)


def _names(question: str, vectors: Iterable[Features]) -> Iterator[str]:
    """Yield the texts among the attributes of features that a question holds."""
    asked = question.casefold()
    for features in vectors:
        for item in features.items:
            for value in item.attributes.values():
                is_name = isinstance(value, str) and len(value.strip()) >= _SHORTEST_NAME
                if is_name and value.strip().casefold() in asked:
                    yield value.strip()


def _places(text: list[str], phrase: tuple[str, ...]) -> list[int]:
    starts = range(len(text) - len(phrase) + 1)
    return [start for start in starts if tuple(text[start : start + len(phrase)]) == phrase]
