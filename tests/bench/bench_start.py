"""How long a command takes from nothing, as a ratio to importing what every raster tool needs anyway.

Each command runs in a process of its own. Of several runs the quickest counts: what another process
takes of the machine only adds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

RUNS = 7
PLAIN = (sys.executable, "-c", "import numpy, rasterio")
TREELINE = (sys.executable, "-m", "treeline.core.cli")


@dataclass(frozen=True, slots=True)
class Figure:
    """The quickest run of a command, in seconds of the clock and of the processor."""

    wall: float
    processor: float


def figure_of(command: Sequence[str], runs: int = RUNS) -> Figure:
    """Return the figure of a command, which must succeed."""
    found = []
    for _ in range(runs):
        began, before = time.perf_counter(), os.times()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        found.append((time.perf_counter() - began, used))
    return Figure(min(wall for wall, _ in found), min(used for _, used in found))


def main() -> None:
    """Print seconds, and how many times the plain imports that is."""
    plain = figure_of(PLAIN)
    print(f"import numpy, rasterio: {plain.wall:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        call = ("call", "mean", "--arguments", '{"x":[1,2]}', "--data", folder, "--out", folder)
        commands = {
            "--help": (("--help",), 0.2),
            "call mean": (call, 0.5),
            "tools": (("tools", "--json"), 0.8),
            "ask --help": (("ask", "--help"), 0.5),
            "export --help": (("export", "--help"), 0.5),
        }
        for name, (words, aim) in commands.items():
            found = figure_of((*TREELINE, *words))
            print(
                f"treeline {name}: {found.wall:.2f} s (aim {aim}), {found.wall / plain.wall:.2f} x, "
                f"of the processor's time {found.processor / plain.processor:.2f} x"
            )


if __name__ == "__main__":
    main()
