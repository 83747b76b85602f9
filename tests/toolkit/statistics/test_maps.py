from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from treeline.toolkit.errors import (
    GridMismatch,
    InputError,
    NoValidPixels,
    PathOutside,
    RoleMismatch,
    Stopped,
)
from treeline.toolkit.statistics.masks import MASK_RULES
from treeline.toolkit.variables import CLOUD_ROLES


def test_the_average_is_over_valid_dates_and_keeps_the_role(workplace):
    for name, values in {"a.tif": [1, 2, -9], "b.tif": [3, -9, -9]}.items():
        workplace.raster(name, np.array([values], "float32"), nodata=-9, descriptions=("ndvi",))
    answer = workplace.run("calculate_tif_average", file_list=["a.tif", "b.tif"], output_filename="out/m.tif")
    assert answer == "Result saved at out/m.tif"
    np.testing.assert_array_equal(workplace.read("out/m.tif"), [[2, 2, np.nan]])
    assert workplace.context.products[0].role == "ndvi"


def test_differences_have_opposite_orders(workplace):
    workplace.raster("a.tif", np.array([[1, 5, -9]], "float32"), nodata=-9)
    workplace.raster("b.tif", np.array([[4, 4, 4]], "float32"))
    workplace.run("calculate_tif_difference", image_a_path="a.tif", image_b_path="b.tif", output_path="d.tif")
    workplace.run("subtract", img1_path="a.tif", img2_path="b.tif", output_path="s.tif")
    np.testing.assert_array_equal(workplace.read("d.tif"), [[3, -1, np.nan]])
    np.testing.assert_array_equal(workplace.read("s.tif"), [[-3, 1, np.nan]])


def test_a_stretched_difference_fills_the_bytes(workplace):
    workplace.raster("a.tif", np.zeros((1, 3), "float32"))
    workplace.raster("b.tif", np.array([[0, 5, 10]], "float32"))
    arguments = {"image_a_path": "a.tif", "image_b_path": "b.tif", "output_path": "d.tif", "uint8": True}
    workplace.run("calculate_tif_difference", **arguments)
    np.testing.assert_array_equal(workplace.stored_bands("d.tif"), [[[0, 127, 254]]])


def test_masks_below_a_threshold(workplace):
    workplace.raster("a.tif", np.array([[-0.5, 0.1, -9]], "float32"), nodata=-9)
    arguments = {"file_list": ["a.tif"], "threshold": -0.25, "output_path_list": ["m.tif"]}
    assert workplace.run("calc_batch_image_hotspot_tif", **arguments) == ["Result saved at m.tif"]
    np.testing.assert_array_equal(workplace.stored_bands("m.tif"), [[[1, 0, 255]]])
    workplace.run("calc_batch_image_hotspot_tif", **arguments, mode="above")
    np.testing.assert_array_equal(workplace.stored_bands("m.tif"), [[[0, 1, 255]]])
    with pytest.raises(InputError, match="length"):
        workplace.run("calc_batch_image_hotspot_tif", **{**arguments, "output_path_list": ["m.tif", "n.tif"]})


def test_fire(workplace):
    frp = np.array([[0, 5, 20, 40, -1]], "float32")
    workplace.raster("f.tif", frp, nodata=-1)
    workplace.raster("none.tif", np.zeros((1, 5), "float32"))
    assert workplace.run("calc_batch_fire_pixels", file_list=["f.tif", "none.tif"]) == [3, 0]
    workplace.run("create_fire_increase_map", change_image_path="f.tif", output_path="i.tif")
    np.testing.assert_array_equal(workplace.stored_bands("i.tif"), [[[0, 0, 1, 1, 255]]])
    answer = workplace.run("identify_fire_prone_areas", file_path="f.tif", output_path="p.tif")
    assert answer == ["Result saved at p.tif", np.percentile([5, 20, 40], 75)]
    np.testing.assert_array_equal(workplace.stored_bands("p.tif"), [[[0, 0, 0, 1, 255]]])
    assert workplace.run("identify_fire_prone_areas", file_path="none.tif", output_path="q.tif")[1] == 0
    assert not workplace.stored_bands("q.tif").any()
    scaled = workplace.run("identify_fire_prone_areas", file_path="f.tif", output_path="p.tif", uint8=True)
    assert scaled[1] == pytest.approx(30 * 255 / 40)


