"""Backscatter of two dates: decibels, ratios and open water, against the same arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array
from tests.rasters import write_raster

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


QUESTIONS: list[tuple[str, Callable[[Radar], float], str, float]] = [
    (f"What is the mean VV backscatter in dB on {BEFORE}?", lambda r: r.decibels("vv", BEFORE), "dB", 1e-4),
    (
        f"mean VH/VV ratio on {BEFORE}",
        lambda r: float(np.mean(10 * np.log10(r.power["vh", BEFORE] / r.power["vv", BEFORE]))),
        "dB",
        1e-4,
    ),
    (
        f"What share of the scene has VV below -15 dB on {AFTER}?",
        lambda r: float(100 * np.mean(r.power["vv", AFTER] < 10**-1.5)),
        "%",
        1e-4,
    ),
    (f"What share of the scene is flooded on {AFTER}?", lambda r: 100 * int(SIZE * 0.4) / SIZE, "%", 0.01),
    (
        f"How many hectares are under water on {AFTER}?",
        lambda r: int(SIZE * 0.4) * SIZE * 100 / 1e4,
        "ha",
        0.01,
    ),
]
