"""Names of places and sensors in a question."""

from __future__ import annotations

import re
from collections.abc import Iterable


def read_names(text: str, names: Iterable[str]) -> list[str]:
    """Return the names of places or sensors that a text holds, in the text's order.

    A name counts when its own words, without those that all names share, stand in the text.
    """
    names = list(names)
    tokens = {name: words_of(name) for name in names}
    shared = set.intersection(*map(set, tokens.values())) if len(names) > 1 else set()
    places = {}
    for name, words in tokens.items():
        own = [word for word in words if word not in shared and not word.isdigit()] or words
        match = _named(own, text) if own else None
        if match is not None:
            places[name] = match.start()
    return sorted(places, key=lambda name: places[name])


def _named(words: list[str], text: str) -> re.Match[str] | None:
    """Return where a name's words stand together, however they are joined."""
    return re.search(r"(?<![^\W_])" + r"[\W_]*".join(map(re.escape, words)) + r"(?![^\W_])", text)


def read_sensors(text: str, sensors: Iterable[str]) -> list[str]:
    """Return the sensors that a text names by their family, such as Landsat or Sentinel-2, in its order."""
    sensors = list(sensors)
    families = {sensor: words_of(sensor)[0] for sensor in sensors if words_of(sensor)}
    found = {}
    for sensor, family in families.items():
        alone = list(families.values()).count(family) == 1
        number = re.search(r"\d", sensor)
        pattern = family if alone or number is None else rf"{family}[ -]?{number[0]}"
        match = re.search(rf"\b{pattern}", text)
        if match:
            found[sensor] = match.start()
    return sorted(found, key=lambda sensor: found[sensor])


def words_of(name: str) -> list[str]:
    """Return the words that a name is made of, in lower case."""
    return re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z0-9])", " ", name).lower())
