"""What files are taken for, and what a person says they are, on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.cli import main

RED, NIR = "T33TVM_20220712T100031_B04.tif", "T33TVM_20220712T100031_B08.tif"


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two bands of Sentinel-2 that do not tell whether they have its offset."""
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    folder = tmp_path / "data"
    folder.mkdir()
    for name, value in ((RED, 1600), (NIR, 4500)):
        write_raster(folder / name, np.arange(value - 32, value + 32, dtype="uint16").reshape(8, 8))
    return folder


def read_printed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert main([*arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_an_offset_is_asked_for_and_settled(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = ("ask", "What is the mean NDVI?", "--data", str(scene))
    described = read_printed(capsys, "describe", "--data", str(scene))
    assert [band["scale"] for raster in described["rasters"] for band in raster["bands"]] == [None, None]
    declined = read_printed(capsys, *question)
    assert declined["status"] == "declined" and declined["value"] is None
    assert "may have an offset" in declined["answer"] and "treeline correct" in declined["answer"]
    for name in (RED, NIR):
        kept = read_printed(capsys, "correct", str(scene / name), "--offset=-0.1")
        assert kept["raster"]["bands"][0]["offset"] == -0.1
    answered = read_printed(capsys, *question)
    stored = [np.arange(value - 32, value + 32) * 1e-4 - 0.1 for value in (1600, 4500)]
    expected = np.mean((stored[1] - stored[0]) / (stored[1] + stored[0]))
    assert answered["status"] == "answered" and answered["value"] == pytest.approx(expected, rel=1e-5)


def test_people_are_told_the_day_and_programs_the_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    path = write_raster(tmp_path / "Lake_NDVI_2021-06-03.tif", np.ones((4, 4), "float32"))
    assert main(["describe", "--data", str(path)]) == 0
    told = capsys.readouterr().out
    assert "2021-06-03\n" in told and "00:00" not in told
    (raster,) = read_printed(capsys, "describe", "--data", str(path))["rasters"]
    assert raster["date"] == "2021-06-03T00:00:00"


def test_a_call_goes_by_what_was_said(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ("call", "calc_batch_image_mean", "--arguments", json.dumps({"file_list": [RED]}), "--data")
    read_printed(capsys, "correct", str(scene / RED), "--offset=-0.1", "--fill", "1570")
    (mean,) = read_printed(capsys, *call, str(scene), "--out", str(scene / "out"))["result"]
    values = np.arange(1568, 1632)
    assert mean == pytest.approx(values[values != 1570].mean() * 1e-4 - 0.1)
    read_printed(capsys, "correct", str(scene / RED), "--forget")
    (mean,) = read_printed(capsys, *call, str(scene), "--out", str(scene / "out"))["result"]
    assert mean == pytest.approx(values.mean() * 1e-4)


def test_what_cannot_be_said_is_refused(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (("--role", "nonsense"), ("--date", "yesterday"), ()):
        error = read_printed(capsys, "correct", str(scene / RED), *arguments, code=2)["error"]
        assert error["type"] == "InputError"
    (scene / "clouds.grib").write_bytes(b"GRIB")
    assert "GRIB" in read_printed(capsys, "describe", "--data", str(scene))["problems"]["clouds.grib"]
