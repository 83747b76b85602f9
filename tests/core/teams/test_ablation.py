from __future__ import annotations

from pathlib import Path

from core.options import RunOptions
from core.runs import RunManager
from core.store import Store
from core.teams.ablation import SETTINGS, Asked, run_ablation
from core.workspace import Workspace

QUESTIONS = [Asked("What is the mean NDVI of each date?"), Asked("What is the average NDVI of each date?")]


def test_each_part_that_is_switched_off_shows_in_the_report(bands: Path, tmp_path: Path):
    def manager_for(name: str) -> RunManager:
        home = tmp_path / name.replace(" ", "-")
        return RunManager(Store(home / "store.sqlite"), lambda workspace: Workspace(home / "lake", [bands]))

    report = run_ablation(manager_for, QUESTIONS, RunOptions(), "lake")
    assert list(report) == list(SETTINGS)
    assert all(row["answered"] == 1 and row["right"] is None for row in report.values())
    assert report["without exploration"]["steps"] < report["full"]["steps"]
    assert report["without exploration"]["steps"] < report["without memory"]["steps"]
