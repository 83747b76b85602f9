"""The words of questions as data: phrases, the meanings they may have, and examples of their use.

Each file holds entries: phrases that are spelled differently and mean the same, their meanings
(the name of a kind in :mod:`treeline.core.query.phrases.catalogue` and its fields), and sentences with the
expression that they stand for. A phrase may hold choices (:mod:`.graph`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from treeline.core.query.canonical import is_mostly_cloudy
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    And,
    Cloud,
    Dates,
    Not,
    Number,
    Place,
    When,
    Zones,
)
from treeline.core.query.phrases.catalogue import KINDS
from treeline.core.query.phrases.phrase import Phrase

FOLDER = Path(__file__).parent
_PARTLY_CLOUDY = And((Aggregate("any", Cloud(), "pixel"), Not(Aggregate("all", Cloud(), "pixel"))))


class Example(BaseModel):
    """A question with the expression, in short words, that it has to be read as."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    question: str
    paraphrase: str


class Entry(BaseModel):
    """Phrases of one meaning, or of several between which the rest of the question decides."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    phrases: list[str] = Field(min_length=1)
    means: list[dict[str, Any]] = []
    # Roles that the phrase can stand for, the best first; the first that is there counts.
    variable: list[str] = []
    # The word says high or low of its variable: greenest, warmer.
    as_: str = Field("", alias="as")
    sign: str = ""
    # Names of classes, the first that the workspace has counts; ``all_of`` joins those that are there, and
    # ``with_word`` those whose names hold one of the words.
    classes: list[str] = []
    all_of: list[str] = []
    with_word: list[str] = []
    filler: bool = False
    # What the sensor of all images has to be called, for the word to add nothing.
    sensor: str = ""
    # The kind of variables that the sensor measures, where no other is made of its images.
    measures: str = ""
    # Other words of the lexicon that the phrase stands for: "most uniform" for the lowest standard deviation.
    reads_as: str = ""
    examples: list[Example] = []


@cache
def entries() -> tuple[Entry, ...]:
    """Return every entry of the lexicon's files."""
    found: list[Entry] = []
    for path in sorted(FOLDER.glob("*.yaml")):
        found.extend(
            Entry.model_validate(one) for one in yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        )
    return tuple(found)


def _when(given: Any) -> When:
    return (
        ALWAYS
        if given == "always"
        else When(months=tuple(given.get("months", ())), pick=given.get("pick", 0))
    )


_QUARTERS = ("northwest", "northeast", "southwest", "southeast")


def phrase_of(meaning: dict[str, Any]) -> Phrase:
    """Return the phrase that an entry's meaning names."""
    fields = {key: value for key, value in meaning.items() if key != "is"}
    if isinstance(fields.get("number"), dict):
        fields["number"] = Number(**fields["number"])
    if isinstance(fields.get("zones"), str):
        fields["zones"] = Zones(fields["zones"])
    for name in ("unit", "extreme", "course", "of", "left", "right"):
        if isinstance(fields.get(name), dict):
            fields[name] = phrase_of(fields[name])
    if meaning["is"] == "Stats":
        fields["of"] = tuple(phrase_of(one) for one in fields["of"])
    if isinstance(fields.get("node"), str):
        fields["node"] = {
            "aoi": Place("aoi"),
            "centre": Place("point", attribute="centre"),
            **{f"{quarter} corner": Place("point", (quarter,), attribute="corner") for quarter in _QUARTERS},
            "cloud": Cloud(),
            "clear": Not(Cloud()),
            "overcast": Aggregate("all", Cloud(), "pixel"),
            "mostly_cloudy": is_mostly_cloudy(Cloud()),
            "partly_cloudy": _PARTLY_CLOUDY,
            "cloudy_dates": Dates(Aggregate("any", Cloud(), "pixel")),
            "clear_dates": Dates(Not(Aggregate("any", Cloud(), "pixel"))),
        }[fields["node"]]
    for name in ("roles", "statistics"):
        if isinstance(fields.get(name), list):
            fields[name] = tuple(fields[name])
    if "when" in fields:
        fields["when"] = _when(fields["when"])
    return KINDS[meaning["is"]](**fields)
