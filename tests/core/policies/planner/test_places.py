"""A question is answered at the place that it names; bands of two places are never paired."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array, ratio, read
from tests.core.policies.planner.conftest import Ask, answer_of
from treeline.core.policies.planner.places import Ground


@pytest.fixture
def odd(shared: Path) -> Path:
    """Folder of rasters of places that have nothing to do with each other."""
    return shared / "rasters" / "odd"


def ndvi(folder: Path, place: str) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        found = ratio(read(folder / f"{place}.tif", 4), read(folder / f"{place}.tif", 1))
    return np.where((found >= -1) & (found <= 1), found, np.nan)


@pytest.mark.parametrize("place", ["rgbn_suba", "rgbn_subb"])
def test_the_named_place_alone_is_used(ask: Ask, odd: Path, place: str) -> None:
    answer = answer_of(ask(f"mean NDVI of {place}", odd))
    assert answer.value == pytest.approx(float(np.nanmean(ndvi(odd, place))), abs=1e-6)
    assert place in answer.text


def test_two_named_places_are_compared(ask: Ask, odd: Path) -> None:
    answer = answer_of(ask("difference in mean NDVI between rgbn_suba and rgbn_subb", odd))
    expected = np.nanmean(ndvi(odd, "rgbn_suba")) - np.nanmean(ndvi(odd, "rgbn_subb"))
    assert answer.value == pytest.approx(float(expected), abs=1e-6)


def test_ground_in_another_crs() -> None:
    ljubljana = Ground("EPSG:32633", (455000.0, 5095000.0, 465000.0, 5105000.0))
    assert ljubljana.meets(Ground("EPSG:4326", (14.0, 46.0, 15.0, 46.5)))
    assert not ljubljana.meets(Ground("EPSG:4326", (16.0, 46.0, 17.0, 46.5)))
    assert ljubljana.meets(Ground("no such system", (0.0, 0.0, 1.0, 1.0))), "cannot be told"
