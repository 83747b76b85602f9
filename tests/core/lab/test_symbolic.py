from __future__ import annotations

import json
from pathlib import Path

import pytest

from treeline.core.cli import main
from treeline.core.engine.actions import Call
from treeline.core.engine.state import State, Step
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.calls import names_environment, names_workspace, present_calls
from treeline.core.lab.earth_bench import run_questions
from treeline.core.lab.earth_bench_run import work_on
from treeline.core.lab.records import Question
from treeline.core.lab.results import Results
from treeline.toolkit.errors import InputError

FILES = tuple(f"Lake_2021-0{month}-01_{band}.tif" for month in (5, 6) for band in ("NDVI", "LST"))
QUESTION = Question(
    id=3,
    modality="products",
    auto_planning="What is the mean NDVI on 2021-06-01?",
    files=FILES,
    ground_truth=(
        {"tool": "get_filelist", "arguments": {"dir_path": "benchmark/data/question3"}},
        {
            "tool": "calc_batch_image_mean",
            "arguments": {"file_list": ["benchmark/data/question3/Lake_2021-06-01_NDVI.tif"]},
        },
    ),
)


@pytest.fixture
def environment():
    with names_workspace(QUESTION) as workspace:
        yield names_environment(workspace, "run")


def act(environment, tool: str, **arguments):
    return environment.act(Call(tool, arguments), State(""))


def test_products_of_a_call_without_pixels_serve_the_next(environment) -> None:
    first = act(
        environment,
        "compute_tvdi",
        ndvi_path="benchmark/data/question3/Lake_2021-05-01_NDVI.tif",
        lst_path="Lake_2021-05-01_LST.tif",
        output_path="question3/tvdi.tif",
    )
    assert first.is_success and first.products[0].role == "tvdi" and first.products[0].date == "2021-05-01"
    state = State("").after(Step(1, Call("compute_tvdi"), first))
    share = Call(
        "calculate_threshold_ratio", {"image_paths": "benchmark/out/question3/tvdi.tif", "threshold": 0.7}
    )
    assert isinstance(environment.act(share, state).value, float)


def test_tools_without_rasters_really_run(environment) -> None:
    assert act(environment, "mean", x=[1, 2, 6]).value == 3


@pytest.mark.parametrize(
    "address", ["benchmark/data/question3", "question3", ".", "F:\\bench\\data\\question3"]
)
def test_the_folder_is_found_however_it_is_written(environment, address: str) -> None:
    assert act(environment, "get_filelist", dir_path=address).value == sorted(FILES)


@pytest.mark.parametrize(
    ("tool", "arguments", "repair"),
    [
        (
            "calculate_tvdi",
            {"ndvi_path": FILES[0], "lst_path": FILES[1], "output_path": "t.tif"},
            "compute_tvdi",
        ),
        ("calc_batch_image_mean", {"file_list": f"[{FILES[0]}, {FILES[2]}]"}, "read"),
        ("calc_batch_image_mean", {"file_list": {"type": "array", "value": [FILES[0]]}}, "schema"),
        ("calculate_threshold_ratio", {"image_paths": FILES[0], "value_threshold": 0.7}, "'threshold'"),
        (
            "compute_tvdi",
            {"ndvi_paths": FILES[0], "lst_path": f"'{FILES[1]}'", "output_path": "t.tif"},
            "ndvi_path",
        ),
    ],
)
def test_what_is_certain_is_repaired_and_told(environment, tool: str, arguments: dict, repair: str) -> None:
    observation = act(environment, tool, **arguments)
    assert observation.is_success, observation.text
    assert any(repair in note for note in observation.repairs)


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        (
            "compute_tvdi",
            {"ndvi_path": "/tmp/NDVI.tif", "lst_path": FILES[1], "output_path": "t.tif"},
            FILES[0],
        ),
        ("calc_batch_image_mean", {"file_list": ["Lake_NDVI.tif"]}, FILES[0]),
        ("calc_batch_image_mean", {"file_list": ["out/ndwi_2021.tif"]}, "calculate_batch_ndwi"),
        ("calculate_pwv", {}, "band_ratio"),
        ("mean", {"x": [FILES[0]]}, "calc_batch_image_mean"),
        ("mean", {"z": 1}, "mean(x"),
        ("get_filelist", {"dir_path": "question17/"}, "question3"),
    ],
)
def test_a_refusal_names_what_exists(environment, tool: str, arguments: dict, named: str) -> None:
    observation = act(environment, tool, **arguments)
    assert not observation.is_success and named in observation.hint


def test_recorded_calls_are_repaired_or_told_what_would_do(shared: Path, tmp_path: Path) -> None:
    lines = (shared / "earth_bench" / "recorded_calls.jsonl").read_text().splitlines()[::20]
    some = tmp_path / "calls.jsonl"
    some.write_text("\n".join(lines))
    report = present_calls(some, shared / "earth_bench" / "questions.jsonl")
    assert len(report["calls"]) == len(lines)
    assert report["counts"]["without_hint"] <= 0.02 * len(lines)
    assert report["by_recorded"]["failed"]["ok"] + report["by_recorded"]["failed"]["repaired"] > 0


def test_the_planner_is_scored_in_the_benchmarks_form() -> None:
    row = work_on(QUESTION, BenchOptions(workers=1))
    assert row["calls"] == row["expected"] and row["correct"] is None
    assert row["scores"]["parameters"] == 1.0 and row["efficiency"] == 1.0


def test_outputs_are_written_as_each_tool_of_the_reference_is_given_them() -> None:
    question = QUESTION.model_copy(
        update={"auto_planning": "On which share of the area is TVDI above 0.7 on 2021-05-01?"}
    )
    calls = {call["tool"]: call["arguments"] for call in work_on(question, BenchOptions(workers=1))["calls"]}
    assert calls["compute_tvdi"]["output_path"] == "question3/tvdi_2021-05-01.tif"
    assert "benchmark/out/question3/tvdi_2021-05-01.tif" in str(
        calls["calculate_threshold_ratio"]["image_paths"]
    )


def test_a_killed_bench_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    other = QUESTION.model_copy(update={"id": 4})
    options = BenchOptions(workers=1)
    run_questions([QUESTION], options, Results(file, {"regime": "ap"}))
    with file.open("a") as stream:
        stream.write('{"id": 4, "cut')
    worked = []
    report = run_questions(
        [QUESTION, other], options, Results(file, {"regime": "ap"}), lambda *a: worked.append(a[2])
    )
    assert worked == ["", "4"] and [row["id"] for row in report["questions"]] == [3, 4]
    with pytest.raises(InputError, match="another bench"):
        Results(file, {"regime": "if"})


def test_the_command_prints_one_value_and_writes_a_report(capsys, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(QUESTION.model_dump_json() + "\n")
    report = tmp_path / "report.html"
    arguments = [
        "--questions",
        str(file),
        "--regime",
        "ap",
        "--files-only",
        "--workers",
        "1",
        "--report",
        str(report),
    ]
    assert main(["bench", "earth-bench", *arguments, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["metrics"]["tool_exact_match"] == 1.0 and value["metrics"]["accuracy"] is None
    assert "<svg" in report.read_text() and "http" not in report.read_text()
