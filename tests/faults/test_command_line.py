"""Whatever a command is given: exit code 2 and one sentence, or an answer; never a traceback."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.cli import main

HALF = "mean \udced\udca0\udc80 NDVI"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TREELINE_STORE", str(tmp_path / "store.sqlite"))
    write_raster(tmp_path / "a_2021-05-01.tif", np.ones((2, 8, 8)), descriptions=("red", "nir"))
    return str(tmp_path)


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    """Run a command and return its exit code and its JSON value; a traceback fails."""
    code = main([*arguments, "--json"])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, json.loads(out)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("mean NDVI?", "--steps", "0"), "0 steps"),
        (("mean NDVI?", "--steps", "-3"), "-3 steps"),
        (("mean NDVI?", "--seconds", "0"), "0 seconds"),
        (("mean NDVI?", "--seconds", "nan"), "nan seconds"),
        (("a" * 100_000,), "100,000 characters"),
        (("mean " * 20_000,), "100,000 characters"),
        ((HALF,), "lone surrogate"),
        (("mean NDVI?", "--choice", HALF), "lone surrogate"),
        ((" \n ",), "empty"),
    ],
)
def test_a_question_that_cannot_be_asked(
    data: str, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    code, value = run_command(capsys, "ask", *arguments, "--data", data)
    error = value["error"]
    assert isinstance(error, dict)
    assert (code, says in error["message"]) == (2, True), error


@pytest.mark.parametrize("question", [HALF, "a" * 100_000, "{" * 5_000])
def test_any_question_is_explained(data: str, capsys: pytest.CaptureFixture[str], question: str) -> None:
    assert run_command(capsys, "explain", question, "--data", data)[0] == 0


@pytest.mark.parametrize("content", [b"rubbish " * 400, b"SQLite format 3\0" + bytes(84)])
@pytest.mark.parametrize("command", [("memory", "list"), ("runs",), ("ask", "mean NDVI?")])
def test_a_damaged_record(
    data: str, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], content: bytes
) -> None:
    Path(data, "store.sqlite").write_bytes(content)
    code, value = run_command(capsys, *command, *(("--data", data) if command[0] == "ask" else ()))
    error = value["error"]
    assert isinstance(error, dict)
    assert (code, error["type"]) == (2, "RecordError"), error
    assert "SQL" not in error["message"].replace("SQLite", "")


@pytest.mark.parametrize("address", ["nonsense://x", "postgresql+nothing://user:secret@127.0.0.1/x"])
def test_an_address_of_no_database(
    data: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("TREELINE_STORE", address)
    code, value = run_command(capsys, "runs")
    assert (code, "secret" in str(value)) == (2, False)


@pytest.mark.parametrize("text", ["{" * 50_000, "[" * 50_000, '{"a": ' * 50_000])
def test_arguments_that_are_deeply_nested(data: str, capsys: pytest.CaptureFixture[str], text: str) -> None:
    out = str(Path(data) / "out")
    assert run_command(capsys, "call", "mean", "--arguments", text, "--data", data, "--out", out)[0] == 2


def test_a_card_that_is_deeply_nested_is_passed_over(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(data) / "home" / "cards" / "deep_card"
    folder.mkdir(parents=True)
    (folder / "1.yaml").write_text("{" * 50_000)
    assert run_command(capsys, "cards")[0] == 0


def test_the_depth_of_the_interpreter_is_left_alone() -> None:
    assert sys.getrecursionlimit() >= 1_000
