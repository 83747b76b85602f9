"""What a person is asked about before it is done, by name."""

from __future__ import annotations

OFF, PLAN, CALLS, WRITES = "off", "plan", "calls", "writes"
APPROVALS = (OFF, PLAN, CALLS, WRITES)
"""Nothing is asked; the plan before the first call; each call; each call that writes more than a size."""
