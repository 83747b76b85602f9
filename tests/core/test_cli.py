from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.core.cli import main


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    folder = tmp_path / "lake"
    folder.mkdir()
    rng = np.random.default_rng(2)
    for date in ("2021-05-01", "2021-06-01"):
        bands = rng.integers(500, 4000, (2, 32, 32)).astype("uint16")
        write_raster(
            folder / f"Lake_{date}.tif", bands, descriptions=("red", "nir"), scale=0.0001, offset=0.0
        )
    return folder


def run(capsys, *arguments: str) -> tuple[int, object, str]:
    code = main([*arguments, "--json"])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out.strip() else None, err


def ndvi_mean(path: Path) -> float:
    with rasterio.open(path) as dataset:
        red, nir = dataset.read().astype(float)
    return float(((nir - red) / (nir + red)).mean())


def test_ask_prints_one_value_with_answer_steps_and_products(capsys, lake, tmp_path):
    code, value, _ = run(
        capsys,
        "ask",
        "What is the mean NDVI on 2021-06-01?",
        "--data",
        str(lake),
        "--out",
        str(tmp_path / "out"),
    )
    assert code == 0 and value["status"] == "answered"
    assert value["value"] == pytest.approx(ndvi_mean(lake / "Lake_2021-06-01.tif"), abs=1e-4)
    assert value["steps"][-1]["action"] == "answer" and value["tokens"] == {"input": 0, "output": 0}
    assert [Path(p).parent for p in value["products"]] == [tmp_path / "out"]
    assert Path(value["products"][0]).is_file()


def test_a_declined_question_is_exit_code_0(capsys, lake):
    code, value, _ = run(capsys, "ask", "What is the mean land surface temperature?", "--data", str(lake))
    assert code == 0 and value["status"] == "declined" and value["value"] is None
    assert "bt10" in value["answer"] and value["products"] == []
    assert value["suggestions"] == ["What is the mean NDVI of each date?", *value["suggestions"][1:]]


def test_who_asks_for_help_is_told_what_is_there_and_what_can_be_asked(capsys, lake):
    assert main(["ask", "What can I do here?", "--data", str(lake)]) == 0
    told = capsys.readouterr().out
    assert "red reflectance and near-infrared reflectance" in told or "near-infrared reflectance and" in told
    assert "2 dates from 2021-05-01 to 2021-06-01" in told
    assert "Such as:\n  What is the mean NDVI of each date?" in told


def test_a_run_that_used_up_its_steps_is_resumed_with_more(capsys, lake):
    question = "What is the mean NDVI on 2021-06-01?"
    code, value, _ = run(capsys, "ask", question, "--data", str(lake), "--steps", "2")
    assert code == 1 and value["status"] == "failed" and "Go on with more steps" in value["reason"]
    code, again, _ = run(capsys, "resume", value["run"])
    assert code == 1 and again["reason"] == value["reason"]
    code, more, _ = run(capsys, "resume", value["run"], "--steps", "60")
    assert code == 0 and more["value"] == pytest.approx(ndvi_mean(lake / "Lake_2021-06-01.tif"), abs=1e-4)


