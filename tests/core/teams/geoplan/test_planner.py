from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeline.core.lab.geoplan.planners import TEMPLATE
from treeline.core.lab.geoplan.tasks import PlanningTask
from treeline.core.lab.records import read_records
from treeline.core.teams.geoplan.agents import agents, agents_with, layers_of, tool_names
from treeline.core.teams.geoplan.metric import PathMetric
from treeline.core.teams.geoplan.planner import (
    LayeredPlanner,
    PlannedTask,
    _best,
    _by_layer,
    _changes,
    _find_most_frequent,
    _fits,
    _own_fits,
    by_rules,
)
from treeline.core.teams.geoplan.similarity import PathSimilarity
from treeline.knowledge import LexicalEmbedder

paths = st.lists(st.sampled_from(tool_names()), max_size=12)


@pytest.fixture(scope="module")
def metric() -> PathMetric:
    return PathMetric()


@pytest.fixture(scope="module")
def tasks(shared: Path) -> list[PlannedTask]:
    read = read_records(shared / "geoplan_bench" / "tasks.jsonl", PlanningTask)
    return [PlannedTask(task.question, task.ground_truth, task.domain) for task in read]


@settings(max_examples=30)
@given(paths, paths)
def test_the_compiled_similarity_is_that_of_the_lab(metric, first, second):
    names = dict.fromkeys(tool_names(), "")
    lab = PathSimilarity(LexicalEmbedder([n.replace("_", " ") for n in names]), names)
    assert metric.similarity(first, second) == pytest.approx(lab(first, second), abs=1e-5)


def test_every_planning_tool_hangs_under_a_sub_agent(shared: Path):
    text = (shared / "geoplan_bench" / "tools.jsonl").read_text("utf-8")
    assert all(f'"name": "{name}"' in text for name in tool_names()) and len(tool_names()) == 104
    assert {layer for agent in agents().values() for layer in [agent["layer"]]} == {1, 2, 3}
    assert all(layers_of(name) for name in tool_names())


def test_held_aside_tasks_are_planned_better_than_by_the_nearest_or_by_the_template(metric, tasks):
    order = np.random.default_rng(3).permutation(len(tasks))
    aside, known = [tasks[i] for i in order[:40]], [tasks[i] for i in order[40:]]
    planner = LayeredPlanner(metric, known)
    embedder = LexicalEmbedder([task.question for task in known])
    vectors = embedder.embed([task.question for task in known])

    def nearest(task: PlannedTask) -> tuple[str, ...]:
        return known[int(np.argmax(vectors @ embedder.embed([task.question])[0]))].path

    def mean(plan) -> float:
        return float(np.mean([metric.similarity(plan(task), task.path) for task in aside]))

    ours = mean(lambda task: planner.plan(PlannedTask(task.question)).path)
    assert ours > mean(nearest) + 0.01
    assert ours > mean(lambda task: TEMPLATE) + 0.02


def test_a_tasks_own_path_is_not_used(metric, tasks):
    task = tasks[5]
    rest = [other for other in tasks[:60] if other is not task]
    with_own = LayeredPlanner(metric, [task, *rest]).plan(task)
    changed = PlannedTask(task.question, ("read_database",), task.domain)
    assert with_own.path == LayeredPlanner(metric, [changed, *rest]).plan(changed).path


def test_the_layers_of_a_plan_hold_its_tools(metric, tasks):
    plan = LayeredPlanner(metric, tasks[:80]).plan(tasks[100])
    assert sorted(tool for tools in plan.layers.values() for tool in tools) == sorted(plan.path)
    for layer, names in plan.sub_agents.items():
        assert all(agents()[name]["layer"] == layer for name in names)


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("Which fields of the valley show a plant disease?", "detect_plant_diseases"),
        ("Monitor the extent of the flood along the river.", "monitor_flood_extent"),
        ("Where did the coastal erosion accelerate?", "assess_coastal_erosion"),
    ],
)
def test_without_experience_the_words_of_a_task_call_for_tools(question: str, tool: str):
    path = by_rules(question)
    assert tool in path and path.index("download_satellite_imagery") < path.index(tool)