def test_area_by_sampling_distance_and_by_georeference(workplace):
    mask = np.zeros((10, 20), "uint8")
    mask[:5, :4] = 1
    mask[9, 9] = 2
    workplace.raster("utm.tif", mask, pixel=30)
    run = workplace.run
    assert run("calculate_area", input_image_path="utm.tif", gsd=0.5) == 21 * 0.25
    assert run("calculate_area", input_image_path="utm.tif", gsd=None) == pytest.approx(21 * 900)
    assert run("calculate_area", input_image_path="utm.tif", gsd=None, unit="ha", value=2) == pytest.approx(
        0.09
    )
    with pytest.raises(InputError, match="gsd"):
        run("calculate_area", input_image_path="utm.tif", gsd=0)


def test_area_in_degrees_is_that_of_the_ellipsoid(workplace):
    from pyproj import Geod

    workplace.raster("deg.tif", np.ones((3, 2), "uint8"), crs="EPSG:4326", origin=(10, 60), pixel=1)
    ring = [10, 11, 12, 12, 11, 10], [60, 60, 60, 57, 57, 57]
    around = abs(Geod(ellps="WGS84").polygon_area_perimeter(*_dense(*ring))[0])
    found = workplace.run("calculate_area", input_image_path="deg.tif", gsd=None)
    assert found == pytest.approx(around, rel=1e-4)


def _dense(xs, ys):
    # Parallels are no geodesics: many points make the polygon follow them.
    top = np.linspace(10, 12, 2000)
    return np.concatenate([top, top[::-1]]), np.concatenate([np.full(2000, 60.0), np.full(2000, 57.0)])


def test_area_of_pictures_and_of_masked_pixels(workplace):
    picture = np.zeros((4, 4, 3), "uint8")
    picture[0, 0] = (255, 0, 0)
    picture[1, 1] = (9, 9, 9)
    Image.fromarray(picture).save(workplace.folder / "m.png")
    assert workplace.run("calculate_area", input_image_path="m.png", gsd=None) == 2
    assert "no georeference" in " ".join(workplace.context.warnings)
    workplace.raster("n.tif", np.array([[1, 255, 0]], "uint8"), nodata=255)
    assert workplace.run("calculate_area", input_image_path="n.tif", gsd=1) == 1


def test_nothing_with_a_value_has_no_area(workplace):
    workplace.raster("empty.tif", np.full((2, 3), 255, "uint8"), nodata=255)
    workplace.raster("none.tif", np.zeros((2, 3), "uint8"), nodata=255)
    assert workplace.run("calculate_area", input_image_path="empty.tif", gsd=1) is None
    assert "nothing to measure" in " ".join(workplace.context.warnings)
    assert workplace.run("calculate_area", input_image_path="none.tif", gsd=1) == 0


def test_landsat_reflectance(workplace):
    workplace.raster("SR_B4.tif", np.array([[0, 7273, 43636, 65535]], "uint16"))
    workplace.run("radiometric_correction_sr", input_band_path="SR_B4.tif", output_path="r.tif")
    np.testing.assert_allclose(workplace.read("r.tif"), [[np.nan, 0, 1, np.nan]], atol=2e-5)
    workplace.raster("done.tif", np.array([[0.1]], "float32"))
    with pytest.raises(InputError, match="float32"):
        workplace.run("radiometric_correction_sr", input_band_path="done.tif", output_path="r2.tif")
    workplace.raster("other.tif", np.array([[1500]], "uint16"), descriptions=("blue",), scale=1e-4)
    with pytest.raises(InputError, match="a scale of 0.0001"):
        workplace.run("radiometric_correction_sr", input_band_path="other.tif", output_path="r2.tif")
    workplace.raster("ST_B10.tif", np.array([[1]], "uint16"), descriptions=("bt10",))
    with pytest.raises(RoleMismatch):
        workplace.run("radiometric_correction_sr", input_band_path="ST_B10.tif", output_path="r2.tif")
    assert not (workplace.folder / "r2.tif").exists()


