"""Fixtures that many tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of real rasters and recorded material beside the project."""
    if not SHARED.is_dir():
        pytest.skip(f"the evidence folder {SHARED.name!r} is not beside the project")
    return SHARED
