from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeline.core.lab.geoplan.planners import TEMPLATE
from treeline.core.lab.geoplan.tasks import PlanningTask
from treeline.core.lab.records import read_records
from treeline.core.teams.geoplan.agents import agents, layers_of, tool_names
from treeline.core.teams.geoplan.metric import PathMetric
from treeline.core.teams.geoplan.planner import LayeredPlanner, PlannedTask, by_rules
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
