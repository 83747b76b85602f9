from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.core.cli import main
from treeline.core.lab.geoplan.bench import PlanOptions, bench_planner, score_plans, summarise_plans
from treeline.core.lab.geoplan.elo import by_coverage, elo_ratings, play
from treeline.core.lab.geoplan.key_tools import RareTools, key_scores
from treeline.core.lab.geoplan.planners import _same
from treeline.core.lab.geoplan.tasks import read_tasks
from treeline.core.teams.geoplan.similarity import PathSimilarity, collapse, table_of_costs, tool_text
from treeline.knowledge import LexicalEmbedder
from treeline.toolkit.errors import InputError

TOOLS = dict.fromkeys(("crop_image", "detect_ships", "detect_roads", "format_data", "web_search"), "")
SIMILARITY = PathSimilarity(LexicalEmbedder(list(TOOLS)), TOOLS)
paths = st.lists(st.sampled_from([*TOOLS, "invented_tool"]), max_size=8)


@given(paths, paths)
def test_similarity_is_symmetric_and_one_for_equal_paths(mine: list[str], theirs: list[str]) -> None:
    assert SIMILARITY(mine, mine) == 1
    assert SIMILARITY(mine, theirs) == pytest.approx(SIMILARITY(theirs, mine))
    assert 0 <= SIMILARITY(mine, theirs) <= 1


def test_repetitions_right_after_each_other_count_once() -> None:
    assert SIMILARITY(["crop_image", "crop_image", "web_search"], ["crop_image", "web_search"]) == 1


def test_to_leave_out_a_tool_costs_by_its_centrality() -> None:
    cost = table_of_costs()["crop_image"]
    assert SIMILARITY(["web_search"], ["web_search", "crop_image"]) == pytest.approx(1 - cost / 3)
    assert cost > 1


@given(paths, paths)
def test_the_similarity_is_that_of_the_cheapest_edits(mine: list[str], theirs: list[str]) -> None:
    vectors = LexicalEmbedder(list(TOOLS)).embed([tool_text(name, text) for name, text in TOOLS.items()])
    place = {name: n for n, name in enumerate(TOOLS)}

    def put_for(one: str, other: str) -> float:
        if one == other:
            return 0.0
        known = one in place and other in place
        return 1 - (float(vectors[place[one]] @ vectors[place[other]]) + 1) / 2 if known else 1.0

    @cache
    def cost(a: tuple[str, ...], b: tuple[str, ...]) -> float:
        if not a or not b:
            return sum(table_of_costs().get(tool, 1.0) for tool in (*a, *b))
        if a[0] == b[0]:
            return cost(a[1:], b[1:])
        leave = table_of_costs().get(a[0], 1.0) + cost(a[1:], b)
        add = table_of_costs().get(b[0], 1.0) + cost(a, b[1:])
        return min(leave, add, put_for(a[0], b[0]) + cost(a[1:], b[1:]))

    a, b = tuple(collapse(mine)), tuple(collapse(theirs))
    expected = max(0.0, 1 - cost(a, b) / (1.5 * max(len(a), len(b)))) if a or b else 1.0
    assert SIMILARITY(mine, theirs) == pytest.approx(expected, abs=1e-6)


def test_a_tool_that_is_not_there_is_like_no_other() -> None:
    known = SIMILARITY(["detect_roads"], ["detect_ships"])
    assert known > SIMILARITY(["invented_tool"], ["detect_ships"]) == pytest.approx(1 - 1 / 1.5)


def test_recall_counts_every_tool_of_the_plan_and_precision_its_key_tools() -> None:
    scores = key_scores({"a", "b"}, {"b", "x"}, ["a", "b", "x"], ["a", "b", "c"])
    assert (scores.recall, scores.precision, scores.f1) == (1.0, 0.5, pytest.approx(2 / 3))


def test_rare_tools_are_those_that_few_gold_paths_hold() -> None:
    rare = RareTools([["get", "a"], ["get", "b"], ["get", "c"], ["get", "d"]])
    assert rare(["get", "a"]) == {"a"} and rare(["get"]) == {"get"}


def test_elo_keeps_its_sum_and_puts_the_winner_first() -> None:
    tasks = {str(n): ["a", "b", "c"] for n in range(20)}
    coverage = {(task, name): {"a": 1.0, "b": 0.5, "c": 0.5}[name] for task in tasks for name in "abc"}
    rated = elo_ratings(play(tasks, by_coverage(coverage)))
    ratings = {name: rating.value for name, rating in rated.items()}
    assert sum(ratings.values()) == pytest.approx(3000)
    assert ratings["a"] > 1050 and abs(ratings["b"] - ratings["c"]) < 60


def test_recorded_similarities_are_near_the_published(shared: Path) -> None:
    report = score_plans(shared / "geoplan_bench" / "recorded.jsonl", "lexical")
    assert len(report["plans"]) == 72 and report["mean_error"] < 0.04
    published = [row for row in report["plans"] if row["recorded_key_tool_scores"]]
    assert {row["recorded_key_tool_scores"]["recall"] for row in published} == {0.25, 0.5, 1.0}


