"""Runs questions in rounds over small folders, through the run manager and the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from treeline.core.engine.events import RunFinished
from treeline.core.memory.rounds import Round, rounds_of
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.settings import Endpoint
from treeline.core.workspace import Workspace


@dataclass
class QuestionInRounds:
    """A question that was worked on in rounds."""

    manager: RunManager
    run: str
    finished: RunFinished

    @property
    def rounds(self) -> list[Round]:
        return rounds_of(self.manager.store, self.run)

    @property
    def signs(self) -> list[list[str]]:
        """The signs of failure of each round."""
        return [[issue["sign"] for issue in r.judgement.issues] for r in self.rounds if r.judgement]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for rasters."""
    path = tmp_path / "data"
    path.mkdir()
    return path


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store.sqlite")


@pytest.fixture
def ask(tmp_path: Path, folder: Path, store: Store) -> Callable[..., QuestionInRounds]:
    """A function of (question, endpoint=None, **options) that works on it to the end."""

    def ask_question(question: str, endpoint: Endpoint | None = None, **options) -> QuestionInRounds:
        workspace = Workspace(tmp_path / "workspace", [folder])
        manager = RunManager(store, lambda name: workspace)
        run = manager.create("w", question, RunOptions(**options), endpoint=endpoint)
        return QuestionInRounds(manager, run, manager.work(run, endpoint))

    return ask_question
