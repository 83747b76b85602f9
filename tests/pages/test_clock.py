"""Moments as the clock of the browser shows them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treeline.pages.parts.shared.clock import zone_of

MOMENT = datetime(2021, 7, 12, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Europe/Ljubljana", "2021-07-13 00:30"),
        ("America/New_York", "2021-07-12 18:30"),
        (None, "2021-07-12 22:30"),
        ("", "2021-07-12 22:30"),
        ("Nowhere/At all", "2021-07-12 22:30"),
        ("../../etc/passwd", "2021-07-12 22:30"),
    ],
)
def test_a_moment_is_shown_in_the_zone_of_the_browser(name: str | None, shown: str) -> None:
    assert f"{MOMENT.astimezone(zone_of(name)):%Y-%m-%d %H:%M}" == shown
