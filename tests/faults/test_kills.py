"""Killed processes lose nothing: events stay, no run is stuck, the answers are the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]


# A process that works on runs, and the server of a team with all that it started.
@pytest.mark.soak
@pytest.mark.parametrize("killed", ["kills", "served_kills"])
def test_five_hundred_kills(killed: str) -> None:
    command = [sys.executable, "-W", "ignore", "-m", f"tests.faults.{killed}", "7", "500"]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, timeout=14_400, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
