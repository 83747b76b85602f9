"""Files with altered bytes: no traceback, no hang, no workspace lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]


def assert_harmless(seed: int, count: int, seconds: float) -> None:
    """Use mutants in a process of its own, which a fault of a library may end."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.security.mutants", str(seed), str(count)]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, timeout=seconds, check=False)
    faults = [line for line in done.stdout.splitlines() if line.startswith("fault")]
    last = (done.stdout.splitlines() or ["nothing"])[-1]
    assert (done.returncode, faults) == (0, []), f"{last}\n{done.stdout[-4000:]}\n{done.stderr[-2000:]}"


def test_a_sample_of_mutants() -> None:
    assert_harmless(20_261, 100, 1_200)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_many_mutants(seed: int) -> None:
    assert_harmless(seed, 1_000, 3_600)
