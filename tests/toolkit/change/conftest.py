"""A folder of small rasters and vector files, and tools that run in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vectors import VectorWorkplace


@pytest.fixture
def place(tmp_path: Path) -> VectorWorkplace:
    return VectorWorkplace(tmp_path)
