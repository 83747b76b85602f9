"""How far the engine is from the floor: a two-band index against copying without arithmetic.

Both run in processes of their own, with the same threads and compression; the copy is written
here by hand and shares no code with the engine. It decodes both bands and encodes the very floats
that the engine encodes, taken ready from a memory map: how well pixels compress decides half of
the time, so a copy of other pixels would be no floor.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import local

import numpy as np
import rasterio
from rasterio.transform import from_origin
from rasterio.windows import Window

WINDOW = 1024
LARGEST_WITH_OVERVIEWS = 12_000
LAYOUTS = {
    "uncompressed tiles": {"tiled": True, "blockxsize": 512, "blockysize": 512},
    "deflate tiles": {
        "tiled": True,
        "blockxsize": 512,
        "blockysize": 512,
        "compress": "deflate",
        "zlevel": 6,
    },
    "uncompressed strips": {},
}


def build(path: Path, size: int, seed: int, layout: dict) -> None:
    """Write a band of uint16 reflectances x 10000: a smooth landscape with noise."""
    rng = np.random.default_rng(seed)
    ramp = np.sin(np.linspace(0, 9 + seed, WINDOW))
    block = (2500 + 1500 * np.outer(ramp, ramp[::-1]) + rng.normal(0, 120, (WINDOW, WINDOW))).astype("uint16")
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        width=size,
        height=size,
        count=1,
        dtype="uint16",
        crs="EPSG:32633",
        transform=from_origin(5e5, 5e6, 10, 10),
        bigtiff="if_safer",
        num_threads="all_cpus",
        **layout,
    ) as dataset:
        dataset.set_band_description(1, "red" if seed == 1 else "nir")
        for window in _windows(size, whole_rows=not layout):
            shift = int(window.row_off + window.col_off) // WINDOW * 37
            rows = np.tile(block, (1, -(-int(window.width) // WINDOW)))
            dataset.write(rows[: window.height, : window.width] + np.uint16(shift), 1, window=window)


def keep_ready(folder: Path, size: int) -> None:
    """Keep what the engine writes as an uncompressed memory map."""
    engine(folder / "red.tif", folder / "nir.tif", folder / "engine.tif", False)
    ready = np.lib.format.open_memmap(folder / "ready.npy", "w+", "float32", (size, size))
    with rasterio.open(folder / "engine.tif") as dataset:
        for window in _windows(size, whole_rows=False):
            ready[window.toslices()] = dataset.read(1, window=window)
    ready.flush()


def engine(red: Path, nir: Path, output: Path, overviews: bool) -> None:
    """The index through the engine, as a tool writes it."""
    from tests.rasters import PlainResolver
    from treeline.toolkit.context import ToolContext, use_context
    from treeline.toolkit.raster import map_pixels

    with use_context(ToolContext(output_folder=output.parent, resolver=PlainResolver(red.parent))):
        map_pixels(
            lambda red, nir: (nir - red) / (nir + red),
            {"red": red.name, "nir": nir.name},
            output.name,
            role="ndvi",
            overviews=overviews,
        )


def copy(red: Path, nir: Path, output: Path, overviews: bool) -> None:
    """Decode both bands, encode ready floats; nothing else."""
    os.environ["GDAL_CACHEMAX"] = "64"
    threads = os.cpu_count() or 1
    opened = local()
    ready = np.load(red.parent / "ready.npy", mmap_mode="r")

    def read(window: Window) -> np.ndarray:
        if not hasattr(opened, "pair"):
            opened.pair = [rasterio.open(path, sharing=False) for path in (red, nir)]
        for dataset in opened.pair:
            dataset.read(1, window=window)
        return ready[window.toslices()]

    with rasterio.open(red) as dataset:
        profile = dataset.profile
        striped = dataset.block_shapes[0][1] == dataset.width
    for key in ("blockxsize", "blockysize", "zlevel"):
        profile.pop(key, None)
    profile.update(
        dtype="float32",
        compress="zstd",
        zstd_level=1,
        predictor=3,
        tiled=True,
        blockxsize=512,
        blockysize=512,
        num_threads=str(threads),
        bigtiff="if_safer",
    )
    waiting: deque = deque()
    with rasterio.open(output, "w", **profile) as target, ThreadPoolExecutor(threads) as pool:
        for window in _windows(profile["width"], whole_rows=striped):
            waiting.append((window, pool.submit(read, window)))
            if len(waiting) >= 2 * threads:
                done, future = waiting.popleft()
                target.write(future.result(), 1, window=done)
        for done, future in waiting:
            target.write(future.result(), 1, window=done)
    if overviews:
        with rasterio.Env(GDAL_NUM_THREADS=str(threads)), rasterio.open(output, "r+") as target:
            target.build_overviews([2, 4, 8, 16, 32], rasterio.enums.Resampling.average)


def measure(task: str, folder: Path, overviews: bool) -> dict:
    """Run one task in a process of its own; return seconds and peak memory in MiB."""
    command = [sys.executable, "-m", "tests.bench.bench_raster", "--task", task, "--folder", str(folder)]
    found = subprocess.run(
        command + ["--overviews"] * overviews, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(found.stdout.splitlines()[-1])


def compare(folder: Path, overviews: bool, runs: int) -> tuple[dict, dict]:
    """Copy and engine in turn, so that both meet the same machine: fastest times, highest peaks."""
    found: dict[str, list[dict]] = {"copy": [], "engine": []}
    for task in ("copy", "engine") * runs:
        found[task].append(measure(task, folder, overviews))
    floor, ours = (
        {
            "seconds": min(f["seconds"] for f in several),
            "cpu": min(f["cpu"] for f in several),
            "peak": max(f["peak"] for f in several),
        }
        for several in found.values()
    )
    return floor, ours


def run(task: str, folder: Path, overviews: bool) -> None:
    """The measured process."""
    import tests.rasters  # noqa: F401  (importing is not what is measured)

    work = {"engine": engine, "copy": copy}[task]
    output = folder / f"{task}.tif"
    output.unlink(missing_ok=True)
    started, started_cpu = time.perf_counter(), time.process_time()
    work(folder / "red.tif", folder / "nir.tif", output, overviews)
    seconds, cpu = time.perf_counter() - started, time.process_time() - started_cpu
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": _peak()}))


def report(size: int, layout: str, runs: int) -> None:
    """Measure one size and layout and print lines of a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed, band in ((1, "red.tif"), (2, "nir.tif")):
            build(folder / band, size, seed, LAYOUTS[layout])
        keep_ready(folder, size)
        for overviews in (False, True)[: 1 + (size <= LARGEST_WITH_OVERVIEWS)]:
            floor, ours = compare(folder, overviews, runs)
            print(
                f"{size:>6} {layout:<20} {os.cpu_count()} cores  "
                f"{'with' if overviews else 'no':>4} overviews  "
                f"engine {ours['seconds']:6.2f} s  copy {floor['seconds']:6.2f} s  "
                f"ratio {ours['seconds'] / floor['seconds']:5.2f} (aim 1.25; "
                f"processor {ours['cpu'] / floor['cpu']:5.2f})  peak {ours['peak']:4.0f} MiB (aim 500)",
                flush=True,
            )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, action="append", help="pixels a side")
    parser.add_argument("--layout", choices=LAYOUTS, action="append", help="how the bands are stored")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--task", choices=["engine", "copy"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--overviews", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.task:
        run(given.task, given.folder, given.overviews)
        return
    pairs = [(10980, "uncompressed tiles"), (10980, "deflate tiles"), (20000, "uncompressed tiles")]
    if given.size or given.layout:
        layouts = given.layout or ("uncompressed tiles", "deflate tiles")
        pairs = [(size, layout) for size in given.size or (10980, 20000) for layout in layouts]
    for size, layout in pairs:
        report(size, layout, given.runs)


def _peak() -> float:
    # Unlike ru_maxrss, this does not count what the parent held when it forked.
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def _windows(size: int, *, whole_rows: bool) -> list[Window]:
    width = size if whole_rows else WINDOW
    height = WINDOW // 2 if whole_rows else WINDOW
    return [
        Window(column, row, min(width, size - column), min(height, size - row))
        for row in range(0, size, height)
        for column in range(0, size, width)
    ]


if __name__ == "__main__":
    main()
