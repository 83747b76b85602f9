from __future__ import annotations

import numpy as np
import pytest
import rasterio
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage
from shapely.geometry import Point, box
from sklearn.decomposition import PCA
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix, f1_score

from tests.rasters import ORIGIN
from tests.vectors import VectorWorkplace as Place
from treeline.toolkit.classification.accuracy import Confusion
from treeline.toolkit.errors import InputError, NoValidPixels

LEFT, TOP = ORIGIN


def _fields(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Three kinds of fields in a chess pattern, and two bands that tell them apart."""
    rng = np.random.default_rng(seed)
    kinds = (np.add.outer(np.arange(60) // 10, np.arange(60) // 10) % 3) + 1
    means = np.array([[0.1, 0.6], [0.3, 0.3], [0.6, 0.1]])
    bands = np.moveaxis(means[kinds - 1], 2, 0) + rng.normal(0, 0.03, (2, 60, 60))
    return kinds, bands.astype("float32")


def _place_fields(place: Place) -> np.ndarray:
    kinds, bands = _fields()
    bands[0, 5, 5] = np.nan
    place.raster("red.tif", bands[0], descriptions=["red"])
    place.raster("nir.tif", bands[1], descriptions=["nir"])
    squares, classes = [], []
    for row in range(6):
        for column in range(6):
            squares.append(
                box(
                    LEFT + column * 100 + 20,
                    TOP - row * 100 - 80,
                    LEFT + column * 100 + 80,
                    TOP - row * 100 - 20,
                )
            )
            classes.append(["forest", "grass", "soil"][(row + column) % 3])
    place.features("training.geojson", *squares, kind=classes)
    return kinds


def test_kmeans_finds_the_fields(place: Place) -> None:
    kinds = _place_fields(place)
    arguments = {"file_list": ["red.tif", "nir.tif"], "classes": 3}
    place.run("kmeans_classification", output_path="k.tif", **arguments)
    found = place.read("k.tif")
    assert np.isnan(found[5, 5]) and np.isnan(found).sum() == 1
    assert (found == kinds).mean() > 0.99
    place.run("kmeans_classification", output_path="again.tif", **arguments)
    np.testing.assert_array_equal(place.read("again.tif"), found)


@pytest.mark.parametrize("tool", ["random_forest_classification", "maximum_likelihood_classification"])
def test_supervised(place: Place, tool: str) -> None:
    kinds = _place_fields(place)
    table = place.run(
        tool,
        file_list=["red.tif", "nir.tif"],
        training_path="training.geojson",
        class_attribute="kind",
        output_path="c.tif",
    )
    assert table["class_names"] == {"1": "forest", "2": "grass", "3": "soil"}
    assert table["overall_accuracy"] > 0.98 and table["kappa"] > 0.97
    assert np.nanmean(place.read("c.tif") == kinds) > 0.98
    assert not place.context.warnings
    with rasterio.open(place.folder / "c.tif") as dataset:
        assert dataset.tags()["TREELINE_CLASSES"] == "1 forest, 2 grass, 3 soil"


def test_test_areas_are_whole_polygons_and_noise_is_not_learnt(place: Place) -> None:
    rng = np.random.default_rng(9)
    # Each polygon has a value of its own that says nothing of the class.
    place.raster("noise.tif", np.kron(rng.random((6, 6)), np.ones((10, 10))).astype("float32"))
    _place_fields(place)
    table = place.run(
        "random_forest_classification",
        file_list=["noise.tif"],
        training_path="training.geojson",
        class_attribute="kind",
        output_path="c.tif",
        trees=50,
    )
    assert table["overall_accuracy"] < 0.7


def test_numbers_points_and_a_lone_area(place: Place) -> None:
    _place_fields(place)
    inside = [Point(LEFT + 100 * n + 45, TOP - 45) for n in (*range(6), 0)]
    place.features("points.geojson", *inside, number=[1, 2, 3, 1, 2, 3, None])
    table = place.run(
        "random_forest_classification",
        file_list=["red.tif", "nir.tif"],
        training_path="points.geojson",
        class_attribute="number",
        output_path="p.tif",
        trees=20,
        test_share=0.5,
    )
    assert table["classes"] == [1, 2, 3]
    assert table["pixels"] == 3
    assert any("1 of 7 features" in warning for warning in place.context.warnings)
    lone = box(LEFT, TOP - 90, LEFT + 90, TOP), box(LEFT + 110, TOP - 90, LEFT + 190, TOP)
    place.features("lone.geojson", *lone, kind=["a", "b"])
    place.run(
        "random_forest_classification",
        file_list=["red.tif", "nir.tif"],
        training_path="lone.geojson",
        class_attribute="kind",
        output_path="l.tif",
        trees=20,
    )
    assert any("flatters" in warning for warning in place.context.warnings)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"class_attribute": "colour"}, "no attribute 'colour'"),
        ({"trees": 0}, "'trees' is 0"),
        ({"test_share": 1.0}, "'test_share' is 1"),
        ({"file_list": []}, "empty"),
        ({"training_path": "far.geojson"}, "pixels of 0 classes"),
    ],
)
def test_refused(place: Place, arguments: dict, words: str) -> None:
    _place_fields(place)
    place.features("far.geojson", box(0, 0, 1, 1), box(2, 2, 3, 3), kind=["a", "b"])
    usual = {"file_list": ["red.tif"], "training_path": "training.geojson", "class_attribute": "kind"}
    with pytest.raises(InputError, match=words):
        place.run("random_forest_classification", output_path="c.tif", **(usual | arguments))
    assert not (place.folder / "c.tif").exists()


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=80))
def test_accuracy_is_that_of_sklearn(pairs: list[tuple[int, int]]) -> None:
    mapped, true = zip(*pairs, strict=True)
    table = Confusion.of(mapped, true).table()
    np.testing.assert_array_equal(np.array(table["matrix"]).T, confusion_matrix(true, mapped))
    assert table["overall_accuracy"] == pytest.approx(accuracy_score(true, mapped))
    if table["kappa"] is not None:
        assert table["kappa"] == pytest.approx(cohen_kappa_score(true, mapped))
    scores = f1_score(true, mapped, average=None, labels=table["classes"], zero_division=0)
    np.testing.assert_allclose([table["f1"][str(c)] for c in table["classes"]], scores)


def test_confusion_of_rasters(place: Place) -> None:
    rng = np.random.default_rng(3)
    mapped, true = rng.integers(1, 4, (20, 30)), rng.integers(1, 4, (20, 30))
    place.raster("m.tif", mapped.astype("uint8"))
    place.raster("t.tif", np.where(rng.random((20, 30)) < 0.5, true, 0).astype("uint8"), nodata=0)
    table = place.run("confusion_matrix", classified_path="m.tif", reference_path="t.tif")
    known = ~np.isnan(place.read("t.tif"))
    assert table["pixels"] == known.sum()
    assert table["overall_accuracy"] == pytest.approx((mapped == true)[known].mean())
    assert table["users_accuracy"]["2"] == pytest.approx((true[known & (mapped == 2)] == 2).mean())
    place.raster("none.tif", np.zeros((20, 30), dtype="uint8"), nodata=0)
    with pytest.raises(NoValidPixels):
        place.run("confusion_matrix", classified_path="m.tif", reference_path="none.tif")
    place.raster("ndvi.tif", np.full((2, 3), 0.4, "float32"))
    for tool, first, second in (
        ("confusion_matrix", "classified_path", "reference_path"),
        ("class_transitions", "before_path", "after_path"),
    ):
        with pytest.raises(InputError, match=r"ndvi\.tif holds no whole numbers, so it holds no classes"):
            place.run(tool, **{first: "m.tif", second: "ndvi.tif"})


@pytest.mark.parametrize("standardize", [False, True])
def test_components_are_those_of_sklearn(place: Place, standardize: bool) -> None:
    rng = np.random.default_rng(4)
    stack = (
        np.einsum("ij,jkl->ikl", rng.random((4, 4)), rng.normal(0, 1, (4, 30, 40))).astype("float32") + 300
    )
    place.raster("s.tif", stack)
    options = {"components": 2, "standardize": standardize}
    table = place.run("principal_components", file_list=["s.tif"], output_path="p.tif", **options)
    flat = stack.reshape(4, -1).T.astype(float)
    flat = (flat - flat.mean(axis=0)) / (flat.std(axis=0) if standardize else 1)
    model = PCA(2).fit(flat)
    np.testing.assert_allclose(table["explained"], 100 * model.explained_variance_ratio_, rtol=1e-4)
    for number in (1, 2):
        expected = model.transform(flat)[:, number - 1]
        found = place.read("p.tif", number).ravel()
        assert abs(np.corrcoef(found, expected)[0, 1]) == pytest.approx(1, abs=1e-6)
        assert found.std() == pytest.approx(expected.std(), rel=1e-3)


def test_thresholds(place: Place) -> None:
    rng = np.random.default_rng(5)
    values = np.concatenate([rng.normal(0, 1, 500), rng.normal(10, 1, 700)]).reshape(30, 40).astype("float32")
    values[0, 0] = np.nan
    place.raster("v.tif", values)
    limit = place.run("otsu_threshold", input_path="v.tif")
    assert 3 < limit < 7
    place.run("otsu_mask", input_path="v.tif", output_path="m.tif")
    np.testing.assert_array_equal(place.read("m.tif"), np.where(np.isnan(values), np.nan, values > limit))
    place.run("otsu_mask", input_path="v.tif", output_path="b.tif", above=False)
    assert np.nansum(place.read("b.tif")) + np.nansum(place.read("m.tif")) == values.size - 1
    table = place.run("multi_otsu_classes", input_path="v.tif", output_path="c.tif", classes=3)
    found = place.read("c.tif")
    assert np.nanmax(values[found == 1]) <= table["thresholds"][0] < np.nanmin(values[found == 2])
    place.run("threshold_mask", input_path="v.tif", output_path="t.tif", minimum=1.0, maximum=9.0)
    np.testing.assert_array_equal(place.read("t.tif") == 1, (values >= 1) & (values <= 9))
    place.raster("same.tif", np.ones((4, 4), dtype="float32"))
    with pytest.raises(InputError, match="one value only"):
        place.run("otsu_threshold", input_path="same.tif")
    for wrong in ({}, {"minimum": 2.0, "maximum": 1.0}):
        with pytest.raises(InputError, match="minimum"):
            place.run("threshold_mask", input_path="v.tif", output_path="w.tif", **wrong)


def test_reclassify(place: Place) -> None:
    place.raster("v.tif", np.array([[0.05, 0.1, 0.2, 0.7, np.nan]], dtype="float32"))
    place.run("reclassify_raster", input_path="v.tif", output_path="r.tif", limits=[0.1, 0.5])
    np.testing.assert_array_equal(place.read("r.tif"), [[1, 2, 2, 3, np.nan]])
    place.raster("c.tif", np.array([[3, 4, 9]], dtype="uint8"))
    place.run("reclassify_raster", input_path="c.tif", output_path="m.tif", mapping={"3": 1, "4": 1})
    np.testing.assert_array_equal(place.read("m.tif"), [[1, 1, np.nan]])
    for wrong in ({"limits": [2.0, 1.0]}, {"mapping": {"x": 1}}, {"mapping": {"1": 300}}, {}):
        with pytest.raises(InputError):
            place.run("reclassify_raster", input_path="c.tif", output_path="w.tif", **wrong)


def test_majority_and_sieve(place: Place) -> None:
    classes = np.ones((40, 40), dtype="uint8")
    classes[:, 20:] = 2
    classes[5, 5] = 2
    classes[30:33, 30:33] = 1
    classes[0, 0] = 0
    place.raster("c.tif", classes, nodata=0)
    place.run("majority_filter", input_path="c.tif", output_path="m.tif")
    found = place.read("m.tif")
    modes = ndimage.generic_filter(
        classes, lambda w: np.bincount(w.astype(int)).argmax(), size=3, mode="nearest"
    )
    np.testing.assert_array_equal(found[2:-2, 2:-2], modes[2:-2, 2:-2])
    assert np.isnan(found[0, 0]) and np.isnan(found).sum() == 1
    place.run("sieve_classes", input_path="c.tif", output_path="s.tif", minimum_pixels=5)
    sieved = place.read("s.tif")
    assert sieved[5, 5] == 1 and sieved[31, 31] == 1 and np.isnan(sieved[0, 0])
    place.run("sieve_classes", input_path="c.tif", output_path="t.tif", minimum_pixels=10)
    assert place.read("t.tif")[31, 31] == 2
    place.raster("one.tif", np.full((1, 1), 7, dtype="uint8"))
    place.run("sieve_classes", input_path="one.tif", output_path="o.tif")
    assert place.read("o.tif")[0, 0] == 7


def _between_classes(values: np.ndarray, threshold: float) -> float:
    low, high = values[values <= threshold], values[values > threshold]
    shares = low.size / values.size, high.size / values.size
    return shares[0] * shares[1] * (low.mean() - high.mean()) ** 2


def test_otsu_of_the_worked_levels(place: Place) -> None:
    values = np.repeat([-20.0, -19.0, -8.0, -7.0], [40, 10, 50, 20]).astype("float32")
    place.raster("v.tif", values.reshape(8, 15))
    threshold: float = place.run("otsu_threshold", input_path="v.tif")
    assert -19 <= threshold < -8
    assert _between_classes(values, threshold) == pytest.approx(35.501786, abs=1e-5)
