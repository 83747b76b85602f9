"""What is not done with decibels as they stand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import FileResolver


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    for name in ("VV", "VH"):
        write_raster(
            tmp_path / f"S_2021-06-15_{name}.tif", np.linspace(-20, -5, 64).reshape(8, 8).astype("f4")
        )
    return Workplace(tmp_path, FileResolver(tmp_path))


VV, VH = "S_2021-06-15_VV.tif", "S_2021-06-15_VH.tif"


@pytest.mark.parametrize("formula", ["a / b", "(a - b) / (a + b)", "a * -b", "2 * a / (b + 3)"])
def test_products_of_decibels_are_refused(place: Workplace, formula: str) -> None:
    with pytest.raises(InputError, match="logarithms"):
        place.run("raster_calculator", formula=formula, rasters={"a": VV, "b": VH}, output_path="x.tif")


@pytest.mark.parametrize("formula", ["a - b", "0.5 * a + b / 3", "10 ** (a / 10) / 10 ** (b / 10)"])
def test_sums_multiples_and_powers_are_not(place: Workplace, formula: str) -> None:
    place.run("raster_calculator", formula=formula, rasters={"a": VV, "b": VH}, output_path="x.tif")


def test_sums_are_refused_and_means_are_told(place: Workplace) -> None:
    with pytest.raises(InputError, match="no sum"):
        place.run("calc_batch_image_sum", file_list=[VV])
    with pytest.raises(InputError, match="no coefficient of variation"):
        place.run("summarize_stack", file_list=[VV, VH], output_path="x.tif", statistic="cv")
    with pytest.raises(InputError, match="logarithms"):
        place.run("image_division_mean", image_path1=VV, image_path2=VH)
    assert place.run("calc_batch_image_mean", file_list=[VV]) == [pytest.approx(-12.5)]
