from __future__ import annotations

from typing import Any

import pytest

from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.teams import layered
from treeline.core.teams.report import _started_member, team_report, variant_costs
from treeline.toolkit.errors import InputError

QUESTION = "What is the mean NDVI of each date?"
PARTS = {"members", "sub_goals", "verdicts"}


def work(manager: RunManager, run: str) -> dict[str, Any]:
    manager.work(run)
    return run_result(manager.store, run).to_json()


@pytest.mark.parametrize("team", ["evolver", "layered"])
@pytest.mark.parametrize("rounds", [1, 2])
def test_a_team_always_tells_its_parts(bands, manager_over, team: str, rounds: int):
    manager = manager_over(bands)
    options = RunOptions(team=team, variants=1, rounds=rounds, memory="own" if rounds > 1 else "off")
    for question in (QUESTION, "What is the answer to everything?", "What is the mean rainfall in 2021?"):
        run = manager.create("lake", question, options)
        told = work(manager, run)
        assert told.keys() >= PARTS and all(told[part] for part in PARTS), question


def test_a_team_that_fails_before_it_has_members_tells_empty_parts(bands, manager_over, monkeypatch):
    def fails(crew):
        raise InputError("There is no plan.")

    monkeypatch.setitem(layered._PLANS, "planner", fails)
    manager = manager_over(bands)
    run = manager.create("lake", QUESTION, RunOptions(team="layered"))
    told = work(manager, run)
    assert told["status"] == "failed" and all(told[part] == [] for part in PARTS)


def test_a_single_policy_has_no_such_parts(bands, manager_over):
    manager = manager_over(bands)
    run = manager.create("lake", QUESTION, RunOptions())
    assert not PARTS & work(manager, run).keys()


def test_the_ledger_tells_what_each_variant_cost(bands, manager_over):
    manager = manager_over(bands)
    run = manager.create("lake", QUESTION, RunOptions(team="evolver", variants=2))
    told = work(manager, run)
    costs = told["ledger"]["variants"]
    assert costs == variant_costs(manager.store, run) and len(costs) == 2
    members = team_report(manager.store, run)["members"]
    for cost in costs:
        own = [member for member in members if member["variant"] == cost["variant"]]
        assert cost["members"] == len(own) and cost["steps"] == sum(m["steps"] for m in own)
        assert cost["input"] > 1000 and cost["seconds"] > 0


def test_a_member_at_work_has_done_nothing_yet():
    data = {
        "member": "executor 1",
        "role": "executor",
        "run": "r1",
        "goal": "ndvi",
        "variant": 2,
        "layer": "",
    }
    started = _started_member(data)
    assert started["name"] == "executor 1" and started["status"] == "running" and started["variant"] == 2
    assert {key: started[key] for key in ("steps", "seconds", "lost")} == {
        "steps": 0,
        "seconds": 0,
        "lost": 0,
    }
    assert started["tokens"] == {"input": 0, "output": 0}
