"""Statistics, masks, Gi*, temperatures and trends against the script that one would write by hand.

Each side of each case runs in a process of its own: seconds, processor seconds and peak memory.
The scripts stand in :mod:`tests.bench.plain`. Rasters are described beforehand, as in a workspace.
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

from tests.bench import plain
from tests.rasters import PlainResolver, write_raster
from toolkit.recognition.model import RasterDescription

SCENES = 100
TREND_SIDE = 300
TILES = {"tiled": True, "blockxsize": 512, "blockysize": 512}


def build(folder: Path, size: int, compress: str) -> None:
    """Write the rasters of all cases."""
    random = np.random.default_rng(1)
    layout = {**TILES, **({"compress": compress} if compress != "none" else {})}
    image = random.normal(300, 5, (size, size)).astype("float32")
    write_raster(folder / "image.tif", image, nodata=-9999, **layout)
    write_raster(folder / "band.tif", (image * 100).astype("uint16"), nodata=0, **layout)
    write_raster(folder / "quality.tif", random.integers(0, 64, image.shape).astype("uint16"), **layout)
    build_thermal(folder, size, layout)
    for number in range(SCENES):
        scene = np.cumsum(random.normal(0, 3, (1200, 1200)), axis=1) + 3000
        write_raster(folder / f"scene_{number:03}.tif", scene.astype("float32"), nodata=-9999, **layout)
    for number in range(plain.TREND_DATES):
        date = random.normal(0.05 * number, 1, (TREND_SIDE, TREND_SIDE)).astype("float32")
        write_raster(folder / f"date_{number:02}.tif", date, nodata=-9999)


def build_thermal(folder: Path, size: int, layout: dict) -> None:
    """Write the bands of surface temperature and dryness: a smooth landscape with noise, by roles."""
    random = np.random.default_rng(2)
    ramp = np.sin(np.linspace(0, 9, size, dtype="float32"))
    cover = 0.45 + 0.35 * np.outer(ramp, ramp[::-1])

    def noisy(values: np.ndarray, spread: float) -> np.ndarray:
        return values + random.standard_normal(values.shape, dtype="float32") * np.float32(spread)

    def stored(role: str, values: np.ndarray, kind: str, **scaling: float) -> None:
        array = ((values - scaling.get("offset", 0.0)) / scaling.get("scale", 1.0)).astype(kind)
        write_raster(folder / f"{role}.tif", array, descriptions=[role], nodata=0, **scaling, **layout)

    stored("red", noisy(0.25 - 0.2 * cover, 0.01), "uint16", scale=1e-4)
    stored("nir", noisy(0.25 + 0.2 * cover, 0.01), "uint16", scale=1e-4)
    stored("emissivity31", noisy(0.96 + 0.02 * cover, 0.002), "uint8", scale=0.002, offset=0.49)
    stored("emissivity32", noisy(0.97 + 0.01 * cover, 0.002), "uint8", scale=0.002, offset=0.49)
    surface = noisy(320 - 25 * cover, 2)
    for role, shift in {"bt10": 2.0, "bt31": 2.0, "bt32": 3.0}.items():
        stored(role, noisy(surface - shift, 0.1), "uint16", scale=0.01)
    for number in range(5):
        stored(f"tir{10 + number}", noisy(surface - 0.5 * (4 - number), 0.1), "float32")
    stored("ndvi", noisy(cover, 0.05), "float32")
    stored("lst", surface, "float32")


def scenes(folder: Path) -> list[str]:
    """Return the names of the scenes."""
    return sorted(path.name for path in folder.glob("scene_*.tif"))


class Described(PlainResolver):
    """Knows the files of a folder beforehand, as a workspace's catalogue does."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.known = {path.name: super(Described, self).describe(path.name) for path in folder.glob("*.tif")}

    def describe(self, address: str) -> tuple[RasterDescription, str | None]:
        return self.known[address]


def tool(name: str, **arguments: object) -> Callable[[Path], Callable[[], None]]:
    """Return a case that makes a tool ready to run."""

    def ready(folder: Path) -> Callable[[], None]:
        from tests.workplace import Workplace

        given = {key: value(folder) if callable(value) else value for key, value in arguments.items()}
        place = Workplace(folder, Described(folder))
        return lambda: place.run(name, **given)

    return ready


