"""A team fails in round 1 and succeeds in round 2 because of what was learned, as one policy does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.memory import scenes
from tests.core.memory.test_rounds_planner import HIGHEST
from treeline.core.context.guardrails import LeaveOut, of_context
from treeline.core.engine.journal import recorded_state
from treeline.core.memory.rounds import rounds_of
from treeline.core.runs.options import RunOptions


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.mark.parametrize("team", ["layered", "evolver"])
def test_the_second_round_heeds_what_the_first_one_taught(data, manager_over, team):
    scenes.series(data, spoilt=scenes.DATES[2])
    manager = manager_over(data)
    alone = manager.work(manager.create("lake", HIGHEST, RunOptions(rounds=2, memory="own")))
    options = RunOptions(rounds=2, memory="own", team=team, variants=1, without=("memory",))
    run = manager.create("lake", HIGHEST, options)
    together = manager.work(run)
    rounds = rounds_of(manager.store, run)
    assert [each.judgement.is_failure for each in rounds] == [True, False]
    context = recorded_state(manager.store, rounds[1].run).context
    assert LeaveOut in {type(each) for each in of_context(context)}
    members = manager.store.runs(parent=rounds[1].run)
    told = [recorded_state(manager.store, member.id).context for member in members]
    assert all(LeaveOut in {type(each) for each in of_context(context)} for context in told)
    assert together.status == alone.status == "answered"
    assert together.answer.value == (
        None if alone.answer.value is None else pytest.approx(alone.answer.value)
    )
    assert together.answer.text.split(".")[0] == alone.answer.text.split(".")[0]
