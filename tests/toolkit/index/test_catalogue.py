"""Every index of the catalogue against spyndex, and the worked numbers of the papers' formulas."""

from __future__ import annotations

import numpy as np
import pytest
import spyndex

from treeline.toolkit.errors import InputError
from treeline.toolkit.index.catalogue import AMBIGUOUS, find_index, indices, sensors, symbols

RENAMED = {
    "NDTI_turbidity": "NDTI",
    "NDTI_tillage": "NDTillI",
    "NDSI_snow": "NDSI",
    "NDSI_soil": "NDSoI",
    "NDWI_McFeeters": "NDWI",
    "RVI_ratio": "RVI",
}
CORRECTED = {"AWEInsh", "BAIM"}
OURS_ALONE = {"NDWI_Gao"}
COMPARED = sorted(set(indices()) - OURS_ALONE)

VEGETATION = {"B": 0.05, "G": 0.08, "R": 0.06, "N": 0.40, "S1": 0.20, "S2": 0.10}
WATER = {"B": 0.06, "G": 0.07, "R": 0.05, "N": 0.02, "S1": 0.01, "S2": 0.005}


def _random(name: str, seed: int) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    generator = np.random.default_rng(seed)
    index = find_index(name)
    bands = {b.symbol: generator.uniform(0.01, 0.9, 64) for b in index.bands}
    bands |= {s: generator.uniform(280, 320, 64) for s in bands if s in ("T", "T1", "T2")}
    return bands, {p: float(generator.uniform(0.1, 2)) for p in index.parameters}


def _oracle(name: str, bands: dict[str, np.ndarray], parameters: dict[str, float]) -> np.ndarray:
    theirs = spyndex.indices[RENAMED.get(name, name)]
    values: dict[str, object] = {**bands, **parameters}
    for symbol in theirs.bands:
        if symbol.startswith("k") and len(symbol) == 3:
            first, second = (values[letter] for letter in symbol[1:])
            values[symbol] = np.exp(-((first - second) ** 2) / (2 * parameters["sigma"] ** 2))
    return spyndex.computeIndex(theirs.short_name, {s: values[s] for s in theirs.bands})


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", [n for n in COMPARED if n not in CORRECTED])
def test_equals_spyndex(name: str) -> None:
    bands, parameters = _random(name, len(name))
    expected = np.asarray(_oracle(name, bands, parameters), dtype=float)
    expected[~np.isfinite(expected)] = np.nan
    np.testing.assert_allclose(
        find_index(name).compute({**bands, **parameters}), expected, rtol=1e-9, atol=1e-12
    )


def test_every_index_of_spyndex_is_there() -> None:
    assert {RENAMED.get(n, n) for n in COMPARED} == set(spyndex.indices)
    assert len(COMPARED) > 200


def test_corrected_indices_follow_their_papers() -> None:
    vegetation = find_index("AWEInsh").compute(VEGETATION)
    assert vegetation == pytest.approx(-0.855)
    assert vegetation != pytest.approx(float(spyndex.computeIndex("AWEInsh", VEGETATION)))
    assert find_index("BAIM").compute({"N": 0.10, "S2": 0.25}) == pytest.approx(1 / (0.05**2 + 0.05**2))


@pytest.mark.parametrize(
    ("name", "bands", "expected"),
    [
        ("NDVI", VEGETATION, 0.739130),
        ("EVI", VEGETATION, 0.613718),
        ("EVI2", VEGETATION, 0.550518),
        ("SAVI", VEGETATION, 0.531250),
        ("MSAVI", VEGETATION, 0.539445),
        ("NDTI_turbidity", VEGETATION, -0.142857),
        ("NDTI_tillage", VEGETATION, 0.333333),
        ("NDSI_snow", VEGETATION, -0.428571),
        ("NBR", VEGETATION, 0.6),
        ("NDWI_McFeeters", VEGETATION, -0.666667),
        ("NDMI", VEGETATION, 0.333333),
        ("WRI", VEGETATION, 0.233333),
        ("AWEIsh", VEGETATION, -0.675),
        ("NDWI_McFeeters", WATER, 0.555556),
        ("MNDWI", WATER, 0.75),
        ("WRI", WATER, 4.0),
        ("AWEInsh", WATER, 0.22125),
        ("AWEIsh", WATER, 0.18875),
        ("NDWI_Gao", {"N": 0.4, "S12": 0.3}, 1 / 7),
    ],
)
def test_worked_numbers(name: str, bands: dict[str, float], expected: float) -> None:
    assert float(find_index(name).compute(bands)) == pytest.approx(expected, abs=1e-6)


def test_undefined_is_nan_without_warning() -> None:
    assert np.isnan(find_index("NDVI").compute({"N": np.float32(0), "R": np.float32(0)}))
    assert np.isnan(find_index("RDVI").compute({"N": np.float32(-1), "R": np.float32(0.2)}))


def test_a_name_of_two_indices_is_refused() -> None:
    for name, choices in AMBIGUOUS.items():
        with pytest.raises(InputError, match="more than one") as caught:
            find_index(name.lower())
        assert all(choice in str(caught.value) for choice in choices)


def test_unknown_name_tells_the_nearest() -> None:
    with pytest.raises(InputError, match="NDVI"):
        find_index("NDVII")


def test_names_are_found_in_any_case() -> None:
    assert find_index(" kndvi ").name == "kNDVI"
    assert find_index("BAI").name == "BAI" and find_index("BaI").name == "BaI"


@pytest.mark.parametrize(
    ("name", "free"),
    [("NDVI", True), ("NBR", True), ("WRI", True), ("EVI", False), ("SAVI", False), ("FAI", False)],
)
def test_scale_free(name: str, free: bool) -> None:
    assert find_index(name).scale_free is free


def test_entries_are_whole() -> None:
    for index in indices().values():
        assert index.title and index.source and index.domain, index.name
        assert index.bands, index.name
        assert set(index.defaults) <= set(index.parameters), index.name
    for sensor, bands in sensors().items():
        assert set(bands) <= set(symbols()), sensor
