"""What a map of two rasters is: only what may fall as well as rise is drawn as a change."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster
from treeline.toolkit.recognition.describe import describe


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("Map the absolute difference of NDVI between 2021-05-01 and 2021-06-01.", "absolute_difference"),
        ("Map the ratio of NDVI on 2021-06-01 to NDVI on 2021-05-01.", "expression"),
        ("Map the change of NDVI from 2021-05-01 to 2021-06-01.", "difference"),
    ],
)
def test_only_what_has_a_sign_is_a_difference(tmp_path: Path, question: str, role: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for month, low in ((5, 0.1), (6, 0.2)):
        values = np.linspace(low, low + 0.4, 64, dtype="float32").reshape(8, 8)
        write_raster(folder / f"Place_NDVI_2021-0{month}-01.tif", values)
    finished = ask_folder(question, folder, tmp_path / "home")
    assert finished.status == "answered" and finished.answer is not None
    (made,) = (tmp_path / "home").rglob(finished.answer.map)
    assert describe(made).bands[0].role == role
