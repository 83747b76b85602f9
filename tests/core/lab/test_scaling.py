from __future__ import annotations

import json

import pytest

from tests.core.lab.published_bench import write_benchmark
from treeline.core.cli import main
from treeline.core.disclosure.growing import LEAF, WIDTH
from treeline.core.disclosure.strategies import make_disclosure
from treeline.core.lab.distractors import MOST, with_distractors
from treeline.core.lab.records import read_questions
from treeline.core.lab.reports import html_of
from treeline.core.lab.scaling import same_domain, scaling
from treeline.toolkit import SkillTree, registry


@pytest.fixture(scope="module")
def questions(shared):
    """Three short questions."""
    found = read_questions(shared / "earth_bench" / "questions.jsonl")
    return [question for question in found if 2 < len(question.ground_truth) < 5][:3]


def names_of(tree):
    return [tool.name for members in tree.tools.values() for tool in members]


@pytest.mark.parametrize("count", [0, 75, 130, 1_000])
def test_made_up_tools_come_beside_ours(count):
    ours = SkillTree.of(registry())
    names = names_of(with_distractors(ours, count))
    assert len(names) == len(set(names)) == len(registry()) + count
    assert set(names_of(ours)) <= set(names)


def test_more_than_there_are_is_refused():
    with pytest.raises(ValueError, match=str(MOST)):
        with_distractors(SkillTree.of(registry()), MOST + 1)


def test_the_same_domain_grows_to_the_whole_by_twenty(questions):
    sizes = [len(names_of(tree)) for tree in same_domain(questions)]
    assert sizes[-1] == len(registry())
    assert all(later - earlier == 20 for earlier, later in zip(sizes, sizes[1:-1], strict=False))
    needed = {registry().get(call.tool).name for q in questions for call in q.ground_truth}
    assert all(needed <= set(names_of(tree)) for tree in same_domain(questions))


def test_a_tree_that_is_explored_bears_a_thousand_tools(questions):
    curves = scaling(questions, ["flat", "progressive", "adaptive"])["curves"]
    for name, points in curves.items():
        assert [point["tools"] - len(registry()) for point in points] == [0, 75, 130, 1_000]
        assert {point["hit_rate"] for point in points} == {1.0}
        growth = points[-1]["tokens_per_turn"] / points[0]["tokens_per_turn"]
        more = points[-1]["tools"] / points[0]["tools"]
        assert growth > more / 2 if name == "flat" else growth < 1.3


def test_the_planner_works_in_larger_trees_and_the_report_draws_it(questions):
    told: list[tuple[int, int, str]] = []
    report = scaling(
        questions[:1],
        ["progressive", "adaptive"],
        "cross",
        policy="planner",
        progress=lambda *step: told.append(step),
    )
    assert told == [(1, 1, str(questions[0].id))]
    for curve in report["curves"].values():
        assert len(curve) == 4 and all(point["tokens_per_turn"] > 500 for point in curve)
        assert len({point["hit_rate"] for point in curve}) == 1, "made-up tools led it astray"
    page = html_of({"bench": "scaling", **report})
    assert page.count("<polyline") == 4 and "Input tokens a turn" in page and "adaptive" in page


def test_answers_are_scored_with_more_and_more_tools(tmp_path, capsys):
    write_benchmark(tmp_path)
    given = ["--questions", str(tmp_path), "--data", str(tmp_path), "--only", "1", "--policy", "planner"]
    page = tmp_path / "report.html"
    assert (
        main(["bench", "scaling", *given, "--disclosure", "progressive", "--report", str(page), "--json"])
        == 0
    )
    (curve,) = json.loads(capsys.readouterr().out)["curves"].values()
    assert [point["tools"] - curve[0]["tools"] for point in curve] == [0, 75, 130, 1_000]
    assert {point["accuracy"] for point in curve} == {1.0}, "made-up tools led it astray"
    assert all(point["tokens_per_turn"] > 500 for point in curve)
    assert "Accuracy over the number of tools" in page.read_text()


def test_an_expert_answers_nothing(tmp_path, capsys):
    write_benchmark(tmp_path)
    given = ["--questions", str(tmp_path), "--data", str(tmp_path), "--json"]
    assert main(["bench", "scaling", *given]) == 2
    assert "expert" in json.loads(capsys.readouterr().out)["error"]["message"]


@pytest.mark.parametrize("count", [130, 1_000])
def test_a_tree_built_from_a_thousand_tools_stays_navigable(count):
    disclosure = make_disclosure("self_built", with_distractors(SkillTree.of(registry()), count))
    nodes = [node for branch in disclosure.forest.branches for node in branch.walk()]
    assert max(len(node.tools) for node in nodes) <= LEAF
    assert max(len(node.parts) for node in nodes) <= WIDTH and len(disclosure.forest.branches) <= WIDTH
    assert max(len(disclosure.forest.way_to(name)) for name in disclosure.forest.tools) <= 5
