"""Surface temperatures of day and night: the one that is there is told, and both are asked about."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster

# Names of AppEEARS; fiftieths of a kelvin, 0 for no data (MOD11 user guide 6.1).
NAME = "MOD11A2.061_LST_{half}_1km_doy{day}_aid0001.tif"
STORED = {"Day": 14900, "Night": 14350}
KELVIN = {half: 0.02 * number for half, number in STORED.items()}


def write_halves(folder: Path, *halves: str) -> None:
    for half in halves:
        for place, day in enumerate(("2021185", "2021193")):
            stored = np.full((40, 40), STORED[half] + 10 * place, "uint16")
            stored[:3] = 0
            write_raster(folder / NAME.format(half=half, day=day), stored, nodata=0)


@pytest.fixture
def place(tmp_path: Path) -> tuple[Path, Path]:
    """The folder of the rasters, and that of the run."""
    rasters = tmp_path / "rasters"
    rasters.mkdir()
    return rasters, tmp_path / "home"


@pytest.mark.parametrize(("half", "told"), [("Day", "daytime"), ("Night", "night-time")])
@pytest.mark.parametrize("words", ["LST", "land surface temperature"])
def test_the_half_of_a_day_that_is_there_is_taken_and_told(place, half: str, told: str, words: str) -> None:
    folder, home = place
    write_halves(folder, half)
    finished = ask_folder(f"What is the mean {words} on 2021-07-04?", folder, home)
    assert finished.status == "answered"
    np.testing.assert_allclose(finished.answer.value, KELVIN[half])
    assert told in finished.answer.text


@pytest.mark.parametrize("question", ["What is the mean LST?", "On which date is the mean LST highest?"])
def test_both_halves_of_a_day_are_asked_about(place, question: str) -> None:
    folder, home = place
    write_halves(folder, "Day", "Night")
    finished = ask_folder(question, folder, home)
    assert finished.status == "asks" and finished.answer.value is None
    assert "daytime" in finished.answer.text and "night-time" in finished.answer.text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the mean night LST on 2021-07-04?", KELVIN["Night"]),
        ("What is the mean daytime LST on 2021-07-04?", KELVIN["Day"]),
        ("What is the difference between day and night LST?", KELVIN["Day"] - KELVIN["Night"]),
    ],
)
def test_a_half_that_is_named_is_not_asked_about(place, question: str, expected: float) -> None:
    folder, home = place
    write_halves(folder, "Day", "Night")
    finished = ask_folder(question, folder, home)
    assert finished.status == "answered"
    np.testing.assert_allclose(finished.answer.value, expected, rtol=1e-6)


def test_a_half_that_is_not_there_is_not_answered_by_the_other(place) -> None:
    folder, home = place
    write_halves(folder, "Night")
    finished = ask_folder("What is the mean daytime LST?", folder, home)
    assert finished.status == "declined" and "daytime" in finished.answer.text
