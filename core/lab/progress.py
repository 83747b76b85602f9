"""How far a bench is, printed on standard error."""

from __future__ import annotations

import sys

_WIDTH = 30


def show_progress(done: int, total: int, label: str) -> None:
    """Draw a bar on a terminal; elsewhere tell every tenth part in a line."""
    if sys.stderr.isatty():
        filled = round(_WIDTH * done / max(total, 1))
        bar = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{total} {label:12.12s}"
        print(f"\r{bar}", end="\n" if done == total else "", file=sys.stderr, flush=True)
    elif done == total or done and 10 * done // total > 10 * (done - 1) // total:
        print(f"{done} of {total} done", file=sys.stderr, flush=True)
