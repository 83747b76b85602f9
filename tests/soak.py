"""What takes longer than a test may, in parts that can be run alone.

``python -m tests.soak`` runs one part after the other, also behind one that fails, tells how long each took
and ends with those that failed. ``python -m tests.soak --list`` names the parts, and ``python -m tests.soak
trajectories mutation:knowledge`` runs two of them.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.mutation import HOUSE, SCOPE

_MARK = re.compile(r"pytest\.mark\.(soak|sample)\b")
_DRAWS_EXAMPLES = re.compile(r"^@given\b", re.M)


def parts() -> dict[str, list[str]]:
    """Return the arguments of Python for each part by its name.

    Marked tests, and the cases that a sample leaves out, go by the name of their module, two of one name
    together. ``examples`` are the tests for which Hypothesis draws new examples each time, and
    ``mutation:...`` all changes of the numbers and operators of a package.
    """
    modules = {path: path.read_text("utf-8") for path in sorted((HOUSE / "tests").rglob("test_*.py"))}
    pytest = ["-m", "pytest", "--hypothesis-profile=soak"]
    marked = defaultdict(list)
    for path in _modules_with(_MARK, modules):
        marked[path.stem.removeprefix("test_")].append(_address(path))
    examples = [_address(path) for path in _modules_with(_DRAWS_EXAMPLES, modules)]
    return {
        **{name: [*pytest, "-m", "soak", *addresses] for name, addresses in marked.items()},
        "examples": [*pytest, *examples],
        **{f"mutation:{package}": ["-m", "tests.mutation", "--packages", package] for package in SCOPE},
    }


def _modules_with(pattern: re.Pattern[str], modules: Mapping[Path, str]) -> Iterable[Path]:
    return (path for path, text in modules.items() if pattern.search(text))


def _address(path: Path) -> str:
    return path.relative_to(HOUSE).as_posix()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run parts; return 1 if one failed."""
    known = parts()
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Run long tests part by part.")
    parser.add_argument("parts", nargs="*", metavar="PART", help="all where none is named")
    parser.add_argument("--list", action="store_true", help="name the parts and run nothing")
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.parts) - set(known)):
        parser.error(f"there is no part {', '.join(unknown)}; the parts are {', '.join(known)}")
    if options.list:
        print(*known, sep="\n")
        return 0
    failed = []
    for name in options.parts or known:
        print(f"== {name}", flush=True)
        began = time.monotonic()
        code = subprocess.run([sys.executable, *known[name]], cwd=HOUSE, check=False).returncode
        failed += [name] * (code != 0)
        took = f"{time.monotonic() - began:.0f} s"
        print(f"== {name} {'failed' if code else 'passed'} after {took}", flush=True)
    print(f"Failed: {', '.join(failed)}." if failed else "Every part passed.")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
