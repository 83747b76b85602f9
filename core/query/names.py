"""The names that may stand in a question: the lexicon's phrases and those of one workspace, by words."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple

from treeline.core.query.expression import (
    Aggregate,
    Cloud,
    Compare,
    Composite,
    Node,
    Not,
    Number,
    Place,
    Show,
    Trend,
    Valid,
    Variable,
    Zones,
)
from treeline.core.query.inventory import TERRAIN_ROLES, Holding, Inventory, NamedGround
from treeline.core.query.lexicon import Entry, entries, phrase_of
from treeline.core.query.lexicon.graph import (
    NOWHERE,
    Numbers,
    WordGraph,
    Words,
    numbers_at,
    spellings,
    words_of,
)
from treeline.core.query.phrases.answers import Picture
from treeline.core.query.phrases.comparisons import ChangeOf, Comparative, Delta
from treeline.core.query.phrases.conditions import Claim, Condition
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.phrase import MissingVariable, Nothing, Phrase, Word
from treeline.core.query.phrases.places import Mask, Polygons
from treeline.core.query.phrases.ranks import Ranking
from treeline.core.query.phrases.values import Bands, Measure, Raw, Value
from treeline.toolkit.recognition.dates import named_month
from treeline.toolkit.variables import CLOUD_ROLES, VARIABLES
from treeline.toolkit.variables import Variable as KnownVariable

CLOUD_SHARE = "cloud_share"


class Interpretation(NamedTuple):
    """What words stand for: meanings, none for a filler, and ``lexicon``, ``name`` or ``filler``."""

    phrases: tuple[Phrase, ...]
    kind: str


class Vocabulary:
    """What the words of the lexicon, which all workspaces share, and of one workspace's names stand for.

    Parameters
    ----------
    of_entries : sequence
        What each entry of the lexicon stands for in the workspace.
    own : iterable
        The workspace's names, with what each stands for.
    """

    def __init__(
        self, of_entries: Sequence[Interpretation], own: Iterable[tuple[str, Interpretation]]
    ) -> None:
        self._of_entries = of_entries
        self._own = tuple(own)
        self._names = WordGraph()
        for number, (name, _) in enumerate(self._own):
            self._names.add_words(words_of(name), number)
        self._found: dict[tuple[Numbers, Numbers], Interpretation | None] = {}

    def get(self, words: Words) -> Interpretation | None:
        """Return what words stand for together; ``None`` where nothing is called so."""
        return self._together(_lexicon().find(words), self._names.find(words))

    def prefixes(self, words: Iterable[str]) -> Iterator[Interpretation | None]:
        """Yield what the first word stands for, the first two, and so on, while a longer phrase may come."""
        shared = own = NOWHERE
        for number, word in enumerate(words):
            shared = _lexicon().follow(shared, word) if number else _lexicon().begin(word)
            own = self._names.follow(own, word) if number else self._names.begin(word)
            if not shared and not own:
                return
            yield self._together(numbers_at(shared), numbers_at(own))

    def single_words(self) -> Iterator[str]:
        """Yield the words that stand for something alone."""
        yield from dict.fromkeys((*_lexicon().single_words(), *self._names.single_words()))

    def fillers(self) -> Iterator[Words]:
        """Yield the words of each phrase that says nothing."""
        for number, meant in enumerate(self._of_entries):
            if meant.kind == "filler":
                for phrase in entries()[number].phrases:
                    for one in spellings(phrase):
                        words = words_of(one)
                        # A workspace may have a name that a filler is elsewhere.
                        if (found := self.get(words)) is not None and found.kind == "filler":
                            yield words

    def _together(self, shared: Numbers, own: Numbers) -> Interpretation | None:
        if (shared, own) not in self._found:
            self._found[shared, own] = self._join(shared, own)
        return self._found[shared, own]

    def _join(self, shared: Numbers, own: Numbers) -> Interpretation | None:
        meant = [self._of_entries[number] for number in shared] + [self._own[number][1] for number in own]
        if not meant:
            return None
        telling = [each.kind for each in meant if each.kind != "filler"]
        phrases = dict.fromkeys(phrase for each in meant for phrase in each.phrases)
        return Interpretation(_drop_missing(tuple(phrases)), telling[0] if telling else "filler")


@dataclass(frozen=True)
class Names:
    """Everything that a question may say by name.

    Attributes
    ----------
    vocabulary : Vocabulary
        What words may mean.
    bare_limits : bool
        The question leaves its variable out, so that "above 0.7" may be said of the only index that there is.
    """

    inventory: Inventory
    vocabulary: Vocabulary
    bare_limits: bool = False

    def variable(self, role: str) -> Variable | None:
        """Return a variable that is there; ``None`` where it is not."""
        held = self.inventory.holding(role)
        return None if held is None else variable_of(held, self.inventory)

    def units(self) -> tuple[NamedGround, ...]:
        """Return the grounds with names."""
        return self.inventory.grounds


def variable_of(held: Holding, inventory: Inventory) -> Variable:
    """Return a holding as a variable with every slot open.

    What has no date is of no time; beside a cloud mask without one it is that of the one image all the same.
    """
    known = VARIABLES.get(held.role)
    under_clouds = inventory.undated_clouds and known is not None and known.kind in _UNDER_CLOUDS
    timeless = not held.dates and (held.role in TERRAIN_ROLES or not (held.made or under_clouds))
    return Variable(held.role, timeless=timeless, unit=held.unit, periods=held.periods)


# Kinds of variables that a cloud falsifies.
_UNDER_CLOUDS = frozenset({"reflectance", "index", "temperature"})


def names_of(inventory: Inventory) -> Names:
    """Return everything that a question to a workspace may say by name."""
    # Of several that ask for the same at once, one finds it out.
    with _ONE_AT_A_TIME:
        return _find_names(inventory)


_ONE_AT_A_TIME = threading.Lock()


@lru_cache(maxsize=32)
def _find_names(inventory: Inventory) -> Names:
    of_entries = []
    for entry in entries():
        found = tuple(dict.fromkeys(_meanings(entry, inventory)))
        of_entries.append(Interpretation(found, "filler" if entry.filler and not found else "lexicon"))
    own = [(phrase, Interpretation(tuple(found), "lexicon")) for phrase, found in _variables(inventory)]
    own += [(phrase, Interpretation(tuple(found), "name")) for phrase, found in _grounds(inventory)]
    own += [(phrase, Interpretation(tuple(found), "name")) for phrase, found in _polygons_together(inventory)]
    return Names(inventory, Vocabulary(of_entries, own))


@cache
def _lexicon() -> WordGraph:
    """Return the phrases of the lexicon by the numbers of their entries, which no workspace changes."""
    graph = WordGraph()
    for number, entry in enumerate(entries()):
        for phrase in entry.phrases:
            graph.add_phrase(phrase, number)
    return graph


def other_words(words: Words) -> str:
    """Return the words that others stand for ("most uniform": "lowest standard deviation"); none for most."""
    numbers = _lexicon().find(words)
    return next((said for number in reversed(numbers) if (said := entries()[number].reads_as)), "")


def _drop_missing(found: tuple[Phrase, ...]) -> tuple[Phrase, ...]:
    """Return meanings without what is missing, where another meaning is there."""
    if len(found) < 2:
        return found
    return tuple([phrase for phrase in found if not isinstance(phrase, MissingVariable)]) or found


# --- Entries of the lexicon -----------------------------------------------------------------------


def _meanings(entry: Entry, inventory: Inventory) -> Iterable[Phrase]:
    if entry.filler and (entry.means or entry.variable or entry.classes or entry.all_of):
        yield Nothing()
    for meaning in entry.means:
        phrase = phrase_of(meaning)
        if phrase in (Mask(Cloud()), _OVERCAST) and not inventory.knows_clouds:
            yield MissingVariable("cloud mask")
        elif isinstance(phrase, Picture):
            bands = [inventory.holding(role) for role in phrase.roles]
            if all(band is not None for band in bands):
                colours = tuple(variable_of(band, inventory) for band in bands if band is not None)
                yield Value(Show(Composite(colours), "map"))
            else:
                yield MissingVariable("colour picture")
        elif phrase in (Word("valid"), Word("missing")):
            yield phrase
            if (only := _only_variable(inventory)) is not None:
                yield Mask(Valid(only) if phrase == Word("valid") else Not(Valid(only)))
        elif phrase == Mask(Place("aoi")) and not inventory.area_of_interest:
            yield MissingVariable("area of interest")
        else:
            yield phrase
    if entry.variable:
        yield from _of_variable(entry, inventory)
    if entry.sensor:
        yield from _of_sensor(entry, inventory)
    place = _of_classes(entry, inventory)
    if place is not None:
        yield Mask(place)
        if entry.as_ == "patches":
            yield Polygons(Zones("patch", of=place), place)
    elif entry.classes and _class_like(inventory):
        yield MissingVariable(f"class {entry.classes[0]}")


def _only_variable(inventory: Inventory) -> Variable | None:
    """Return what is meant where no variable is named: the only one, or NDVI beside the bands of scenes."""
    own = [held for held in inventory.holdings if not held.made and held.role not in CLOUD_ROLES]
    if len(own) == 1:
        return variable_of(own[0], inventory)
    told = [
        held for held in own if held.dates and getattr(VARIABLES.get(held.role), "kind", "") != "reflectance"
    ]
    if [held.role for held in told] != ["ndvi"]:
        return None
    return replace(variable_of(told[0], inventory), assumed=("variable",))


_OVERCAST = Condition(Aggregate("all", Cloud(), "pixel"))


# A sensor is named, and no image tells which one it is of.
UNTOLD_SENSOR = Word("untold_sensor")


def _of_sensor(entry: Entry, inventory: Inventory) -> Iterable[Phrase]:
    """Yield what a sensor's name adds: nothing where no image tells that it is of another."""
    images = [held for held in inventory.holdings if _kind_of(held) in _UNDER_CLOUDS | {"radar"}]
    told = {sensor for held in images for sensor in held.sensors}
    own = [sensor for sensor in told if _is_made_by(entry.sensor, sensor)]
    made_by_it = not entry.measures or any(_kind_of(held) == entry.measures for held in images)
    if made_by_it and len(own) == len(told):
        yield Nothing()
        if not told:
            yield UNTOLD_SENSOR
    elif not own or not made_by_it:
        yield MissingVariable(f"image of {entry.sensor}")


