"""Asks the planner through the run manager, as the command line and the pages do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from treeline.core.engine.actions import Answer
from treeline.core.engine.events import RunFinished
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace

Ask = Callable[..., RunFinished]


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a small simulated landscape."""
    from treeline.core.demo import write_demo

    folder = tmp_path_factory.mktemp("demo")
    write_demo(folder, size=120)
    return folder


@pytest.fixture(scope="session")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """A function of (question, *sources, choices=()) that returns how the run or its first reading ended."""
    home = tmp_path_factory.mktemp("planner")
    workspaces: dict[str, Workspace] = {}
    manager = RunManager(Store(str(home / "store.sqlite")), workspaces.__getitem__)

    def ask_question(question: str, *sources: Path, choices: tuple[str, ...] = ()) -> RunFinished:
        name = "|".join(map(str, sources))
        if name not in workspaces:
            workspaces[name] = Workspace(home / f"workspace{len(workspaces)}", sources)
        finished = manager.work(manager.create(name, question, RunOptions(choices=choices)))
        if finished.status != "asks":
            return finished
        # Nothing is said of clouds and they matter: the first reading leaves them in, as the numbers here do.
        return manager.work(manager.create(name, question, RunOptions(choices=choices, reading=1)))

    return ask_question


def answer_of(finished: RunFinished) -> Answer:
    """Return the answer of a run that was answered."""
    assert finished.status == "answered", finished.reason or (finished.answer and finished.answer.text)
    assert finished.answer is not None
    return finished.answer
