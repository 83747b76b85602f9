"""Questions that the collections of a workspace can answer, which are offered where none was read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest

from treeline.core.confinement import call
from treeline.core.query.inventory import STATIC_ROLES
from treeline.core.workspace import Collection
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import Source, class_legend
from treeline.toolkit.variables import CLOUD_ROLES, variable

_PAIRS = {
    "NDVI": ("red", "nir"),
    "NDWI": ("green", "nir"),
    "NDMI": ("nir", "swir1"),
    "NBR": ("nir", "swir2"),
}
_OWN = {"ndvi": "NDVI", "lst": "land surface temperature", "bt10": "band 10 brightness temperature"}
# What else is measured is called by its own words; of bands, only where there is nothing else.
_MEASURED = ("index", "product", "radar", "temperature")
_BANDS = "reflectance"

_DATED: tuple[Callable[[str], str], ...] = (
    lambda name: f"What is the mean {name} of each date",
    lambda name: f"On which date is the mean {name} highest",
    lambda name: f"Is there a significant trend in the mean {name}",
)
_SINGLE: tuple[Callable[[str], str], ...] = (
    lambda name: f"What is the mean {name}",
    lambda name: f"What is the 90th percentile of {name}",
)
# What every workspace with a raster can be asked.
_ANY = ("Which variables are there?", "Which files are there?")
_CLASSES = "What is the area of each class?"
_MOST = 8
# Whole questions of who does not know what can be asked.
_FOR_HELP = re.compile(
    r"(?:(?:please |can you )?help(?: me)?(?: please)?"
    r"|(?:what|which (?:things|questions)) (?:can|could|should|do|may) (?:i|we|one|you) "
    r"(?:do|ask|answer|try)(?: you)?"
    r"(?: (?:here|now|first|of it|about it|with (?:this|it|these|them|the data)))*"
    r"|how (?:does|do|can|should) (?:this|it|i|we) (?:work|begin|start|use (?:this|it))"
    r"|what now|where do i (?:start|begin))",
    re.IGNORECASE,
)


def asks_for_help(question: str) -> bool:
    """Return whether a question asks what can be asked, and nothing of the data."""
    return _FOR_HELP.fullmatch(" ".join(question.split()).strip(" ?!.")) is not None


def examples(collections: Mapping[str, Collection]) -> list[str]:
    """Return questions that fit the roles and dates of a workspace, of another form and variable each."""
    by_role: dict[str, Collection] = {}
    for collection in collections.values():
        by_role.setdefault(collection.role, collection)
    names = _names(by_role)
    # A question that says nothing of clouds is asked back where they matter.
    ending = ", clouds masked?" if by_role.keys() & CLOUD_ROLES else "?"
    turned = [
        _rotate([f"{text}{'?' if c.role in STATIC_ROLES else ending}" for text in _of(name, c)], i)
        for i, (name, c) in enumerate(names.items())
    ]
    found = [text for row in zip_longest(*turned) for text in row if text is not None]
    if "landcover" in by_role and _names_classes(by_role["landcover"]):
        found.insert(len(names), _CLASSES)
    return found[:_MOST] or list(_ANY)


def others(collections: Mapping[str, Collection], question: str, most: int) -> list[str]:
    """Return what can be asked instead of a question that was declined; it is no help a second time."""
    return [text for text in examples(collections) if text != question][:most]


def _names(by_role: Mapping[str, Collection]) -> dict[str, Collection]:
    names = {name: by_role[role] for role, name in _OWN.items() if role in by_role}
    names |= {
        name: by_role[a]
        for name, (a, b) in _PAIRS.items()
        if a in by_role and b in by_role and name not in names
    }
    names |= _by_name(by_role, _MEASURED, names.values())
    names = names or _by_name(by_role, (_BANDS,), ())
    return dict(sorted(names.items(), key=lambda item: item[0] != "NDVI"))


def _by_name(
    by_role: Mapping[str, Collection], kinds: tuple[str, ...], known: Iterable[Collection]
) -> dict[str, Collection]:
    """Return the collections of some kinds of variables by what these are called."""
    there = {collection.role for collection in known if collection.role in _OWN}
    found = {}
    for role, collection in by_role.items():
        named = variable(role)
        if named is not None and named.kind in kinds and named.words and role not in there:
            found[named.words[0]] = collection
    return found


def _of(name: str, collection: Collection) -> list[str]:
    several = collection.has_dates and len({member.date for member in collection.members}) > 1
    found = [form(name) for form in (_DATED if several else _SINGLE)]
    if name in ("NDVI", "NDWI"):
        found.append(f"What share of the area has {name} above {0.6 if name == 'NDVI' else 0.0}")
    return found


def _names_classes(collection: Collection) -> bool:
    first = collection.members[0]
    try:
        return bool(call(class_legend, Source(first.description, first.band)).names)
    except TreelineError:
        return False


def _rotate(texts: list[str], places: int) -> list[str]:
    start = places % len(texts)
    return texts[start:] + texts[:start]
