"""The policies by name."""

from __future__ import annotations

from treeline.core.disclosure.names import LEAST_TOKENS

PLANNER, LANGUAGE, PERSON = "planner", "language", "person"
UNATTENDED = (PLANNER, LANGUAGE)
"""Those that need nobody at the run."""

POLICY_NAMES = (*UNATTENDED, PERSON)
USUAL = "usual"
"""Stands for the strategy of disclosure that a policy works under where none is chosen."""


def usual_disclosure(policy: str) -> str:
    """Return the strategy that a policy works under where none is chosen.

    A language model pays for all that it reads. The planner and a person read for nothing: they open the tree
    kit by kit, as people know it.
    """
    return LEAST_TOKENS if policy == LANGUAGE else "progressive"
