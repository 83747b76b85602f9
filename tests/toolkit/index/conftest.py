"""A folder of small scenes and a context that writes beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rasters import PlainResolver
from toolkit.context import ToolContext


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    """Reads the files of the test's folder, writes to its folder ``out``."""
    return ToolContext(output_folder=tmp_path / "out", resolver=PlainResolver(tmp_path), threads=2)
