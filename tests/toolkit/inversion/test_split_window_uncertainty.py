"""The uncertainty of a temperature by split window, by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import FileResolver

TEMPERATURES = {"band31_path": "bt31.tif", "band32_path": "bt32.tif"}
EMISSIVITIES = {"emissivity31_path": "emissivity31.tif", "emissivity32_path": "emissivity32.tif"}
NOTHING = {"noise": 0.0, "emissivity_error": 0.0, "water_vapour_error": 0.0, "formula_error": 0.0}


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    for name, value in (("bt31", 300.0), ("bt32", 298.5), ("emissivity31", 0.97), ("emissivity32", 0.98)):
        write_raster(tmp_path / f"{name}.tif", np.full((4, 4), value, "float32"))
    return Workplace(tmp_path, FileResolver(tmp_path))


def uncertainty(place: Workplace, **errors: float) -> float:
    place.run(
        "split_window_uncertainty",
        **TEMPERATURES,
        **EMISSIVITIES,
        output_path="out.tif",
        **{**NOTHING, **errors},
    )
    return float(place.read("out.tif")[0, 0])


# Sobrino 2003 at d = 1.5 K, W = 2 g/cm2, mean emissivity 0.975 and contrast -0.01.
@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ({"formula_error": 0.8}, 0.8),
        # 1 + 1.79 + 2.4 d of the first band, 1.79 + 2.4 d of the second
        ({"noise": 0.1}, 0.1 * math.hypot(6.39, 5.39)),
        # half of 34.83 - 0.68 W, and 73.27 + 5.19 W, of opposite signs in the second
        ({"emissivity_error": 0.01}, 0.01 * math.hypot(33.47 / 2 + 83.65, 33.47 / 2 - 83.65)),
        # -0.68 times 0.025, and -5.19 times -0.01
        ({"water_vapour_error": 0.5}, 0.5 * abs(-0.68 * 0.025 + 5.19 * 0.01)),
        ({"noise": 0.1, "formula_error": 0.8}, math.hypot(0.8, 0.1 * math.hypot(6.39, 5.39))),
    ],
)
def test_each_error_has_its_share(place: Workplace, errors: dict[str, float], expected: float) -> None:
    assert uncertainty(place, **errors) == pytest.approx(expected, rel=1e-3)


def test_an_assumed_error_of_the_formula_is_told(place: Workplace) -> None:
    assert uncertainty(place, formula_error=1.0) == pytest.approx(1.0)
    assert any("Sobrino 2003 is taken to be off by 1 K" in text for text in place.context.warnings)


def test_what_is_no_deviation_is_refused(place: Workplace) -> None:
    with pytest.raises(InputError, match="no standard deviation"):
        uncertainty(place, noise=-0.1)
    with pytest.raises(InputError, match="larger than 0.2"):
        uncertainty(place, emissivity_error=1.0)
