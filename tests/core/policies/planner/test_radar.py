"""Backscatter of two dates: decibels, ratios and open water, against the same arrays."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.running import evaluate
from tests.rasters import write_raster
from treeline.core.query.expression import (
    Aggregate,
    Compare,
    Number,
    Span,
    Variable,
    When,
)

SIZE = 256
BEFORE, AFTER = "2020-07-01", "2020-07-13"


@dataclass(frozen=True)
class Radar:
    """A folder of Sentinel-1 rasters, and what they hold by polarisation and date."""

    folder: Path
    power: dict[tuple[str, str], Array]

    def decibels(self, polarisation: str, date: str) -> float:
        return 10 * float(np.log10(self.power[polarisation, date].mean()))


@pytest.fixture(scope="module")
def radar(tmp_path_factory: pytest.TempPathFactory) -> Radar:
    """Speckled land of -10 dB; water of -23 dB stands in the upper tenth before, two fifths after."""
    folder, power = tmp_path_factory.mktemp("radar"), {}
    rng = np.random.default_rng(7)
    for date, share in ((BEFORE, 0.1), (AFTER, 0.4)):
        level = np.full((SIZE, SIZE), 0.1)
        level[: int(SIZE * share)] = 0.005
        for number, (name, factor) in enumerate((("vv", 1.0), ("vh", 0.2)), start=1):
            values = (level * factor * rng.gamma(16, 1 / 16, level.shape)).astype("float32")
            moment = f"{date.replace('-', '')}t050000"
            write_raster(folder / f"s1a-iw-grd-{name}-{moment}-{moment}-033000-03d000-00{number}.tif", values)
            power[name, date] = values.astype(float)
    return Radar(folder, power)


def backscatter(polarisation: str, date: str) -> Variable:
    day = dt.date.fromisoformat(date)
    return Variable(polarisation, When((Span(day, day),)), unit="1")


@pytest.mark.parametrize("polarisation", ["vv", "vh"])
def test_mean_backscatter_is_that_of_the_power(radar: Radar, polarisation: str) -> None:
    found = evaluate(Aggregate("mean", backscatter(polarisation, BEFORE), "pixel"), radar.folder)
    assert found.values == pytest.approx((radar.power[polarisation, BEFORE].mean(),), rel=1e-5)
    decibels = 10 * np.log10(found.values[0] or np.nan)
    assert decibels == pytest.approx(radar.decibels(polarisation, BEFORE), rel=1e-4)


def test_backscatter_of_two_dates(ask: Ask, radar: Radar) -> None:
    answer = answer_of(ask("By how much did mean VV change between 2020-07-01 and 2020-07-13?", radar.folder))
    expected = radar.power["vv", AFTER].mean() - radar.power["vv", BEFORE].mean()
    assert answer.value == pytest.approx(expected, rel=1e-4)


def test_a_ratio_of_polarisations(ask: Ask, radar: Radar) -> None:
    answer = answer_of(ask(f"mean VH/VV ratio on {BEFORE}", radar.folder))
    expected = np.mean(10 * np.log10(radar.power["vh", BEFORE] / radar.power["vv", BEFORE]))
    assert answer.value == pytest.approx(float(expected), rel=1e-4) and answer.unit == "dB"
    assert "mean of decibels, which lies below the decibels of the mean power" in answer.text


@pytest.mark.parametrize("power", [10**-1.5, 0.01])
def test_the_ground_below_a_limit_of_power(radar: Radar, power: float) -> None:
    dark = Compare(backscatter("vv", AFTER), "lt", Number(power))
    share = evaluate(Aggregate("share", dark, "pixel"), radar.folder)
    marked = radar.power["vv", AFTER] < power
    assert share.values == pytest.approx((100 * np.mean(marked),), rel=1e-4)
    area = evaluate(Aggregate("area", dark, "pixel", unit="ha"), radar.folder)
    assert area.values == pytest.approx((marked.sum() * 100 / 1e4,), rel=1e-4)
    assert area.unit == "ha"
