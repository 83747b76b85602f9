"""Change one number or operator of the code at a time, and report which changes no test notices.

``python -m tests.mutation --packages core/engine core/memory --sample 40`` changes forty places of a copy
of the code, chosen by ``--seed``; without ``--sample`` every place. A change that the nearest tests let
pass is a survivor: its line and what was put there are printed, and the share of survivors is the last
line. With more survivors than ``--most`` allows, the exit code is 1.

A constant n becomes n + 1, x becomes 1.1 x (0.0 becomes 0.1), ``+`` and ``-``, ``*`` and ``/`` change
places, and a comparison loses or gains its equality.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.syntax_trees import tree_of
from tests.trials import Calls, Trials, changed_functions

HOUSE = Path(__file__).resolve().parents[1]
SCOPE = (
    "core/engine",
    "core/memory",
    "core/lab",
    "core/disclosure",
    "core/context",
    "core/teams",
    "knowledge",
    "toolkit/variables.py",
    "toolkit/units.py",
    "toolkit/thresholding.py",
    "toolkit/plausible.py",
)

# What may change without a test: a pattern of the file, one of the line, one of what is changed, and why.
EXCEPTIONS = (
    (r"", r"\b_(LONGEST|MOST|PAIRS|FEWEST)\w* = |\bDetail\(", r"\d", "how much of a text or a list is shown"),
    (r"", r"if len\([^)]*\) <= (_LONGEST|_MOST|longest)\w* else", r"^<=$", "how much of a text is shown"),
    (r"", r"", r"^1e-(6|9|12)$", "keeps a division or a comparison of floats sound"),
    (r"", r"(POLL_SECONDS|_INTERVAL) = ", r"\d", "how often something is looked at"),
    (r"", r"nearest_names\(|get_close_matches\(|_NEAR = ", r"\d", "how many names a hint offers"),
    (r"core/lab/(curves|report|progress)\.py", r"", r"", "places on a chart"),
    (r"", r"default_rng\(0\)|random_state=0|threadpool_limits\(", r"\d", "any start will do"),
    (r"core/lab/symbolic\.py", r"", r"", "made-up values of tools that are not run"),
    (r"core/lab/dry_run\.py", r"lambda value: ", r"", "of made-up values only the order counts"),
    (r"core/lab/distractors\.py", r"", r"", "made-up tools"),
    (r"core/lab/worth/questions\.py", r"", r"^[<>]=?$", "no pixel of the demo lies just on a limit"),
    (r"core/lab/geoplan/tournament\.py", r"check_read\(", r"^1$", "of each pair a judge is asked twice"),
    (r"", r"\* \(?(direction|signs|said)\b", r"^\*$", "by 1 or -1 is the same as times it"),
    (r"", r"\* [\w.]+ < 0\b", r"^\*$", "a quotient has the sign of the product"),
    (r"", r"monotonic\(\)", r"^[<>]=?$", "no moment is just the last one"),
    (
        r"core/engine/",
        r"\babs\(.* <=? _[A-Z]+ \* ",
        r"^<=?$",
        "no difference is a part of a number to its last bit",
    ),
    (r"core/lab/comparing\.py", r"sign = -1 if", r"^1$", "of it only the sign counts"),
    (r"core/engine/", r"if (direction|sign|most) [<>] 0 else", r"^[<>]$", "it is 1 or -1, and never 0"),
    (r"core/engine/", r"\.half\b", r"^[<>]=?$", "no number lies at half a digit to its last bit"),
    (
        r"core/engine/verification/rates\.py",
        r"mean / _EVEN < length",
        r"^<$",
        "no mean of gaps is just 1.15 units",
    ),
    (
        r"core/engine/verification/shares\.py",
        r"_ABOVE|_MAJORITY",
        r"^100\.0$",
        "no share is above 100 per cent",
    ),
)
# The same for arguments, by function or by name: lengths of texts and lines, sizes of caches, digits.
_FREE_CALLS = {"round", "lru_cache"}
_FREE_KEYWORDS = {"min_length", "max_length", "maxsize", "width"}
# They try a checkout and not the code that is imported.
_OF_A_CHECKOUT = {"test_contributing.py", "test_wheel.py", "test_guarded.py"}
# They work on many questions, and would take most of the time of a trial; they count for what they name.
_LONG = {"test_trajectories.py", "test_reproduce.py", "test_plans.py", "test_earth_bench.py"}

# Where more test modules name a module, those of other packages are left out: they are not about it.
_MANY = 4

_ARITHMETIC = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
_COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
_SECONDS = 600
# A change may make the tests that meet it this much slower; one that makes a loop endless is noticed.
_TIMES_SLOWER = 5
_LEAST_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file: the text from ``start`` to ``end``, in bytes, becomes ``after``."""

    file: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before} -> {self.after}"

    def apply_to(self, source: bytes) -> bytes:
        """Return the file's text with the change."""
        return source[: self.start] + self.after.encode() + source[self.end :]


