"""Numbers that the papers of the tools work out themselves."""

from __future__ import annotations

import numpy as np
import pytest

from tests.toolkit.pixels import Pixel, run_pixels
from treeline.toolkit.errors import InputError


def test_areas_of_olofsson_and_others_2014(workplace):
    """Their section 5: loss, gain, stable forest and stable other land, of pixels of 0.09 ha."""
    matrix = [[66, 0, 5, 4], [0, 55, 8, 12], [1, 0, 153, 11], [2, 1, 9, 313]]
    areas = [0.09 * pixels for pixels in (200_000, 150_000, 3_200_000, 6_450_000)]
    names = ["loss", "gain", "forest", "other"]
    found = workplace.run("area_adjusted_accuracy", matrix=matrix, mapped_areas=areas, classes=names)
    assert found["area"]["loss"] == pytest.approx(21_158, abs=1)
    assert found["area_interval"]["loss"] == pytest.approx(6_158, abs=2)
    assert found["overall_accuracy"] == pytest.approx(0.95, abs=0.005)
    assert found["overall_interval"] == pytest.approx(0.02, abs=0.005)
    assert list(found["users_accuracy"].values()) == pytest.approx([0.88, 0.73, 0.93, 0.96], abs=0.005)
    assert list(found["producers_accuracy"].values()) == pytest.approx([0.75, 0.85, 0.93, 0.96], abs=0.007)
    # By their equation 7; the interval of the second class is wide for a single sample of the last.
    assert list(found["producers_interval"].values()) == pytest.approx([0.21, 0.25, 0.03, 0.018], abs=0.006)


def test_mono_window_of_a_black_body_without_an_atmosphere():
    from treeline.toolkit.inversion.mono_window import mono_window, transmittance

    assert mono_window(np.array(300.0), np.array(1.0), 1.0, 280.0) == pytest.approx(300.0)
    # Table 4 of Qin et al. 2001 at 1 and 2 g/cm2, warm and cold air.
    assert transmittance(1.0, 305.0) == pytest.approx(0.8942, abs=1e-4)
    assert transmittance(2.0, 290.0) == pytest.approx(0.7709, abs=1e-4)


def test_brightness_temperature_of_landsat_8(workplace):
    workplace.raster("b10.tif", np.array([[25_000]], "uint16"))
    workplace.run("brightness_temperature", input_path="b10.tif", output_path="out.tif")
    # 25,000 is 8.455 W m-2 sr-1 um-1.
    assert workplace.read("out.tif")[0, 0] == pytest.approx(
        1321.0789 / np.log(774.8853 / 8.455 + 1), abs=1e-3
    )


def test_health_is_the_mean_of_both_conditions(workplace):
    found = run_pixels(
        workplace, "vegetation_health_index", vci_path=Pixel(20.0, "vci"), tci_path=Pixel(60.0, "tci")
    )
    assert found == pytest.approx([40.0])


def test_where_chooses_by_a_condition_and_leaves_holes(workplace):
    workplace.raster("a.tif", np.array([[0.2, 0.8, np.nan]], "float32"))
    workplace.raster("b.tif", np.array([[1.0, 2.0, 3.0]], "float32"))
    given = {"rasters": {"a": "a.tif", "b": "b.tif"}, "output_path": "out.tif"}
    workplace.run("raster_calculator", formula="where((a > 0.5) & (b < 5), b * 10, -1)", **given)
    np.testing.assert_array_equal(workplace.read("out.tif"), [[-1, 20, np.nan]])
    workplace.run("raster_calculator", formula="a > 0.5", **given)
    np.testing.assert_array_equal(workplace.read("out.tif"), [[0, 1, np.nan]])
    workplace.run("raster_calculator", formula="maximum(a, b) - minimum(a, b)", **given)
    np.testing.assert_allclose(workplace.read("out.tif"), [[0.8, 1.2, np.nan]], rtol=1e-6)
    with pytest.raises(InputError, match="where"):
        workplace.run("raster_calculator", formula="where(a > 0.5, b)", **given)


def test_water_of_a_plane_runs_down_and_gathers(workplace):
    dem = np.tile(np.arange(5.0, 0.0, -1.0), (5, 1)).astype("float32")
    workplace.raster("dem.tif", dem, descriptions=("dem",))
    workplace.run("calculate_flow_direction", dem_path="dem.tif", output_path="out.tif")
    assert (workplace.read("out.tif")[:, :-1] == 1).all() and (workplace.read("out.tif")[:, -1] == 0).all()
    workplace.run("calculate_flow_accumulation", dem_path="dem.tif", output_path="out.tif")
    np.testing.assert_allclose(
        workplace.read("out.tif"), np.tile(np.arange(100.0, 501.0, 100.0), (5, 1)), rtol=1e-3
    )
