"""Processes that are started beside pages, each of which is the main module while it is drawn."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from treeline.core.processes import process_context, without_main


@pytest.fixture
def page(tmp_path: Path) -> ModuleType:
    """A main module that ends whatever process runs it."""
    path = tmp_path / "page.py"
    path.write_text("raise SystemExit(3)\n", "utf-8")
    module = ModuleType("__main__")
    module.__file__ = str(path)
    return module


@pytest.mark.parametrize("hidden", [True, False])
def test_a_page_that_begins_while_a_process_starts_is_not_run_in_it(
    page: ModuleType, monkeypatch: pytest.MonkeyPatch, hidden: bool
) -> None:
    process = process_context().Process(target=sys.getrecursionlimit)
    with without_main():
        monkeypatch.setitem(sys.modules, "__main__", page)
        if hidden:
            process.start()
    if not hidden:
        process.start()
    process.join(120)
    assert (process.exitcode == 0) is hidden
