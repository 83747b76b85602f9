from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from tests.workplace import Workplace

SETTINGS = ("TREELINE_WEIGHTS", "TREELINE_VISION_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY")


class Studio(Workplace):
    """Writes pictures too."""

    def image(self, name: str, pixels: np.ndarray) -> str:
        """Write bytes (rows, columns[, 3]) as PNG or JPEG."""
        Image.fromarray(np.asarray(pixels, "uint8")).save(self.folder / name)
        return name

    def warned_of(self, words: str) -> bool:
        """Return whether a warning of the last call has these words."""
        return any(words in warning for warning in self.context.warnings)


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "work"
    folder.mkdir()
    return Studio(folder)


@pytest.fixture
def weights(tmp_path, monkeypatch, workplace):
    folder = tmp_path / "weights"
    folder.mkdir()
    monkeypatch.setenv("TREELINE_WEIGHTS", str(folder))
    return folder
