"""Example questions that the collections of a workspace can answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import zip_longest

from treeline.core.query.inventory import CLOUD_ROLES
from treeline.core.workspace import Collection

_PAIRS = {
    "NDVI": ("red", "nir"),
    "NDWI": ("green", "nir"),
    "NDMI": ("nir", "swir1"),
    "NBR": ("nir", "swir2"),
}
_OWN = {"ndvi": "NDVI", "lst": "land surface temperature", "bt10": "band 10 brightness temperature"}

_DATED: tuple[Callable[[str], str], ...] = (
    lambda name: f"What is the mean {name} of each date",
    lambda name: f"On which date is the mean {name} highest",
    lambda name: f"Is there a significant trend in the mean {name}",
)
_SINGLE: tuple[Callable[[str], str], ...] = (
    lambda name: f"What is the mean {name}",
    lambda name: f"What is the 90th percentile of {name}",
)
_MOST = 8


def examples(collections: Mapping[str, Collection]) -> list[str]:
    """Return questions that fit the roles and dates of a workspace, of another form and variable each."""
    by_role: dict[str, Collection] = {}
    for collection in collections.values():
        by_role.setdefault(collection.role, collection)
    names = {name: by_role[role] for role, name in _OWN.items() if role in by_role}
    names |= {
        name: by_role[a]
        for name, (a, b) in _PAIRS.items()
        if a in by_role and b in by_role and name not in names
    }
    names = dict(sorted(names.items(), key=lambda item: item[0] != "NDVI"))
    # A question that says nothing of clouds is asked back where they matter.
    ending = ", clouds masked?" if by_role.keys() & CLOUD_ROLES else "?"
    turned = [_rotate(_of(name, c), i) for i, (name, c) in enumerate(names.items())]
    found = [text for row in zip_longest(*turned) for text in row if text is not None]
    return [f"{text}{ending}" for text in found[:_MOST]] or ["What can be asked of this workspace?"]


def _of(name: str, collection: Collection) -> list[str]:
    several = collection.has_dates and len({member.date for member in collection.members}) > 1
    found = [form(name) for form in (_DATED if several else _SINGLE)]
    if name in ("NDVI", "NDWI"):
        found.append(f"What share of the area has {name} above {0.6 if name == 'NDVI' else 0.0}")
    return found


def _rotate(texts: list[str], places: int) -> list[str]:
    start = places % len(texts)
    return texts[start:] + texts[:start]
