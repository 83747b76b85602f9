"""Many points, many polygons, many rows: seconds and peak memory of whole processes.

``points``: values of a raster of 6144 x 6144 at a million places. ``polygons``: statistics of 1,000
polygons on
each of 68 dates. ``trend``: the trend of each pixel over 40 dates of a strip of 20,000 x 1,000, and of
one of half
as many rows: the memory must not follow the number of rows.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import rasterio
from rasterio.transform import from_origin

from tests.bench.bench_raster import _peak

SIDE, POINTS = 6144, 1_000_000
POLYGONS, DATES = 1_000, 68
TREND_DATES, TREND_ROWS, TREND_COLUMNS = 40, 20_000, 1_000


def write(path: Path, rows: int, columns: int, seed: int, role: str = "ndvi") -> None:
    """Write a raster of noise that compresses as a scene does."""
    rng = np.random.default_rng(seed)
    block = np.round(0.5 + 0.2 * rng.standard_normal((512, columns)), 3).astype("float32")
    layout = {"tiled": True, "blockxsize": 512, "blockysize": 512, "compress": "deflate"}
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        width=columns,
        height=rows,
        count=1,
        dtype="float32",
        crs="EPSG:32633",
        transform=from_origin(5e5, 5.1e6, 10, 10),
        **layout,
    ) as dataset:
        dataset.set_band_description(1, role)
        for row in range(0, rows, 512):
            height = min(512, rows - row)
            dataset.write(block[:height], 1, window=rasterio.windows.Window(0, row, columns, height))


def points(folder: Path) -> None:
    """Values at a million places."""
    from treeline.toolkit.raster import values_at

    rng = np.random.default_rng(1)
    places = np.column_stack([5e5 + 10 * SIDE * rng.random(POINTS), 5.1e6 - 10 * SIDE * rng.random(POINTS)])
    values_at("large.tif", places)  # type: ignore[arg-type]


def polygons(folder: Path) -> None:
    """Statistics of a thousand polygons on all dates."""
    from treeline.toolkit import registry

    for number in range(DATES):
        registry().get("zonal_statistics").call({"input_path": f"d{number}.tif", "zones_path": "z.geojson"})


def trend(folder: Path, rows: int) -> None:
    """Trend of each pixel of a strip."""
    from treeline.toolkit import registry

    files = [f"t{rows}_{number}.tif" for number in range(TREND_DATES)]
    registry().get("calculate_linear_trend_map").call(
        {"file_list": files, "output_path": f"trend{rows}.tif", "dates": list(range(TREND_DATES))}
    )


def build(folder: Path, task: str) -> None:
    """Write what a task reads."""
    if task == "points":
        write(folder / "large.tif", SIDE, SIDE, 1)
    elif task == "polygons":
        for number in range(DATES):
            write(folder / f"d{number}.tif", 512, 512, number)
        rng = np.random.default_rng(2)
        features = []
        for x, y in rng.uniform(100, 4800, (POLYGONS, 2)):
            left, top = 5e5 + x, 5.1e6 - y
            ring = [[left, top], [left + 83, top - 20], [left + 60, top - 97], [left, top]]
            features.append(
                {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
            )
        crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}
        content = {"type": "FeatureCollection", "features": features, "crs": crs}
        (folder / "z.geojson").write_text(json.dumps(content))
    else:
        for rows in (TREND_ROWS // 2, TREND_ROWS):
            for number in range(TREND_DATES):
                write(folder / f"t{rows}_{number}.tif", rows, TREND_COLUMNS, number)


TASKS: dict[str, Callable[[Path], None]] = {
    "points": points,
    "polygons": polygons,
    "trend of half": lambda folder: trend(folder, TREND_ROWS // 2),
    "trend": lambda folder: trend(folder, TREND_ROWS),
}


def run(task: str, folder: Path) -> None:
    """The measured process."""
    from tests.rasters import PlainResolver
    from treeline.toolkit.context import ToolContext, use_context

    started = time.perf_counter()
    with use_context(ToolContext(folder, PlainResolver(folder))):
        TASKS[task](folder)
    print(json.dumps({"seconds": time.perf_counter() - started, "peak": _peak()}))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=["points", "polygons", "trend"], action="append")
    parser.add_argument("--task", choices=TASKS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.task:
        run(given.task, given.folder)
        return
    for wanted in given.only or ("points", "polygons", "trend"):
        with tempfile.TemporaryDirectory() as name:
            build(Path(name), wanted)
            for task in (task for task in TASKS if task.startswith(wanted)):
                command = [sys.executable, "-m", "tests.bench.bench_large", "--task", task, "--folder", name]
                found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
                measured = json.loads(found.stdout.splitlines()[-1])
                print(
                    f"{task:<14} {measured['seconds']:7.1f} s  peak {measured['peak']:5.0f} MiB", flush=True
                )


if __name__ == "__main__":
    main()
