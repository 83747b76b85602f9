"""The names that may stand in a question: the lexicon's phrases and those of one workspace, by words."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TypeVar

from treeline.core.query.expression import (
    Aggregate,
    Cloud,
    Compare,
    Composite,
    Node,
    Number,
    Place,
    Show,
    Trend,
    Variable,
    Zones,
)
from treeline.core.query.inventory import Holding, Inventory, NamedGround
from treeline.core.query.lexicon import Entry, entries, phrase_of
from treeline.core.query.phrases.answers import Picture
from treeline.core.query.phrases.comparisons import Changed, Comparative, Delta
from treeline.core.query.phrases.conditions import Claim, Held
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.phrase import Missing, Nothing, Phrase
from treeline.core.query.phrases.places import Mask, Polygons
from treeline.core.query.phrases.ranks import Ranked
from treeline.core.query.phrases.values import Bands, Measure, Raw, Value
from treeline.toolkit.variables import VARIABLES

Words = tuple[str, ...]
Entries = tuple[int, ...]
CLOUD_SHARE = "cloud_share"
_WORD = re.compile(r"@?[^\W]+(?:'[^\W]+)?|[^\s\w]")
_NO_WORDS = frozenset(("-", "‑", ""))
STATIC = (
    "dem",
    "terrain_slope",
    "terrain_aspect",
    "hillshade",
    "curvature",
    "tpi",
    "ruggedness",
    "roughness",
)


@lru_cache(maxsize=1 << 14)
def words_of(text: str) -> Words:
    """Return the words of a phrase, in lower case, hyphens and possessives aside."""
    return _split(text)


def _split(text: str) -> Words:
    if text.isascii() and text.islower() and text.replace(" ", "").isalnum():
        return tuple(text.split())
    found = _WORD.findall(text.lower().replace("’", "'").replace("_", " "))
    if "'" in text or "’" in text:
        found = [word.removesuffix("'s").removesuffix("'") for word in found]
    return tuple([word for word in found if word not in _NO_WORDS])


Found = TypeVar("Found")


@dataclass(frozen=True)
class ByWords(Mapping[Words, Found]):
    """What words stand for: the lexicon's, which all workspaces share, under those of one workspace.

    Attributes
    ----------
    own : mapping
        Words that a name of the workspace has, too.
    shared : mapping
        Words to the numbers of the lexicon's entries that have them.
    of_entries : mapping
        What the entries of some numbers stand for together.
    """

    own: Mapping[Words, Found]
    shared: Mapping[Words, Entries]
    of_entries: Mapping[Entries, Found]

    def __getitem__(self, words: Words) -> Found:
        return self.own[words] if words in self.own else self.of_entries[self.shared[words]]

    def __contains__(self, words: object) -> bool:
        return words in self.shared or words in self.own

    def __iter__(self) -> Iterator[Words]:
        yield from self.shared
        yield from (words for words in self.own if words not in self.shared)

    def __len__(self) -> int:
        return len(self.shared) + sum(words not in self.shared for words in self.own)

    def find(self, found: Found) -> list[Words]:
        """Return the words that stand for this."""
        entries = {numbers for numbers, each in self.of_entries.items() if each == found}
        shared = [words for words, numbers in self.shared.items() if numbers in entries]
        own = [words for words, each in self.own.items() if each == found]
        return [words for words in shared if words not in self.own] + own


@dataclass(frozen=True)
class Names:
    """Everything that a question may say by name.

    Attributes
    ----------
    meanings : mapping
        Words to what they may mean; no meaning for a filler.
    kinds : mapping
        Words to ``lexicon``, ``name`` or ``filler``.
    longest : int
        Most words of a phrase.
    other_words : mapping
        Words to those that they stand for.
    """

    inventory: Inventory
    meanings: ByWords[tuple[Phrase, ...]]
    kinds: ByWords[str]
    longest: int
    other_words: Mapping[Words, str] = field(default_factory=dict)

    def variable(self, role: str) -> Variable | None:
        """Return a variable that is there; ``None`` where it is not."""
        held = self.inventory.holding(role)
        return None if held is None else variable_of(held)

    def units(self) -> tuple[NamedGround, ...]:
        """Return the grounds with names."""
        return self.inventory.grounds


def variable_of(held: Holding) -> Variable:
    """Return a holding as a variable with every slot open."""
    timeless = not held.dates and (not held.made or held.role in STATIC)
    return Variable(held.role, timeless=timeless, unit=held.unit)


def names_of(inventory: Inventory) -> Names:
    """Return everything that a question to a workspace may say by name."""
    # Of several that ask for the same at once, one finds it out.
    with _ONE_AT_A_TIME:
        return _find_names(inventory)


_ONE_AT_A_TIME = threading.Lock()


@lru_cache(maxsize=32)
def _find_names(inventory: Inventory) -> Names:
    lexicon = _lexicon()
    found = [tuple(_meanings(entry, inventory)) for entry in entries()]
    fillers = [entry.filler and not found[number] for number, entry in enumerate(entries())]
    of_entries: dict[Entries, tuple[dict[Phrase, None], str]] = {
        numbers: (
            dict.fromkeys(phrase for number in numbers for phrase in found[number]),
            "filler" if all(fillers[number] for number in numbers) else "lexicon",
        )
        for numbers in set(lexicon.values())
    }
    own: dict[Words, tuple[dict[Phrase, None], str]] = {}

    def add(phrase: str, found: Iterable[Phrase], kind: str) -> None:
        key = words_of(phrase)
        if not key:
            return
        meant, before = own.get(key) or of_entries.get(lexicon.get(key, ()), ({}, "filler"))
        own[key] = ({**meant, **dict.fromkeys(found)}, kind if before == "filler" else before)

    for phrase, phrases in _variables(inventory):
        add(phrase, phrases, "lexicon")
    for phrase, phrases in _grounds(inventory):
        add(phrase, phrases, "name")
    return Names(
        inventory,
        ByWords(_meant(own), lexicon, _meant(of_entries)),
        ByWords(_kinds(own), lexicon, _kinds(of_entries)),
        max(map(len, (*lexicon, *own))),
        _other_words(),
    )


@cache
def _lexicon() -> Mapping[Words, Entries]:
    """Return the words of the lexicon with the numbers of their entries, which no workspace changes."""
    known: dict[Words, Entries] = {}
    for number, entry in enumerate(entries()):
        for phrase in entry.phrases:
            words = _split(phrase)
            before = known.get(words, ())
            if words and number not in before:
                known[words] = (*before, number)
    return known


Key = TypeVar("Key", Words, Entries)


def _meant(found: Mapping[Key, tuple[dict[Phrase, None], str]]) -> dict[Key, tuple[Phrase, ...]]:
    return {key: _without_missing(tuple(phrases)) for key, (phrases, _) in found.items()}


def _kinds(found: Mapping[Key, tuple[dict[Phrase, None], str]]) -> dict[Key, str]:
    return {key: kind for key, (_, kind) in found.items()}


@cache
def _other_words() -> Mapping[Words, str]:
    return {_split(phrase): each.reads_as for each in entries() if each.reads_as for phrase in each.phrases}


def _without_missing(found: tuple[Phrase, ...]) -> tuple[Phrase, ...]:
    """Return meanings without what is missing, where another meaning is there."""
    if len(found) < 2:
        return found
    return tuple([phrase for phrase in found if not isinstance(phrase, Missing)]) or found


# --- Entries of the lexicon -----------------------------------------------------------------------


def _meanings(entry: Entry, inventory: Inventory) -> Iterable[Phrase]:
    if entry.filler and (entry.means or entry.variable or entry.classes or entry.all_of):
        yield Nothing()
    for meaning in entry.means:
        phrase = phrase_of(meaning)
        if phrase in (Mask(Cloud()), _OVERCAST) and not inventory.knows_clouds:
            yield Missing("cloud mask")
        elif isinstance(phrase, Picture):
            bands = [inventory.holding(role) for role in phrase.roles]
            if all(band is not None for band in bands):
                colours = tuple(variable_of(band) for band in bands if band is not None)
                yield Value(Show(Composite(colours), "map"))
            else:
                yield Missing("colour picture")
        elif phrase == Mask(Place("aoi")) and not inventory.area_of_interest:
            yield Missing("area of interest")
        else:
            yield phrase
    if entry.variable:
        yield from _of_variable(entry, inventory)
    place = _of_classes(entry, inventory)
    if place is not None:
        yield Mask(place)
        if entry.as_ == "patches":
            yield Polygons(Zones("patch", of=place), place)
    elif entry.classes and _class_like(inventory):
        yield Missing(f"class {entry.classes[0]}")


_OVERCAST = Held(Aggregate("all", Cloud(), "pixel"))


def _of_variable(entry: Entry, inventory: Inventory) -> Iterable[Phrase]:
    if entry.variable == [CLOUD_SHARE]:
        if not inventory.knows_clouds:
            yield Missing("cloud mask")
            return
        share = Aggregate("share", Cloud(), "pixel")
        yield _as(entry, Measure(share), share)
        return
    held = [found for role in entry.variable if (found := inventory.holding(role)) is not None]
    if not held:
        known = VARIABLES.get(entry.variable[0])
        yield Missing((known.title if known else entry.phrases[0]).lower(), entry.variable[0])
        return
    variable = variable_of(held[0])
    yield _as(entry, Raw(variable), Aggregate("mean", variable, "pixel", assumed=("statistic",)))


def _as(entry: Entry, plain: Phrase, node: Node) -> Phrase:
    if entry.as_ in ("highest", "lowest"):
        return Ranked("highest" if entry.as_ == "highest" else "lowest", node)
    if entry.as_ == "change" and isinstance(plain, Raw):
        return Changed("difference", {"gt": 1, "lt": -1}.get(entry.sign, 0), plain.node)
    if entry.as_ in ("max", "min", "range") and isinstance(plain, Raw):
        return Measure(Aggregate(entry.as_, plain.node, "pixel"))  # type: ignore[arg-type]
    if entry.as_ == "trend" and isinstance(plain, Raw):
        trend = Trend(node, assumed=("method",))
        return Claim(Compare(trend, entry.sign, Number(0.0)))  # type: ignore[arg-type]
    if entry.as_ == "bands" and isinstance(plain, Raw):
        return Bands(plain.node)
    if entry.as_ == "delta" and isinstance(plain, Raw):
        return Delta(plain.node)
    if entry.as_ == "comparative":
        inner = plain.node if isinstance(plain, Raw | Measure) else node
        return Comparative(entry.sign, inner)
    return plain


def _of_classes(entry: Entry, inventory: Inventory) -> Place | None:
    for ground in _class_like(inventory):
        by_key = {words_of(name): name for name in ground.names}
        for wanted in entry.classes:
            if words_of(wanted) in by_key:
                return _place(ground, by_key[words_of(wanted)])
        several = [by_key[words_of(name)] for name in entry.all_of if words_of(name) in by_key]
        if several:
            return _place(ground, *several)
    return None


def _class_like(inventory: Inventory) -> list[NamedGround]:
    """Return the grounds of classes, those of a raster first."""
    found = [g for g in inventory.grounds if g.names and (g.by == "class" or g.noun == "class")]
    return sorted(found, key=lambda ground: ground.by != "class")


def _place(ground: NamedGround, *names: str) -> Place:
    return Place(
        "class" if ground.by == "class" else "feature", tuple(sorted(names)), ground.source, ground.attribute
    )


# --- Names of the workspace -----------------------------------------------------------------------


def _variables(inventory: Inventory) -> Iterable[tuple[str, tuple[Phrase, ...]]]:
    for role, known in VARIABLES.items():
        held = inventory.holding(role)
        words = {*known.words, role.replace("_", " ")} | (
            {known.title.lower()} if "(" not in known.title else set()
        )
        if held is None:
            for word in words if len(role) > 2 else known.words:
                if _own_name(word):
                    yield word, (Missing(known.title.lower(), role),)
            continue
        phrase = Raw(variable_of(held))
        if known.kind in ("index", "temperature"):
            words |= {f"{word}s" for word in known.words if not word.endswith("s")}
        if known.kind == "reflectance":
            words |= {f"{word} {noun}" for word in known.words for noun in ("reflectance", "band")}
            words |= {f"reflectance in {noun}" for word in known.words for noun in (word, f"the {word} band")}
        if (numbered := re.search(r", (band \d+)$", known.title)) is not None:
            words |= {numbered[1], known.title.lower().replace(",", "")}
        for word in words:
            if _own_name(word):
                yield word, (phrase,)
        yield f"@{role}", (phrase,)
    for held in inventory.holdings:
        for band in held.bands:
            if (match := re.fullmatch(r"[Bb](?:and)?[ _]?0*(\d+)([Aa]?)", band)) is not None:
                number = f"{match[1]}{match[2].lower()}"
                plain = (f"b{number}", f"b0{number}", number)
                own = (band, *plain[:2], *(f"band {name}" for name in plain))
                said = ("{}", "reflectance in {}", "reflectance of {}", "{} reflectance")
                for form, name in itertools.product(said, own):
                    yield form.format(name), (Raw(variable_of(held)),)
        if held.role not in VARIABLES and held.role != "unknown":
            yield held.role, (Raw(variable_of(held)),)
            yield f"@{held.role}", (Raw(variable_of(held)),)


def _own_name(word: str) -> bool:
    """Return whether a word of the table of variables names one; the lexicon says more of the others."""
    return word not in (
        "mask",
        "difference",
        "distance",
        "classes",
        "temperature",
        "clusters",
        "anomaly",
        "lst range",
        "rgb",
        "trend map",
        "trend per pixel",
        "mann-kendall p-value",
    )


def _grounds(inventory: Inventory) -> Iterable[tuple[str, tuple[Phrase, ...]]]:
    preferred = _class_like(inventory)
    taken: set[Words] = set()
    for ground in [*preferred, *(g for g in inventory.grounds if g not in preferred)]:
        zones = Zones(
            "class" if ground.by == "class" else "feature", source=ground.source, attribute=ground.attribute
        )
        if ground.noun and ground.noun != "class":
            for noun in {ground.noun, f"{ground.noun}s"}:
                yield noun, (Unit("zone", zones),)
        for name in ground.names:
            key = words_of(name)
            if ground in preferred and key in taken:
                continue
            taken.add(key)
            for spelling in _spellings(name):
                yield spelling, (Mask(_place(ground, name)),)
    sites = sorted({site for held in inventory.holdings for site in held.sites})
    for site in sites:
        yield site, (Mask(Place("site", (site,))),)


def _spellings(name: str) -> set[str]:
    return {name, f"{name}s"} if not name.endswith("s") else {name}
