"""What an answer calls the things that it counts."""

from __future__ import annotations

from typing import Literal

import pytest

from treeline.core.policies.planner.measures import unit_after
from treeline.core.policies.planner.phrases import phrase
from treeline.core.query.expression import Aggregate, Compare, Number, Place, Variable, Zones

FOREST = Place("class", ("Forest",))


@pytest.mark.parametrize(
    ("zones", "word"),
    [
        (Zones("feature", source="cover"), "polygons"),
        (Zones("class"), "classes"),
        (Zones("patch", of=FOREST), "patches"),
        (Zones("facing"), "zones"),
    ],
)
def test_counted_zones_are_called_what_they_are(zones: Zones, word: str) -> None:
    each = Compare(Aggregate("area", FOREST, "pixel", by=zones), "gt", Number(1, "ha"))
    assert phrase(Aggregate("count", each, "zone")).startswith(f"number of {word} with ")


@pytest.mark.parametrize(("by", "unit"), [("feature", "polygons"), ("class", "classes"), ("facing", "zones")])
def test_their_number_has_the_same_unit(by: Literal["feature", "class", "facing"], unit: str) -> None:
    each = Compare(Aggregate("area", FOREST, "pixel", by=Zones(by)), "gt", Number(1, "ha"))
    assert unit_after(Aggregate("count", each, "zone"), "ha") == unit


def test_counted_dates_stay_dates() -> None:
    mean = Compare(Aggregate("mean", Variable("ndvi"), "pixel"), "gt", Number(0.7))
    assert phrase(Aggregate("count", mean, "date")).startswith("number of dates with ")
