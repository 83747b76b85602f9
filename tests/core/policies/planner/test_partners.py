"""Which raster of one variable goes with one of another: of the same moment, else of the same day."""

from __future__ import annotations

from datetime import datetime

from treeline.core.policies.planner.derivation import AvailableRole, Partners
from treeline.core.policies.planner.layers import Item, Layer

NOON, EVENING, NEXT = datetime(2021, 7, 12, 12), datetime(2021, 7, 12, 21), datetime(2021, 7, 13, 12)


def item(address: str, date: datetime | None) -> Item:
    return Item(address, date, str(date))


def partners(*items: Item) -> Partners:
    return Partners(AvailableRole("nir", Layer("nir", items)))


def test_the_moment_comes_before_the_day() -> None:
    found = partners(item("noon", NOON), item("evening", EVENING))
    assert [found.of(item("red", date)) for date in (EVENING, datetime(2021, 7, 12, 3), NEXT)] == [
        item("evening", EVENING),
        item("noon", NOON),
        None,
    ]


def test_one_raster_without_a_date_goes_with_all_and_several_with_none_but_such() -> None:
    still = item("height", None)
    assert partners(still).of(item("red", NOON)) == still
    several = partners(still, item("slope", None))
    assert (several.of(item("red", NOON)), several.of(item("aspect", None))) == (None, still)


def test_time_grows_with_the_dates_and_not_with_their_square() -> None:
    class CountOf(datetime):
        compared = 0

        def __eq__(self, other: object) -> bool:
            type(self).compared += 1
            return super().__eq__(other)

        __hash__ = datetime.__hash__

    items = [item(str(number), CountOf(2000 + number // 12, 1 + number % 12, 1)) for number in range(240)]
    found = partners(*items)
    assert [found.of(each) for each in items] == items
    assert CountOf.compared <= 4 * len(items)
