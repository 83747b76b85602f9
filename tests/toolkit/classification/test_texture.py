from __future__ import annotations

import numpy as np
import pytest
from skimage.feature import graycomatrix, graycoprops

from tests.vectors import VectorWorkplace as Place
from treeline.toolkit.classification.texture import MEASURES, quantize
from treeline.toolkit.errors import InputError

ANGLES = [0, np.pi / 4, np.pi / 2, 3 * np.pi / 4]


@pytest.mark.parametrize("measure", MEASURES)
def test_texture_is_that_of_skimage(place: Place, measure: str) -> None:
    values = np.random.default_rng(6).random((14, 16)).astype("float32")
    place.raster("v.tif", values)
    place.run(
        "glcm_texture",
        input_path="v.tif",
        output_path="t.tif",
        measure=measure,
        window=5,
        levels=8,
        value_range=[0.0, 1.0],
    )
    found, grey = place.read("t.tif"), quantize(values, 0.0, 1.0, 8).astype("uint8")
    for row, column in [(2, 2), (7, 9), (11, 13), (0, 0)]:
        window = grey[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3]
        matrix = graycomatrix(window, [1], ANGLES, levels=8, symmetric=True, normed=True)
        expected = graycoprops(matrix, "ASM" if measure == "asm" else measure).mean()
        assert found[row, column] == pytest.approx(expected, rel=1e-5)


def test_holes_are_no_grey_level(place: Place) -> None:
    values = np.full((9, 9), 0.5, dtype="float32")
    values[4, 4] = np.nan
    place.raster("v.tif", values)
    place.run(
        "glcm_texture",
        input_path="v.tif",
        output_path="t.tif",
        measure="contrast",
        window=3,
        value_range=[0, 1],
    )
    found = place.read("t.tif")
    assert np.isnan(found[4, 4]) and np.nanmax(found) == 0


def test_blocks_join_without_seams(place: Place) -> None:
    values = np.random.default_rng(7).random((40, 1060)).astype("float32")
    place.raster("v.tif", values)
    place.raster("cut.tif", values[:, 1000:])
    for name in ("v", "cut"):
        place.run(
            "glcm_texture",
            input_path=f"{name}.tif",
            output_path=f"{name}_t.tif",
            value_range=[0, 1],
            window=9,
        )
    np.testing.assert_allclose(place.read("v_t.tif")[:, 1010:], place.read("cut_t.tif")[:, 10:])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"window": 4}, "'window' is 4"),
        ({"levels": 1}, "'levels' is 1"),
        ({"distance": 9}, "'distance' is 9"),
    ],
)
def test_refused(place: Place, arguments: dict, words: str) -> None:
    place.raster("v.tif", np.random.default_rng(8).random((9, 9)).astype("float32"))
    with pytest.raises(InputError, match=words):
        place.run("glcm_texture", input_path="v.tif", output_path="t.tif", **arguments)
    place.raster("same.tif", np.ones((9, 9), dtype="float32"))
    with pytest.raises(InputError, match="no range"):
        place.run("glcm_texture", input_path="same.tif", output_path="t.tif")
