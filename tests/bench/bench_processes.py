"""Ten tools against the script that one would write by hand, both as whole processes from nothing.

The tool runs as ``treeline call``, with its start, its recognition of the files and what it records; the
script with its imports. Seconds of the clock and of the processor and peak memory, the best of some runs:
where others use the machine, the processor's tell more than the clock's. Beside them the codec floor, which
decodes the same inputs on all cores and does nothing else. The aim is a third of the script's time as the
geometric mean, at most 0.8 for each tool, and at most a fifth of its memory.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench import plain
from tests.bench.bench_statistics import CASES, Case, build, decode

BANDS = {"input_nir_paths": ["nir.tif"], "input_red_paths": ["red.tif"], "output_paths": ["tool.tif"]}
TEN = {
    "ndvi": Case(plain.index, "calculate_batch_ndvi", BANDS),
    "cover": Case(plain.cover, "calculate_batch_fvc", BANDS),
} | {
    name: case
    for name, case in CASES.items()
    if name != "trend" and "scene" not in name and "means" not in name
}
SIDES = ("script", "tool", "floor")
MEAN_AIM, EACH_AIM, MEMORY_AIM = 1 / 3, 0.8, 0.2


@dataclass(frozen=True, slots=True)
class ProcessTimes:
    """What a process took."""

    seconds: float
    processor: float
    peak: float


def take(command: Sequence[str], folder: Path) -> ProcessTimes:
    """Run a process to its end.

    Raises
    ------
    RuntimeError
        It failed.
    """
    began = time.perf_counter()
    with (folder / "said.txt").open("wb") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env=_surroundings(folder))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError((folder / "said.txt").read_text()[-2000:])
    return ProcessTimes(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def _surroundings(folder: Path) -> dict[str, str]:
    return {**os.environ, "TREELINE_HOME": str(folder / "home")}


def command_of(name: str, side: str, folder: Path) -> list[str]:
    """Return what a side of a case runs."""
    case = TEN[name]
    if side == "script":
        return [sys.executable, "-m", "tests.bench.plain", case.script.__name__, str(folder)]
    if side == "floor":
        module = ["-m", "tests.bench.bench_processes", "--case", name, "--side", side]
        return [sys.executable, *module, "--folder", str(folder)]
    given = json.dumps(case.arguments_in(folder))
    command = [sys.executable, "-m", "treeline.core.cli", "call", case.tool, "--arguments", given]
    return [*command, "--data", str(_own(name, folder)), "--out", str(folder / "out")]


def _own(name: str, folder: Path) -> Path:
    """Return a folder that holds the rasters of a case alone."""
    place = folder / "own" / name.replace(" ", "-")
    if not place.is_dir():
        place.mkdir(parents=True)
        for path in TEN[name].inputs(folder):
            os.link(path, place / path.name)
    return place


def report(name: str, folder: Path, runs: int) -> tuple[float, float, float]:
    """Measure the sides in turn, print a line; return the tool's part of time, processor and memory."""
    found: dict[str, list[ProcessTimes]] = {side: [] for side in SIDES}
    for _ in range(runs):
        for side in SIDES:
            found[side].append(take(command_of(name, side, folder), folder))
    script, tool, floor = (
        ProcessTimes(
            min(t.seconds for t in found[side]),
            min(t.processor for t in found[side]),
            max(t.peak for t in found[side]),
        )
        for side in SIDES
    )
    print(
        f"{name:<14} tool {tool.seconds:6.2f} s  script {script.seconds:6.2f} s  "
        f"{tool.seconds / script.seconds:5.2f} (aim {EACH_AIM})  floor {floor.seconds:5.2f} s  "
        f"processor {tool.processor:5.2f} of {script.processor:5.2f} s "
        f"{tool.processor / script.processor:5.2f}  "
        f"peak {tool.peak:5.0f} of {script.peak:5.0f} MiB {tool.peak / script.peak:4.0%}",
        flush=True,
    )
    return tool.seconds / script.seconds, tool.processor / script.processor, tool.peak / script.peak


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=6144)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--only", choices=TEN, action="append", help="default: all cases")
    parser.add_argument("--build", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--case", choices=TEN, help=argparse.SUPPRESS)
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        decode(TEN[given.case].inputs(given.folder))
        return
    if given.build:
        build(given.folder, given.size, "deflate")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # In a process of its own: what this one holds would count for those that it starts.
        command = [
            "-m",
            "tests.bench.bench_processes",
            "--build",
            "--folder",
            name,
            "--size",
            str(given.size),
        ]
        subprocess.run([sys.executable, *command], check=True)
        os.sync()
        found = [report(case, folder, given.runs) for case in given.only or TEN]
    clock, processor, memory = zip(*found, strict=True)
    print(
        f"geometric mean of the time {_mean(clock):.2f} (aim {MEAN_AIM:.2f}), of the processor's "
        f"{_mean(processor):.2f}; highest {max(clock):.2f} (aim {EACH_AIM}), of the processor's "
        f"{max(processor):.2f}; most memory {max(memory):.0%} (aim {MEMORY_AIM:.0%})"
    )


def _mean(ratios: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


if __name__ == "__main__":
    main()
