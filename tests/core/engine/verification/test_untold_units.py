"""A number without a unit has in an answer one that something tells."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result

ROWS = [{"name": "Loka", "mean": 418.6}, {"name": "Selca", "mean": 813.2}]


@pytest.mark.parametrize(
    ("text", "file", "question", "unit"),
    [
        ("Loka has 418.6 ft.", "dem.tif", "What has Loka?", "ft"),
        ("Loka has 418.6 km.", "dem.tif", "What has Loka?", "km"),
        ("Loka has 418.6 m.", "dem.tif", "What has Loka?", ""),  # elevations are in metres
        ("Loka has 418.6 m.", "values.tif", "What has Loka?", "m"),
        ("Loka has 418.6 m.", "values.tif", "What has Loka in m?", ""),
        ("Loka has 1373 ft.", "dem.tif", "What has Loka?", ""),
        ("Loka has 418.6.", "values.tif", "What has Loka?", ""),
        ("Loka has 418.6 %.", "values.tif", "What has Loka?", ""),
    ],
)
def test_a_unit_is_told_by_the_results_or_the_question(text: str, file: str, question: str, unit: str):
    means = ("zonal_statistics", result("zonal_statistics", ROWS, "", input_path=file))
    why = Told(question, text, (means,)).why()
    assert why == (
        f"No cited step tells the unit of 418.6, which the answer gives in {unit}." if unit else ""
    )