def made_up(count: int) -> list[PlannedTask]:
    return [
        PlannedTask(f"Map the {what} of the lake", (tool,), domain)
        for what, tool, domain in zip(
            ("snow", "ice", "water", "fire"), tool_names(), ("cold", "cold", "wet", "hot"), strict=False
        )
    ][:count]


def test_tasks_weigh_by_their_likeness_and_those_of_the_domain_more(metric):
    known = made_up(4)
    planner = LayeredPlanner(metric, known)
    asked = PlannedTask("Map the snow and ice of the lake", domain="cold")
    embedder = LexicalEmbedder([task.question for task in known])
    likeness = embedder.embed([task.question for task in known]) @ embedder.embed([asked.question])[0]
    likeness += [0.1 if task.domain == "cold" else 0 for task in known]
    near, weights = planner._nearest(asked)
    expected = np.exp(likeness / 0.1) / np.exp(likeness / 0.1).sum()
    assert near == list(np.argsort(-likeness)) and weights == pytest.approx(expected[near], rel=1e-4)
    without, _ = planner._nearest(PlannedTask(known[1].question.upper()))
    assert 1 not in without and len(without) == 3, "its own path is not looked at"


def test_only_so_many_neighbours_are_asked(metric, monkeypatch):
    monkeypatch.setattr("treeline.core.teams.geoplan.planner._NEIGHBOURS", 2)
    assert len(LayeredPlanner(metric, made_up(4))._nearest(PlannedTask("Map the lake"))[0]) == 2


def test_a_tool_of_several_layers_goes_no_lower_than_the_one_before_it():
    several = next(name for name in tool_names() if layers_of(name)[:2] == (1, 2))
    by_one = {layer: next(n for n in tool_names() if layers_of(n) == (layer,)) for layer in (1, 2, 3)}
    assert _by_layer([several, by_one[1]]) == {1: (several, by_one[1]), 2: (), 3: ()}
    assert _by_layer([by_one[2], several]) == {1: (), 2: (by_one[2], several), 3: ()}
    assert _by_layer([by_one[3], several])[layers_of(several)[-1]][-1] == several
    assert list(_by_layer([])) == [1, 2, 3]


def test_the_most_used_tools_go_by_weight_and_count_once_a_path():
    some = [np.array(path, dtype=np.int64) for path in ([5, 5, 7], [7], [9])]
    assert _find_most_frequent(some, np.array([0.5, 0.2, 0.6])) == [7, 9, 5]


def test_a_path_is_changed_by_one_tool_at_each_place():
    found = [change.tolist() for change in _changes(np.array([1, 2]), [2, 3])]
    assert found == [[2], [1], [3, 1, 2], [1, 3, 2], [1, 2, 3], [3, 2], [1, 3]]
    assert [change.tolist() for change in _changes(np.array([1]), [])] == [], "a path is never empty"


def test_further_tools_are_named_where_they_fit_well_enough():
    agent = next(
        name for name in agents() if sum(len(agents_with(t)) <= 2 for t in agents()[name]["tools"]) > 2
    )
    own = [tool for tool in agents()[agent]["tools"] if len(agents_with(tool)) <= 2]
    fits = dict.fromkeys(tool_names(), 0.0) | {own[0]: 0.11, own[1]: 0.12, own[2]: 0.1199}
    assert _best(agent, fits, 3) == [own[1]], "the best in any case"
    fits[own[0]] = 0.13
    assert _best(agent, fits, 3) == [own[0], own[1]] and _best(agent, fits, 1) == [own[0]]
    assert sorted(_own_fits(agent, fits))[-2:] == [0.12, 0.13]


def test_a_name_fits_by_its_likeness_and_a_tenth_for_each_word():
    name = "cloud_mask_removal"
    fits = _fits("cloud mask")
    vectors = LexicalEmbedder([n.replace("_", " ") for n in tool_names()]).embed(
        ["cloud mask removal", "cloud mask"]
    )
    assert fits[name] == pytest.approx(float(vectors[0] @ vectors[1]) + 0.2, abs=1e-3)


def test_a_tool_of_no_sub_agent_is_called_in_the_lowest_layer():
    assert layers_of("no_such_tool") == (1,)
