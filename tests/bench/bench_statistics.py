"""Statistics, masks, Gi*, temperatures and trends against the script that one would write by hand.

Each side of each case runs in a process of its own, once on small rasters, so that imports and compiled
loops are ready, and then on large ones: seconds, processor seconds and peak memory. Quick cases run several
times and give their median: whole arrays are at times granted at once and at times page by page. The scripts
stand in :mod:`tests.bench.plain`. Rasters are described beforehand, as in a workspace.

``reading alone`` is the bound: how many times faster than the script the inputs can be decoded on all
cores, with nothing computed and nothing written.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import rasterio
from rasterio.windows import Window

from tests.bench import plain
from tests.bench.landscape import TREND_SIDE, Landscape
from tests.rasters import PlainResolver
from treeline.toolkit.recognition.model import RasterDescription

SCENES = 100
SMALL = "small"
QUICK_SECONDS, QUICK_RUNS = 6.0, 5
SMALL_SIDE, SMALL_SCENES = 96, 2
WINDOW = 1024
LAYOUTS = ("none", "deflate", "zstd")
SIDES = ("script", "tool", "reading")


@dataclass(frozen=True)
class Case:
    """One tool and the script of the same formula.

    Attributes
    ----------
    script : callable
        Takes the folder.
    tool : str
        Its name.
    arguments : mapping
        Of the tool; a pattern such as ``scene_*.tif`` becomes the list of the files.
    faster : float
        How many times faster the tool is to be.
    memory : float, optional
        Which part of the script's memory it may take.
    pixels : tuple of int
        What each side works on, where that is not the same.
    """

    script: Callable[[Path], None]
    tool: str
    arguments: Mapping[str, object]
    faster: float = 4.0
    memory: float | None = 0.25
    pixels: tuple[int, int] = (1, 1)

    def arguments_in(self, folder: Path) -> dict[str, object]:
        """Return the tool's arguments, lists of files for patterns."""
        return {
            name: sorted(path.name for path in folder.glob(value)) if "*" in str(value) else value
            for name, value in self.arguments.items()
        }

    def inputs(self, folder: Path) -> list[Path]:
        """Return the rasters that the tool reads."""
        names: list[str] = []
        for name, value in self.arguments_in(folder).items():
            if not name.startswith("output_path"):
                names += value if isinstance(value, list) else [value]
        return [folder / name for name in names if str(name).endswith(".tif")]


OUTPUT = {"output_path": "tool.tif"}
CASES: Mapping[str, Case] = {
    "share": Case(plain.share, "calculate_threshold_ratio", {"image_paths": "image.tif", "threshold": 302}),
    "statistics": Case(
        plain.image_statistics, "calc_batch_image_pooled_statistics", {"file_list": ["image.tif"]}
    ),
    "cloud mask": Case(
        plain.cloud_mask,
        "apply_cloud_mask",
        {"sr_band_path": "band.tif", "qa_pixel_path": "qa_pixel.tif", **OUTPUT},
    ),
    "gi star": Case(
        plain.gi_star,
        "getis_ord_gi_star",
        {"image_path": "image.tif", "weight_matrix": [[1] * 3] * 3, **OUTPUT},
    ),
    "lst": Case(
        plain.single_channel,
        "lst_single_channel",
        {"bt_path": "bt10.tif", "red_path": "red.tif", "nir_path": "nir.tif", **OUTPUT},
    ),
    "split window": Case(
        plain.split_window,
        "split_window",
        {
            "band31_path": "bt31.tif",
            "band32_path": "bt32.tif",
            "emissivity31_path": "emissivity31.tif",
            "emissivity32_path": "emissivity32.tif",
            "parameter": "LST",
            **OUTPUT,
        },
    ),
    "tes": Case(
        plain.separation,
        "temperature_emissivity_separation",
        {"tir_band_paths": "tir*.tif", "representative_band_index": 3, **OUTPUT},
    ),
    "tvdi": Case(plain.dryness, "compute_tvdi", {"ndvi_path": "ndvi.tif", "lst_path": "lst.tif", **OUTPUT}),
    f"{SCENES} scenes": Case(
        plain.pool_scenes, "calc_batch_image_pooled_statistics", {"file_list": "scene_*.tif"}, 3.0, None
    ),
    f"{SCENES} means": Case(
        plain.scene_means, "calc_batch_image_mean", {"file_list": "scene_*.tif"}, 3.0, None
    ),
    "trend": Case(
        plain.trend,
        "calculate_trend_map",
        {"file_list": "date_*.tif", **OUTPUT},
        100.0,
        None,
        (plain.TREND_PIXELS, TREND_SIDE**2),
    ),
}