def test_options_are_chosen_by_letter(capsys, lake):
    truth = ndvi_mean(lake / "Lake_2021-05-01.tif")
    choices = [f"{truth + shift:.3f}" for shift in (0.2, 0.0, -0.2)]
    options = [part for choice in choices for part in ("--choice", choice)]
    _, value, _ = run(capsys, "ask", "What is the mean NDVI on 2021-05-01?", "--data", str(lake), *options)
    assert value["choice"] == "B"
    (listed,) = run(capsys, "runs")[1]
    assert listed["choices"] == choices
    assert main(["runs"]) == 0
    shown = " ".join(f"{letter}) {choice}" for letter, choice in zip("ABC", choices, strict=True))
    assert f"What is the mean NDVI on 2021-05-01? {shown}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "Mean NDVI?", "--data", "/nowhere/at/all"),
        ("ask", " ", "--data", "."),
        ("call", "mean", "--arguments", "{", "--out", "o"),
        ("call", "mean", "--arguments", "[1]", "--out", "o"),
        ("tools", "no_such_tool"),
        ("replay", "--trajectories", "none.jsonl", "--data", ".", "--out", "o"),
        ("resume", "no-such-run"),
    ],
)
def test_bad_input_is_exit_code_2_and_one_sentence(capsys, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = main(list(arguments))
    out, err = capsys.readouterr()
    assert code == 2 and out == ""
    assert "Traceback" not in err and len(err.strip().splitlines()) == 1


def test_call_gives_a_result_or_an_error_with_a_hint(capsys, lake, tmp_path):
    code, value, _ = run(
        capsys,
        "call",
        "mean",
        "--arguments",
        '{"x": [1, 2, 6]}',
        "--data",
        str(lake),
        "--out",
        str(tmp_path / "o"),
    )
    assert code == 0 and value["result"] == 3
    code, value, _ = run(
        capsys,
        "call",
        "calc_batch_image_mean",
        "--arguments",
        '{"file_list": ["Lake_2021-05-02.tif"]}',
        "--data",
        str(lake),
        "--out",
        str(tmp_path / "o"),
    )
    assert (
        code == 2
        and value["error"]["type"] == "RasterMissing"
        and "Lake_2021-05-01.tif" in value["error"]["hint"]
    )


def test_call_whose_map_is_empty_says_where_the_pixels_went(capsys, tmp_path):
    (tmp_path / "in").mkdir()
    write_raster(tmp_path / "in" / "area_DEM.tif", np.full((30, 30), -9999, "int16"))
    code, value, _ = run(
        capsys,
        "call",
        "calculate_slope",
        "--arguments",
        '{"dem_path": "area_DEM.tif", "output_path": "s.tif"}',
        "--data",
        str(tmp_path / "in"),
        "--out",
        str(tmp_path / "o"),
    )
    assert code == 1 and value["error"]["type"] == "NoValidPixels"
    assert "area_DEM.tif has nothing but fill (-9999)" in value["error"]["message"]


def test_tools_lists_every_tool_with_document_schema_and_source(capsys):
    code, tools, _ = run(capsys, "tools")
    assert code == 0 and len(tools) == len({tool["name"] for tool in tools}) > 60
    for tool in tools:
        assert tool["brief"] and tool["document"] and tool["source"] and tool["schema"]["type"] == "object"


def test_replay_feeds_outputs_to_later_calls_under_any_of_their_names(capsys, lake, tmp_path):
    calls = [
        {"tool": "get_filelist", "arguments": {"dir_path": "benchmark/data/question1"}},
        {
            "tool": "calculate_batch_ndvi",
            "arguments": {
                "input_nir_paths": ["benchmark/data/question1/Lake_2021-05-01.tif#nir"],
                "input_red_paths": ["benchmark/data/question1/Lake_2021-05-01.tif#red"],
                "output_paths": ["question1/ndvi.tif"],
            },
        },
        {"tool": "calc_batch_image_mean", "arguments": {"file_list": ["benchmark/out/question1/ndvi.tif"]}},
        {"tool": "calc_batch_image_mean", "arguments": {"file_list": ["ndvi.tif"]}},
        {"tool": "calc_batch_image_mean", "arguments": {"file_list": ["benchmark/data/question1/never.tif"]}},
    ]
    data = tmp_path / "data" / "question1"
    data.parent.mkdir()
    lake.rename(data)
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps({"id": 1, "calls": calls}) + "\n")
    code, value, _ = run(
        capsys,
        "replay",
        "--trajectories",
        str(file),
        "--data",
        str(tmp_path / "data"),
        "--out",
        str(tmp_path / "out"),
    )
    results = value["trajectories"][0]["calls"]
    assert code == 0 and [call["ok"] for call in results] == [True, True, True, True, False], results
    assert results[0]["result"] == ["Lake_2021-05-01.tif", "Lake_2021-06-01.tif"]
    assert results[2]["result"] == pytest.approx([ndvi_mean(data / "Lake_2021-05-01.tif")], abs=1e-6)
    assert results[4]["error"]["hint"]


def test_every_odd_file_is_used_or_refused_with_a_sentence(capsys, shared):
    code, value, err = run(
        capsys, "ask", "What is the mean of the red band?", "--data", str(shared / "rasters" / "odd")
    )
    assert code in (0, 1) and "Traceback" not in err
    assert list(value["problems"]) == ["corrupt.tif"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("call", "mean", "--out", "file"),
        ("call", "mean", "--out", "file/below"),
        ("call", "mean", "--out", "o", "--arguments", "[" * 100_000),
        ("call", "mean"),
        ("ask", "Mean NDVI?", "--data", "/nowhere/at/all"),
        ("no-such-command",),
    ],
)
def test_with_json_every_refusal_is_one_value(capsys, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    code, value, err = run(capsys, *arguments)
    assert code == 2 and set(value["error"]) == {"type", "message", "hint"}
    assert value["error"]["message"] and value["error"]["hint"]
    assert "Traceback" not in err and len(err.strip().splitlines()) == 1


def test_a_question_may_stand_after_the_data(capsys, lake):
    code, value, _ = run(capsys, "ask", "--data", str(lake), "What is the mean NDVI on 2021-05-01?")
    assert code == 0 and value["status"] == "answered"
    code, value, _ = run(capsys, "ask", "--data", str(lake))
    assert code == 2 and "no question" in value["error"]["message"]


def test_a_workspace_is_deleted_with_its_runs_when_that_is_said_twice(capsys, lake):
    run(capsys, "ask", "What is the mean NDVI on 2021-06-01?", "--data", str(lake))
    listed = run(capsys, "workspaces")[1]
    assert [(each["name"], each["runs"]) for each in listed] == [("command-line", 1)]
    code, value, _ = run(capsys, "workspaces", "delete", "command-line")
    assert code == 2 and "--yes" in value["error"]["hint"] and len(run(capsys, "runs")[1]) == 1
    assert run(capsys, "workspaces", "delete", "command-line", "--yes")[0] == 0
    assert run(capsys, "workspaces")[1] == run(capsys, "runs")[1] == []
    assert run(capsys, "workspaces", "delete", "../home", "--yes")[0] == 2
    assert len(list(lake.iterdir())) == 2


def test_the_options_of_no_command_import_what_works_on_rasters():
    code = (
        "import sys; from treeline.core.cli import build_parser; build_parser(); "
        "print({'numpy', 'rasterio', 'sqlalchemy', 'openai'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "set()", done.stderr
