"""Numbers of papers, standards and decisions cannot change unnoticed: each is changed, and a test must fail.

``python -m tests.mutation`` does the same with every number and operator; this is the small fixed sample.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pytest

from tests.mutation import (
    HOUSE,
    Mutant,
    Overlay,
    exception_reason,
    main,
    modules_of,
    modules_with,
    mutants_of,
    nearest_tests,
)
from tests.probes import functions_of, probe
from tests.syntax_trees import tree_of
from tests.trials import Calls, changed_functions

# The file, how the line begins, the number on it, and the tests that guard it.
GUARDED = (
    ("core/lab/geoplan/elo.py", "K = ", "32.0", "tests/core/lab/geoplan/test_elo.py"),
    ("core/engine/checks.py", "_LEAST_VALID_SHARE = ", "0.05", "tests/core/engine/test_checks.py"),
    ("knowledge/retrieval.py", "THRESHOLD = ", "0.2", "tests/knowledge/test_retrieval.py"),
    ("knowledge/retrieval.py", "KEYWORD_WEIGHT = ", "0.08", "tests/knowledge/test_retrieval.py"),
    ("toolkit/units.py", '    "degF": ', "32.0", "tests/toolkit/test_units.py"),
    ("toolkit/variables.py", "_SURFACE = ", "355.0", "tests/toolkit/test_variables.py"),
    ("toolkit/series.py", "SIGNIFICANCE = ", "0.05", "tests/toolkit/analysis/test_trends.py"),
)


@pytest.fixture(scope="module")
def overlay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Overlay]:
    overlay = Overlay(tmp_path_factory.mktemp("mutation"))
    yield overlay
    overlay.close()


def mutant_of(file: str, line: str, number: str) -> Mutant:
    lines = (HOUSE / file).read_text("utf-8").splitlines()
    found = [m for m in mutants_of(file) if m.before == number and lines[m.line - 1].startswith(line)]
    assert len(found) == 1, f"{file}: {number} stands {len(found)} times on a line that begins {line!r}"
    return found[0]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("file", "line", "number", "tests"), GUARDED)
def test_a_test_notices_the_change(overlay: Overlay, file: str, line: str, number: str, tests: str):
    assert not overlay.survives(mutant_of(file, line, number), [tests])


def test_a_change_that_no_test_looks_at_survives(overlay: Overlay):
    mutant = mutant_of("core/lab/geoplan/elo.py", "K = ", "32.0")
    assert overlay.survives(mutant, ["tests/toolkit/test_units.py"])


def test_a_change_is_of_the_copy_and_of_one_place(tmp_path: Path):
    mutant = mutant_of("core/lab/geoplan/elo.py", "K = ", "32.0")
    before = (HOUSE / mutant.file).read_bytes()
    after = mutant.apply_to(before)
    changed = [
        pair for pair in zip(before.splitlines(), after.splitlines(), strict=True) if len(set(pair)) > 1
    ]
    assert changed == [(b"K = 32.0", b"K = 35.2")]
    assert str(mutant).endswith(": 32.0 -> 35.2")


def test_every_change_can_be_compiled_and_none_is_of_an_excepted_line():
    for file in modules_of(["core/engine/verification/claims.py", "knowledge", "toolkit/units.py"]):
        source = (HOUSE / file).read_bytes()
        lines = source.decode().splitlines()
        for mutant in mutants_of(file):
            compile(mutant.apply_to(source), file, "exec")
            assert not exception_reason(mutant, lines[mutant.line - 1])


def test_the_nearest_tests_name_the_module_or_are_of_its_package():
    assert "tests/core/lab/geoplan/test_elo.py" in nearest_tests("core/lab/geoplan/elo.py")
    beside = {f"tests/core/lab/{path.name}" for path in (HOUSE / "tests/core/lab").glob("test_*.py")}
    assert nearest_tests("core/lab/curves.py") == sorted(beside - {"tests/core/lab/test_earth_bench.py"})
    assert "tests/core/lab/test_earth_bench.py" in nearest_tests("core/lab/earth_bench.py"), "it names it"


def test_a_sample_is_the_same_for_one_seed(capsys: pytest.CaptureFixture[str]):
    options = ["--packages", "core/memory", "--sample", "5", "--list", "--seed", "2"]
    assert main(options) == main(options) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10 and lines[:5] == lines[5:]


def test_a_package_that_is_not_there_is_refused():
    with pytest.raises(SystemExit, match="no_such"):
        main(["--packages", "core/no_such", "--list"])


def test_of_what_was_collected_the_tests_that_call_a_function_are_run(overlay: Overlay):
    tests = ["tests/core/lab/geoplan/test_elo.py"]
    elo, units = (mutants_of(file) for file in ("core/lab/geoplan/elo.py", "toolkit/units.py"))
    in_function = next(mutant for mutant in elo if mutant.before == "10")
    constant = next(mutant for mutant in elo if mutant.before == "400.0")
    try:
        assert overlay.collect(tests) == ()
        assert not overlay.survives(in_function, tests) and not overlay.survives(constant, tests)
        assert overlay.survives(units[-1], tests), "no test of them calls it"
    finally:
        overlay.forget()


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("def f():\n  return 1", "def f():\n  return 2", ["1:f"]),
        ("def f():\n  return 1", "def f():\n  return 1.0", ["1:f"]),
        ("def f():\n  def g():\n    return 1", "def f():\n  def g():\n    return 2", ["2:f.<locals>.g"]),
        ("def f(x=1):\n  return x", "def f(x=2):\n  return x", None),
        ("class A:\n  x = 1", "class A:\n  x = 2", None),
        ("X = 1", "X = 2", None),
        ("X = lambda: 1, lambda: 2", "X = lambda: 1, lambda: 3", None),
    ],
)
def test_what_runs_while_a_module_is_imported_is_told_from_a_function(before, after, changed):
    assert changed_functions(before.encode(), after.encode()) == changed


def test_every_function_notes_its_call_by_the_name_that_a_change_has():
    for file in modules_of(["core/engine", "toolkit/statistics/clouds.py", "tests/test_guarded.py"]):
        text = (HOUSE / file).read_text("utf-8")
        with_probes = probe(tree_of(text), file)
        constants = [each.value for each in ast.walk(with_probes) if isinstance(each, ast.Constant)]
        noted = {each for each in constants if isinstance(each, str) and each.startswith(f"{file}:")}
        codes = list(functions_of(compile(text, file, "exec")))
        assert noted == {f"{file}:{name}" for name, code in codes if code.co_flags & inspect.CO_OPTIMIZED}
        assert {name for name, _ in functions_of(compile(with_probes, file, "exec"))} == {n for n, _ in codes}


class _PassAll:
    """Notes which tests are to be run; all pass."""

    def __init__(self) -> None:
        self.chosen: list[list[str]] = []

    def run(self, tests: Sequence[str], chosen: Collection[str] = ()) -> int:
        self.chosen.append(list(chosen))
        return 0


def test_a_constant_is_tried_by_the_tests_of_its_module_and_of_those_that_import_it():
    called = {"one": "core/teams/crew.py:1:f", "two": "core/teams/model.py:1:g", "three": "core/cli.py:1:h"}
    calls = {f"tests/a.py::{test}": frozenset({function}) for test, function in called.items()}
    overlay, passing = Overlay.__new__(Overlay), _PassAll()
    overlay._calls = Calls(frozenset(), calls, dict.fromkeys(calls, 1.0), ())
    overlay._trials = passing
    assert overlay._survives_import("core/teams/model.py", ["tests/a.py"])
    assert passing.chosen[-2:] == [["tests/a.py::two"], ["tests/a.py::one"]]


def test_modules_that_import_a_module_are_found():
    assert "core/teams/work.py" in modules_with("core/teams/names.py")
    assert modules_with("core/teams/names.py") == sorted(set(modules_with("core/teams/names.py")))
