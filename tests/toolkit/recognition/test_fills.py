"""Values that stand for no data though nothing says so, against numpy on what was hidden below them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import rasterio
from scipy import ndimage

from tests.fill_rasters import FILLS, KINDS, LOWEST, SHARES, Kind, fits, write_filled
from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.recognition import Correction, FileResolver
from treeline.toolkit.recognition.describe import describe
from treeline.toolkit.recognition.edges import runs_straight
from treeline.toolkit.recognition.fills import find_fills
from treeline.toolkit.recognition.rules import suspect_fills, usual_fills
from treeline.toolkit.variables import VARIABLES

Oracle = Callable[[np.ndarray], float]
RANDOM = np.random.default_rng(5)
OUT_OF_ALL = (-9999, -32768, LOWEST, -LOWEST, 65535)

# What no look at the values can tell: a dry pixel, or one value of many that a thousandth more pixels have.
ZERO_RAIN = ("precipitation", 0)


def filled_place(folder: Path) -> Workplace:
    return Workplace(folder, FileResolver(folder))


def cases(fills: tuple[float, ...]) -> list[tuple[str, float, float]]:
    return [
        (name, fill, share)
        for name, kind in KINDS.items()
        for fill in fills
        for share in SHARES
        if fits(kind, fill) and (name, fill) != ZERO_RAIN
    ]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "fill", "share"), cases(OUT_OF_ALL))
@pytest.mark.parametrize("block", [False, True])
def test_a_fill_that_no_value_can_be_never_counts(
    tmp_path: Path, name: str, fill: float, share: float, block: bool
) -> None:
    place, made = filled_place(tmp_path), write_filled(tmp_path, KINDS[name], fill, share, block=block)
    (mean,) = place.run("calc_batch_image_mean", file_list=[str(made.path)])
    np.testing.assert_allclose(mean, made.mean, rtol=1e-6, atol=1e-6)
    assert not place.context.doubts
    (said,) = [w for w in place.context.warnings if "taken for no data" in w]
    assert f"{fill:g}" in said
    told = float(said.split(": ")[1].split("%")[0])
    np.testing.assert_allclose(told, 100 * made.hidden.mean(), atol=0.051)


@pytest.mark.parametrize(("name", "fill", "share"), cases(tuple(f for f in FILLS if f not in OUT_OF_ALL)))
def test_a_fill_that_may_be_a_value_is_left_out_or_makes_the_result_doubtful(
    tmp_path: Path, name: str, fill: float, share: float
) -> None:
    kind = KINDS[name]
    if share < 0.01 and kind.dtype in ("int16", "uint16") and kind.low <= fill <= kind.high:
        pytest.skip("A thousandth more of one of some thousand whole numbers is no more than chance makes.")
    place, made = filled_place(tmp_path), write_filled(tmp_path, kind, fill, share)
    (mean,) = place.run("calc_batch_image_mean", file_list=[str(made.path)])
    if not np.isclose(mean, made.mean, rtol=1e-6, atol=1e-6):
        np.testing.assert_allclose(mean, made.all_mean, rtol=1e-5)
        (doubt,) = place.context.doubts
        assert f"{fill:g}" in doubt and "say the fill" in doubt


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("declared", [False, True])
def test_the_smallest_number_of_a_type_is_no_value_and_zero_is(
    tmp_path: Path, dtype: str, declared: bool
) -> None:
    """Some programs write FLT_MIN and DBL_MIN, the least positive normal numbers, for the lowest ones."""
    values = RANDOM.uniform(-0.1, 0.9, (60, 60)).astype(dtype)
    hidden = RANDOM.random(values.shape) < 0.2
    values[0] = 0.0
    least = np.finfo(dtype).tiny
    values[hidden] = least
    write_raster(tmp_path / "A_NDVI_2021-06-01.tif", values, nodata=float(least) if declared else None)
    place = filled_place(tmp_path)
    (mean,) = place.run("calc_batch_image_mean", file_list=["A_NDVI_2021-06-01.tif"])
    np.testing.assert_allclose(mean, values[~hidden].mean(dtype="float64"), rtol=1e-6)


@pytest.mark.parametrize("fill", [-99.9, -99.99, -999.9])
def test_a_suspect_with_digits_behind_the_point_is_found_in_floats_of_32_bits(fill: float) -> None:
    values = RANDOM.uniform(-60, 900, 5000).astype("float32")
    values[:400] = fill
    found = find_fills(values, (), VARIABLES["dem"])
    assert np.float32(fill) in [np.float32(each) for each in found.values]


@pytest.mark.parametrize(("zeros", "lowest", "doubted"), [(15, 138, True), (5, 138, False), (15, 60, False)])
def test_zeros_somewhat_below_all_heights_are_doubted_where_they_are_repeated(
    zeros: int, lowest: int, doubted: bool
) -> None:
    heights = RANDOM.uniform(lowest, 1900, 5000).astype("float32")
    heights[:zeros] = 0.0
    found = find_fills(heights, (-9999.0,), VARIABLES["dem"])
    assert [each.value for each in found.doubtful] == ([0.0] if doubted else [])


def test_nines_next_to_the_other_values_are_no_limit_at_which_these_were_cut_off() -> None:
    values = RANDOM.integers(-998, 9000, 8000).astype("int16")
    at_nines, at_limit = values.copy(), values.clip(-900, None)
    at_nines[:800] = -999
    assert [each.value for each in find_fills(at_nines, (), VARIABLES["ndvi"]).doubtful] == [-999.0]
    assert not find_fills(at_limit, (), VARIABLES["ndvi"]).doubtful


@pytest.mark.parametrize("fill", [-9999, LOWEST])
@pytest.mark.parametrize(
    ("name", "oracle"), [("min", np.nanmin), ("max", np.nanmax), ("std", np.nanstd), ("median", np.nanmedian)]
)
def test_no_statistic_counts_a_fill(tmp_path: Path, fill: float, name: str, oracle: Oracle) -> None:
    place, made = filled_place(tmp_path), write_filled(tmp_path, KINDS["dem"], fill, 0.05)
    (found,) = place.run(f"calc_batch_image_{name}", file_list=[str(made.path)])
    values = np.where(made.hidden, np.nan, made.stored.astype("float64"))
    np.testing.assert_allclose(found, oracle(values), rtol=1e-4)


@pytest.mark.parametrize("fill", [-9999, -32768, LOWEST, 65535])
def test_no_slope_stands_next_to_a_void(tmp_path: Path, fill: float) -> None:
    rows, columns = np.mgrid[:60, :60]
    dem = (300.0 + 2.0 * rows + columns).astype("float32")
    dem[20:30, 25:40] = fill
    write_raster(tmp_path / "area_DEM.tif", dem)
    place = filled_place(tmp_path)
    place.run("calculate_slope", dem_path="area_DEM.tif", output_path="slope.tif")
    slope = place.read("slope.tif")
    np.testing.assert_allclose(
        slope[np.isfinite(slope)], np.degrees(np.arctan(np.hypot(0.2, 0.1))), atol=1e-3
    )
    assert np.isnan(slope[21:29, 26:39]).all()


@pytest.mark.parametrize("layout", [{}, {"tiled": True, "blockxsize": 256, "blockysize": 256}])
def test_a_small_patch_in_a_large_raster_that_no_sample_meets(tmp_path: Path, layout: dict) -> None:
    """Neither a fill that no value can be, nor a usual one far from all values, depends on the sample."""
    values = RANDOM.uniform(-1500, 9000, (2000, 2000)).astype("int16")
    values[3:40, 5:90], values[1900:1950, 1940:1999] = -9999, -32768
    hidden = (values == -9999) | (values == -32768)
    write_raster(tmp_path / "A_NDVI_2021-06-01.tif", values, **layout)
    place = filled_place(tmp_path)
    (mean,) = place.run("calc_batch_image_mean", file_list=["A_NDVI_2021-06-01.tif"])
    np.testing.assert_allclose(mean, values[~hidden].mean() * 1e-4, rtol=1e-6)
    assert any("-9999" in w and "-32768" in w for w in place.context.warnings)


@pytest.mark.parametrize(("share", "doubted"), [(0.002, False), (0.008, False), (0.2, True)])
def test_strange_values_that_are_no_fill_are_doubted_where_they_are_many(
    tmp_path: Path, share: float, doubted: bool
) -> None:
    values = RANDOM.uniform(280, 310, (100, 100)).astype("float32")
    strange = RANDOM.random(values.shape) < share
    values[strange] = RANDOM.uniform(600, 900, strange.sum())
    write_raster(tmp_path / "A_LST_2021-06-01.tif", values)
    place = filled_place(tmp_path)
    (mean,) = place.run("calc_batch_image_mean", file_list=["A_LST_2021-06-01.tif"])
    np.testing.assert_allclose(mean, values[~strange].mean(dtype="float64"), rtol=1e-6)
    assert bool(place.context.doubts) is doubted
    assert any("no value of Land surface temperature" in warning for warning in place.context.warnings)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("coast_DEM.tif", np.maximum(RANDOM.normal(3, 10, (128, 128)), 0).astype("float32")),
        ("coast_DEM.tif", np.maximum(RANDOM.normal(20, 30, (128, 128)), 0).astype("int16")),
        ("lake_DEM.tif", np.maximum(RANDOM.normal(420, 30, (128, 128)), 401.5).astype("float32")),
        ("A_precipitation_2021-06-01.tif", np.maximum(RANDOM.normal(-1, 5, (128, 128)), 0).astype("float32")),
        ("A_NDVI_2021-06-01.tif", np.clip(RANDOM.normal(0, 0.8, (128, 128)), -1, 1).astype("float32")),
        ("A_red_2021-06-01.tif", np.clip(RANDOM.normal(0.05, 0.1, (128, 128)), 0, 2.2).astype("float32")),
        ("A_LST_2021-06-01.tif", RANDOM.normal(0, 12, (128, 128)).astype("float32")),
        ("A_avg_rad_2021-06-01.tif", RANDOM.pareto(1.1, (128, 128)).clip(0, 4000).astype("float32")),
        ("A_VV_2021-06-01.tif", RANDOM.normal(-12, 6, (128, 128)).astype("float32")),
        ("A_EVI_2021-06-01.tif", RANDOM.normal(0.4, 0.2, (128, 128)).astype("float32")),
        ("A_population.tif", RANDOM.pareto(1.2, (128, 128)).round().astype("float32")),
    ],
)
def test_no_valid_pixel_is_masked(tmp_path: Path, name: str, values: np.ndarray) -> None:
    write_raster(tmp_path / name, values)
    place = filled_place(tmp_path)
    (mean,) = place.run("calc_batch_image_mean", file_list=[name])
    offset = 273.15 if "LST" in name else 0.0
    np.testing.assert_allclose(mean, values.mean(dtype="float64") + offset, rtol=1e-5, atol=1e-5)
    assert not place.context.doubts


def test_no_pixel_of_the_real_rasters_is_masked(slovenia: Path) -> None:
    for path in sorted(slovenia.rglob("*.tif")):
        for band in describe(path).bands:
            assert not band.doubtful, path.name
            assert not set(band.recognised) & set(band.fill), path.name


def test_flags_and_pictures_have_no_recognised_fills() -> None:
    values = np.array([1, 2, 3, 4, 5, 6, 255] * 50, dtype="uint8")
    for role in ("scl", "rgb", "cloud_mask", "mask", "qa_pixel"):
        assert find_fills(values, (), VARIABLES[role]).values == ()


def test_declared_fills_are_not_found_again() -> None:
    values = np.r_[RANDOM.uniform(0, 1, 500), np.full(50, -9999.0)].astype("float32")
    assert [f.value for f in find_fills(values, (), None).certain] == [-9999.0]
    assert find_fills(values, (-9999.0,), None).certain == ()


def test_a_repeated_value_very_far_from_the_rest_is_a_fill_whatever_it_is() -> None:
    values = np.r_[RANDOM.uniform(200, 300, 500), np.full(50, 7777.0)].astype("float32")
    (found,) = find_fills(values, (), VARIABLES["dem"]).certain
    assert (found.value, round(found.share, 3)) == (7777.0, 0.091)
    single = np.r_[RANDOM.uniform(200, 300, 500), [7777.0]].astype("float32")
    assert find_fills(single, (), VARIABLES["dem"]).values == ()


def test_a_person_says_what_is_no_data(tmp_path: Path) -> None:
    made = write_filled(tmp_path, KINDS["dem"], 0, 0.05)
    for said, fill, doubtful in (
        ({}, (), (0.0,)),
        ({made.path.name: Correction(fill=(0.0,))}, (0.0,), ()),
        ({made.path.name: Correction(fill=())}, (), ()),
    ):
        band = describe(made.path, [made.path], said).bands[0]
        assert (band.fill, band.doubtful) == (fill, doubtful)


def test_a_person_says_that_depths_are_values(tmp_path: Path) -> None:
    values = RANDOM.uniform(-3000, 4000, (64, 64)).astype("float32")
    write_raster(tmp_path / "sea_DEM.tif", values)
    said = {"sea_DEM.tif": Correction(valid=(-11000.0, 9000.0))}
    place = Workplace(tmp_path, FileResolver(tmp_path, corrections=said))
    (mean,) = place.run("calc_batch_image_mean", file_list=["sea_DEM.tif"])
    np.testing.assert_allclose(mean, values.mean(dtype="float64"), rtol=1e-5)
    silent = filled_place(tmp_path)
    silent.run("calc_batch_image_mean", file_list=["sea_DEM.tif"])
    assert silent.context.doubts


def test_the_scale_is_inferred_without_the_fill(tmp_path: Path) -> None:
    made = write_filled(tmp_path, KINDS["ndvi"], -9999, 0.6)
    band = describe(made.path).bands[0]
    assert (band.scale, band.scale_known, band.fill) == (1.0, True, (-9999.0,))
    assert any("-9999" in warning for warning in describe(made.path).warnings)
    assert any(reason.concludes == "fill=-9999" for reason in band.evidence)


def test_the_limits_of_a_role_hold_its_plausible_range() -> None:
    for known in VARIABLES.values():
        low, high = known.limits
        assert low <= known.plausible[0] < known.plausible[1] <= high, known.role


def test_the_lists_of_fills_share_nothing() -> None:
    assert not usual_fills() & suspect_fills()


@pytest.mark.parametrize("kind", list(KINDS.values()), ids=list(KINDS))
def test_without_a_fill_nothing_is_recognised(tmp_path: Path, kind: Kind) -> None:
    made = write_filled(tmp_path, kind, 0, 0.0001)
    made.stored[made.hidden] = np.median(made.stored)
    write_raster(made.path, made.stored)
    band = describe(made.path).bands[0]
    assert band.role == kind.role and band.doubtful == ()
    assert set(band.recognised) & set(band.fill) <= {0.0, *([-3000.0] if kind.role == "ndvi" else [])}


@pytest.mark.parametrize("share", [0.005, 0.05, 0.4])
@pytest.mark.parametrize(
    ("dtype", "fill"),
    [("uint8", 255), ("int16", -9999), ("int16", -32768), ("float32", LOWEST), ("int8", -128)],
)
def test_a_number_far_from_the_classes_is_no_class(
    tmp_path: Path, dtype: str, fill: float, share: float
) -> None:
    classes = RANDOM.integers(0, 9, (64, 64)).astype(dtype)
    hidden = RANDOM.random((64, 64)) < share
    write_raster(tmp_path / "landcover_2020.tif", np.where(hidden, np.array(fill, dtype), classes))
    place = filled_place(tmp_path)
    rows = place.run("area_by_class", input_path="landcover_2020.tif")
    assert [row["class"] for row in rows] == list(range(9))
    np.testing.assert_allclose(rows[3]["percent"], 100 * np.mean(classes[~hidden] == 3), rtol=1e-6)


def test_numbers_near_the_classes_and_masks_are_kept(tmp_path: Path) -> None:
    write_raster(tmp_path / "landcover.tif", np.array([[10, 60, 190, 220, 230, 240]], "uint8"))
    write_raster(tmp_path / "cloud_mask.tif", np.array([[0, 255, 255, 0]], "uint8"))
    for name in ("landcover.tif", "cloud_mask.tif"):
        (band,) = describe(tmp_path / name).bands
        assert 255.0 not in (band.fill if name == "landcover.tif" else (*band.fill, *band.recognised))


def test_a_border_of_zeros_among_classes_is_asked_about(tmp_path: Path) -> None:
    fields = [ndimage.gaussian_filter(np.random.default_rng(s).normal(size=(128, 128)), 4) for s in range(4)]
    classes = np.argmax(fields, axis=0).astype("uint8")
    blocks = np.kron(np.random.default_rng(3).integers(0, 4, (8, 8)), np.ones((16, 16))).astype("uint8")
    cut = np.maximum(classes, 1)
    cut[:20] = 0
    rows, columns = np.indices(classes.shape)
    disc = np.hypot(rows - 64, columns - 64) < 60
    around, lake = np.where(disc, classes + 1, 0), np.where(disc, classes, 0)
    mask = disc.astype("uint8")
    for name, values, asked in (
        ("zero", classes, ()),
        ("blocks", blocks, ()),
        ("cut", cut, (0.0,)),
        ("around", around, (0.0,)),
        ("lake", lake, ()),
        ("mask", mask, ()),
    ):
        path = write_raster(tmp_path / f"landcover_{name}.tif", values)
        assert describe(path).bands[0].doubtful == asked, name


def smooth(seed: int, size: int = 200) -> np.ndarray:
    """A field from 0 to 1 whose neighbours are alike."""
    field = ndimage.gaussian_filter(np.random.default_rng(seed).normal(size=(size, size)), 8)
    return (field - field.min()) / (field.max() - field.min())


RAIN = np.maximum(0, (smooth(3) - 0.45) * 120).astype("float32")
COAST = np.maximum(0, (smooth(4) - 0.3) * 900).astype("float32")


@pytest.mark.parametrize(
    ("role", "field"), [("precipitation", RAIN), ("population", RAIN), ("dem", 5 + COAST)]
)
@pytest.mark.parametrize("hole", ["strewn", "rows", "frame"])
def test_zeros_that_lie_as_holes_do_are_asked_about(role: str, field: np.ndarray, hole: str) -> None:
    rows, columns = np.indices(field.shape)
    holes = {
        "strewn": np.random.default_rng(1).random(field.shape) < 0.05,
        "rows": rows < 90,
        "frame": (columns < 12) | (rows > 180),
    }
    values = np.where(holes[hole], np.float32(0), field)
    found = find_fills(values.ravel(), (), VARIABLES[role], (values,))
    assert 0.0 in found.values


def rough_ground(seed: int) -> np.ndarray:
    """Return values whose neighbours differ by much, but low ones lie beside low ones."""
    random = np.random.default_rng(seed)
    noise = ndimage.gaussian_filter(random.normal(size=(120, 120)), 4)
    return 60 + 13 * noise / noise.std() + random.normal(0, 8, noise.shape)


@pytest.mark.parametrize("role", ["precipitation", "population", "snow_depth"])
@pytest.mark.parametrize("share", [0.01, 0.05, 0.3])
def test_zeros_strewn_over_rough_ground_are_asked_about_and_dry_pixels_of_it_are_not(
    role: str, share: float
) -> None:
    ground = rough_ground(11)
    strewn = np.random.default_rng(12).random(ground.shape) < share
    values = np.where(strewn, 0, ground.clip(1, None)).astype("float32")
    assert find_fills(values.ravel(), (), VARIABLES[role], (values,)).values == (0.0,)
    dry = (ground - np.quantile(ground, share)).clip(0, None).astype("float32")
    assert not find_fills(dry.ravel(), (), VARIABLES[role], (dry,)).values


@pytest.mark.parametrize("role", ["ntl_radiance", "precipitation", "soil_ph"])
@pytest.mark.parametrize("share", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("fill", ["lowest", "highest"])
def test_an_unusual_number_strewn_at_one_end_of_rough_ground_is_asked_about(
    role: str, share: float, fill: str
) -> None:
    ground = rough_ground(13) / {"ntl_radiance": 5, "precipitation": 1, "soil_ph": 10}[role]
    end, clipped = (ground.min(), 0.02) if fill == "lowest" else (ground.max(), 0.98)
    number = np.float32(end + 0.03 * np.ptp(ground) * np.sign(end - ground.mean()))
    strewn = np.random.default_rng(14).random(ground.shape) < share
    values = np.where(strewn, number, ground).astype("float32")
    assert find_fills(values.ravel(), (), VARIABLES[role], (values,)).values == (float(number),)
    # What was cut off there lies among its like.
    limit = np.quantile(ground, clipped)
    cut = (np.maximum if fill == "lowest" else np.minimum)(ground, limit).astype("float32")
    assert not find_fills(cut.ravel(), (), VARIABLES[role], (cut,)).values


LOWLAND_HOLES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "strewn": lambda rows, columns: np.random.default_rng(1).random(rows.shape) < 0.05,
    "few": lambda rows, columns: np.random.default_rng(1).random(rows.shape) < 0.002,
    "most": lambda rows, columns: np.random.default_rng(1).random(rows.shape) < 0.6,
    "rows": lambda rows, columns: rows < 90,
    "frame": lambda rows, columns: (columns < 12) | (rows > 180),
    "block": lambda rows, columns: (abs(rows - 75) < 15) & (abs(columns - 80) < 20),
}


@pytest.mark.parametrize("hole", LOWLAND_HOLES)
@pytest.mark.parametrize("fill", [0, -1])
@pytest.mark.parametrize(("low", "high"), [(0, 12), (1, 12), (3, 9), (1, 30), (2, 40), (0, 60)])
def test_a_fill_within_low_land_in_whole_metres_is_asked_about(
    hole: str, fill: int, low: int, high: int
) -> None:
    land = np.rint(low + (high - low) * smooth(5)).astype("int16")
    values = np.where(LOWLAND_HOLES[hole](*np.indices(land.shape)), np.int16(fill), land)
    assert fill in find_fills(values.ravel(), (), VARIABLES["dem"], (values,)).values


STRAIGHT_HOLES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "square": lambda rows, columns: (abs(rows - 90) < 40) & (abs(columns - 110) < 40),
    "strip": lambda rows, columns: columns >= 190,
    "gaps": lambda rows, columns: (rows + 0.15 * columns) % 33 < 3,
    "margin": lambda rows, columns: 0.95 * columns + 0.3 * rows < 90,
}


@pytest.mark.parametrize("hole", STRAIGHT_HOLES)
@pytest.mark.parametrize("fill", [0, -1])
def test_a_fill_with_straight_outlines_is_asked_about_on_rough_ground(hole: str, fill: int) -> None:
    rough = np.random.default_rng(7).normal(fill + 0.75, 0.25, (200, 200))
    values = np.maximum(rough, fill).astype("float32")
    assert not find_fills(values.ravel(), (), VARIABLES["ndvi"], (values,)).values
    values[STRAIGHT_HOLES[hole](*np.indices(values.shape))] = fill
    (found,) = find_fills(values.ravel(), (), VARIABLES["ndvi"], (values,)).doubtful
    assert found.value == fill


@pytest.mark.parametrize("hole", ["square", "strip", "margin"])
@pytest.mark.parametrize("role", ["ndvi", "precipitation", "lst"])
def test_a_block_of_one_value_that_nothing_names_is_asked_about(hole: str, role: str) -> None:
    low, high = {"ndvi": (-1200, 8900), "precipitation": (0, 620), "lst": (13600, 16200)}[role]
    field = low + (high - low) * (smooth(6) + np.random.default_rng(1).normal(0, 0.05, (200, 200)))
    values = np.rint(field.clip(low, high)).astype("int16")
    usual = np.int16((low + 2 * high) // 3)
    values[STRAIGHT_HOLES[hole](*np.indices(values.shape))] = usual
    assert usual in find_fills(values.ravel(), (), VARIABLES[role], (values,)).values
    # A lake of one value has no straight shore.
    lake = np.where(smooth(3) > 0.7, usual, np.rint(field.clip(low, high))).astype("int16")
    assert not find_fills(lake.ravel(), (), VARIABLES[role], (lake,)).values


def test_ragged_shores_and_what_was_enlarged_have_no_straight_outlines() -> None:
    lake = smooth(6) > 0.7
    ragged = np.where(lake, 0, smooth(8) + 0.1).astype("float32")
    blocks = np.maximum(0, np.random.default_rng(3).normal(0.2, 0.3, (4, 4)))
    assert not runs_straight([ragged], 0.0)
    assert not runs_straight([np.kron(blocks, np.ones((50, 50)))], 0.0)


def test_a_lake_has_no_slope() -> None:
    slope = np.where(smooth(6) > 0.7, 0, 4 + 20 * smooth(8)).astype("float32")
    assert not find_fills(slope.ravel(), (), VARIABLES["terrain_slope"], (slope,)).values


def test_a_mean_of_low_land_with_holes_of_zero_is_doubtful(tmp_path: Path) -> None:
    land = np.rint(1 + 11 * smooth(5)).astype("int16")
    land[60:90, 60:110] = 0
    write_raster(tmp_path / "polder_DEM.tif", land)
    place = filled_place(tmp_path)
    place.run("calc_batch_image_mean", file_list=["polder_DEM.tif"])
    (doubt,) = place.context.doubts
    assert "hold 0, which may be no data" in doubt


@pytest.mark.parametrize("sea", [True, False])
def test_a_declared_fill_that_heights_run_down_to_may_be_the_sea(tmp_path: Path, sea: bool) -> None:
    heights = COAST.copy() if sea else COAST + 300
    if not sea:
        heights[60:90, 60:110] = 0
    write_raster(tmp_path / "island_DEM.tif", heights, nodata=0, pixel=100.0)
    place = filled_place(tmp_path)
    place.run("calc_batch_image_mean", file_list=["island_DEM.tif"])
    assert [w for w in place.context.warnings if "as to the sea" in w] == place.context.warnings
    assert bool(place.context.warnings) == sea


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize(("low", "high"), [(0, 12), (-2, 10), (-3, 4), (-1, 6), (-1, 30), (-10, 60)])
def test_zero_and_minus_one_of_coastal_plains_are_values(seed: int, low: int, high: int) -> None:
    plain = low + (high - low) * smooth(seed)
    noisy = plain + np.random.default_rng(seed).normal(0, 0.7, plain.shape)
    for heights in (
        plain,
        np.maximum(plain, 0),
        noisy,
        np.maximum(noisy, 0),
        np.where(plain < 0.5, 0, noisy),
    ):
        values = np.rint(heights).astype("int16")
        assert not find_fills(values.ravel(), (), VARIABLES["dem"], (values,)).values


@pytest.mark.parametrize("level", [0, -1])
def test_a_sea_that_was_flattened_to_one_level_is_land_s_neighbour_and_no_fill(level: int) -> None:
    slope = level + (smooth(4) - 0.3) * 40
    beach = slope + np.random.default_rng(2).normal(0, 0.15, slope.shape)
    heights = np.where(slope <= level, level, np.maximum(level, beach)).astype("float32")
    assert not find_fills(heights.ravel(), (), VARIABLES["dem"], (heights,)).values
    holes = np.where(STRAIGHT_HOLES["square"](*np.indices(heights.shape)), np.float32(level), beach + 9)
    assert level in find_fills(holes.ravel(), (), VARIABLES["dem"], (holes,)).values


@pytest.mark.parametrize("fill", [1e-30, 1e-38, -1e-30])
@pytest.mark.parametrize("role", ["ndvi", "dem", "dnbr", "lst"])
def test_a_number_next_to_nothing_that_is_repeated_is_asked_about(role: str, fill: float) -> None:
    low, high = {"ndvi": (-0.2, 0.9), "dem": (-8, 90), "dnbr": (-0.4, 1.1), "lst": (270, 320)}[role]
    values = RANDOM.uniform(low, high, (128, 128)).astype("float32")
    values[RANDOM.random(values.shape) < 0.01] = fill
    found = find_fills(values.ravel(), (), VARIABLES[role], (values,))
    assert [np.float32(each) for each in found.values] == [np.float32(fill)]


@pytest.mark.parametrize("fill", [1e20, 9.96921e36, -3e38])
def test_a_large_fill_of_a_rate_per_second_is_left_out_without_a_word_of_numpy(
    tmp_path: Path, fill: float
) -> None:
    flux = RANDOM.uniform(1e-6, 9e-5, (60, 60)).astype("float32")
    hidden = RANDOM.random(flux.shape) < 0.2
    write_raster(tmp_path / "A_precipitation_2021-06-01.tif", np.where(hidden, np.float32(fill), flux))
    with rasterio.open(tmp_path / "A_precipitation_2021-06-01.tif", "r+") as dataset:
        dataset.units = ("kg m-2 s-1",)
    (mean,) = filled_place(tmp_path).run(
        "calc_batch_image_mean", file_list=["A_precipitation_2021-06-01.tif"]
    )
    np.testing.assert_allclose(mean, 86400 * flux[~hidden].mean(dtype="float64"), rtol=1e-6)


def test_what_packing_leaves_of_no_rain_is_no_fill() -> None:
    rain = np.where(RAIN > 0, RAIN, np.float32(1.08e-19))
    assert not find_fills(rain.ravel(), (), VARIABLES["precipitation"], (rain,)).values


def test_small_numbers_of_a_flux_are_values() -> None:
    flux = np.exp(RANDOM.normal(-30, 9, (128, 128))).astype("float32")
    assert float(flux.min()) < 1e-20
    assert not find_fills(flux.ravel(), (), None, (flux,)).values


def test_dry_ground_and_the_sea_are_values() -> None:
    for role, field in (("precipitation", RAIN), ("snow_depth", RAIN), ("dem", COAST - 2)):
        assert not find_fills(field.ravel(), (), VARIABLES[role], (field,)).values
    spiky = np.where(np.random.default_rng(2).random(RAIN.shape) < 0.7, 0, RANDOM.exponential(9, RAIN.shape))
    assert not find_fills(spiky.ravel(), (), VARIABLES["population"], (spiky,)).values


def test_where_another_fill_is_declared_zero_is_rain(tmp_path: Path) -> None:
    values = np.where(np.indices(RAIN.shape)[0] < 90, np.float32(0), RAIN)
    precipitation = VARIABLES["precipitation"]
    declared = find_fills(values.ravel(), (-9999.0,), precipitation, (values,), zero_may_be_none=False)
    assert not declared.values
    # The product has a fill, but no tag declares it and no pixel holds it, as after a cut that wrote zeros.
    assert find_fills(values.ravel(), (-9999.0,), precipitation, (values,)).values == (0.0,)
    values[0, :8] = -9999
    assert not find_fills(values.ravel(), (-9999.0,), precipitation, (values,)).values
    plain = describe(write_raster(tmp_path / "A_precipitation_2021-06-01.tif", values))
    assert plain.bands[0].doubtful == (0.0,)


def test_whole_numbers_of_rain_without_a_scale_are_no_millimetres(tmp_path: Path) -> None:
    stored = np.rint(RAIN * 10).astype("int16")
    path = write_raster(tmp_path / "A_precipitation_2021-06-01.tif", stored)
    assert not describe(path).bands[0].scale_known
    with rasterio.open(path, "r+") as dataset:
        dataset.scales = (0.1,)
    assert describe(path).bands[0].scale_known


def test_a_declared_fill_is_not_said_to_be_undeclared(tmp_path: Path) -> None:
    values = np.r_[RANDOM.uniform(200, 300, 4000), np.full(96, -9999.0)].reshape(64, 64).astype("float32")
    for name in ("image.tif", "area_DEM.tif"):
        write_raster(tmp_path / name, values, nodata=-9999)
        place = filled_place(tmp_path)
        place.run("calc_batch_image_mean", file_list=[name])
        assert not [text for text in place.context.warnings if "declares" in text], name


def correlated(low: float, high: float, steepness: float) -> np.ndarray:
    """Return a field whose power falls off with frequency by a steepness; 0 is noise without neighbours."""
    rows = np.fft.fftfreq(160)
    frequency = np.hypot(*np.meshgrid(rows, rows))
    frequency[0, 0] = 1
    noise = np.fft.fft2(np.random.default_rng(8).normal(size=frequency.shape))
    field = np.fft.ifft2(noise * frequency ** (-steepness / 2)).real
    return low + (high - low) * (field - field.min()) / np.ptp(field)


@pytest.mark.parametrize("share", [0.02, 0.05, 0.2])
@pytest.mark.parametrize("steepness", [0.0, 1.5, 3.0])
@pytest.mark.parametrize(
    ("role", "low", "high", "dtype", "value"),
    [
        ("ndvi", -0.15, 0.91, "float32", 0.2),
        ("ndvi", -1500, 9100, "int16", 2000),
        ("lst", 262, 311, "float32", 273.15),
        ("dem", 600, 900, "float32", 700),
        ("vv", -24, -3.5, "float32", -10),
    ],
)
def test_a_value_strewn_within_the_range_of_the_others_is_asked_about(
    role: str, low: float, high: float, dtype: str, value: float, steepness: float, share: float
) -> None:
    field = correlated(low, high, steepness).astype(dtype)
    assert not find_fills(field.ravel(), (), VARIABLES[role], (field,)).values
    field[np.random.default_rng(4).random(field.shape) < share] = value
    (found,) = find_fills(field.ravel(), (), VARIABLES[role], (field,)).doubtful
    assert np.float32(found.value) == np.float32(value)
    np.testing.assert_allclose(found.share, np.mean(field == np.array(value, dtype)), rtol=1e-6)


def test_patches_of_one_value_are_asked_about_where_they_lie_anywhere_and_not_where_they_are_level() -> None:
    heat = correlated(281, 324, 3.0).astype("float32")
    smooth = ndimage.gaussian_filter(np.random.default_rng(1).normal(size=heat.shape), 3)
    patches = np.where(smooth > np.quantile(smooth, 0.9), np.float32(300), heat)
    found = find_fills(patches.ravel(), (), VARIABLES["lst"], (patches,))
    assert [each.value for each in found.doubtful] == [300.0]
    level = np.where(np.abs(heat - 300) < 2, np.float32(300), heat)
    assert np.mean(level == 300) > 0.05
    assert not find_fills(level.ravel(), (), VARIABLES["lst"], (level,)).values


def test_quotients_of_small_whole_numbers_are_no_fills_though_nothing_is_among_them() -> None:
    bright, green = correlated(40, 200, 2.0), correlated(-0.15, 0.2, 2.5)[::-1]
    near, red = np.rint(bright * (1 + green)), np.rint(bright * (1 - green))
    index = ((near - red) / (near + red)).astype("float32")
    assert np.mean(index == 0) > 0.008
    assert not find_fills(index.ravel(), (), VARIABLES["ndvi"], (index,)).values


def test_one_value_on_level_land_or_of_one_soil_is_a_value() -> None:
    field = correlated(0.01, 0.9, 0.0).astype("float32")
    field[np.random.default_rng(4).random(field.shape) < 0.3] = 0.5
    assert find_fills(field.ravel(), (), VARIABLES["ndvi"], (field,)).values == (0.5,)
    for role in ("hillshade", "emissivity31", "soil_nitrogen", "population"):
        assert not find_fills(field.ravel(), (), VARIABLES[role], (field,)).values


@pytest.mark.parametrize("share", [0.01, 0.05, 0.3])
def test_the_fill_of_a_product_is_asked_about_where_its_numbers_were_scaled_since(
    tmp_path: Path, share: float
) -> None:
    """Scripts scale the numbers of Sentinel-2 and leave 0 where there is no data."""
    ground = (rough_ground(15) / 700).clip(0.004, None).astype("float32")
    hidden = np.random.default_rng(16).random(ground.shape) < share
    name = "S2A_MSIL2A_20220712T100611_N0400_R022_T33TUL_20220712T131415_B04.tif"
    path = write_raster(tmp_path / name, np.where(hidden, np.float32(0), ground))
    (band,) = describe(path).bands
    assert (band.scale, band.scale_known, band.doubtful) == (1.0, True, (0.0,))
    numbers = np.where(hidden, 0, ground * 10000 + 1000).astype("uint16")
    place = filled_place(tmp_path)
    write_raster(path, numbers)
    (mean,) = place.run("calc_batch_image_mean", file_list=[name])
    np.testing.assert_allclose(mean, ground[~hidden].mean(), atol=1e-4)
    assert not place.context.doubts
