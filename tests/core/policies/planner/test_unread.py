"""A damaged file of a series is no reason to fail, but one to say so."""

from __future__ import annotations

import numpy as np
import pytest

from tests.rasters import write_raster

DATES = ("2021-05-03", "2021-06-03", "2021-07-03")


@pytest.fixture
def series(tmp_path):
    """NDVI of three dates, 0.2 to 0.4, the second cut off, and a picture of no series that is damaged too."""
    for number, date in enumerate(DATES):
        values = np.full((40, 40), 0.2 + 0.1 * number, "float32")
        write_raster(tmp_path / f"Lake_NDVI_{date}.tif", values, descriptions=["ndvi"])
    cut = tmp_path / f"Lake_NDVI_{DATES[1]}.tif"
    cut.write_bytes(cut.read_bytes()[:200])
    (tmp_path / "photo.tif").write_bytes(b"II*\0 and no more")
    return tmp_path


def test_a_damaged_file_of_the_series_is_named(ask, series):
    answer = ask("What is the mean NDVI over all dates?", series).answer
    assert answer.value == pytest.approx(0.3, abs=1e-6)
    assert "One file of this series cannot be read and was left out: Lake_NDVI_2021-06-03.tif." in answer.text
    assert "photo.tif" not in answer.text


def test_a_question_of_another_date_is_not_bothered_with_it(ask, series):
    answer = ask("What is the mean NDVI on 2021-07-03?", series).answer
    assert answer.value == pytest.approx(0.4, abs=1e-6)
    assert "cannot be read" not in answer.text


def test_a_question_of_its_date_is_not_answered_from_another(ask, series):
    answer = ask("What is the mean NDVI on 2021-06-03?", series).answer
    assert answer.declined
