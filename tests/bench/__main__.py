"""``make bench``: every benchmark, each a ratio measured in one run."""

from __future__ import annotations

import os
import sys

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


def main() -> int:
    """Run the benchmarks that are named, or all."""
    print(f"{os.cpu_count()} cores")
    names = sys.argv[1:] or list(BENCHES)
    sys.argv = sys.argv[:1]
    for name in names:
        print(f"\n== {name}")
        BENCHES[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
