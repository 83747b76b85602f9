from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from treeline.core.engine.journal import recorded_state
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.teams import layered
from treeline.core.teams.model import SubGoal
from treeline.core.teams.orchestrator import FOR_MAKERS
from treeline.core.teams.report import team_report
from treeline.core.teams.subagents import (
    BY_NAME,
    SUB_AGENTS,
    SYNTHESIS,
    layers_of_tool,
    sub_agents_of,
    tools_of,
)
from treeline.toolkit import Registry, registry
from treeline.toolkit.tool import Tool

QUESTION = "What is the mean NDVI of each date?"


def ask(manager: RunManager, question: str, **options):
    run = manager.create("lake", question, RunOptions(team="layered", **options))
    return run, manager.work(run)


def downward_edges(registry: Registry) -> list[tuple[str, str, str]]:
    """Return the edges of the tool dependency graph that go down a layer: tool, role, tool.

    There is an edge where one tool writes a role that another one needs; the needing tool must be
    callable in the layer of the writing one or above it.
    """
    edges = []
    for writer in registry:
        for role in output_roles(writer):
            for reader in registry:
                if role in required_roles(reader) and layers_of_tool(reader)[-1] < layers_of_tool(writer)[0]:
                    edges.append((writer.name, role, reader.name))
    return edges


def output_roles(tool: Tool) -> tuple[str, ...]:
    """Return the roles of the rasters that a tool writes."""
    return tuple(p.contract.role for p in tool.outputs if getattr(p.contract, "role", ""))


def required_roles(tool: Tool) -> tuple[str, ...]:
    """Return the roles that a tool cannot do without, where it takes no other."""
    needed = [p.contract.roles for p in tool.inputs if p.required]
    return tuple(roles[0] for roles in needed if len(roles) == 1)


def test_every_tool_is_reachable_by_a_sub_agent():
    reachable = {name for agent in SUB_AGENTS for name in tools_of(agent.name, registry())}
    assert {tool.name for tool in registry()} == reachable


def test_no_edge_of_the_tool_dependency_graph_goes_down():
    edges = [
        (writer, reader)
        for writer in registry()
        for reader in registry()
        if set(output_roles(writer)) & set(required_roles(reader))
    ]
    assert len(edges) > 10, "the graph should have edges to be checked"
    assert downward_edges(registry()) == []


def test_a_tool_that_is_moved_below_what_it_needs_is_found(monkeypatch):
    from treeline.core.teams import subagents

    monkeypatch.setitem(subagents._OF_TOOL, "compute_tvdi", ("DataFetcher",))
    assert any(reader == "compute_tvdi" for _, _, reader in downward_edges(registry()))


def test_the_layers_are_those_of_table_4():
    counts = {layer: sum(agent.layer == layer for agent in SUB_AGENTS) for layer in (1, 2, 3)}
    assert counts == {1: 2, 2: 6, 3: 9}


def test_each_layer_works_with_the_products_of_the_one_below(bands: Path, manager_over: Callable):
    manager = manager_over(bands)
    run, finished = ask(manager, QUESTION)
    alone = manager.work(manager.create("lake", QUESTION, RunOptions()))
    assert finished.answer.text == alone.answer.text
    report = team_report(manager.store, run)
    members = {member["layer"]: member for member in report["members"]}
    assert set(members) == {2, 3}
    made = recorded_state(manager.store, members[2]["run"]).calls
    measured = recorded_state(manager.store, members[3]["run"]).calls
    names = [Path(product.path).name for step in made for product in step.observation.products]
    assert names and all(name in str(measured[-1].observation.arguments) for name in names)
    for layer, calls in ((2, made), (3, measured)):
        allowed = set(tools_of(members[layer]["role"], registry())) | {"get_filelist"}
        assert {step.action.tool for step in calls} <= allowed


def test_an_upper_layer_that_lacks_data_rolls_the_work_back(bands, manager_over, monkeypatch):
    manager = manager_over(bands)
    whole = layered.plan_layers
    asked: list[int] = []

    def forgetful(crew):
        plan = whole(crew)
        asked.append(len(plan))
        return plan if len(asked) > 1 else [replace(plan[-1], goal=replace(plan[-1].goal, depends=()))]

    monkeypatch.setattr(layered, "plan_layers", forgetful)
    monkeypatch.setitem(layered._PLANS, "planner", forgetful)
    run, finished = ask(manager, QUESTION)
    report = team_report(manager.store, run)
    assert finished.status == "answered"
    assert [e["kind"] for e in report["happened"]].count("rollback") == 1
    assert {member["layer"] for member in report["members"]} == {2, 3}


def test_after_a_rollback_the_record_holds_what_led_to_the_answer_alone(bands, manager_over, monkeypatch):
    manager = manager_over(bands)
    whole = layered.plan_layers

    def unconnect(crew):
        plan = whole(crew)
        return [*plan[:-1], replace(plan[-1], goal=replace(plan[-1].goal, depends=()))]

    monkeypatch.setattr(layered, "plan_layers", unconnect)
    monkeypatch.setitem(layered._PLANS, "planner", unconnect)
    run, finished = ask(manager, QUESTION)
    assert finished.status == "answered"
    assert "rollback" in [e["kind"] for e in team_report(manager.store, run)["happened"]]
    called = [step.action.tool for step in recorded_state(manager.store, run).calls]
    assert called[0] == "get_filelist" and len(set(called)) == len(called)


def test_a_sub_agent_sees_its_part_of_the_tree_alone(bands, manager_over):
    manager = manager_over(bands)
    run, _ = ask(manager, QUESTION)
    for member in manager.store.runs(parent=run):
        role = member.options["member"]["role"]
        seen = {tool.name for tools in manager.disclosure(member.id).tree.tools.values() for tool in tools}
        others = {a.name for a in SUB_AGENTS} - {role, "DataFetcher", "Preprocessing"}
        foreign = {
            t.name for t in registry() if role not in sub_agents_of(t) and set(sub_agents_of(t)) <= others
        }
        assert set(tools_of(role, registry())) <= seen
        assert len(foreign) > 20 and not (foreign - set(FOR_MAKERS)) & seen, role


def test_a_sub_goal_that_waits_for_none_of_the_others_is_worked_on(bands, manager_over, monkeypatch):
    manager = manager_over(bands)
    whole = layered.plan_layers

    def waits_in_vain(crew):
        *below, last = whole(crew)
        return [replace(a, goal=replace(a.goal, depends=("nobody",))) for a in below] + [last]

    monkeypatch.setitem(layered._PLANS, "planner", waits_in_vain)
    _, finished = ask(manager, QUESTION)
    assert finished.status == "answered"


def test_what_cannot_be_had_is_declined_by_the_team_too(bands, manager_over):
    _, finished = ask(manager_over(bands), "What is the mean land surface temperature on 2021-06-01?")
    assert finished.status == "declined" and finished.answer.declined


def test_sub_agents_of_a_tool_lie_in_its_layers():
    for tool in registry():
        layers = {agent.layer for agent in SUB_AGENTS if agent.name in sub_agents_of(tool)}
        assert layers == set(layers_of_tool(tool)), tool.name


@pytest.mark.parametrize("agent", [agent.name for agent in SUB_AGENTS if agent.layer != SYNTHESIS])
def test_whoever_makes_rasters_can_calculate_and_mask(agent: str):
    goal = SubGoal("made", "Make rasters.", "prepare", layer=BY_NAME[agent].layer)
    assert set(FOR_MAKERS) <= set(layered._part(layered.Assignment(goal, agent)))