def script(function: Callable[[Path], None]) -> Callable[[Path], Callable[[], None]]:
    """Return a case that makes a script ready to run."""
    return lambda folder: lambda: function(folder)


def dates(folder: Path) -> list[str]:
    """Return the names of the dates of the trend."""
    return sorted(path.name for path in folder.glob("date_*.tif"))


Side = Callable[[Path], Callable[[], None]]
CASES: dict[str, tuple[Side, Side]] = {
    "share": (script(plain.share), tool("calculate_threshold_ratio", image_paths="image.tif", threshold=302)),
    "statistics": (
        script(plain.image_statistics),
        tool("calc_batch_image_pooled_statistics", file_list=["image.tif"]),
    ),
    "cloud mask": (
        script(plain.cloud_mask),
        tool(
            "apply_cloud_mask", sr_band_path="band.tif", qa_pixel_path="quality.tif", output_path="tool.tif"
        ),
    ),
    "gi star": (
        script(plain.gi_star),
        tool(
            "getis_ord_gi_star", image_path="image.tif", weight_matrix=[[1] * 3] * 3, output_path="tool.tif"
        ),
    ),
    "lst": (
        script(plain.single_channel),
        tool(
            "lst_single_channel",
            bt_path="bt10.tif", red_path="red.tif", nir_path="nir.tif", output_path="tool.tif",
        ),
    ),
    "split window": (
        script(plain.split_window),
        tool(
            "split_window",
            band31_path="bt31.tif", band32_path="bt32.tif", emissivity31_path="emissivity31.tif",
            emissivity32_path="emissivity32.tif", parameter="LST", output_path="tool.tif",
        ),
    ),
    "tes": (
        script(plain.separation),
        tool(
            "temperature_emissivity_separation",
            tir_band_paths=[f"tir{10 + n}.tif" for n in range(5)], representative_band_index=3,
            output_path="tool.tif",
        ),
    ),
    "tvdi": (
        script(plain.dryness),
        tool("compute_tvdi", ndvi_path="ndvi.tif", lst_path="lst.tif", output_path="tool.tif"),
    ),
    f"{SCENES} scenes": (script(plain.scene_means), tool("calc_batch_image_mean", file_list=scenes)),
    "trend": (script(plain.trend), tool("calculate_trend_map", file_list=dates, output_path="tool.tif")),
}  # fmt: skip
# The trend's sides differ in size; both are brought to one pixel.
PIXELS = {"trend": (plain.TREND_PIXELS, TREND_SIDE**2)}


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
    ready = CASES[case][side](folder)
    started, started_cpu = time.perf_counter(), time.process_time()
    ready()
    seconds, cpu = time.perf_counter() - started, time.process_time() - started_cpu
    status = Path("/proc/self/status").read_text()
    peak = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": peak}))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=6144)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--layout", choices=("none", "deflate"), action="append", help="default: deflate")
    parser.add_argument("--only", choices=CASES, action="append", help="default: all cases")
    parser.add_argument("--case", choices=CASES, help=argparse.SUPPRESS)
    parser.add_argument("--side", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        work(given.case, given.side, given.folder)
        return
    for compress in given.layout or ("deflate",):
        with tempfile.TemporaryDirectory() as name:
            build(Path(name), given.size, compress)
            for case in given.only or CASES:
                script_found, ours = (measure(case, side, Path(name), given.runs) for side in (0, 1))
                print(_line(case, compress, script_found, ours), flush=True)


def _line(case: str, compress: str, script_found: dict[str, float], ours: dict[str, float]) -> str:
    faster, cheaper = script_found["seconds"] / ours["seconds"], script_found["cpu"] / ours["cpu"]
    return (
        f"{case:<12} {compress:<8} {os.cpu_count()} cores {faster:7.1f} times faster (cpu {cheaper:6.1f})  "
        f"peak {ours['peak']:5.0f} of {script_found['peak']:5.0f} MiB"
    )


if __name__ == "__main__":
    main()
