"""Names that commands and pages offer, apart from what they name: that takes long to import."""

from __future__ import annotations

OFF, PLAN, CALLS, WRITES = "off", "plan", "calls", "writes"
APPROVALS = (OFF, PLAN, CALLS, WRITES)
"""Nothing is asked; the plan before the first call; each call; each call that writes more than a size."""

COMMAND_LINE = "command-line"
"""The workspace of what is asked and corrected on the command line."""

_TEXTS = ("html", "json", "markdown", "trajectory", "script", "plain", "notebook", "inspect")
EXPORTS = (*_TEXTS, "bundle", "lesson")
"""The kinds of file as which a run can be taken away."""
