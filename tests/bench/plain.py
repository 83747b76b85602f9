"""The scripts that one would write by hand: whole arrays in float64, NaN for nodata, float32 written."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import rasterio

TREND_PIXELS = 200
TREND_DATES = 20
ASTER_WAVELENGTHS = (8.291, 8.634, 9.075, 10.657, 11.318)
C1, C2 = 1.1910430e8, 14387.769


def read(path: Path) -> tuple[np.ndarray, dict]:
    """Read a band as the usual script does."""
    with rasterio.open(path) as dataset:
        values = dataset.read(1).astype("float64")
        if dataset.nodata is not None:
            values[values == dataset.nodata] = np.nan
        if dataset.scales[0] != 1 or dataset.offsets[0] != 0:
            values = values * dataset.scales[0] + dataset.offsets[0]
        return values, dataset.profile


def write(values: np.ndarray, profile: dict, path: Path) -> None:
    """Write a raster as the usual script does: by the profile of the input, compressed."""
    bands = values if values.ndim == 3 else values[np.newaxis]
    profile.update(dtype="float32", nodata=float("nan"), count=len(bands))
    profile.setdefault("compress", "lzw")
    with rasterio.open(path, "w", **profile) as dataset:
        dataset.write(bands.astype("float32"))


def index(folder: Path) -> None:
    """NDVI."""
    nir, profile = read(folder / "nir.tif")
    red = read(folder / "red.tif")[0]
    write((nir - red) / (nir + red), profile, folder / "plain.tif")


def cover(folder: Path) -> None:
    """Fraction of the ground that plants cover, from NDVI between 0.05 and 0.86."""
    nir, profile = read(folder / "nir.tif")
    red = read(folder / "red.tif")[0]
    ndvi = (nir - red) / (nir + red)
    write(np.clip((ndvi - 0.05) / (0.86 - 0.05), 0, 1), profile, folder / "plain.tif")


def share(folder: Path) -> None:
    """Share above a threshold."""
    values, _ = read(folder / "image.tif")
    100 * (values > 302).sum() / np.isfinite(values).sum()


def image_statistics(folder: Path) -> None:
    """Mean, deviation and extremes of one image."""
    values, _ = read(folder / "image.tif")
    np.nanmean(values), np.nanstd(values), np.nanmin(values), np.nanmax(values)


def cloud_mask(folder: Path) -> None:
    """Landsat cloud mask."""
    values, profile = read(folder / "band.tif")
    with rasterio.open(folder / "qa_pixel.tif") as dataset:
        clear = (dataset.read(1) & 31) == 0
    write(np.where(clear, values, np.nan), profile, folder / "plain.tif")


def gi_star(folder: Path) -> None:
    """Gi* over 3 x 3 neighbours, edges and gaps done properly."""
    from scipy import ndimage

    values, profile = read(folder / "image.tif")
    there, weights = np.isfinite(values), np.ones((3, 3))
    count, mean, spread = there.sum(), values[there].mean(), values[there].std()
    total = ndimage.convolve(np.where(there, values, 0.0), weights, mode="constant")
    weight = ndimage.convolve(there.astype(float), weights, mode="constant")
    squares = ndimage.convolve(there.astype(float), weights**2, mode="constant")
    score = (total - mean * weight) / (spread * np.sqrt((count * squares - weight**2) / (count - 1)))
    write(np.where(there, score, np.nan), profile, folder / "plain.tif")


def scene_means(folder: Path) -> None:
    """Mean of each scene, in a loop."""
    [np.nanmean(read(name)[0]) for name in sorted(folder.glob("scene_*.tif"))]


def pool_scenes(folder: Path) -> dict[str, float]:
    """Mean, deviation and extremes over all pixels of all scenes, in a loop."""
    count, total, squares, low, high = 0, 0.0, 0.0, np.inf, -np.inf
    for name in sorted(folder.glob("scene_*.tif")):
        values, _ = read(name)
        valid = values[~np.isnan(values)]
        count, total, squares = count + valid.size, total + valid.sum(), squares + (valid**2).sum()
        low, high = min(low, valid.min()), max(high, valid.max())
    mean = total / count
    return {"mean": mean, "std": np.sqrt(squares / count - mean**2), "min": low, "max": high}


def trend(folder: Path) -> None:
    """Mann-Kendall and Sen's slope of some pixels."""
    import pymannkendall

    series = np.random.default_rng(2).normal(size=(TREND_PIXELS, TREND_DATES))
    for pixel in series:
        pymannkendall.original_test(pixel)


