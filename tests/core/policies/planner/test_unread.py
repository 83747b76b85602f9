"""A damaged file of a series is no reason to fail, but one to say so; so are classes that nothing names."""

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


QGIS = """<qgis><pipe><rasterrenderer type="paletted" band="1"><colorPalette>
<paletteEntry value="1" label="Forest"/><paletteEntry value="2" label="Lake"/>
</colorPalette></rasterrenderer></pipe></qgis>"""


def test_classes_without_names_are_told_with_a_way_to_name_them(ask, series):
    cover = np.where(np.arange(40) < 10, 1, 2).astype("uint8") * np.ones((40, 40), "uint8")
    write_raster(series / "landcover.tif", cover)
    asked = f"What is the mean NDVI of the forest on {DATES[0]}?"
    declined = ask(asked, series).answer
    assert declined.declined and "landcover.tif holds classes as numbers" in declined.text
    assert "on the page Data, add landcover.qml" in declined.text
    other = ask("What is the mean flurb?", series).answer
    assert other.declined and "holds classes as numbers" not in other.text
    (series / "landcover.qml").write_text(QGIS)
    answer = ask(asked, series).answer
    assert not answer.declined and answer.value == pytest.approx(0.2, abs=1e-6)
