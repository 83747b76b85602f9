"""Tests that were written for the former reader of questions and are being judged anew, one by one.

Where a question of theirs is now asked back or declined, the test may fail: each is either right, and
the reader or planner is to be mended, or its question is to be replaced. They run all the same; the
closing lines count them as xfailed or xpassed. The list may only shrink.
"""

from __future__ import annotations

FILES = (
    "tests/browser/",
    "tests/core/commands/",
    "tests/core/lab/",
    "tests/core/memory/",
    "tests/core/policies/planning/",
    "tests/core/runs/",
    "tests/core/teams/",
    "tests/core/test_cli.py",
    "tests/pages/",
)
REASON = "written for the former reader of questions; under review"
