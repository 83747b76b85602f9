"""How many variants of a question are worked on, and where."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import State
from treeline.core.teams import evolver
from treeline.core.teams.crew import Outcome
from treeline.core.teams.evolver import _has_ended
from treeline.core.teams.judge import Variant
from treeline.core.teams.model import Member
from treeline.core.teams.orchestrator import answer_goal
from treeline.core.teams.retrieval import PriorKnowledge


@pytest.mark.parametrize(
    ("without", "numbers", "apart"),
    [
        ((), [4, 5, 6], True),
        (("exploration",), [4], False),
    ],
)
def test_variants_are_as_many_as_are_asked_for_and_apart_where_there_are_several(
    monkeypatch: pytest.MonkeyPatch, without: tuple[str, ...], numbers: list[int], apart: bool
):
    prepared: list[int] = []
    crew = SimpleNamespace(
        options=SimpleNamespace(without=without, variants=3),
        team=SimpleNamespace(may_part=True, prepare=prepared.append),
        work_all=lambda jobs: [job() for job in jobs],
    )
    monkeypatch.setattr(evolver, "strategies_of", lambda crew, count, known: ["plain"] * count)
    monkeypatch.setattr(evolver, "_work", lambda crew, way, known, apart: (way.number, apart))
    found = evolver._explore(crew, PriorKnowledge(), first=4)
    assert found == [(number, apart) for number in numbers]
    assert prepared == ([len(numbers)] if apart else [])


@pytest.mark.parametrize(
    ("status", "ended"),
    [("answered", True), ("asks", True), ("declined", True), ("failed", False), ("unverified", False)],
)
def test_a_known_procedure_that_failed_is_followed_by_other_ways_and_a_question_back_is_not(
    status: str, ended: bool
):
    member = Member("executor", answer_goal("?", ()))
    outcome = Outcome("r", member, RunFinished(status), State("?"), Path("."))  # type: ignore[arg-type]
    assert _has_ended([Variant(1, "known procedure", (outcome,))]) is ended
    assert not _has_ended([Variant(1, "known procedure", ())])
