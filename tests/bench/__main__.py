"""``make bench``: every benchmark, each a ratio measured in one run."""

from __future__ import annotations

import argparse
import compileall
import os
import sys
from pathlib import Path

from tests.bench import (
    bench_clicks,
    bench_environment,
    bench_large,
    bench_pages,
    bench_people,
    bench_processes,
    bench_raster,
    bench_start,
    bench_statistics,
    bench_team,
    bench_teams,
    bench_viewers,
)

BENCHES = {
    "start": bench_start.main,
    "environment": bench_environment.main,
    "raster": bench_raster.main,
    "processes": bench_processes.main,
    "large": bench_large.main,
    "statistics": bench_statistics.main,
    "teams": bench_teams.main,
    "pages": bench_pages.main,
    "clicks": bench_clicks.main,
    "people": bench_people.main,
    "team": bench_team.main,
    "viewers": bench_viewers.main,
}


HOUSE = Path(__file__).resolve().parents[2]


def main() -> int:
    """Run the benchmarks that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHES)}; all where none is named"
    )
    names = parser.parse_args().names or list(BENCHES)
    if unknown := sorted(set(names) - BENCHES.keys()):
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(BENCHES)}")
    # Benchmarks that read arguments of their own are run with their defaults here.
    sys.argv = sys.argv[:1]
    # What was edited since the installation would be compiled at each start where Python may not keep it.
    for part in ("core", "knowledge", "pages", "toolkit"):
        compileall.compile_dir(HOUSE / part, quiet=1)
    print(f"{os.cpu_count()} cores")
    for name in names:
        print(f"\n== {name}")
        BENCHES[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
