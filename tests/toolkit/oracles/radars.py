"""Oracles of radar."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from tests.toolkit.oracles.registry import oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree


def pair(scene: RandomScene) -> tuple[tuple[str, Floats], tuple[str, Floats]]:
    return scene.field("vh", -24, -12), scene.field("vv", -15, -5)


@oracle("radar_ratio", "library", "spyndex (VHVVR) of the powers; inverse when swapped")
def of_ratio(scene: RandomScene) -> None:
    import spyndex

    (a, vh), (b, vv) = pair(scene)
    ratio = spyndex.computeIndex("VHVVR", {"VH": 10 ** (vh / 10), "VV": 10 ** (vv / 10)})
    one = scene.make("radar_ratio", numerator_path=a, denominator_path=b, scale="linear")
    agree(one, ratio, rel=2e-4)
    decibels = scene.make("radar_ratio", numerator_path=a, denominator_path=b)
    agree(decibels, 10 * np.log10(ratio), abs=1e-3)
    other = scene.make("radar_ratio", numerator_path=b, denominator_path=a, scale="linear")
    agree(one * other, np.where(np.isnan(one), np.nan, 1.0), rel=1e-4)


@oracle("radar_vegetation_index", "library", "spyndex (DpRVIVV); unchanged by gain")
def of_rvi(scene: RandomScene) -> None:
    import spyndex

    (a, vh), (b, vv) = pair(scene)
    found = scene.make("radar_vegetation_index", co_polarised_path=b, cross_polarised_path=a)
    power = {"VH": 10 ** (vh / 10), "VV": 10 ** (vv / 10)}
    agree(found, spyndex.computeIndex("DpRVIVV", power), rel=2e-4)
    c, _ = scene.field("vh", -30, 0, values=vh + 3, holes=False)
    d, _ = scene.field("vv", -30, 0, values=vv + 3, holes=False)
    again = scene.make("radar_vegetation_index", co_polarised_path=d, cross_polarised_path=c)
    agree(again, found, rel=5e-4)


@oracle("radar_log_ratio", "property", "a difference of decibels; antisymmetric in time")
def of_log_ratio(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("vv", -15, -5), scene.field("vv", -15, -5)
    found = scene.make("radar_log_ratio", before_path=a, after_path=b)
    agree(found, other - one, abs=1e-3)
    agree(found, -scene.make("radar_log_ratio", before_path=b, after_path=a), abs=1e-3)


def water(scene: RandomScene) -> tuple[str, Floats, Floats]:
    scene.shape = (120, 130)
    lake = ndimage.gaussian_filter(scene.rng.random(scene.shape), 9)
    lake = lake > np.quantile(lake, 0.6)
    values = np.where(lake, -21, -9) + scene.rng.normal(0, 0.9, scene.shape)
    name, known = scene.field("vv", -28, -4, values=values)
    return name, known, lake


@oracle("flood_threshold", "library", "skimage.filters.threshold_otsu: they part the same pixels")
def of_flood_threshold(scene: RandomScene) -> None:
    from skimage.filters import threshold_otsu

    name, values, _ = water(scene)
    found = scene.run("flood_threshold", backscatter_path=name, tile=60)
    pixels = values[~np.isnan(values)]
    # Anything in the gap between the two populations parts them alike.
    between = np.sort([found, threshold_otsu(pixels)])
    assert np.mean((pixels > between[0]) & (pixels < between[1])) < 0.005 and -19 < found < -11


@oracle("flood_mask", "library", "skimage.filters.threshold_otsu; the lake that the scene was drawn with")
def of_flood(scene: RandomScene) -> None:
    from skimage.filters import threshold_otsu

    name, values, lake = water(scene)
    found = scene.make("flood_mask", backscatter_path=name, tile=60)
    agree(found, np.where(np.isnan(values), np.nan, lake), share=0.985)
    below = values < threshold_otsu(values[~np.isnan(values)])
    agree(found, np.where(np.isnan(values), np.nan, below), share=0.985)


@oracle("linear_to_decibel", "property", "ten decibels are ten times; undone by decibel_to_linear")
def of_decibel(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    a, values = scene.field("vv", 0.001, 0.5)
    found = scene.make("linear_to_decibel", input_path=a)
    agree(np.exp(found * np.log(10) / 10), values, rel=1e-4)


@oracle("decibel_to_linear", "property", "3.0103 decibels double; undone by linear_to_decibel")
def of_linear(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    a, values = scene.field("vv", -20, -5)
    b, _ = scene.field("vv", -20, 0, values=values + 10 * np.log10(2), holes=False)
    one, two = scene.make("decibel_to_linear", input_path=a), scene.make("decibel_to_linear", input_path=b)
    agree(two / one, np.where(np.isnan(values), np.nan, 2.0), rel=1e-5)


@oracle("lee_filter", "library", "scipy.ndimage.generic_filter of each window; unchanged by gain")
def of_lee(scene: RandomScene) -> None:
    scene.stored, scene.shape = ("float64", 1.0, 0.0, -9999.0), (15, 17)
    looks, noise = 4.4, 1 / 4.4
    intensity = 0.1 * scene.rng.gamma(looks, noise, scene.shape)
    intensity[4:7, 6:10] *= 5
    a, values = scene.field("vv", -40, 10, values=10 * np.log10(intensity), holes=False)
    power = 10 ** (values / 10)

    def estimate(window: Floats) -> float:
        window = window[~np.isnan(window)]
        mean, variance = window.mean(), window.var()
        signal = max(0.0, (variance - noise * mean**2) / (1 + noise))
        return signal / (noise * mean**2 + signal * (1 + noise))

    weight = ndimage.generic_filter(power, estimate, 5, mode="constant", cval=np.nan)
    mean = ndimage.generic_filter(power, lambda w: np.nanmean(w), 5, mode="constant", cval=np.nan)
    expected = 10 * np.log10(mean + weight * (power - mean))
    agree(scene.make("lee_filter", input_path=a, looks=looks, window=5), expected, abs=2e-3, rel=1e-4)


@oracle("equivalent_number_of_looks", "library", "shape of scipy.stats.gamma fitted by moments")
def of_looks(scene: RandomScene) -> None:
    from scipy import stats

    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    power = 0.1 * scene.rng.gamma(5.0, 0.2, scene.shape)
    a, values = scene.field("vv", -40, 10, values=10 * np.log10(power))
    pixels = 10 ** (values[~np.isnan(values)] / 10)
    shape, _, _ = stats.gamma.fit(pixels, floc=0, method="MM")
    agree(scene.run("equivalent_number_of_looks", input_path=a), shape, rel=2e-3)


@oracle(
    "calibrate_sentinel1",
    "library",
    "scipy.interpolate.RegularGridInterpolator of a random calibration table",
)
def of_calibration(scene: RandomScene) -> None:
    from scipy.interpolate import RegularGridInterpolator

    from tests.rasters import write_raster
    from treeline.toolkit.recognition import FileResolver

    stem = "s1a-iw-grd-vv-20210712t052510-20210712t052535-038742-04924e-001"
    product = "S1A_IW_GRDH_1SDV_20210712T052510_20210712T052535_038742_04924E_1F2C.SAFE"
    measurement = scene.folder / product / "measurement"
    annotation = scene.folder / product / "annotation" / "calibration"
    measurement.mkdir(parents=True)
    annotation.mkdir(parents=True)
    rows, columns = scene.shape
    numbers = scene.rng.integers(20, 400, scene.shape).astype("uint16")
    write_raster(measurement / f"{stem}.tiff", numbers, crs=None)
    lines, pixels = (0, rows // 2, rows + 9), (0, columns // 3, columns - 1)
    table = scene.rng.uniform(200, 500, (3, 3))
    vectors = "".join(
        f"<calibrationVector><line>{line}</line><pixel count='3'>{' '.join(map(str, pixels))}</pixel>"
        f"<sigmaNought count='3'>{' '.join(map(repr, values.tolist()))}</sigmaNought></calibrationVector>"
        for line, values in zip(lines, table, strict=True)
    )
    (annotation / f"calibration-{stem}.xml").write_text(
        f"<calibration><calibrationVectorList>{vectors}</calibrationVectorList></calibration>"
    )
    scene.work.resolver = FileResolver(scene.folder)
    made = scene.make(
        "calibrate_sentinel1",
        input_path=f"{product}/measurement/{stem}.tiff",
        remove_noise=False,
        scale="linear",
    )
    down, over = np.mgrid[:rows, :columns]
    gain = RegularGridInterpolator((lines, pixels), table)((down, over))
    agree(made, (numbers / gain) ** 2, rel=1e-4)


@oracle(
    "square_amplitudes",
    "formulation",
    "the calibration of PALSAR by logarithms of the numbers, 20 log10(n) - 83 dB (Shimada et al. 2009)",
)
def of_amplitudes(scene: RandomScene) -> None:
    from tests.rasters import write_raster
    from treeline.toolkit.recognition import FileResolver

    numbers = scene.rng.integers(500, 9000, scene.shape).astype("uint16")
    numbers[1, 2] = 0
    write_raster(scene.folder / "N45E012_20_sl_HV_F02DAR.tif", numbers)
    scene.work.resolver = FileResolver(scene.folder)
    made = scene.make("square_amplitudes", input_path="N45E012_20_sl_HV_F02DAR.tif")
    known = np.ma.masked_equal(numbers, 0)
    agree(made, (20 * np.ma.log10(known) - 83.0).filled(np.nan), abs=1e-3)
