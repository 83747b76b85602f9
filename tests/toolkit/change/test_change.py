from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.stats import chi2

from tests.vectors import VectorWorkplace as Place
from treeline.toolkit.errors import InputError, NoValidPixels


def _dates(seed: int = 0, size: int = 90) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three bands at two dates of other radiometry, and where the land changed."""
    rng = np.random.default_rng(seed)
    mixing = rng.random((3, 3)) + np.eye(3)
    land = np.einsum("ij,jkl->ikl", mixing, rng.normal(0, 1, (3, size, size)))
    before = 0.1 + 0.02 * land + rng.normal(0, 0.002, land.shape)
    after = 0.03 + 0.8 * (0.1 + 0.02 * land) + rng.normal(0, 0.002, land.shape)
    changed = np.zeros((size, size), dtype=bool)
    changed[10:30, 10:30] = True
    after[:, changed] = 0.15 + rng.normal(0, 0.03, (3, changed.sum()))
    return before.astype("float32"), after.astype("float32"), changed


def _reference(before: np.ndarray, after: np.ndarray, iterations: int) -> tuple[np.ndarray, np.ndarray]:
    """Return chi-square and correlations by the whole-array algorithm, as the paper has it."""
    x, y = (a.reshape(3, -1).T.astype(float) for a in (before, after))
    weights, bands = np.ones(len(x)), 3
    known = np.zeros(3)
    for _ in range(iterations):
        both = np.hstack([x, y])
        mean = np.average(both, axis=0, weights=weights)
        covariance = np.cov(both.T, aweights=weights, ddof=0)
        xx, xy, yy = covariance[:3, :3], covariance[:3, 3:], covariance[3:, 3:]
        squares, a = eigh(xy @ np.linalg.inv(yy) @ xy.T, xx)
        _, b = eigh(xy.T @ np.linalg.inv(xx) @ xy, yy)
        b = b * np.sign(np.diag(a.T @ xy @ b))
        rho = np.sqrt(squares)
        mad = (x - mean[:3]) @ a - (y - mean[3:]) @ b
        chi_square = (mad**2 / (2 * (1 - rho))).sum(axis=1)
        if np.abs(rho - known).max() < 1e-3:
            break
        known, weights = rho, 1 - chi2.cdf(chi_square, bands)
    return chi_square.reshape(before.shape[1:]), rho


@pytest.mark.parametrize("iterations", [1, 50])
def test_irmad_is_that_of_the_whole_array(place: Place, iterations: int) -> None:
    before, after, _ = _dates()
    place.raster("b.tif", before)
    place.raster("a.tif", after)
    arguments = {"before_list": ["b.tif"], "after_list": ["a.tif"], "iterations": iterations}
    table = place.run("ir_mad", output_path="m.tif", **arguments)
    chi_square, rho = _reference(before, after, iterations)
    np.testing.assert_allclose(table["correlations"], rho, rtol=1e-4)
    np.testing.assert_allclose(place.read("m.tif", 2), chi_square, rtol=1e-2, atol=1e-3)


def test_irmad_finds_the_change_and_normalises(place: Place) -> None:
    before, after, changed = _dates()
    before[:, 0, 0] = np.nan
    place.raster("b.tif", before)
    place.raster("a.tif", after)
    table = place.run("ir_mad", before_list=["b.tif"], after_list=["a.tif"], output_path="m.tif")
    assert table["converged"] and table["correlations"] == sorted(table["correlations"])
    stable = place.read("m.tif")
    assert np.isnan(stable[0, 0]) and np.isnan(stable).sum() == 1
    chi_square = place.read("m.tif", 2)
    assert (chi_square[changed] > np.nanpercentile(chi_square[~changed], 98)).mean() > 0.9
    assert (stable[changed] > 0.95).mean() < 0.002 < (stable[~changed] > 0.95).mean()
    found = place.run(
        "normalize_radiometry",
        input_path="b.tif#1",
        reference_path="a.tif#1",
        no_change_path="m.tif#1",
        output_path="n.tif",
    )
    assert found["slope"] == pytest.approx(0.8, rel=0.02)
    assert found["intercept"] == pytest.approx(0.03, abs=0.003)
    np.testing.assert_allclose(place.read("n.tif")[~changed][1:], after[0][~changed][1:], atol=0.02)


def test_irmad_is_blind_to_linear_radiometry(place: Place) -> None:
    before, after, _ = _dates()
    place.raster("b.tif", before)
    place.raster("a.tif", after)
    place.raster("other.tif", np.stack([3 * after[1] + 1, after[2] - after[0], after[0] * 0.5]))
    for name in ("a", "other"):
        place.run("ir_mad", before_list=["b.tif"], after_list=[f"{name}.tif"], output_path=f"m_{name}.tif")
    np.testing.assert_allclose(place.read("m_a.tif"), place.read("m_other.tif"), atol=2e-3)


def test_irmad_refused(place: Place) -> None:
    before, after, _ = _dates(size=20)
    place.raster("b.tif", before)
    place.raster("two.tif", after[:2])
    place.raster("flat.tif", np.ones((3, 20, 20), dtype="float32"))
    place.raster("none.tif", np.full((3, 20, 20), np.nan, dtype="float32"))
    for after_name, error, words in [
        ("two.tif", InputError, "3 bands before and 2 after"),
        ("flat.tif", InputError, "constant"),
        ("b.tif", InputError, "follows exactly"),
        ("none.tif", NoValidPixels, "valid"),
    ]:
        with pytest.raises(error, match=words):
            place.run("ir_mad", before_list=["b.tif"], after_list=[after_name], output_path="m.tif")
    assert not (place.folder / "m.tif").exists()


def test_change_vector_of_the_worked_example(place: Place) -> None:
    for name, values in (("before", (0.3, 0.35)), ("after", (0.5, 0.2))):
        place.raster(
            f"{name}.tif", np.array(values, dtype="float32")[:, None, None] * np.ones((2, 3, 3), "float32")
        )
    place.run(
        "change_vector_analysis", before_list=["before.tif"], after_list=["after.tif"], output_path="v.tif"
    )
    np.testing.assert_allclose(place.read("v.tif"), 0.25, rtol=1e-5)
    np.testing.assert_allclose(place.read("v.tif", 2), 323.1301, rtol=1e-6)


def test_change_vector_of_three_standardised_bands(place: Place) -> None:
    before, after, _ = _dates(size=20)
    place.raster("b.tif", before)
    place.raster("a.tif", after)
    names = {"before_list": ["b.tif"], "after_list": ["a.tif"], "standardize": True}
    place.run("change_vector_analysis", output_path="v.tif", **names)

    def standard(stack: np.ndarray) -> np.ndarray:
        return (stack - stack.mean(axis=(1, 2), keepdims=True)) / stack.std(axis=(1, 2), keepdims=True)

    apart = standard(after) - standard(before)
    np.testing.assert_allclose(place.read("v.tif"), np.sqrt((apart**2).sum(axis=0)), rtol=1e-3)
    clear = (np.abs(apart) > 1e-4).all(axis=0)
    codes = (apart[0] > 0) * 1 + (apart[1] > 0) * 2 + (apart[2] > 0) * 4
    np.testing.assert_array_equal(place.read("v.tif", 2)[clear], codes[clear])
    with pytest.raises(InputError, match="two or more"):
        place.run(
            "change_vector_analysis", before_list=["b.tif#1"], after_list=["a.tif#1"], output_path="x.tif"
        )


def test_change_mask(place: Place) -> None:
    rng = np.random.default_rng(2)
    before = rng.normal(0.5, 0.01, (40, 40)).astype("float32")
    after = before + rng.normal(0, 0.01, (40, 40)).astype("float32")
    after[:4, :4] += 0.3
    after[10:14, 10:14] -= 0.3
    before[0, 0] = np.nan
    place.raster("b.tif", before, descriptions=["ndvi"])
    place.raster("a.tif", after, descriptions=["ndvi"])
    table = place.run("change_mask", before_path="b.tif", after_path="a.tif", output_path="m.tif")
    found, difference = place.read("m.tif"), after - before
    mean, deviation = np.nanmean(difference), np.nanstd(difference)
    expected = np.where(
        difference > mean + 2 * deviation, 1, np.where(difference < mean - 2 * deviation, 2, 0)
    )
    np.testing.assert_array_equal(found, np.where(np.isnan(difference), np.nan, expected))
    assert table["increase_percent"] == pytest.approx(100 * np.nanmean(found == 1), rel=1e-2)
    table = place.run(
        "change_mask", before_path="b.tif", after_path="a.tif", output_path="t.tif", threshold=0.2
    )
    assert (table["lower"], table["upper"]) == (-0.2, 0.2)
    assert (place.read("t.tif") == 1).sum() == 15 and (place.read("t.tif") == 2).sum() == 16
    place.run("change_mask", before_path="b.tif", after_path="b.tif", output_path="s.tif")
    assert np.nansum(place.read("s.tif")) == 0
    place.raster("lst.tif", after, descriptions=["lst"])
    with pytest.raises(InputError, match="Compare one variable"):
        place.run("change_mask", before_path="b.tif", after_path="lst.tif", output_path="x.tif")


def test_transitions(place: Place) -> None:
    before = np.array([[1, 1, 1, 1], [2, 2, 2, 0]], dtype="uint8")
    after = np.array([[1, 1, 2, 3], [2, 1, 2, 2]], dtype="uint8")
    place.raster("b.tif", before, nodata=0, pixel=100.0)
    place.raster("a.tif", after, nodata=0, pixel=100.0)
    table = place.run(
        "class_transitions", before_path="b.tif", after_path="a.tif", class_names={"1": "forest"}
    )
    rows = {(r["before"], r["after"]): (r["pixels"], r["area"]) for r in table["transitions"]}
    assert rows == {
        ("forest", "forest"): (2, 2.0),
        ("forest", "2"): (1, 1.0),
        ("forest", "3"): (1, 1.0),
        ("2", "2"): (2, 2.0),
        ("2", "forest"): (1, 1.0),
    }
    assert table["gain"] == {"forest": 1, "2": 1, "3": 1} and table["loss"] == {"forest": 2, "2": 1, "3": 0}
    assert table["changed_percent"] == pytest.approx(300 / 7)


def test_transitions_of_measurements_are_refused(place: Place) -> None:
    values = np.random.default_rng(1).random((60, 60)).astype("float32")
    place.raster("v.tif", values)
    with pytest.raises(InputError, match="no classes"):
        place.run("class_transitions", before_path="v.tif", after_path="v.tif")


def test_count_of_changes(place: Place) -> None:
    series = np.array([[1, 1, 0, 0], [1, 2, 2, 0], [1, 1, 2, 0], [1, 0, 3, 0]], dtype="uint8")
    names = [place.raster(f"c{n}.tif", row[None], nodata=0) for n, row in enumerate(series)]
    place.run("count_class_changes", file_list=names, output_path="n.tif")
    np.testing.assert_array_equal(place.read("n.tif"), [[0, 2, 1, math.nan]])
