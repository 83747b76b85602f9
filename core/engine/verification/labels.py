"""Which dates, classes and zones of columns a text names, and which of the columns it speaks of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from treeline.core.engine.verification.claims import claims_in, dates_in, months_in
from treeline.core.engine.verification.clouds import CLOUDS, asks_cloudiness
from treeline.core.engine.verification.columns import Column, group_by_kind
from treeline.core.engine.verification.degree_words import extreme, of_any_pixel, of_one_pixel, of_time
from treeline.core.engine.verification.phrases import WINDS
from treeline.core.engine.verification.statistic_words import find_statistics, statistic_of
from treeline.toolkit.units import UNITS

_NUMBERED = re.compile(
    r"\b(?:class|categor\w+|cluster|segment|zone|polygon|field|parcel)(?:\s+no\.?)?[\s#:]*(\d+)\b", re.I
)
# Several of them, or from one to another: classes 4 to 6, zones 1, 2 and 5.
_SEVERAL_NUMBERED = re.compile(
    r"\b(?:classes|categories|clusters|segments|zones|polygons|fields|parcels) "
    r"(\d{1,3}(?:(?:, (?:and )?| and | or | to | through |\s?[-\u2013]\s?)\d{1,3})+)\b(?![.,]\d)",
    re.I,
)
_FROM_TO = re.compile(r"(\d+)(?: to | through |\s?[-\u2013]\s?)(\d+)")
# Class numbers with their names, as a policy is told of them.
_LEGENDS = re.compile(r"^@\S+ classes\b.*$", re.M)
_LEGEND = re.compile(r"(?<=[:,] )(\d+) ([^,\n]+)")
# What is hotter or coolest is of no other quantity.
_HEAT = re.compile(r"\b(?:hott|warm|cool|cold)(?:er|est)\b", re.I)
_LETTERS = re.compile(r"[^\W\d_]+")
# All classes of one kind: both forests, forests, forest of all kinds.
_OF_BOTH = (
    r"\b(?:(?:both|all|the (?:two|three)) (?:kinds of |types of )?{kind}s?|{kind}s|"
    r"{kind} of (?:both|all) (?:kinds|types))\b"
)
# What ground is called beside its kind: artificial areas are the class of artificial surfaces.
GROUNDS = ("surface", "land", "area", "ground", "cover", "terrain")
# Usual names of classes of land cover: one of a line is told by another, where it is the only one.
_COVERS = (
    ("built-up", "built up", "urban", "artificial", "settlement"),
    ("forest", "woodland", "wooded"),
    ("grassland", "grass", "meadow", "pasture"),
    ("cropland", "crop", "farmland", "arable", "cultivated", "agricultural"),
    ("bare", "bare soil", "barren"),
    ("water", "water body"),
    ("shrubland", "schrubland", "shrub", "scrub", "scrubland"),
)
# The same in other languages.
_FOREIGN_COVERS = (
    ("siedlung", "siedlungsfl\u00e4che", "zone urbaine", "zona urbana", "pozidano"),
    ("wald", "for\u00eat", "bosque", "foresta", "bosco", "floresta", "bos", "gozd"),
    ("gr\u00fcnland", "grasland", "prairie", "pradera", "prato", "pastagem", "travnik", "travinje"),
    ("acker", "ackerland", "terres cultiv\u00e9es", "cultivos", "coltivi", "akker", "njiva"),
    ("sol nu", "suelo desnudo", "suolo nudo", "solo exposto"),
    ("wasser", "eau", "agua", "acqua", "\u00e1gua", "voda"),
    ("strauchland", "matorral", "arbusti", "grmi\u010devje"),
)
_MAY = re.compile(r"\bmay\b")
# How long a time of a season is, beside when it begins and how far it rises.
_LASTS = re.compile(
    r"\b(?:long|short|brief)(?:er|est)\b[^.;,]{0,20}\b(?:seasons?|spells?|times?|periods?|green|durations?)\b|"
    r"\b(?:seasons?|green|growing)\b[^.;,]{0,30}\b(?:long|short|brief)(?:er|est)\b"
)
_LENGTHS_OF_TIME = ("length", "duration", "days", "length days")
# The size of each is meant, and not how many there are.
_LARGEST_THINGS = re.compile(r"\b(?:larg|bigg|small|tini)(?:est|er) (?:patch|piece|parcel|object)(?:es|s)\b")
# So many letters has a word that is known though one of them is another.
_LONG = 7
_YEAR = len("2016")
# What tables call the row of all zones.
ALL_TOGETHER = "all"


def legend_in(told: str) -> dict[str, str]:
    """Return the names of classes by number that a policy was told, in lower case."""
    return {
        number: name.strip().casefold() for number, name in _LEGEND.findall("\n".join(_LEGENDS.findall(told)))
    }


def labels_in(text: str, columns: Sequence[Column]) -> list[str]:
    """Return the labels of columns that a text names, in its order: dates, or else names and numbers.

    A date of which there is one number alone tells nothing apart where classes or zones are named.
    """
    several = [column for column in columns if column.has_several]
    return find_dates(text, several) or find_names(text, columns) or find_dates(text, columns)


def names_in_question(question: str, columns: Sequence[Column]) -> list[str]:
    """Return the dates, classes and zones that a question names; of years the month that it names too."""
    labels, months = labels_in(question, columns), months_in(question)
    of_years = len(months) == 1 and all(len(label) == _YEAR and label.isdigit() for label in labels)
    return [f"{label}-{month}" for label in labels for month in months] if of_years else labels


def find_dates(text: str, columns: Sequence[Column]) -> list[str]:
    """Return the dates that a text names of which columns have numbers."""
    return [d for d in dates_in(text) if any(column.dated and column.under(d) for column in columns)]


def find_names(text: str, columns: Sequence[Column]) -> list[str]:
    """Return the classes and zones that a text names, in its order."""
    places = _places_of_names(text, columns)
    return sorted(places, key=lambda label: places[label])


def places_of_labels(text: str, columns: Sequence[Column]) -> dict[str, int]:
    """Return where a text names the dates, classes and zones of columns first."""
    dates = {date: max(text.find(date), 0) for date in find_dates(text, columns)}
    return {**dates, **_places_of_names(text, columns)}


@dataclass(frozen=True, slots=True)
class Named:
    """A class or zone that a text names, in a word of it that stands at a place."""

    place: int
    word: str
    label: str


def names_at_places(text: str, columns: Sequence[Column]) -> list[Named]:
    """Return each time that a text names a class or zone of columns, in its order."""
    return sorted(_named(text, _words_of(columns)), key=lambda named: named.place)


def _words_of(columns: Sequence[Column]) -> dict[str, str]:
    """Return the words that name classes and zones of columns, with what each means."""
    named = [c for c in columns if not (c.dated or c.places)]
    words = {word: label for c in named for word, label in _words_for_labels(c)}
    words |= {c.of: c.of for c in columns if c.dated and c.of}
    # Of the hundreds of places of a profile each has one word.
    placed = {label: label for c in columns for label in c.places}
    return {**_other_names({*words.values()}), **words, **placed}


def _named(text: str, words: Mapping[str, str]) -> Iterator[Named]:
    folded = _MAY.sub("can", text).casefold()  # a month is written with a capital
    words = _with_misspelt(folded, words)
    for word in sorted(words, key=len, reverse=True):  # "mixed forest" is not "forest"
        if not word or word.isdigit() or word not in folded:
            continue
        # A random forest is no forest.
        for match in re.finditer(rf"(?<!\w)(?<!random ){re.escape(word)}(?:s|es)?(?!\w)", folded):
            yield Named(match.start(), match[0], words[word])
            folded = f"{folded[: match.start()]}{' ' * len(match[0])}{folded[match.end() :]}"


def _places_of_names(text: str, columns: Sequence[Column]) -> dict[str, int]:
    words, places = _words_of(columns), dict[str, int]()
    folded = text.casefold()
    for named in _named(text, words):
        places[named.label] = min(named.place, places.get(named.label, named.place))
        end = named.place + len(named.word)
        folded = f"{folded[: named.place]}{' ' * len(named.word)}{folded[end:]}"
    for kind, labels in group_by_kind(set(words.values())).items():
        if both := re.search(_OF_BOTH.format(kind=re.escape(kind)), folded):
            places |= {label: both.start() for label in labels if label not in places}
    for match in _NUMBERED.finditer(text):
        if match[1] in words:
            places.setdefault(words[match[1]], match.start())
    for match in _SEVERAL_NUMBERED.finditer(text):
        for number in _numbers_listed(match[1]):
            if number in words:
                places.setdefault(words[number], match.start())
    return places


def _numbers_listed(text: str) -> list[str]:
    """Return the numbers that a list names, with all from one to another."""
    whole = _FROM_TO.sub(lambda m: " ".join(map(str, range(int(m[1]), int(m[2]) + 1))), text)
    return re.findall(r"\d+", whole)


def _other_names(labels: Collection[str]) -> dict[str, str]:
    """Return other usual names of classes of land cover, where a label is the only one of its cover."""
    grounds = "|".join(GROUNDS)
    bare = {label: re.sub(rf" (?:{grounds})$", "", label) for label in labels}
    found: dict[str, str] = {}
    for names, foreign in zip(_COVERS, _FOREIGN_COVERS, strict=True):
        all_names = (*names, *foreign)
        own = [label for label, name in bare.items() if name in all_names or name.endswith(names)]
        for name in all_names if len(own) == 1 else ():
            found |= dict.fromkeys([name, *(f"{name} {ground}" for ground in GROUNDS)], own[0])
    return found


def kinds_of(columns: Sequence[Column]) -> dict[str, list[str]]:
    """Return the classes of each kind that is itself a label: both forests, of forest."""
    labels = {label for c in columns if not (c.dated or c.places) for label in (*c.numbers, c.of)} - {""}
    found = {kind: sorted(label for label in labels if label.endswith(f" {kind}")) for kind in labels}
    return {kind: classes for kind, classes in found.items() if len(classes) > 1}


def classes_of_kinds(text: str, columns: Sequence[Column]) -> frozenset[str]:
    """Return the classes of each kind that a text names by itself, of which there is no number: forest."""
    labels = {label for column in columns if not (column.dated or column.places) for label in column.numbers}
    kinds = {label.rpartition(" ")[2] for label in labels if " " in label} - labels
    bare = text.casefold()
    for label in sorted(labels, key=len, reverse=True):
        bare = bare.replace(label, " ")
    named = [kind for kind in kinds if kind not in GROUNDS and re.search(rf"\b{re.escape(kind)}s?\b", bare)]
    return frozenset(label for kind in named for label in labels if label.endswith(f" {kind}"))


def _with_misspelt(text: str, words: Mapping[str, str]) -> dict[str, str]:
    """Return words for labels, and those of a text that results spell with another letter: schrubland."""
    long = [word for word in words if len(word) >= _LONG and word not in text]
    told = {word for word in _LETTERS.findall(text) if len(word) >= _LONG and word not in words}
    found = {word: next((each for each in long if is_one_letter_apart(word, each)), "") for word in told}
    return {**words, **{word: words[spelt] for word, spelt in found.items() if spelt}}


def is_one_letter_apart(word: str, other: str) -> bool:
    """Return whether two words are one that is spelt with a letter more, less or other."""
    if abs(len(word) - len(other)) > 1 or word == other:
        return word == other
    start = next(
        (n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other))
    )
    rests = (
        (word[start + 1 :], other[start:]),
        (word[start:], other[start + 1 :]),
        (word[start + 1 :], other[start + 1 :]),
    )
    return any(one == rest for one, rest in rests)


def _words_for_labels(column: Column) -> Iterator[tuple[str, str]]:
    yield from ((label, label) for label in column.numbers)
    yield from ((word, label) for word, label in column.aliases.items() if label in column.numbers)
    for mark in ("_", "-"):
        yield from ((label.replace(mark, " "), label) for label in column.numbers if mark in label)
    yield from ((label.replace(" ", "-"), label) for label in column.numbers if " " in label)
    # Southern slopes face south; a south-western one is no southern one.
    yield from (
        (f"{label}{end}", label) for label in column.numbers if label in WINDS for end in ("ern", "-facing")
    )
    first = Counter(label.split(" ")[0] for label in column.numbers)
    for kind, labels in group_by_kind(column.numbers).items():  # conifer, of conifer and broadleaf forest
        yield from ((label.removesuffix(f" {kind}"), label) for label in labels if label != kind)
    for label in column.numbers:
        word, _, rest = label.partition(" ")
        if rest in GROUNDS and first[word] == 1:
            yield from ((other, label) for other in (word, *(f"{word} {ground}" for ground in GROUNDS)))


def columns_for(text: str, columns: Sequence[Column]) -> list[Column]:
    """Return the columns that a text can speak of: where it names a class, not those of another one."""
    groups = {column.of for column in columns if column.of}
    folded, dates = text.casefold(), dates_in(text)
    plain = folded.replace("-", " ")  # built-up land
    named = {of for of in groups if of in folded or of in plain or any(map(of.startswith, dates))}
    kinds = {bool(dates_in(of)) for of in named}
    known = [c for c in columns if not c.of or c.of in named or bool(dates_in(c.of)) not in kinds]
    if not asks_cloudiness(text):  # how cloudy it was is no value of what is clear
        known = [column for column in known if column.quantity != CLOUDS]
    # Two times as much is of what it is much of: it tells no unit, and least of all that it is a count.
    told = {
        UNITS[unit].quantity for claim in claims_in(text) if (unit := claim.unit) != "1" and unit in UNITS
    }
    told |= {"temperature"} if not told and _HEAT.search(text) else set()
    of_unit = [column for column in known if column.unit not in UNITS or UNITS[column.unit].quantity in told]
    return of_unit if told and of_unit else known


def find_columns(text: str, columns: Sequence[Column]) -> list[Column]:
    """Return the columns that a text means which does not name their statistic: those of means, if any."""
    in_time = of_time(text)
    known = [column for column in columns_for(text, columns) if column.of_days is in_time]
    plain = [(c, c.quantity.replace("_", " ")) for c in known]
    folded = text.casefold().replace("'", "").replace("\u2019", "")
    folded = _LARGEST_THINGS.sub(" ", folded)
    lasting = [c for c, name in plain if name in _LENGTHS_OF_TIME]
    if lasting and _LASTS.search(folded):
        return lasting
    told = [c for c, name in plain if len(name) > 3 and not statistic_of(name) and name in folded]
    if told:
        return told
    named = find_statistics(text, nouns=True)
    kinds = {statistic_of(column.quantity) for column in known}
    of_pixel = {0: {"min", "max"}, 1: {"max"}, -1: {"min"}}[extreme(text)]
    ends = of_pixel & kinds if of_one_pixel(text) or of_any_pixel(text) else frozenset()
    wanted = ends or named & kinds or ({"mean"} & kinds)
    if not wanted:
        return known
    return [c for c in known if (statistic_of(c.quantity) or "") in wanted or not c.quantity]