def _is_made_by(named: str, told: str) -> bool:
    """Return whether images of a sensor may be what is named: those of Landsat 8-9 those of Landsat 9."""
    family, _, number = named.partition(" ")
    numbers = re.search(rf"{family} (\d)(?:-(\d))?", told)
    if not number or numbers is None:
        return family in told
    return int(numbers[1]) <= int(number) <= int(numbers[2] or numbers[1])


def _kind_of(held: Holding) -> str:
    known = VARIABLES.get(held.role)
    return known.kind if known else ""


def _of_variable(entry: Entry, inventory: Inventory) -> Iterable[Phrase]:
    if entry.variable == [CLOUD_SHARE]:
        if not inventory.knows_clouds:
            yield MissingVariable("cloud mask")
            return
        share = Aggregate("share", Cloud(), "pixel")
        yield _as(entry, Measure(share), share)
        return
    held = [found for role in entry.variable if (found := inventory.holding(role)) is not None]
    if not held:
        known = VARIABLES.get(entry.variable[0])
        title = known.title if known else next(spellings(entry.phrases[0]))
        yield MissingVariable(title.lower(), entry.variable[0])
        return
    for chosen in _both_halves_of_a_day(held) or held[:1]:
        variable = variable_of(chosen, inventory)
        yield _as(entry, Raw(variable), Aggregate("mean", variable, "pixel", assumed=("statistic",)))


