"""The policies by name."""

from __future__ import annotations

PLANNER, LANGUAGE, PERSON = "planner", "language", "person"
UNATTENDED = (PLANNER, LANGUAGE)
"""Those that need nobody at the run."""

POLICY_NAMES = (*UNATTENDED, PERSON)
