"""Products that are gone when a run goes on."""

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.events import Note, StepFinished
from treeline.core.engine.journal import ending_of, events_of
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace

QUESTION = "What is the mean NDVI of each date?"
DATES = ("2021-05-01", "2021-06-01")


@pytest.fixture
def manager(tmp_path: Path) -> RunManager:
    for number, date in enumerate(DATES, 1):
        bands = np.stack([np.full((8, 8), 1000), np.full((8, 8), 1000 * (number + 1))]).astype("uint16")
        path = tmp_path / "lake" / "inputs" / f"Lake_{date}.tif"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_raster(path, bands, descriptions=("red", "nir"), scale=0.0001)
    return RunManager(Store(tmp_path / "store.sqlite"), lambda name: Workspace(tmp_path / name))


def lose_first_product(manager: RunManager) -> str:
    """Ask, take away what the first call wrote as soon as it is there, and return the run at its end."""
    lost: list[Path] = []

    def remove(event: object) -> None:
        if isinstance(event, StepFinished) and event.observation.products and not lost:
            lost.append(Path(event.observation.products[0].path))
            lost[0].unlink()

    manager.on_event = remove
    run = manager.start("lake", QUESTION, RunOptions())
    manager.wait(run, 120)
    assert lost and manager.record(run).status == "failed"
    return run


def notes_of(manager: RunManager, run: str) -> str:
    return "\n".join(s.event.text for s in events_of(manager.store, run) if isinstance(s.event, Note))


def test_what_is_gone_is_made_again_when_the_run_goes_on(manager):
    run = lose_first_product(manager)
    manager.resume(run)
    manager.wait(run, 120)
    ending = ending_of(manager.store, run)
    assert manager.record(run).status == "answered" and ending is not None
    assert "0.3333" in ending.answer.text and "0.5000" in ending.answer.text
    assert "gone, and made again" in notes_of(manager, run)


def test_what_cannot_be_made_again_is_told(manager):
    run = lose_first_product(manager)
    (manager.workspace_of("lake").folder / "inputs" / f"Lake_{DATES[0]}.tif").unlink()
    manager.resume(run)
    manager.wait(run, 120)
    assert manager.record(run).is_finished
    notes = notes_of(manager, run)
    assert "gone, and not to be made again" in notes and f"There is no raster 'Lake_{DATES[0]}.tif'" in notes
