"""The home as an archive: taken while somebody writes, put back whole, refused where it was changed."""

from __future__ import annotations

import json
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.knowledge.test_card import VALID
from tests.rasters import write_raster
from treeline.core.cli import main
from treeline.core.context.cards import common_cards
from treeline.core.record.store import Store
from treeline.core.runs.asking import ask, run_manager
from treeline.core.runs.backup import RECORD, back_up, restore
from treeline.core.runs.reporting import run_result
from treeline.knowledge import TaskCard
from treeline.toolkit.errors import InputError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("TREELINE_HOME", str(folder))
    rasters = tmp_path / "rasters"
    rasters.mkdir()
    layer = np.random.default_rng(2).uniform(0.2, 0.6, (20, 20)).astype("float32")
    write_raster(rasters / "Lake_NDVI_2021-06-03.tif", layer)
    assert ask("Map where NDVI > 0.3 on 2021-06-03", [rasters]).products
    return folder


def test_a_home_is_put_back_with_its_runs_and_products(
    home: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
    archive = tmp_path / "home.zip"
    assert main(["backup", str(archive), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] >= 2
    (former,) = run_manager().store.runs()
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "new"))
    assert main(["restore", str(archive), "--json"]) == 0
    store = run_manager().store
    assert run_result(store, former.id).answer == run_result(Store(home / RECORD), former.id).answer
    products = [path.relative_to(home) for path in (home / "workspaces").rglob("*.tif")]
    assert products and all(
        (tmp_path / "new" / path).read_bytes() == (home / path).read_bytes() for path in products
    )
    assert not list((tmp_path / "new").glob(".restore-*"))


def test_a_run_that_was_under_way_is_interrupted_where_it_is_put_back(home: Path, tmp_path: Path) -> None:
    store = run_manager().store
    (run,) = (record.id for record in store.runs())
    # This process lives on, as a server does beside which its backup is put back.
    store.set_status(run, "running", run_manager().owner)
    back_up(home, tmp_path / "home.zip")
    restore(tmp_path / "home.zip", tmp_path / "new")
    restored = Store(tmp_path / "new" / RECORD).run(run)
    assert restored is not None and (restored.status, restored.owner) == ("interrupted", "")


def test_a_home_that_is_put_back_elsewhere_has_its_products_and_its_cards(
    home: Path, tmp_path: Path, monkeypatch
) -> None:
    card = common_cards().save(TaskCard.from_content({**VALID, "title": "Dunes behind the lake"}))
    # A folder with letters that JSON may write in two ways, and signs that mean something to SQL.
    new = tmp_path / "Söder's 100% 新"
    back_up(home, tmp_path / "home.zip")
    restore(tmp_path / "home.zip", new)
    home.rename(tmp_path / "gone")
    monkeypatch.setenv("TREELINE_HOME", str(new))
    assert common_cards().get(card.id).title == "Dunes behind the lake"
    again = run_manager()
    products = run_result(again.store, again.store.runs()[0].id).products
    assert products and all(Path(path).is_relative_to(new) and Path(path).is_file() for path in products)


def test_the_record_is_whole_while_somebody_writes(home: Path, tmp_path: Path) -> None:
    store, stop = Store(home / RECORD), threading.Event()
    run = store.runs()[0].id

    def write() -> None:
        while not stop.is_set():
            store.append(run, "note", '{"kind": "note", "text": "busy", "data": {}}')

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for number in range(5):
            back_up(home, tmp_path / f"{number}.zip")
    finally:
        stop.set()
        thread.join()
    for number in range(5):
        restore(tmp_path / f"{number}.zip", tmp_path / f"new{number}")
        rows = Store(tmp_path / f"new{number}" / RECORD).event_rows(run)
        assert [row.number for row in rows] == list(range(1, len(rows) + 1))


def test_a_home_in_use_is_not_written_over(home: Path, tmp_path: Path) -> None:
    archive = tmp_path / "home.zip"
    back_up(home, archive)
    before = (home / RECORD).read_bytes()
    with pytest.raises(InputError, match="holds a record"):
        restore(archive, home)
    assert (home / RECORD).read_bytes() == before


@pytest.mark.parametrize(
    "change", ["byte", "lost", "outside", "elsewhere", "version", "no archive", "other archive"]
)
def test_what_was_changed_is_refused_and_leaves_nothing(home: Path, tmp_path: Path, change: str) -> None:
    archive = tmp_path / "home.zip"
    back_up(home, archive)
    with zipfile.ZipFile(archive) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    manifest = json.loads(files["backup.json"])
    product = next(name for name in files if name.endswith(".tif"))
    match change:
        case "byte":
            files[product] = files[product][:-1] + bytes([files[product][-1] ^ 1])
        case "lost":
            del files[product]
        case "outside" | "elsewhere":
            name = "workspaces/../../x" if change == "outside" else "cache/x"
            files[name], manifest["files"][name] = files[product], manifest["files"][product]
        case "version":
            manifest["version"] = 7
        case "other archive":
            del files["backup.json"]
    if "backup.json" in files:
        files["backup.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(archive, "w") as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    if change == "no archive":
        archive.write_bytes(b"no archive")
    with pytest.raises(InputError):
        restore(archive, tmp_path / "new")
    assert not list((tmp_path / "new").glob("*")) and not (tmp_path / "x").exists()


def test_without_a_record_there_is_nothing_to_save(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "empty"))
    assert main(["backup", str(tmp_path / "home.zip")]) == 2
    assert "no record" in capsys.readouterr().err and not (tmp_path / "home.zip").exists()
