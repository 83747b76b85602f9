"""What names of the data add to a question, and which are not theirs."""

from __future__ import annotations

import datetime as dt

import pytest

from treeline.core.query.inventory import Holding, Inventory
from treeline.core.query.reading import read

DAY = (dt.date(2016, 8, 14),)


@pytest.mark.parametrize(
    ("sensors", "status"),
    [
        ([()], "read"),
        ([("Sentinel-2 MSI",)], "read"),
        ([("MODIS",)], "declined"),
        ([("MODIS",), ("Sentinel-2 MSI",)], "declined"),
    ],
)
def test_the_name_of_a_sensor_counts(sensors: list[tuple[str, ...]], status: str) -> None:
    inventory = Inventory(holdings=tuple(Holding("ndvi", "1", DAY, sensors=each) for each in sensors))
    found = read("mean Sentinel-2 NDVI on 2016-08-14", inventory)
    assert (found.status, found.uncovered) == (status, () if status == "read" else ("sentinel-2",))


@pytest.mark.parametrize(
    ("named", "sensor", "status"),
    [
        ("Landsat 9", "Landsat 8-9 OLI/TIRS", "read"),
        ("Landsat 5", "Landsat 8-9 OLI/TIRS", "declined"),
        ("Landsat", "Landsat 4-7 TM/ETM+", "read"),
        ("Landsat", "simulated", "declined"),
        ("Sentinel-1", "", "declined"),
        ("Sentinel-3", "", "read"),
    ],
)
def test_images_are_of_the_sensor_that_is_named(named: str, sensor: str, status: str) -> None:
    """A file that tells no sensor may be of any, but an index of plants is of no radar."""
    inventory = Inventory(holdings=(Holding("ndvi", "1", DAY, sensors=(sensor,) if sensor else ()),))
    assert read(f"mean {named} NDVI on 2016-08-14", inventory).status == status


def test_another_measure_than_that_of_the_rank_is_no_other_word_for_it() -> None:
    inventory = Inventory(holdings=(Holding("ndvi", "1", (*DAY, dt.date(2016, 8, 24))), Holding("dem", "m")))
    same = read("Which date was the greenest, judging by mean NDVI?", inventory)
    assert same.status == "read"
    assert read("Which date was the greenest, judging by mean elevation?", inventory).status == "declined"
