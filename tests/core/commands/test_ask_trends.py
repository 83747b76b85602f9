"""Trends that are asked for on the command line: what their slopes are told in."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
import rasterio

from treeline.core.cli import main
from treeline.toolkit.series import decimal_year


@pytest.mark.parametrize(
    ("words", "per", "of_year"),
    [("", "year", 1.0), (" per decade", "decade", 0.1), (" per day", "day", 365.2425)],
)
def test_a_share_changes_by_percentage_points(
    words: str,
    per: str,
    of_year: float,
    slovenia: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path))
    folder = slovenia / "cloud_mask"
    assert main(["ask", f"What is the trend of cloud cover{words}?", "--data", str(folder), "--json"]) == 0
    run = json.loads(capsys.readouterr().out)
    files = sorted(folder.glob("*.tif"))
    days = [datetime.fromisoformat(file.stem[len("Slovenia_CLM_") :][:10]) for file in files]
    shares = [100 * (rasterio.open(file).read(1) == 1).mean() for file in files]
    slope = np.polyfit([decimal_year(day) for day in days], shares, 1)[0] / of_year
    assert run["status"] == "answered"
    assert run["value"] == pytest.approx(slope, rel=1e-3)
    assert run["unit"] == f"percentage points/{per}"
    assert f"percentage points per {per}" in run["answer"]