def _both_halves_of_a_day(held: Sequence[Holding]) -> Sequence[Holding]:
    """Return day and night where both were measured and nothing of the whole day is: each may be meant."""
    halves = [each for each in held[:2] if each.role in _HALVES_OF_A_DAY and not each.made]
    return halves if len(halves) == len(_HALVES_OF_A_DAY) else ()


_HALVES_OF_A_DAY = ("lst_day", "lst_night")


def _as(entry: Entry, plain: Phrase, node: Node) -> Phrase:
    if entry.as_ in ("highest", "lowest"):
        return Ranking("highest" if entry.as_ == "highest" else "lowest", node)
    if entry.as_ == "change" and isinstance(plain, Raw):
        return ChangeOf("difference", {"gt": 1, "lt": -1}.get(entry.sign, 0), plain.node)
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
        several += [name for key, name in by_key.items() if _holds_word(key, entry.with_word)]
        if several:
            return _place(ground, *several)
    return None


# By these a name tells what its class is not, or not any more, or only in part.
_OTHERWISE = frozenset({"no", "non", "not", "other", "without", "former", "mosaic", "burnt", "lost", "loss"})


def _holds_word(key: Words, words: Sequence[str]) -> bool:
    """Return whether the name of a class holds one of some words and is a class of that."""
    return not _OTHERWISE.intersection(key) and any(word in key for word in words)


def _class_like(inventory: Inventory) -> list[NamedGround]:
    """Return the grounds of classes, those of a raster first."""
    found = [g for g in inventory.grounds if g.names and (g.by == "class" or g.noun == "class")]
    return sorted(found, key=lambda ground: ground.by != "class")


