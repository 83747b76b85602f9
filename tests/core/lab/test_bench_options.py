"""What the options of a bench may be."""

from __future__ import annotations

import pytest

from treeline.core.lab.bench_options import MOST_REPEATS, MOST_WORKERS, BenchOptions
from treeline.toolkit.errors import InputError


@pytest.mark.parametrize(("option", "most"), [("repeats", MOST_REPEATS), ("workers", MOST_WORKERS)])
def test_repeats_and_workers_go_from_one_to_the_most(option: str, most: int) -> None:
    for number in (1, most):
        BenchOptions(**{option: number}).check()
    for number in (0, most + 1):
        with pytest.raises(InputError, match=rf"1 to {most} .*not {number}\."):
            BenchOptions(**{option: number}).check()
