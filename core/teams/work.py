"""How each team works on a run."""

from __future__ import annotations

from collections.abc import Callable

from core.events import RunFinished
from core.teams.evolver import work_as_evolver
from core.teams.layered import work_as_layered

WORK: dict[str, Callable[..., RunFinished]] = {
    "evolver": work_as_evolver,
    "layered": work_as_layered,
}