QUALITY = {
    "qa_pixel": ([21824, 1, 2, 4, 8, 16, 32, 128], [1, 0, 0, 0, 0, 0, 1, 1]),
    # 322, 386 and 578 are clear land of Landsat 8, 66 of Landsat 4-7, 324 is water; 834 has cirrus.
    "pixel_qa": ([322, 386, 324, 66, 1, 328, 352, 480, 834, 336, 578], [1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1]),
    "sr_cloud_qa": ([0, 1, 2, 4, 8, 16, 32, 34], [1, 1, 0, 0, 0, 1, 1, 0]),
    "bqa": ([2720, 1, 2800, 2976, 6816, 3744, 672, 2724], [1, 0, 0, 0, 0, 1, 1, 1]),
    "vi_reliability": ([0, 1, 2, 3], [1, 1, 1, 0]),
    "vi_rank": ([0, 3, 6, 7, 8, 9, 11], [1, 1, 1, 0, 1, 0, 1]),
    "scl": ([4, 5, 6, 11, 0, 3, 8, 9, 10, 1, 2, 7], [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1]),
    "qa60": ([0, 1024, 2048, 3072, 1], [1, 0, 0, 0, 1]),
    "state_1km": ([0, 1, 2, 3, 4, 1 << 8, 2 << 8, 1 << 10, 1 << 13, 1 << 12], [1, 0, 0, 1, 0, 1, 0, 0, 0, 1]),
    "fmask": ([0, 1, 2, 4, 8, 16, 32, 64], [1, 1, 0, 0, 0, 1, 1, 1]),
    "cloud_mask": ([0, 1, 255], [1, 0, 0]),
    "cloud_probability": ([0, 39, 40, 100], [1, 1, 0, 0]),
    "clear_score": ([0.0, 0.59, 0.61, 1.0], [0, 0, 1, 1]),
}


# The value of these that says that nothing was seen: neither cloud nor clear.
UNSEEN = {"qa_pixel": 1, "pixel_qa": 1, "bqa": 1, "scl": 0}


def test_every_mask_rule_has_a_case():
    assert set(QUALITY) == set(MASK_RULES)


def test_every_mask_rule_is_of_a_role_that_questions_and_advice_know():
    # Of a clear score no question is asked: it is a measure, and no mask yet.
    assert set(CLOUD_ROLES) == set(MASK_RULES) - {"clear_score"}


@pytest.mark.parametrize("role", QUALITY)
def test_clouds_by_the_role_of_the_quality_band(workplace, role):
    values, clear = QUALITY[role]
    kind = "float32" if role == "clear_score" else "uint16"
    workplace.raster("qa.tif", np.array([values], kind), descriptions=(role,))
    workplace.raster("band.tif", np.full((1, len(values)), 1000, "uint16"), scale=1e-4, descriptions=("red",))
    workplace.run("apply_cloud_mask", sr_band_path="band.tif", qa_pixel_path="qa.tif", output_path="m.tif")
    np.testing.assert_allclose(workplace.read("m.tif"), [np.where(clear, 0.1, np.nan)], rtol=1e-5)
    assert workplace.context.products[0].role == "red"
    cover = workplace.run("calculate_cloud_cover", qa_pixel_path="qa.tif")
    seen = np.array([value != UNSEEN.get(role) for value in values])
    assert cover == pytest.approx(100 * np.mean(np.array(clear)[seen] == 0))
    if role != "cloud_mask":
        workplace.run("cloud_mask", quality_path="qa.tif", output_path="clouds.tif")
        np.testing.assert_array_equal(
            workplace.read("clouds.tif"), [np.where(seen, 1 - np.array(clear), np.nan)]
        )
        assert workplace.context.products[-1].role == "cloud_mask"


@pytest.mark.parametrize(
    ("role", "clear", "cloud", "shadow"),
    [
        ("qa_pixel", 21824, 22280, 23888),
        ("pixel_qa", 322, 352, 328),
        ("sr_cloud_qa", 0, 2, 4),
        ("scl", 4, 9, 3),
        ("fmask", 64, 66, 72),
        ("state_1km", 0b11, 0b01, 0b111),
    ],
)
def test_shadows_among_clouds_are_told(workplace, role, clear, cloud, shadow):
    row = [clear, clear, clear, cloud, cloud, shadow, shadow, shadow]
    workplace.raster("qa.tif", np.array([row], "uint16"), descriptions=(role,))
    assert workplace.run("calculate_cloud_cover", qa_pixel_path="qa.tif") == pytest.approx(62.5)
    (warning,) = workplace.context.warnings
    assert "37.50 % of the pixels are shadow" in warning and "clouds themselves hide 25.00 %" in warning


def test_a_cloud_mask_has_no_data_where_the_quality_band_has_none(workplace):
    workplace.raster("qa.tif", np.array([[0, 4, 9]], "uint8"), nodata=0, descriptions=("scl",))
    workplace.run("cloud_mask", quality_path="qa.tif", output_path="clouds.tif")
    np.testing.assert_array_equal(workplace.read("clouds.tif"), [[np.nan, 0, 1]])


