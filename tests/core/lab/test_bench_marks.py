"""Benches in the record."""

from __future__ import annotations

import pytest

from treeline.core.lab.bench_marks import WORKSPACE, is_bench
from treeline.core.record.store import Store


@pytest.mark.parametrize(("workspace", "bench"), [(WORKSPACE, True), ("lake", False), ("", False)])
def test_a_bench_is_told_by_its_workspace(tmp_path, workspace: str, bench: bool):
    store = Store(tmp_path / "s.sqlite")
    store.create_run("r", workspace, "q", {})
    record = store.run("r")
    assert record is not None and is_bench(record) is bench
