"""Yes or no, of questions that ask for that."""

from __future__ import annotations

from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent


def verdict_of(intent: Intent, finding: Finding) -> bool | None:
    """Return whether what a question claims holds; ``None`` where it claims nothing."""
    if "passes" in finding.facts:
        return bool(finding.facts["passes"])
    if not intent.claim or finding.value is None or intent.each:
        return None
    return finding.value * intent.claim > 0
