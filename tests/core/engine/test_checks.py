"""What is doubted about a product, at the limits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.checks import doubts, faults, unit_of_result
from treeline.toolkit import ToolContext, registry, use_context
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.variables import VARIABLES


def product(low: float | None, high: float | None, role: str = "ndvi", **more) -> ProductRecord:
    return ProductRecord("p.tif", "/p.tif", role, "1", minimum=low, maximum=high, **more)


@pytest.mark.parametrize(
    ("role", "low", "high", "doubted"),
    [
        ("ndvi", -1.0, 1.0, False),
        ("ndvi", -1.0001, 1.0, True),
        ("ndvi", -1.0, 1.0001, True),
        ("lst", 170.0, 355.0, False),
        ("lst", 12.0, 40.0, True),
        ("no_such_role", -1e9, 1e9, False),
    ],
)
def test_values_outside_the_plausible_range_are_doubted(role: str, low: float, high: float, doubted: bool):
    found = doubts(product(low, high, role))
    assert bool(found) is doubted
    assert all("leave the plausible range" in text for text in found)


@pytest.mark.parametrize(("share", "doubted"), [(0.05, False), (0.0499, True), (1.0, False), (None, False)])
def test_less_than_a_twentieth_of_valid_pixels_is_doubted(share: float | None, doubted: bool):
    found = doubts(product(0.1, 0.9, valid_share=share))
    assert bool(found) is doubted and all("pixels are valid" in text for text in found)


@pytest.mark.parametrize(
    ("role", "doubted"), [("ndvi", True), ("mask", False), ("fire_mask", False), ("landcover", False)]
)
def test_one_value_everywhere_is_doubted_unless_it_may_be_a_class(role: str, doubted: bool):
    assert bool(doubts(product(0.0, 0.0, role))) is doubted


def test_tables_and_products_without_statistics_are_not_doubted():
    assert doubts(product(-9.0, 9.0, kind="table")) == []
    assert doubts(product(None, 9.0)) == doubts(product(-9.0, None)) == []


@pytest.mark.parametrize("role", ["ndvi", "lst", "lst_day"])
def test_the_mean_leaves_the_plausible_range_nowhere(role: str):
    (low, high), (least, most) = VARIABLES[role].plausible, VARIABLES[role].limits
    for mean, wrong in ((None, False), (low, False), (high, False), (low - 0.1, True), (high + 0.1, True)):
        assert bool(faults(product(least, most, role, mean=mean))) is wrong


@pytest.mark.parametrize("role", ["ndvi", "lst", "lst_day"])
def test_the_limits_themselves_are_possible(role: str):
    least, most = VARIABLES[role].limits
    middle = sum(VARIABLES[role].plausible) / 2
    assert faults(product(least, most, role, mean=middle)) == []
    assert faults(product(least - 0.01, most, role, mean=middle))
    assert faults(product(least, most + 0.01, role, mean=middle))


@pytest.mark.parametrize(
    ("chosen", "unit"), [({}, "%"), ({"return_type": "ratio"}, "%"), ({"return_type": "count"}, "count")]
)
def test_what_counts_has_the_unit_that_is_chosen(chosen: dict, unit: str):
    assert unit_of_result(registry().get("calc_batch_image_mean_threshold"), chosen) == unit
    assert unit_of_result(registry().get("count_images_exceeding_threshold_ratio"), {}) == "count"


@pytest.mark.parametrize(("statistic", "unit"), [("share", "%"), ("mean", "K"), ("skewness", "")])
def test_a_statistic_of_classes_has_the_unit_of_what_is_chosen(tmp_path: Path, statistic: str, unit: str):
    write_raster(tmp_path / "LST_a.tif", np.full((4, 4), 300.0, "float32"))
    with use_context(ToolContext(resolver=FileResolver(tmp_path))):
        chosen = {"file_list": ["LST_a.tif"], "classes_path": "a.tif", "statistic": statistic}
        assert unit_of_result(registry().get("statistics_by_class"), chosen) == unit


@pytest.mark.parametrize(
    ("files", "unit"),
    [(["LST_a.tif"], "K"), (["LST_a.tif", "LST_b.tif"], "K"), (["LST_a.tif", "NDVI.tif"], "")],
)
def test_what_keeps_the_unit_has_that_of_the_rasters_if_they_share_one(
    tmp_path: Path, files: list[str], unit: str
):
    for name in files:
        write_raster(tmp_path / name, np.full((4, 4), 0.5 if "NDVI" in name else 300.0, "float32"))
    with use_context(ToolContext(resolver=FileResolver(tmp_path))):
        assert unit_of_result(registry().get("calc_batch_image_mean"), {"file_list": files}) == unit


@pytest.mark.parametrize(
    ("role", "low", "unit"),
    [
        ("ndvi", -1.01, "index"),  # may lie below zero, so that it is no share
        ("fvc", 0, "1"),
        ("precipitation", -0.1, "mm"),
    ],
)
def test_a_pure_number_is_an_index_where_it_may_lie_below_zero(
    tmp_path: Path, role: str, low: float, unit: str
):
    assert VARIABLES[role].limits[0] == low
    write_raster(tmp_path / "a.tif", np.full((4, 4), 0.5, "float32"), descriptions=(role,))
    with use_context(ToolContext(resolver=FileResolver(tmp_path))):
        assert unit_of_result(registry().get("calc_batch_image_mean"), {"file_list": ["a.tif"]}) == unit


def test_the_mean_of_one_variable_where_another_is_high_has_the_unit_of_the_first(tmp_path: Path):
    for name, number in (("NDVI.tif", 0.5), ("LST_a.tif", 300.0)):
        write_raster(tmp_path / name, np.full((4, 4), number, "float32"))
    with use_context(ToolContext(resolver=FileResolver(tmp_path))):
        tool, chosen = (
            registry().get("calc_threshold_value_mean"),
            {"path1": "LST_a.tif", "path2": "NDVI.tif"},
        )
        assert unit_of_result(tool, chosen) == "index"
