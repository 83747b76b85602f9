"""Where a lesson comes from."""

from __future__ import annotations

import pytest

from treeline.core.memory.learning import source_of
from treeline.core.record.store import Store


@pytest.mark.parametrize(("scope", "shared"), [("shared", True), ("own", False), ("user", False)])
def test_a_lesson_is_shared_where_the_run_was_told_of_shared_failures(store: Store, scope: str, shared: bool):
    store.create_run("r", "lake", "What is the mean NDVI?", {"memory": scope})
    record = store.run("r")
    assert record is not None
    source = source_of(record)
    assert (source.shared, source.run, source.root, source.round) == (shared, "r", "r", 1)
