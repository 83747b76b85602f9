"""The recording of a run: how long it took does not follow the clock."""

from __future__ import annotations

import threading
from pathlib import Path

from treeline.core.engine.events import Note
from treeline.core.engine.journal import events_of
from treeline.core.record.store import Store
from treeline.core.runs import recording
from treeline.core.runs.recording import Recording


def test_a_clock_that_is_set_meanwhile_moves_no_event(tmp_path: Path, monkeypatch) -> None:
    store = Store(tmp_path / "s.sqlite")
    store.create_run("r", "w", "q", {})
    kept = Recording(store, "r", threading.Event())
    kept.emit(Note("before"))
    day_before = recording.now() - 86_400
    for clock in ("treeline.core.record.store.now", "treeline.core.runs.recording.now"):
        monkeypatch.setattr(clock, lambda: day_before)
    kept.emit(Note("after"))
    first, last = (stored.time for stored in events_of(store, "r"))
    store.close()
    assert 0 <= (last - first).total_seconds() < 60