def _place(ground: NamedGround, *names: str) -> Place:
    return Place(
        "class" if ground.by == "class" else "feature",
        tuple(sorted(names)),
        ground.source,
        ground.attribute,
        dated=ground.dated,
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
                    yield word, (MissingVariable(known.title.lower(), role),)
            continue
        phrase = Raw(variable_of(held, inventory))
        if known.kind in ("index", "temperature"):
            words |= {f"{word}s" for word in known.words if not word.endswith("s")}
        if known.kind == "reflectance":
            words |= _names_of_band(role, known)
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
                    yield form.format(name), (Raw(variable_of(held, inventory)),)
    for name in _NUMBERED_BANDS:
        missing = MissingVariable(f"band named {name}", name.lower())
        for word in {name, name.replace("B0", "B"), f"band {name.lstrip('B0')}"}:
            yield word, (missing,)
    for held in inventory.holdings:
        if held.role not in VARIABLES and held.role != "unknown":
            yield held.role, (Raw(variable_of(held, inventory)),)
            yield f"@{held.role}", (Raw(variable_of(held, inventory)),)


# What files of common sensors call their bands; one that no file has is missing by its name.
_NUMBERED_BANDS = (*(f"B{number:02}" for number in range(1, 13)), "B8A")


# The middles of the bands of Sentinel-2 (ESA, Multispectral Instrument) and Landsat 8 and 9 (USGS), in nm.
_CENTRES = {
    "coastal": (443,),
    "blue": (482, 490, 492),
    "green": (560, 561),
    "red": (655, 665),
    "rededge1": (704, 705),
    "rededge2": (740,),
    "rededge3": (783,),
    "nir": (842,),
    "nir_broad": (842,),
    "nir08": (865,),
    "nir09": (945,),
    "swir1": (1609, 1610, 1614),
    "swir2": (2190, 2201, 2202),
}
_FAMILIES = {
    "swir": ("shortwave infrared", "shortwave-infrared", "short-wave infrared", "swir"),
    "nir": ("near infrared", "near-infrared", "nir"),
    "rededge": ("red edge", "red-edge"),
}


def _names_of_band(role: str, known: KnownVariable) -> set[str]:
    """Return what a band is called: by its noun, and by its wavelength."""
    words = {f"{word} {noun}" for word in known.words for noun in ("reflectance", "band")}
    words |= {f"reflectance in {noun}" for word in known.words for noun in (word, f"the {word} band")}
    lengths = set()
    if (length := re.search(r"\(([\d.]+) (um|nm)\)$", known.title)) is not None:
        units = ("nm", "nanometres") if length[2] == "nm" else ("um", "µm", "μm", "micrometres", "microns")
        lengths |= {f"{length[1]} {unit}" for unit in units}
    for centre in _CENTRES.get(role, ()):
        lengths |= {f"{centre} nm", f"{centre} nanometres"}
    nouns = next((nouns for start, nouns in _FAMILIES.items() if role.startswith(start)), known.words)
    named = {f"{length} {noun} band" for length in lengths for noun in nouns}
    return words | lengths | {f"{length} band" for length in lengths} | named


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
            # Where polygons have a class of the same name, that of the raster is meant: it comes first.
            if ground in preferred and key in taken:
                continue
            taken.add(key)
            for spelling in _spellings(name):
                yield spelling, (Mask(_place(ground, name)),)
    sites = sorted({site for held in inventory.holdings for site in held.sites})
    months = [named_month(site) for site in sites]
    for site, month in zip(sites, months, strict=True):
        yield site, (Mask(Place("site", (site,))),)
        if month and months.count(month) == 1:  # of no year: it is no date, and names its raster
            yield month, (Mask(Place("site", (site,))),)


def _polygons_together(inventory: Inventory) -> Iterable[tuple[str, tuple[Phrase, ...]]]:
    """Yield what all polygons of a file together are called: the file, and their nouns with "all"."""
    sources = {ground.source for ground in inventory.grounds if ground.by == "feature"}
    lines = {ground.source for ground in inventory.grounds if ground.geometry != "polygon"}
    for source in sorted(sources - lines):
        ground = (Mask(Place("feature", source=source)),)
        stem = source.rsplit(".", 1)[0]
        # A file that is called "regions" adds no name to what they are called anyhow.
        names = (source, stem, stem.replace("_", " "))
        yield from ((name, ground) for name in names if not _lexicon().find(words_of(name)))
        if len(sources) > 1:
            continue
        nouns = {ground.noun for ground in inventory.grounds if ground.by == "feature"} - {"class"}
        for noun in nouns | {"polygon", "region"}:
            for said in ("all {}s together", "all {}s combined", "all {}s pooled", "{}s together"):
                yield said.format(noun), ground
        yield from ((word, ground) for word in _VECTOR_FILES)


# What a file of polygons is called where there is no other.
_VECTOR_FILES = (
    "shapefile",
    "vector file",
    "vector layer",
    "geopackage",
    "geojson",
    "polygon file",
    "polygon layer",
)


def _spellings(name: str) -> set[str]:
    return {name, f"{name}s"} if not name.endswith("s") else {name}