def single_channel(folder: Path) -> None:
    """Surface temperature of one band, with emissivity from NDVI."""
    temperature, profile = read(folder / "bt10.tif")
    red, nir = read(folder / "red.tif")[0], read(folder / "nir.tif")[0]
    ndvi = (nir - red) / (nir + red)
    proportion = np.clip((ndvi - 0.2) / 0.3, 0, 1) ** 2
    emissivity = np.where(ndvi < 0.2, 0.979 - 0.046 * red, 0.971 + 0.016 * proportion)
    emissivity = np.where(ndvi > 0.5, 0.987, emissivity)
    lst = temperature / (1 + 10.895 / C2 * temperature * np.log(emissivity))
    write(lst, profile, folder / "plain.tif")


def split_window(folder: Path) -> None:
    """Surface temperature of MODIS bands 31 and 32 (Sobrino et al. 2003)."""
    t31, profile = read(folder / "bt31.tif")
    t32 = read(folder / "bt32.tif")[0]
    e31, e32 = read(folder / "emissivity31.tif")[0], read(folder / "emissivity32.tif")[0]
    span, mean, difference, water = t31 - t32, (e31 + e32) / 2, e31 - e32, 2.0
    lst = t31 + 1.02 + 1.79 * span + 1.20 * span**2
    lst = lst + (34.83 - 0.68 * water) * (1 - mean) - (73.27 + 5.19 * water) * difference
    write(lst, profile, folder / "plain.tif")


def separation(folder: Path) -> None:
    """Temperature and emissivity of five ASTER bands (Gillespie et al. 1998), no sky."""
    pairs = [read(folder / f"tir{10 + n}.tif") for n in range(5)]
    profile, wavelengths = pairs[0][1], np.array(ASTER_WAVELENGTHS)[:, None, None]
    radiance = C1 / wavelengths**5 / (np.exp(C2 / wavelengths / np.stack([p[0] for p in pairs])) - 1)
    hottest = (C2 / wavelengths / np.log(1 + C1 / wavelengths**5 / (radiance / 0.99))).max(axis=0)
    emissivity = radiance / (C1 / wavelengths**5 / (np.exp(C2 / wavelengths / hottest) - 1))
    ratio = emissivity / emissivity.mean(axis=0)
    contrast = ratio.max(axis=0) - ratio.min(axis=0)
    final = ratio * (0.994 - 0.687 * contrast**0.737) / ratio.min(axis=0)
    best = np.argmax(final, axis=0)
    at_best = np.take_along_axis(radiance / final, best[None], axis=0)[0]
    wavelength = np.array(ASTER_WAVELENGTHS)[best]
    lst = C2 / wavelength / np.log(1 + C1 / wavelength**5 / at_best)
    write(np.stack([lst, final[3], contrast]), profile, folder / "plain.tif")


def dryness(folder: Path) -> None:
    """TVDI with edges from percentiles of NDVI bins of 0.01."""
    ndvi, profile = read(folder / "ndvi.tif")
    lst = read(folder / "lst.tif")[0]
    centres, dry, wet = [], [], []
    for low in np.arange(0.1, 1.0, 0.01):
        inside = lst[(ndvi >= low) & (ndvi < low + 0.01)]
        inside = inside[np.isfinite(inside)]
        if inside.size >= 5:
            centres.append(low + 0.005)
            dry.append(np.percentile(inside, 98))
            wet.append(np.percentile(inside, 2))
    slope, intercept = np.polyfit(centres, dry, 1)
    level = np.mean(wet)
    tvdi = (lst - level) / (intercept + slope * ndvi - level)
    write(np.where(ndvi >= 0, tvdi, np.nan), profile, folder / "plain.tif")


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