def test_a_quality_band_that_nobody_knows_is_landsat_and_another_is_refused(workplace):
    workplace.raster("band.tif", np.array([[1, 2]], "float32"))
    workplace.raster("qa.tif", np.array([[21824, 22280]], "uint16"))
    workplace.run("apply_cloud_mask", sr_band_path="band.tif", qa_pixel_path="qa.tif", output_path="m.tif")
    np.testing.assert_array_equal(workplace.read("m.tif"), [[1, np.nan]])
    assert any("Landsat" in warning for warning in workplace.context.warnings)
    workplace.raster("nir.tif", np.array([[1, 2]], "float32"), descriptions=("nir",))
    with pytest.raises(RoleMismatch):
        workplace.run(
            "apply_cloud_mask", sr_band_path="band.tif", qa_pixel_path="nir.tif", output_path="n.tif"
        )


def test_colours(workplace):
    workplace.raster("a.tif", np.array([[0, 5, 10, -1]], "float32"), nodata=-1)
    assert workplace.run(
        "grayscale_to_colormap", image_path="a.tif", save_name="p/c.png", cmap_name="gray"
    ) == ("Result saved at p/c.png")
    picture = np.asarray(Image.open(workplace.folder / "p/c.png"))
    assert picture[0, :, 0].tolist() == [0, 128, 255, 0]
    assert picture[0, :, 3].tolist() == [255, 255, 255, 0]
    answer = workplace.run("grayscale_to_colormap", image_path="a.tif", save_name="c.png", preserve_geo=True)
    assert answer == "Result saved at c.tif"
    assert workplace.stored_bands("c.tif").shape == (3, 1, 4)
    with pytest.raises(InputError, match="rainbowy"):
        workplace.run("grayscale_to_colormap", image_path="a.tif", save_name="d.png", cmap_name="rainbowy")
    workplace.raster("e.tif", np.full((2, 2), np.nan, "float32"))
    with pytest.raises(NoValidPixels):
        workplace.run("grayscale_to_colormap", image_path="e.tif", save_name="d.png")
    with pytest.raises(PathOutside):
        workplace.run("grayscale_to_colormap", image_path="a.tif", save_name="../d.png")
    assert not list(workplace.folder.glob("*d.png"))


def test_a_picture_without_transparency_is_black_where_data_are_missing(workplace):
    values = np.repeat([[np.nan, 0.0, 1.0]], 16, axis=0).repeat(16, axis=1).astype("float32")
    workplace.raster("a.tif", values)
    workplace.run("grayscale_to_colormap", image_path="a.tif", save_name="c.jpg")
    picture = np.asarray(Image.open(workplace.folder / "c.jpg")).astype(int)
    assert picture[8, 8].max() < 10 and picture[8, 24].max() > 60


def test_the_files_of_a_folder(workplace):
    workplace.raster("b.tif", np.ones((1, 1), "uint8"))
    workplace.raster("a.tif", np.ones((1, 1), "uint8"))
    assert workplace.run("get_filelist", dir_path=".") == ["a.tif", "b.tif"]


@pytest.mark.parametrize("output", ["../d.tif", "/tmp/treeline_outside.tif", "d.jp2"])
def test_outputs_stay_inside_and_are_geotiffs(workplace, output):
    workplace.raster("a.tif", np.ones((2, 2), "float32"))
    with pytest.raises((PathOutside, InputError)):
        workplace.run("subtract", img1_path="a.tif", img2_path="a.tif", output_path=output)


def test_other_ground_is_refused_and_nothing_is_left(workplace):
    workplace.raster("a.tif", np.ones((2, 2), "float32"))
    workplace.raster("b.tif", np.ones((2, 2), "float32"), origin=(0, 0))
    with pytest.raises(GridMismatch):
        workplace.run("subtract", img1_path="a.tif", img2_path="b.tif", output_path="d.tif")
    assert sorted(p.name for p in workplace.folder.iterdir()) == ["a.tif", "b.tif"]


def test_a_stop_leaves_nothing(workplace):
    from treeline.toolkit import registry
    from treeline.toolkit.context import ToolContext, use_context

    workplace.raster("a.tif", np.ones((2, 2), "float32"))
    context = ToolContext(workplace.folder, workplace.resolver)
    context.stop.set()
    with use_context(context), pytest.raises(Stopped):
        registry().get("subtract").run(
            {"img1_path": "a.tif", "img2_path": "a.tif", "output_path": "d.tif"}, context
        )
    assert not (workplace.folder / "d.tif").exists()
