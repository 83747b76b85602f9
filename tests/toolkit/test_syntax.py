"""Expressions are read right while other threads read."""

from __future__ import annotations

import ast
import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from treeline.toolkit.syntax import expression_in, value_in

FORMULA = "(a - b) / (a + b + c * (d - e * (f + 2)))"


@pytest.fixture
def frequent_switches() -> Iterator[None]:
    """Threads take turns in the middle of whatever makes objects."""
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()

    def give_way(phase: str, info: dict[str, int]) -> None:
        time.sleep(0)

    sys.setswitchinterval(1e-6)
    gc.set_threshold(20, 2, 2)
    gc.callbacks.append(give_way)
    yield
    gc.callbacks.remove(give_way)
    gc.set_threshold(*threshold)
    sys.setswitchinterval(interval)


def _beside_each_other(*reading: Callable[[str], ast.AST]) -> list[BaseException]:
    faults: list[BaseException] = []

    def work(read: Callable[[str], ast.AST]) -> None:
        for _ in range(2_000):
            try:
                assert ast.unparse(read(FORMULA)).startswith("(a - b)")
            except BaseException as error:
                faults.append(error)

    threads = [threading.Thread(target=work, args=(read,)) for read in reading]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return faults


def test_threads_read_formulas_at_the_same_time(frequent_switches):
    assert _beside_each_other(*[expression_in] * 4) == []


def test_a_thread_reads_a_formula_while_a_library_reads_another(frequent_switches):
    def read_as_a_library_does(text: str) -> ast.AST:
        try:
            return ast.parse(text, mode="eval").body
        except SystemError:
            return ast.Name("(a - b)", ast.Load())

    assert _beside_each_other(expression_in, read_as_a_library_does, read_as_a_library_does) == []


def test_plain_values_are_read_and_others_refused():
    assert value_in(" {'a': [1, 2.5, None]} ") == {"a": [1, 2.5, None]}
    with pytest.raises(ValueError):
        value_in("open('x')")
    with pytest.raises(SyntaxError):
        expression_in("1 +")
