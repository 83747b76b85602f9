"""How many variants and executors a team can have."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from treeline.core.teams.names import MOST_EXECUTORS, MOST_VARIANTS
from treeline.core.teams.work import check_team
from treeline.toolkit.errors import InputError


def options(variants: int, executors: int) -> Any:
    return SimpleNamespace(team="evolver", variants=variants, executors=executors, without=())


def test_a_team_has_from_one_to_the_most():
    check_team(options(1, 1))
    check_team(options(MOST_VARIANTS, MOST_EXECUTORS))


@pytest.mark.parametrize(
    ("variants", "executors"), [(0, 1), (1, 0), (MOST_VARIANTS + 1, 1), (1, MOST_EXECUTORS + 1)]
)
def test_a_team_of_none_or_of_too_many_is_refused(variants: int, executors: int):
    with pytest.raises(InputError, match="There can be 1 to"):
        check_team(options(variants, executors))