def test_recorded_key_tool_scores_come_out(shared: Path) -> None:
    file = shared / "geoplan_bench" / "recorded.jsonl"
    recorded = [json.loads(line) for line in file.read_text().splitlines()]
    for row, plan in zip(score_plans(file, "lexical")["plans"], recorded, strict=True):
        if row["recorded_key_tool_scores"]:
            assert row["recorded_key_tool_scores"]["precision"] == plan["metrics"]["key_tool_precision"]
            assert row["recorded_key_tool_scores"]["f1"] == pytest.approx(plan["metrics"]["F1_score"])


def test_the_nearest_task_is_never_the_task_itself(tmp_path: Path) -> None:
    lines = [
        {"id": "1", "question": "Count the ships in the harbour", "ground_truth": ["detect_ships"]},
        {
            "id": "2",
            "question": "Count ships in harbours in May",
            "ground_truth": ["crop_image", "detect_ships"],
        },
        {"id": "3", "question": "Map the roads of the city", "ground_truth": ["detect_roads"]},
    ]
    file = tmp_path / "tasks.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    report = bench_planner(file, PlanOptions("nearest", str(file), "lexical"))
    assert report["tasks"][0]["path"] == ["crop_image", "detect_ships"]
    with pytest.raises(InputError, match="neighbours|solved"):
        bench_planner(file, PlanOptions("nearest", "", "lexical"))
    with pytest.raises(InputError, match="no planner"):
        bench_planner(file, PlanOptions("oracle"))


def test_tasks_in_a_folder_of_files_as_they_are_published(tmp_path: Path, capsys) -> None:
    flow = ["download_satellite_imagery", "crop_image", "detect_ships"]
    for number in range(3):
        task = {
            "task_id": f"task-{number}",
            "dag_template_filename": "dag_3.json",
            "complexity": "Simple",
            "domain": "Marine",
            "question": f"Count the ships in harbour {number}",
            "ground_truth_tool_flow": flow,
        }
        (tmp_path / f"task_{number}.json").write_text(json.dumps(task))
    arguments = [
        "--tasks",
        str(tmp_path),
        "--planner",
        "template",
        "--embedder",
        "lexical",
        "--exclude",
        "task-1",
    ]
    assert main(["bench", "geoplan", *arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in report["tasks"]] == ["task-0", "task-2"]
    assert report["tasks"][0]["ground_truth"] == flow and report["by_domain"].keys() == {"Marine"}
    assert report["beside"]["constant"] == report["path_similarity"] and 0 <= report["beside"]["random"] <= 1
    assert "constant" in report["note"]


@pytest.mark.parametrize(
    ("text", "said"), [("{", "not JSON"), ('{"question": "?"}', "task_0.json"), (None, "no tasks")]
)
def test_a_folder_that_holds_no_task_says_which_file(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "task_0.json").write_text(text)
    with pytest.raises(InputError, match=said):
        read_tasks(tmp_path)


def test_a_file_that_is_no_task_costs_no_other(tmp_path: Path) -> None:
    task = {"task_id": "t", "question": "Map it", "ground_truth_tool_flow": ["a"]}
    (tmp_path / "task_0.json").write_text("{")
    (tmp_path / "task_1.json").write_text(json.dumps(task))
    found = read_tasks(tmp_path)
    assert [one.id for one in found] == ["t"] and "task_0.json" in found.unread[0]


def test_tasks_of_one_name_are_told_apart(tmp_path: Path) -> None:
    task = {"task_id": "t", "question": "Map it", "ground_truth_tool_flow": ["a"]}
    for place, content in {"x": task, "y": {**task, "domain": "Water"}, "z": task}.items():
        (tmp_path / place).mkdir()
        (tmp_path / place / "task_1.json").write_text(json.dumps(content, indent=1), encoding="utf-8-sig")
    assert [one.id for one in read_tasks(tmp_path)] == ["t", "t (y/task_1)"]
    assert len(read_tasks(tmp_path / "x" / "task_1.json")) == 1


def test_malformed_replies_are_those_that_the_rows_tell_and_no_plan_has_no_score() -> None:
    scores = {"recall": 1.0, "precision": 0.5, "f1": 2 / 3}
    rows = [
        {
            "path_similarity": n / 4,
            "key_tool_scores": scores,
            "complexity": "Simple",
            "domain": "Water",
            "embedder": "lexical",
        }
        | ({"malformed": 2} if n else {})
        for n in range(3)
    ]
    report = summarise_plans(rows, PlanOptions())
    assert (report["malformed"], report["path_similarity"], report["embedder"]) == (4, 0.25, "lexical")
    none = summarise_plans([], PlanOptions(embedder="none"))
    assert (none["malformed"], none["path_similarity"], none["embedder"]) == (0, None, "none")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("Count the ships.", "count  the SHIPS.", True), ("Count the ships.", "Count the cars.", False)],
)
def test_a_question_is_the_same_however_it_is_spaced_and_capitalised(one: str, other: str, same: bool):
    assert _same(one, other) is same
