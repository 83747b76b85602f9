"""Questions that a played model works on: few turns, and no result is lost that a later step needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.context.replaying import QUESTIONS, replay
from tests.core.context.slovenian import SLOVENIAN
from treeline.core.context.open_tools import OFTEN_NEEDED, OPEN_TOOLS
from treeline.toolkit import registry

LONG = [asked for asked in QUESTIONS if len(asked.needs) > 4]


def test_twelve_questions_take_no_turn_in_vain(tmp_path: Path):
    rows = list(replay(tmp_path))
    assert [row.status for row in rows] == ["answered"] * 12
    assert sum(row.again for row in rows) == 0
    for row, asked in zip(rows, QUESTIONS, strict=True):
        # One turn for the documents, one for the answer, and one for each call that waits for another.
        assert row.turns <= 3 + _depth(asked), row


def _depth(asked) -> int:
    depth: dict[str, int] = {}
    for need in asked.needs:
        depth[need.key] = 1 + max((depth[key] for key in need.after), default=-1)
    return max(depth.values())


@pytest.mark.parametrize("window", [3_000, 6_000])
def test_no_result_is_lost_in_a_small_window(tmp_path: Path, window: int):
    for row in replay(tmp_path, window, LONG):
        assert row.status == "answered" and row.again == 0, row


def test_tools_that_a_model_is_told_of_exist():
    assert all(name in registry() for name in (*OPEN_TOOLS, *OFTEN_NEEDED))


def test_nothing_is_asked_twice_on_images_of_slovenia(tmp_path: Path, shared: Path):
    place = shared / "rasters" / "slovenia_sentinel2"
    longest = [max(SLOVENIAN, key=lambda asked: len(asked.needs)), SLOVENIAN[1], SLOVENIAN[9]]
    for row in replay(tmp_path, None, longest, place):
        assert row.status == "answered" and row.again == 0 and row.turns <= 4, row
