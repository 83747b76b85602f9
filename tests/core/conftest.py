"""Asks a team through the run manager, as the command line and the pages do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rasters import write_lake
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.workspace import Workspace


@pytest.fixture
def bands(tmp_path: Path) -> Path:
    """Folder with green, red, near and short-wave infrared of three dates."""
    return write_lake(tmp_path / "bands")


@pytest.fixture
def manager_over(tmp_path: Path) -> Callable[..., RunManager]:
    """A function from data to a run manager whose only workspace reads them."""

    def make(*sources: Path) -> RunManager:
        store = Store(tmp_path / "home" / "store.sqlite")
        return RunManager(store, lambda name: Workspace(tmp_path / "home" / name, sources))

    return make
