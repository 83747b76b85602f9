"""Dates and gaps of a stack of rasters."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rasters import write_raster
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.statistics.dates import _intervals, summarize_dates


def _summary(folder: Path, *names: str) -> dict[str, Any]:
    files = [str(write_raster(folder / f"{name}.tif", [[0.1, 0.2]])) for name in names]
    with use_context(ToolContext(folder, FileResolver())):
        return summarize_dates(files)


def test_tells_the_calendar_of_a_stack(tmp_path: Path) -> None:
    days = ("2020-12-30", "2020-03-01", "2020-02-01", "2021-01-09")
    told = _summary(tmp_path, *(f"ndvi_{day}" for day in days))
    assert (told["count"], told["dates"]) == (4, 4)
    assert (told["first"], told["last"], told["span_days"]) == ("2020-02-01", "2021-01-09", 343)
    assert told["longest_gap_days"] == 304
    assert (told["longest_gap_from"], told["longest_gap_to"]) == ("2020-03-01", "2020-12-30")
    assert told["by_year"] == {"2020": 3, "2021": 1}
    without = {f"2020-{month:02}": 0 for month in range(4, 12)}
    assert told["by_month"] == {"2020-02": 1, "2020-03": 1, **without, "2020-12": 1, "2021-01": 1}


def test_two_images_of_one_day_are_two_images_of_one_date(tmp_path: Path) -> None:
    told = _summary(tmp_path, "ndvi_20200201T100409", "ndvi_20200201T101125", "ndvi_20200205T100000")
    assert (told["count"], told["dates"], told["longest_gap_days"]) == (3, 2, 4)


def test_a_single_date_has_no_interval(tmp_path: Path) -> None:
    told = _summary(tmp_path, "ndvi_2020-02-01")
    assert told["longest_gap_days"] is None and told["mean_interval_days"] is None


def test_rasters_without_dates_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has a date"):
        _summary(tmp_path, "slope")


@given(st.lists(st.dates(date(1980, 1, 1), date(2060, 1, 1)), min_size=2, max_size=40, unique=True))
def test_intervals_are_those_of_the_calendar(days: list[date]) -> None:
    days = sorted(days)
    apart = [(later - earlier).days for earlier, later in pairwise(days)]
    told = _intervals(days)
    assert told["longest_gap_days"] == max(apart)
    start, end = (date.fromisoformat(told[f"longest_gap_{part}"]) for part in ("from", "to"))
    assert (end - start).days == max(apart) and {start, end} <= set(days)
    assert told["mean_interval_days"] == pytest.approx(fmean(apart))
    assert told["median_interval_days"] == median(apart)
    assert told["mean_interval_days"] * (len(days) - 1) == pytest.approx((days[-1] - days[0]).days)