class KnownFiles(PlainResolver):
    """Knows the files of a folder beforehand, as a workspace's catalogue does."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.known = {path.name: super(KnownFiles, self).describe(path.name) for path in folder.glob("*.tif")}

    def describe(self, address: str) -> tuple[RasterDescription, str | None]:
        return self.known[address]


def build(folder: Path, side: int, compress: str) -> None:
    """Write the rasters of all cases, and small ones of each."""
    for place, pixels, scenes in ((folder, side, SCENES), (folder / SMALL, SMALL_SIDE, SMALL_SCENES)):
        landscape = Landscape(place, pixels, compress)
        landscape.write(scenes)
        landscape.write_dates(plain.TREND_DATES)


def ready(case: Case, side: str, folder: Path) -> Callable[[], object]:
    """Return what one side of a case does in a folder."""
    if side == "script":
        return lambda: case.script(folder)
    if side == "reading":
        paths = case.inputs(folder)
        return lambda: decode(paths)
    from tests.workplace import Workplace

    place = Workplace(folder, KnownFiles(folder))
    return lambda: place.run(case.tool, **case.arguments_in(folder))


def decode(paths: list[Path]) -> None:
    """Decode rasters on all cores: a large one by its windows, many by files."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: _decode_part(*job), [(p, n) for p in paths for n in range(_parts(paths))]))


def _parts(paths: list[Path]) -> int:
    return 1 if len(paths) >= SCENES else os.cpu_count() or 1


def _decode_part(path: Path, number: int) -> None:
    parts = os.cpu_count() or 1
    with rasterio.open(path, sharing=False) as dataset:
        if max(dataset.shape) <= 2 * WINDOW:
            dataset.read(1)
            return
        rows = range(0, dataset.height, WINDOW)
        for row in rows[number::parts]:
            for column in range(0, dataset.width, WINDOW):
                dataset.read(1, window=Window(column, row, WINDOW, WINDOW))


def measure(name: str, side: str, folder: Path) -> dict[str, float]:
    """Run one side of a case in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.bench_statistics", "--case", name, "--side", side]
    found = subprocess.run([*command, "--folder", str(folder)], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(found)


def work(name: str, side: str, folder: Path) -> None:
    """The measured process."""
    from treeline.toolkit import registry

    registry()
    ready(CASES[name], side, folder / SMALL)()
    run = ready(CASES[name], side, folder)
    started, started_cpu = time.perf_counter(), time.process_time()
    run()
    seconds, cpu = time.perf_counter() - started, time.process_time() - started_cpu
    status = Path("/proc/self/status").read_text()
    peak = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": peak}))


def report(name: str, compress: str, folder: Path, runs: int) -> None:
    """Measure the sides of a case in turn, quick ones several times, and print a line."""
    case = CASES[name]
    sides = SIDES if case.faster < 100 else SIDES[:2]
    found: dict[str, list[dict[str, float]]] = {side: [] for side in sides}
    spent = 0.0
    while len(found["tool"]) < runs or (spent < QUICK_SECONDS and len(found["tool"]) < QUICK_RUNS):
        for side in sides:
            found[side].append(measure(name, side, folder))
            spent += found[side][-1]["seconds"]
    usual = {
        side: {key: (max if key == "peak" else median)(f[key] for f in several) for key in several[0]}
        for side, several in found.items()
    }
    script, tool = usual["script"], usual["tool"]
    unequal = case.pixels[1] / case.pixels[0]
    faster, cheaper = (unequal * script[key] / tool[key] for key in ("seconds", "cpu"))
    line = (
        f"{name:<12} {compress:<8} {os.cpu_count()} cores {faster:6.1f} times faster "
        f"(aim {case.faster:g}; processor {cheaper:.1f}"
    )
    if "reading" in usual:
        line += f"; reading alone {script['seconds'] / usual['reading']['seconds']:.1f}"
    line += f")  peak {tool['peak']:.0f} of {script['peak']:.0f} MiB"
    if case.memory:
        line += f", {tool['peak'] / script['peak']:.0%} (aim {case.memory:.0%})"
    print(line, flush=True)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=6144)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--layout", choices=LAYOUTS, action="append", help="default: none and deflate")
    parser.add_argument("--only", choices=CASES, action="append", help="default: all cases")
    parser.add_argument("--case", choices=CASES, help=argparse.SUPPRESS)
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        work(given.case, given.side, given.folder)
        return
    for compress in given.layout or LAYOUTS[:2]:
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder), given.size, compress)
            os.sync()  # what is still being written to the disk would slow down the first case
            for name in given.only or CASES:
                report(name, compress, Path(folder), given.runs)


if __name__ == "__main__":
    main()
