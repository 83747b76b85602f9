"""What Treeline itself writes and reads again: exports, backups and the record, to be altered."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np

from tests.rasters import write_raster
from treeline.core.engine.journal import events_of
from treeline.core.lab.comparing import check_report, compare
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.bank_exchange import export_items, take_items
from treeline.core.memory.entries import Lesson, Source
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.items import BankItem
from treeline.core.record.store import Store
from treeline.core.runs.backup import RECORD, back_up, restore
from treeline.core.runs.exports.bundle import open_bundle
from treeline.core.runs.exports.forms import BUNDLE, write_export
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.workspace import Workspace

PLACE, QUESTION = "lake", "What is the mean NDVI of each date?"
ROW = {"question": "How green?", "status": "answered", "seconds": 1.0}


def _manager(home: Path) -> RunManager:
    return RunManager(Store(home / RECORD), lambda name: Workspace(home / "workspaces" / name))


def kept_files(folder: Path) -> Iterator[Path]:
    """Work on a run, write everything that can be taken away of it, and yield the files."""
    home = folder / "home"
    bands = np.random.default_rng(1).integers(500, 4000, (2, 20, 20)).astype("uint16")
    for day in (1, 2, 3):
        path = home / "workspaces" / PLACE / "inputs" / f"Lake_2021-05-0{day}.tif"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_raster(path, bands + day * 20, descriptions=("red", "nir"), scale=0.0001)
    manager = _manager(home)
    with closing(manager.store):
        run = manager.create(PLACE, QUESTION, RunOptions())
        manager.work(run)
        assert run_result(manager.store, run).status == "answered"
        write_export(manager, run, BUNDLE, folder / "k.bundle", "0")
        memory = FailureMemory(manager.store, "ann")
        memory.add(Source("i", QUESTION, PLACE, run, run), Lesson("Mind the clouds."))
        (folder / "k.memory").write_text(json.dumps(memory.export()), "utf-8")
        bank = MemoryBank(manager.store, owner="ann")
        added = bank.consolidate([BankItem("pattern", QUESTION, "Take each date by itself.")])
        (folder / "k.bank").write_text(json.dumps(export_items(added)), "utf-8")
        back_up(home, folder / "k.backup")
        report = {"bench": "calls", "settings": {}, "questions": [ROW], "summary": {}}
        (folder / "k.report").write_text(json.dumps(report), "utf-8")
    shutil.copy(home / RECORD, folder / "k.sqlite")
    yield from (folder / f"k{suffix}" for suffix in USES)


def _read_all(store: Store) -> None:
    for record in store.runs():
        events_of(store, record.id)
        run_result(store, record.id)
    FailureMemory(store, "ann").entries()
    MemoryBank(store, owner="ann").items()


def _use_record(path: Path, home: Path) -> None:
    with closing(Store(shutil.copy(path, home / RECORD))) as store:
        _read_all(store)


def _use_backup(path: Path, home: Path) -> None:
    restore(path, home)
    _use_record(home / RECORD, Path(tempfile.mkdtemp(dir=home)))


def _use_bundle(path: Path, home: Path) -> None:
    (home / "workspaces" / PLACE / "inputs").mkdir(parents=True)
    manager = _manager(home)
    with closing(manager.store):
        open_bundle(manager, path, PLACE)
        _read_all(manager.store)


def _use_memory(path: Path, home: Path) -> None:
    with closing(Store(home / RECORD)) as store:
        FailureMemory(store, "ann").take(path.read_bytes())
        _read_all(store)


def _use_bank(path: Path, home: Path) -> None:
    with closing(Store(home / RECORD)) as store:
        take_items(MemoryBank(store, owner="ann"), path.read_bytes())
        _read_all(store)


def _use_report(path: Path, home: Path) -> None:
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError):  # as the page says it
        return
    report = check_report(found, path.name)
    compare(report, report)


USES: Mapping[str, Callable[[Path, Path], None]] = {
    ".bundle": _use_bundle,
    ".memory": _use_memory,
    ".bank": _use_bank,
    ".backup": _use_backup,
    ".report": _use_report,
    ".sqlite": _use_record,
}
"""What is done with a file by its suffix, in an empty home."""
