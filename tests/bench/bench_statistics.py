"""Statistics, masks, Gi* and trends against the script that one would write by hand.

Each side of each case runs in a process of its own: seconds, processor seconds and peak memory.
The script reads whole arrays into float64 with NaN for nodata, as is usual.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import rasterio

SCENES = 100
DATES = 20
TREND_SIDE = 300
TREND_PIXELS = 200
TILES = {"tiled": True, "blockxsize": 512, "blockysize": 512}


def build(folder: Path, size: int, compress: str) -> None:
    """Write the rasters of all cases."""
    from tests.rasters import write_raster

    random = np.random.default_rng(1)
    layout = {**TILES, **({"compress": compress} if compress != "none" else {})}
    image = random.normal(300, 5, (size, size)).astype("float32")
    write_raster(folder / "image.tif", image, nodata=-9999, **layout)
    write_raster(folder / "band.tif", (image * 100).astype("uint16"), nodata=0, **layout)
    write_raster(folder / "quality.tif", random.integers(0, 64, image.shape).astype("uint16"), **layout)
    for number in range(SCENES):
        scene = np.cumsum(random.normal(0, 3, (1200, 1200)), axis=1) + 3000
        write_raster(folder / f"scene_{number:03}.tif", scene.astype("float32"), nodata=-9999, **layout)
    for number in range(DATES):
        date = random.normal(0.05 * number, 1, (TREND_SIDE, TREND_SIDE)).astype("float32")
        write_raster(folder / f"date_{number:02}.tif", date, nodata=-9999)


def scenes(folder: Path) -> list[str]:
    """Return the names of the scenes."""
    return sorted(path.name for path in folder.glob("scene_*.tif"))


def read(path: Path) -> tuple[np.ndarray, dict]:
    """Read a band as the usual script does."""
    with rasterio.open(path) as dataset:
        values = dataset.read(1).astype("float64")
        if dataset.nodata is not None:
            values[values == dataset.nodata] = np.nan
        return values, dataset.profile


def write(values: np.ndarray, profile: dict, path: Path) -> None:
    """Write a raster as the usual script does, with the engine's compression."""
    profile.update(dtype="float32", nodata=float("nan"), compress="zstd", zstd_level=1, predictor=3)
    with rasterio.open(path, "w", **profile) as dataset:
        dataset.write(values.astype("float32"), 1)


def plain_share(folder: Path) -> None:
    """Share above a threshold."""
    values, _ = read(folder / "image.tif")
    100 * (values > 302).sum() / np.isfinite(values).sum()


def plain_statistics(folder: Path) -> None:
    """Mean, deviation and extremes of one image."""
    values, _ = read(folder / "image.tif")
    np.nanmean(values), np.nanstd(values), np.nanmin(values), np.nanmax(values)


def plain_cloud_mask(folder: Path) -> None:
    """Landsat cloud mask."""
    values, profile = read(folder / "band.tif")
    with rasterio.open(folder / "quality.tif") as dataset:
        clear = (dataset.read(1) & 31) == 0
    write(np.where(clear, values, np.nan), profile, folder / "plain.tif")


def plain_gi_star(folder: Path) -> None:
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


def plain_scenes(folder: Path) -> None:
    """Mean of each scene, in a loop."""
    [np.nanmean(read(folder / name)[0]) for name in scenes(folder)]


def plain_trend(folder: Path) -> None:
    """Mann-Kendall and Sen's slope of some pixels."""
    import pymannkendall

    series = np.random.default_rng(2).normal(size=(TREND_PIXELS, DATES))
    for pixel in series:
        pymannkendall.original_test(pixel)


def tool(name: str, **arguments: object) -> Callable[[Path], None]:
    """Return a case that runs a tool."""

    def run(folder: Path) -> None:
        from tests.workplace import Workplace

        given = {key: value(folder) if callable(value) else value for key, value in arguments.items()}
        Workplace(folder).run(name, **given)

    return run


def dates(folder: Path) -> list[str]:
    """Return the names of the dates of the trend."""
    return sorted(path.name for path in folder.glob("date_*.tif"))


CASES: dict[str, tuple[Callable[[Path], None], Callable[[Path], None]]] = {
    "share": (plain_share, tool("calculate_threshold_ratio", image_paths="image.tif", threshold=302)),
    "statistics": (plain_statistics, tool("calc_batch_image_pooled_statistics", file_list=["image.tif"])),
    "cloud mask": (
        plain_cloud_mask,
        tool(
            "apply_cloud_mask", sr_band_path="band.tif", qa_pixel_path="quality.tif", output_path="tool.tif"
        ),
    ),
    "gi star": (
        plain_gi_star,
        tool(
            "getis_ord_gi_star", image_path="image.tif", weight_matrix=[[1] * 3] * 3, output_path="tool.tif"
        ),
    ),
    f"{SCENES} scenes": (plain_scenes, tool("calc_batch_image_mean", file_list=scenes)),
    "trend": (plain_trend, tool("calculate_trend_map", file_list=dates, output_path="tool.tif")),
}
# The trend's sides differ in size; both are brought to one pixel.
PIXELS = {"trend": (TREND_PIXELS, TREND_SIDE**2)}


def measure(case: str, side: int, folder: Path, runs: int) -> dict[str, float]:
    """Return the fastest of some runs in processes of their own."""
    command = [sys.executable, "-m", "tests.bench.bench_statistics", "--case", case, "--side", str(side)]
    found = [
        json.loads(
            subprocess.run([*command, "--folder", str(folder)], check=True, capture_output=True).stdout
        )
        for _ in range(runs)
    ]
    return {"peak": max(f["peak"] for f in found)} | {
        key: min(f[key] for f in found) / PIXELS.get(case, (1, 1))[side] for key in ("seconds", "cpu")
    }


def work(case: str, side: int, folder: Path) -> None:
    """The measured process; imports and compiled loops are made ready first."""
    from toolkit import registry

    registry()
    started, started_cpu = time.perf_counter(), time.process_time()
    CASES[case][side](folder)
    seconds, cpu = time.perf_counter() - started, time.process_time() - started_cpu
    status = Path("/proc/self/status").read_text()
    peak = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": peak}))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=6144)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--case", choices=CASES, help=argparse.SUPPRESS)
    parser.add_argument("--side", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        work(given.case, given.side, given.folder)
        return
    for compress in ("none", "deflate"):
        with tempfile.TemporaryDirectory() as name:
            build(Path(name), given.size, compress)
            for case in CASES:
                plain, ours = (measure(case, side, Path(name), given.runs) for side in (0, 1))
                print(_line(case, compress, plain, ours), flush=True)


def _line(case: str, compress: str, plain: dict[str, float], ours: dict[str, float]) -> str:
    faster, cheaper = plain["seconds"] / ours["seconds"], plain["cpu"] / ours["cpu"]
    return (
        f"{case:<12} {compress:<8} {os.cpu_count()} cores {faster:7.1f} times faster (cpu {cheaper:6.1f})  "
        f"peak {ours['peak']:5.0f} of {plain['peak']:5.0f} MiB"
    )


if __name__ == "__main__":
    main()
