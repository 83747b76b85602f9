"""The teams by name."""

from __future__ import annotations

SOLO = "solo"
TEAMS = (SOLO, "evolver", "layered")
MOST_VARIANTS = 8
MOST_EXECUTORS = 8
SWITCHES = ("contrast", "exploration", "memory")
