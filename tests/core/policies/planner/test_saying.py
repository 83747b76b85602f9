"""What the answer says of how the question was read."""

from __future__ import annotations

from pathlib import Path

from tests.core.policies.planner.conftest import Ask, answer_of


def test_elevation_has_no_clouds(ask: Ask, demo: Path) -> None:
    assert "loudy" not in answer_of(ask("What is the highest elevation?", demo)).text