class _Places:
    """Finds what can be changed in one module."""

    def __init__(self, file: str, source: str) -> None:
        self._file = file
        self._lines = source.splitlines()
        self._bytes = source.encode()
        self._starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def mutants(self) -> Iterator[Mutant]:
        yield from self._below(tree_of(self._bytes))

    def _below(self, node: ast.AST) -> Iterator[Mutant]:
        # Positions inside an f-string are wrong before Python 3.12, a slice is how much is shown, and
        # annotations are not carried out.
        if isinstance(node, ast.JoinedStr | ast.Slice) or _is_free(node):
            return
        yield from self._of(node)
        for name, child in ast.iter_fields(node):
            if name not in ("annotation", "returns"):
                for each in child if isinstance(child, list) else [child]:
                    if isinstance(each, ast.AST):
                        yield from self._below(each)

    def _of(self, node: ast.AST) -> Iterator[Mutant]:
        match node:
            case ast.Constant(value=bool()):
                return
            case ast.Constant(value=int(value)):
                yield self._change(node, self._at(node), str(value + 1))
            case ast.Constant(value=float(value)):
                yield self._change(node, self._at(node), f"{value * 1.1 if value else 0.1:.10g}")
            case ast.BinOp(op=op) if type(op) in _ARITHMETIC and not _joins_text(node):
                yield from self._operator(node.left, node.right, *_ARITHMETIC[type(op)])
            case ast.Compare():
                left = node.left
                for comparison, right in zip(node.ops, node.comparators, strict=True):
                    if type(comparison) in _COMPARISONS:
                        yield from self._operator(left, right, *_COMPARISONS[type(comparison)])
                    left = right

    def _operator(self, left: ast.expr, right: ast.expr, before: str, after: str) -> Iterator[Mutant]:
        start, end = self._at(left)[1], self._at(right)[0]
        place = self._bytes.find(before.encode(), start, end)
        if place >= 0:
            yield self._change(left, (place, place + len(before)), after)

    def _at(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _change(self, node: ast.expr, place: tuple[int, int], after: str) -> Mutant:
        line = self._bytes[: place[0]].count(b"\n") + 1
        return Mutant(self._file, line, *place, self._bytes[slice(*place)].decode(), after)


def _is_free(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg in _FREE_KEYWORDS
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FREE_CALLS


def _joins_text(node: ast.BinOp) -> bool:
    """Return whether an operand is written as a text or a list: ``-`` would be an error of types."""
    return any(
        isinstance(side, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def mutants_of(file: str) -> list[Mutant]:
    """Return every change of a file, those that are excepted left out.

    Parameters
    ----------
    file : str
        Below the project, such as ``core/engine/checks.py``.
    """
    source = (HOUSE / file).read_text("utf-8")
    lines = source.splitlines()
    return [
        each for each in _Places(file, source).mutants() if not exception_reason(each, lines[each.line - 1])
    ]


def exception_reason(mutant: Mutant, line: str) -> str:
    """Return why a change of a line needs no test; empty where it does."""
    for file, lines, before, why in EXCEPTIONS:
        if re.search(file, mutant.file) and re.search(lines, line) and re.search(before, mutant.before):
            return why
    return ""


def modules_of(packages: Iterable[str]) -> list[str]:
    """Return the modules of packages, and those that are named themselves, below the project."""
    found: list[str] = []
    for package in packages:
        path = HOUSE / package
        files = [path] if path.suffix == ".py" else sorted(path.rglob("*.py"))
        if not path.exists() or not files:
            raise SystemExit(f"There is no module or package {package!r} in {HOUSE}.")
        found += [file.relative_to(HOUSE).as_posix() for file in files]
    return found


def _import_pattern(file: str) -> re.Pattern[str]:
    """Return a pattern of the ways in which a module is imported."""
    module = "treeline." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    package, _, name = module.rpartition(".")
    return re.compile(rf"\b{re.escape(module)}\b|from {re.escape(package)} import .*\b{name}\b")


def modules_with(file: str) -> list[str]:
    """Return the modules below the project that import one, without their tests."""
    pattern = _import_pattern(file)
    return [
        other
        for other in modules_of(("core", "knowledge", "toolkit"))
        if other != file and pattern.search((HOUSE / other).read_text("utf-8"))
    ]


def nearest_tests(file: str) -> list[str]:
    """Return the test modules beside a module's own, and those of its package that name it.

    Those of other packages that name it are among them where these are few.
    """
    name, pattern = Path(file).stem, _import_pattern(file)
    beside = HOUSE / "tests" / Path(file).parent
    house = HOUSE.joinpath("tests", *Path(file).parts[: 2 if file.startswith("core/") else 1])
    tests = [p for p in (HOUSE / "tests").rglob("test_*.py") if p.name not in _OF_A_CHECKOUT]
    tests = [p for p in tests if not {"browser", "pages"} & set(p.parts)]
    named = {p for p in tests if pattern.search(p.read_text("utf-8"))}
    if len(named) > _MANY:
        named = {p for p in named if p.is_relative_to(house)} or named
    near: set[Path] = set()
    while not near:
        near = {p for p in tests if p.parent == beside and p.name not in _LONG}
        beside = beside.parent
    # The module's own tests come first: they are short, and the first failure ends the run.
    ordered = sorted(near | named, key=lambda p: (p.stem != f"test_{name}", p not in named, p))
    return [p.relative_to(HOUSE).as_posix() for p in ordered]


def _test_of_numbers(file: str) -> list[str]:
    """Return the test that holds the numbers of a module against their list, if any are listed."""
    listed = f"{file}:" in (HOUSE / "tests" / "numbers.yaml").read_text("utf-8").splitlines()
    return [f"tests/test_numbers.py::test_the_numbers_are_those_of_the_list[{file}]"] if listed else []


class Overlay:
    """A copy of the code in a folder of its own, in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self._package = folder / "treeline"
        shutil.copytree(HOUSE / ".package" / "treeline", self._package)
        subprocess.run([sys.executable, "-m", "compileall", "-q", self._package], check=True)
        self._trials = Trials(folder, HOUSE, _SECONDS)
        self._calls: Calls | None = None

    def collect(self, tests: Sequence[str]) -> tuple[str, ...]:
        """Run test modules once, to know which tests meet a change; return those that fail without one."""
        self._calls = self._trials.collect(tests)
        return self._calls.failed

    def survives(self, mutant: Mutant, tests: Sequence[str]) -> bool:
        """Return whether the tests pass with the change."""
        path = self._package / mutant.file
        before = path.read_bytes()
        after = mutant.apply_to(before)
        try:
            _rewrite(path, after)
            if self._calls is None:
                return _tests_pass(self._trials.run(tests))
            functions = changed_functions(before, after)
            names = {f"{mutant.file}:{each}" for each in functions or ()}
            chosen = self._with_own(mutant.file, self._choose(tests, names), tests)
            if functions is not None and chosen:
                seconds = _LEAST_SECONDS + _TIMES_SLOWER * sum(self._calls.seconds[each] for each in chosen)
                if not _tests_pass(self._trials.run_changed(path, chosen, min(seconds, _SECONDS))):
                    return False
            # What was made with the function while modules were imported is as it was: import them anew.
            anew = functions is None or names & self._calls.imported
            return not anew or self._survives_import(mutant.file, tests)
        finally:
            _rewrite(path, before)

    def forget(self) -> None:
        """Forget what was collected."""
        self._calls = None

    def close(self) -> None:
        """End the process in which the tests are run."""
        self._trials.close()

    def _survives_import(self, file: str, tests: Sequence[str]) -> bool:
        """Try a change of what runs while the module is imported."""
        assert self._calls is not None
        of_numbers = _test_of_numbers(file)
        if of_numbers and not _tests_pass(self._trials.run(of_numbers)):
            return False
        # What a module holds may be used by another, and it has perhaps no functions itself.
        of_file = self._with_own(file, self._tests_of([file], tests), tests)
        of_users = [test for test in self._tests_of(modules_with(file), tests) if test not in of_file]
        stages = [stage for stage in (of_file, of_users) if stage]
        if not stages:
            return _tests_pass(self._trials.run(tests))
        return all(
            _tests_pass(
                self._trials.run(list(dict.fromkeys(test.partition("::")[0] for test in stage)), stage)
            )
            for stage in stages
        )

    def _with_own(self, file: str, chosen: Sequence[str], tests: Sequence[str]) -> list[str]:
        """Return tests of modules, and a module's own, of which no call need be known.

        They may look at a constant alone, or at a function whose result an earlier test had kept by a cache.
        """
        assert self._calls is not None
        name = f"test_{Path(file).stem}.py"
        own = {module for module in tests if Path(module).name == name}
        return [*chosen, *(t for t in self._calls.tests if t.partition("::")[0] in own and t not in chosen)]

    def _tests_of(self, files: Iterable[str], tests: Sequence[str]) -> list[str]:
        """Return the tests of modules that call a function of a file."""
        assert self._calls is not None
        called = {each for calls in self._calls.tests.values() for each in calls}
        known = set(files)
        return self._choose(tests, {each for each in called if each.partition(":")[0] in known})

    def _choose(self, tests: Sequence[str], functions: Collection[str]) -> list[str]:
        """Return the tests of modules that call a function, short ones of each module first."""
        assert self._calls is not None
        place = {module: number for number, module in enumerate(tests)}
        chosen = [test for test, calls in self._calls.tests.items() if not calls.isdisjoint(functions)]
        chosen = [test for test in chosen if test.partition("::")[0] in place]
        seconds = self._calls.seconds
        return sorted(chosen, key=lambda test: (place[test.partition("::")[0]], seconds[test]))


def _tests_pass(code: int | None) -> bool:
    # A change that makes a loop endless, or that ends the process, is noticed.
    if code is not None and code > 2:
        raise SystemExit(f"pytest could not run the tests (exit code {code}).")
    return code == 0


def _rewrite(path: Path, source: bytes) -> None:
    """Write a module anew, and delete what was compiled of it: Python tells it by second and size alone."""
    path.write_bytes(source)
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; see the module."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--packages", nargs="+", default=SCOPE, metavar="PATH")
    parser.add_argument("--sample", type=int, metavar="N", help="how many changes; all where it is not given")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=float, default=0.1, help="greatest share of survivors (default 0.1)")
    parser.add_argument("--list", action="store_true", help="print the changes and run nothing")
    options = parser.parse_args(arguments)
    chosen = [mutant for file in modules_of(options.packages) for mutant in mutants_of(file)]
    if options.sample is not None and options.sample < len(chosen):
        chosen = random.Random(options.seed).sample(chosen, options.sample)
    if options.list:
        print(*chosen, sep="\n")
        return 0
    survivors = []
    with tempfile.TemporaryDirectory(prefix="treeline-mutation-") as folder:
        overlay = Overlay(Path(folder))
        near = {file: nearest_tests(file) for file in dict.fromkeys(mutant.file for mutant in chosen)}
        for test in overlay.collect(sorted({test for tests in near.values() for test in tests})):
            print(f"Left out, as it fails without a change: {test}", flush=True)
        for number, mutant in enumerate(chosen, 1):
            lives = overlay.survives(mutant, near[mutant.file])
            survivors += [mutant] * lives
            print(f"{number}/{len(chosen)} {'SURVIVES' if lives else 'noticed '} {mutant}", flush=True)
        overlay.close()
    share = len(survivors) / len(chosen) if chosen else 0.0
    print(*survivors, sep="\n")
    print(f"{len(survivors)} of {len(chosen)} changes went unnoticed ({share:.0%}).")
    return int(share > options.most)


if __name__ == "__main__":
    raise SystemExit(main())
