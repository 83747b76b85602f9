"""Which of the options fits what was found."""

from __future__ import annotations

from collections.abc import Sequence

from treeline.core.policies.planning.answering import Finding


def choose(finding: Finding, choices: Sequence[str]) -> str | None:
    """Return the letter of the option that fits best, ``None`` where none can be told."""
    return None
