"""Asks a team through the run manager, as the command line and the pages do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.runs import RunManager
from core.store import Store
from core.workspace import Workspace
from tests.rasters import write_raster


@pytest.fixture
def bands(tmp_path: Path) -> Path:
    """Folder with green, red, near and short-wave infrared of three dates."""
    folder = tmp_path / "bands"
    folder.mkdir()
    rng = np.random.default_rng(5)
    for date in ("2021-05-01", "2021-06-01", "2021-07-01"):
        array = rng.integers(500, 4000, (4, 48, 48)).astype("uint16")
        write_raster(
            folder / f"Lake_{date}.tif", array, descriptions=("green", "red", "nir", "swir1"), scale=0.0001,
            offset=0.0,
        )  # fmt: skip
    return folder


@pytest.fixture
def manager_over(tmp_path: Path) -> Callable[..., RunManager]:
    """A function from data to a run manager whose only workspace reads them."""

    def made(*sources: Path) -> RunManager:
        store = Store(tmp_path / "home" / "store.sqlite")
        return RunManager(store, lambda name: Workspace(tmp_path / "home" / name, sources))

    return made
