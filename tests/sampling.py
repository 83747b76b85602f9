"""Which cases of a parametrised test run in ``make test``, and which in ``make soak`` alone.

A test, or a module by its ``pytestmark``, that bears ``pytest.mark.sample(5)`` runs about one in five of
its cases in ``make test``; the others get the mark ``soak``. What is chosen is known by the name of the test
and its parameters, so that a case that is added or removed leaves the others where they are.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

import pytest

_RANGE = 2**64
_PLAIN = (str, int, float, tuple, list, dict, type(None))


def chosen(cases: Sequence[str], one_in: int) -> list[bool]:
    """Return for each case of a group whether it is of the sample, to which at least one belongs."""
    places = [int.from_bytes(hashlib.sha256(case.encode()).digest()[:8]) for case in cases]
    return [place * one_in < _RANGE or place == min(places) for place in places]


def mark_soak(items: Iterable[pytest.Item]) -> None:
    """Mark the cases that no sample has as ``soak``; a group has the cases of one test."""
    groups: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
    for item in items:
        mark = item.get_closest_marker("sample")
        if mark is not None and item.get_closest_marker("soak") is None and hasattr(item, "callspec"):
            groups[item.nodeid.partition("[")[0], *mark.args].append(item)
    for (_, one_in), cases in groups.items():
        for case, kept in zip(cases, chosen([_text_of(case) for case in cases], one_in), strict=True):
            if not kept:
                case.add_marker(pytest.mark.soak)


def _text_of(case: pytest.Item) -> str:
    """Return the name of a test and its parameters, of which pytest's id has long ones by number alone."""
    values = [value for _, value in sorted(case.callspec.params.items())]
    text = " ".join(repr(v) if isinstance(v, _PLAIN) else getattr(v, "name", "") for v in values)
    if " at 0x" in text:
        raise pytest.UsageError(
            f"{case.nodeid} is of a sample and has parameters that differ from run to run: {text}. "
            "Let it have texts, numbers, or what bears a name."
        )
    return f"{case.originalname} {text}"
