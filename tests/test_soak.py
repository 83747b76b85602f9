"""The parts of ``make soak``: each test that ``make test`` leaves out is in one of them."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from tests.mutation import HOUSE
from tests.soak import parts


def test_each_marked_module_is_run_by_one_part():
    marks = [f"pytest.mark.{mark}" for mark in ("soak", "sample")]
    modules = {path: path.read_text("utf-8") for path in (HOUSE / "tests").rglob("test_*.py")}
    marked = [
        path.relative_to(HOUSE).as_posix()
        for path, text in modules.items()
        if any(mark in text for mark in marks)
    ]
    times = Counter(
        argument for arguments in parts().values() if "soak" in arguments for argument in arguments
    )
    assert {path: times[path] for path in marked} == dict.fromkeys(marked, 1)


def test_parts_are_named_and_an_unknown_one_is_refused():
    def soak(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tests.soak", *arguments], cwd=HOUSE, capture_output=True, text=True
        )

    assert soak("--list").stdout.splitlines() == [*parts()]
    refused = soak("trajectries")
    assert refused.returncode == 2 and "there is no part trajectries" in refused.stderr
