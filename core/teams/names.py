"""The teams by name."""

from __future__ import annotations

SOLO = "solo"
TEAMS = (SOLO, "evolver", "layered")
# Each is a whole run, with its calls of a model.
MOST_VARIANTS = 8
MOST_EXECUTORS = 8
MOST_MEMBERS = 10_000
SWITCHES = ("contrast", "exploration", "memory")
