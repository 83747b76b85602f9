"""A scalar tool through the environment: validation, repair, call, observation."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from treeline.core.engine.actions import Call
from treeline.core.engine.state import State
from treeline.core.runs.calling import environment_over

CALLS = 500


def main() -> None:
    """Print milliseconds per call, and how many times the bare function that is."""
    with tempfile.TemporaryDirectory() as folder:
        environment = environment_over([], Path(folder) / "out", Path(folder) / "workspace", "science")
        action, state = Call("mean", {"x": [1.0, 2.0, 6.0]}), State("")
        tool = environment.registry.get("mean")
        environment.act(action, state)
        through = _seconds(lambda: environment.act(action, state))
        bare = _seconds(lambda: tool.function(**action.arguments))
    print(
        f"scalar tool: {through * 1000:.3f} ms through the environment (aim 2), "
        f"{through / bare:.1f} x its function"
    )


def _seconds(work: object) -> float:
    assert callable(work)
    began = time.perf_counter()
    for _ in range(CALLS):
        work()
    return (time.perf_counter() - began) / CALLS


if __name__ == "__main__":
    main()
