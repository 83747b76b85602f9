from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from treeline.core.confinement import calling, can_cut_network, confine
from treeline.core.serving import health
from treeline.toolkit import cluster


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("TREELINE_HOME", str(folder))
    for name in ("TREELINE_STORE", "TREELINE_WORKERS", "TREELINE_SCHEDULER"):
        monkeypatch.delenv(name, raising=False)
    return folder


def fault(client: TestClient, part: str) -> str:
    """Return why the server is not ready, which must be this part's fault alone."""
    answer = client.get("/readyz")
    body = answer.json()
    assert answer.status_code == 503 and body["ready"] is False
    assert [name for name, state in body["parts"].items() if state != "ok"] == [part]
    assert body["reason"] == body["parts"][part]
    return body["reason"]


def test_a_new_home_is_ready(client, home):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "reason": None,
        "parts": {"home": "ok", "record": "ok", "workers": "ok", "tile": "ok"},
    }
    assert [path.name for path in home.iterdir()] == ["treeline.sqlite"], "the probe is gone"
    assert answer.headers["cache-control"] == "no-store"


def test_a_home_that_is_no_folder_is_not_ready(client, home, tmp_path, monkeypatch):
    monkeypatch.setenv("TREELINE_STORE", str(tmp_path / "record.sqlite"))
    home.write_text("a file")
    reason = fault(client, "home")
    assert reason.startswith("The home cannot be written to") and str(tmp_path) not in reason


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////nowhere/at/all.sqlite",
        "postgresql+absent://someone:secret@localhost/x",
        "no://thing at all",
    ],
)
def test_a_record_that_cannot_be_opened_is_not_ready(client, monkeypatch, url):
    monkeypatch.setenv("TREELINE_STORE", url)
    reason = fault(client, "record")
    assert reason.startswith("The record cannot be opened") and "secret" not in reason


def test_a_record_of_another_form_is_not_ready(client, tmp_path, monkeypatch):
    path = tmp_path / "other.sqlite"
    path.write_bytes(b"no database at all" * 100)
    monkeypatch.setenv("TREELINE_STORE", str(path))
    fault(client, "record")


def test_a_scheduler_that_does_not_answer_is_not_ready(client, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    monkeypatch.setenv("TREELINE_SCHEDULER", "tcp://127.0.0.1:9")
    assert fault(client, "workers").startswith("The workers cannot be used")


def test_workers_of_another_number_than_one_are_not_ready(client, monkeypatch):
    monkeypatch.setenv("TREELINE_WORKERS", "many")
    fault(client, "workers")


def test_the_process_lives_whatever_else_does_not(client, home):
    home.write_text("a file")
    answer = client.get("/livez")
    assert answer.status_code == 200 and answer.text == "ok"


def test_a_record_that_cannot_be_written_is_not_ready(client, home):
    assert client.get("/readyz").status_code == 200
    with sqlite3.connect(home / "treeline.sqlite", isolation_level=None) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert "another process keeps it locked" in fault(client, "record")
        connection.execute("ROLLBACK")
    connection.close()
    assert client.get("/readyz").status_code == 200


def test_a_server_that_cannot_draw_is_not_ready(client, monkeypatch):
    monkeypatch.setattr(health, "draw_tile", lambda layer, style, z, x, y: None)
    assert fault(client, "tile") == "A tile that has to show something is empty."


@pytest.mark.skipif(not can_cut_network(), reason="no filter of system calls for this machine")
def test_a_server_whose_reading_processes_end_is_not_ready(client, monkeypatch):
    monkeypatch.setattr(calling, "_confining", False)
    confine()
    assert client.get("/readyz").status_code == 200
    monkeypatch.setenv("TREELINE_LIMITS", "memory=1e6 seconds=2")
    assert fault(client, "tile") == "A tile cannot be drawn (RasterUnreadable)."
