"""Killed processes lose nothing: events stay, no run is stuck, the answers are the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]


@pytest.mark.soak
def test_five_hundred_kills() -> None:
    command = [sys.executable, "-W", "ignore", "-m", "tests.faults.kills", "7", "500"]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, timeout=3_600, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
