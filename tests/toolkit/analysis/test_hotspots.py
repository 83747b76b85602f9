from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import ndimage

from treeline.toolkit.errors import InputError, NoValidPixels

GRID = [[1, 2, 3, 4, 5], [2, 3, 4, 5, 6], [3, 4, 9, 8, 7], [4, 5, 8, 12, 9], [5, 6, 7, 9, 10]]
QUEEN = [[1, 1, 1]] * 3


def gi_star(values, weights):
    """The formula, pixel by pixel."""
    valid = values[~np.isnan(values)]
    n, mean, spread = valid.size, valid.mean(), valid.std()
    result = np.full(values.shape, np.nan)
    down, across = weights.shape[0] // 2, weights.shape[1] // 2
    for row, column in np.argwhere(~np.isnan(values)):
        total = weight = squares = 0.0
        for i, j in np.ndindex(*weights.shape):
            r, c = row + i - down, column + j - across
            if 0 <= r < values.shape[0] and 0 <= c < values.shape[1] and not np.isnan(values[r, c]):
                total += weights[i, j] * values[r, c]
                weight += weights[i, j]
                squares += weights[i, j] ** 2
        variance = (n * squares - weight**2) / (n - 1)
        if variance > 1e-9:
            result[row, column] = (total - mean * weight) / (spread * np.sqrt(variance))
    return result


def test_the_worked_numbers(workplace):
    workplace.raster("a.tif", np.array(GRID, "float32"))
    answer = workplace.run("getis_ord_gi_star", image_path="a.tif", weight_matrix=QUEEN, output_path="z.tif")
    z = workplace.read("z.tif")
    assert answer == "Result saved at z.tif"
    assert (z[2, 2], z[3, 3], z[0, 0]) == pytest.approx((1.072829, 4.184627, -2.824848), abs=1e-5)


def test_it_equals_esda(workplace):
    esda, libpysal = pytest.importorskip("esda"), pytest.importorskip("libpysal")
    image = np.random.default_rng(4).gamma(2, 1, (9, 11)).astype("float32")
    weights = libpysal.weights.lat2W(9, 11, rook=False)
    expected = esda.G_Local(image.ravel().astype(float), weights, transform="B", star=True, permutations=0).Zs
    workplace.raster("a.tif", image)
    workplace.run("getis_ord_gi_star", image_path="a.tif", weight_matrix=QUEEN, output_path="z.tif")
    assert workplace.read("z.tif").ravel() == pytest.approx(expected, abs=1e-4)


SHAPES = [(3, 3), (1, 3), (5, 3), (3, 1), (7, 5), (17, 3), (3, 19)]


@settings(max_examples=24, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32 - 1), st.sampled_from(SHAPES), st.booleans())
def test_it_equals_the_formula_with_gaps_and_any_weights(workplace, seed, shape, equal):
    random = np.random.default_rng(seed)
    image = random.normal(300, 5, (8, 9)).astype("float32")
    image[random.random(image.shape) < 0.2] = np.nan
    weights = np.full(shape, 2.0) if equal else random.integers(1, 5, shape).astype(float)
    workplace.raster("a.tif", image)
    workplace.run(
        "getis_ord_gi_star", image_path="a.tif", weight_matrix=weights.tolist(), output_path="z.tif"
    )
    expected = gi_star(image.astype("float64"), weights)
    np.testing.assert_allclose(workplace.read("z.tif"), expected, atol=2e-3)


@pytest.mark.parametrize("side", [5, 7])
def test_blocks_leave_no_seams(workplace, side):
    image = np.random.default_rng(6).normal(size=(1100, 1100)).astype("float32")
    workplace.raster("a.tif", image, tiled=True, blockxsize=256, blockysize=256)
    workplace.run(
        "getis_ord_gi_star", image_path="a.tif", weight_matrix=[[1] * side] * side, output_path="z.tif"
    )
    wide = image.astype("float64")
    total = ndimage.convolve(wide - wide.mean(), np.ones((side, side)), mode="constant")
    count = ndimage.convolve(np.ones(wide.shape), np.ones((side, side)), mode="constant")
    expected = total / (wide.std() * np.sqrt((wide.size * count - count**2) / (wide.size - 1)))
    np.testing.assert_allclose(workplace.read("z.tif"), expected, atol=1e-4)


@pytest.mark.parametrize("weights", [[[1, 1], [1, 1]], [[1, 1, 1], [1, 1]], [], [[0]], [[-1, 1, 1]]])
def test_weights_that_are_no_neighbourhood_are_refused(workplace, weights):
    workplace.raster("a.tif", np.array(GRID, "float32"))
    with pytest.raises(InputError, match="weight_matrix"):
        workplace.run("getis_ord_gi_star", image_path="a.tif", weight_matrix=weights, output_path="z.tif")


def test_rasters_without_hot_spots_are_refused(workplace):
    workplace.raster("flat.tif", np.full((4, 4), 2, "float32"))
    workplace.raster("empty.tif", np.full((4, 4), np.nan, "float32"))
    for name, error in (("flat.tif", InputError), ("empty.tif", NoValidPixels)):
        with pytest.raises(error):
            workplace.run("getis_ord_gi_star", image_path=name, weight_matrix=QUEEN, output_path="z.tif")
    assert not (workplace.folder / "z.tif").exists()


def test_significance_after_false_discovery_control(workplace):
    z = np.random.default_rng(7).normal(size=(60, 60))
    z[:6, :6] = 6.0
    z[-6:, -6:] = -6.0
    workplace.raster("z.tif", z.astype("float32"), descriptions=("gi_star",))
    answer = workplace.run("classify_hotspots", gi_star_path="z.tif", output_path="c.tif")
    classes = workplace.read("c.tif")
    assert (classes[:6, :6] == 1).all() and (classes[-6:, -6:] == 2).all()
    assert (classes == 1).sum() < 45
    assert answer[0] == "Result saved at c.tif" and answer[1] > 1.96
    plain = workplace.run(
        "classify_hotspots", gi_star_path="z.tif", output_path="p.tif", false_discovery=False
    )
    assert plain[1] == pytest.approx(1.959964, abs=1e-5)
    assert (workplace.read("p.tif") == 1).sum() > (classes == 1).sum()


def test_the_direction_of_masks_and_scores(workplace):
    mask = np.zeros((5, 5), "uint8")
    mask[0, 1:4] = 255
    mask[2, 4] = 255
    workplace.raster("mask.tif", mask, nodata=7)
    assert workplace.run("analyze_hotspot_direction", hotspot_map_path="mask.tif") == "north"
    scores = np.zeros((5, 5), "float32")
    scores[1:4, 0], scores[4, :] = 3, 1
    workplace.raster("z.tif", scores, descriptions=("gi_star",))
    assert workplace.run("analyze_hotspot_direction", hotspot_map_path="z.tif") == "west"
    workplace.raster("none.tif", np.zeros((5, 5), "uint8"))
    assert workplace.run("analyze_hotspot_direction", hotspot_map_path="none.tif") == "no hotspots found"


def test_a_map_with_south_at_the_top_is_turned_round(workplace):
    import rasterio
    from affine import Affine

    mask = np.zeros((5, 5), "uint8")
    mask[0] = 1
    with rasterio.open(
        workplace.folder / "up.tif",
        "w",
        driver="GTiff",
        width=5,
        height=5,
        count=1,
        dtype="uint8",
        crs="EPSG:32633",
        transform=Affine(10, 0, 0, 0, 10, 0),
    ) as dataset:
        dataset.write(mask, 1)
    assert workplace.run("analyze_hotspot_direction", hotspot_map_path="up.tif") == "south"
