"""How roles are shared out among executors."""

from __future__ import annotations

import pytest

from treeline.core.teams.orchestrator import _group


@pytest.mark.parametrize(
    ("count", "groups"),
    [
        (0, []),
        (1, [["a", "b", "c"]]),
        (2, [["a"], ["b", "c"]]),
        (3, [["a"], ["b"], ["c"]]),
        (4, [["a"], ["b"], ["c"]]),
    ],
)
def test_each_group_has_one_role_and_the_last_one_the_rest(count: int, groups: list[list[str]]):
    assert _group(["a", "b", "c"], count) == groups and _group([], count) == []
