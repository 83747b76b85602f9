"""The wall of pinned answers turns its pages: every one is shown, none for ever."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treeline.core.record.pins import Pin
from treeline.pages.parts.pinned.wall import ON_WALL, WALL_SECONDS, turn_to


def pins(count: int) -> list[Pin]:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return [Pin(str(n), "", "lake", f"run{n}", "", 0, moment, "") for n in range(count)]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_each_pin_is_shown_once_in_a_round(count: int) -> None:
    pages = -(-count // ON_WALL)
    turned = [turn_to(pins(count), 7.0 + page * WALL_SECONDS) for page in range(pages)]
    assert sorted(pin.id for shown, _ in turned for pin in shown) == [str(n) for n in range(count)]
    assert all(0 < len(shown) <= ON_WALL for shown, _ in turned)
    assert turn_to(pins(count), 7.0 + pages * WALL_SECONDS) == turned[0]
    said = {f"{page + 1} of {pages}" for page in range(pages)} if pages > 1 else {""}
    assert {told for _, told in turned} == said
