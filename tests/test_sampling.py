"""A sample is of its cases alone, and has one at least."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.sampling import chosen, mark_soak

CASES = [f"mean NDVI of zone {number}" for number in range(1000)]


def of_sample(cases: list[str], one_in: int) -> set[str]:
    return {case for case, kept in zip(cases, chosen(cases, one_in), strict=True) if kept}


@pytest.mark.parametrize("one_in", [2, 5, 20])
def test_a_sample_has_about_its_share(one_in: int):
    assert len(of_sample(CASES, one_in)) == pytest.approx(len(CASES) / one_in, rel=0.3)


def test_one_in_one_is_every_case():
    assert of_sample(CASES, 1) == set(CASES)


def test_other_cases_and_their_order_change_nothing():
    fewer = CASES[500:][::-1]
    assert of_sample(fewer, 5) == of_sample(CASES, 5) & set(fewer)


def test_a_larger_sample_holds_the_smaller():
    assert of_sample(CASES, 20) <= of_sample(CASES, 5)


@pytest.mark.parametrize("case", CASES[:5])
def test_a_group_of_one_is_chosen(case: str):
    assert of_sample([case], 10**6) == {case}


class Case:
    """A case as pytest collects it, of a test with a mark, a question and what has no text."""

    def __init__(self, test: str, question: object, **marks: tuple[int, ...]) -> None:
        self.nodeid, self.originalname = f"tests/test_this.py::{test}[...]", test
        self.callspec = SimpleNamespace(params={"expected": lambda: 0, "question": question})
        self.marks = {name: SimpleNamespace(args=given) for name, given in marks.items()}

    def get_closest_marker(self, name: str) -> Any:
        return self.marks.get(name)

    def add_marker(self, mark: Any) -> None:
        self.marks[mark.name] = mark


def test_each_test_has_a_sample_of_its_own_and_the_others_are_for_soak():
    cases = {test: [Case(test, text, sample=(10,)) for text in CASES] for test in ("one", "other")}
    mark_soak([*cases["one"], *cases["other"]])
    kept = {
        test: [c.callspec.params["question"] for c in of if "soak" not in c.marks]
        for test, of in cases.items()
    }
    assert all(0 < len(texts) < len(CASES) / 5 for texts in kept.values())
    assert kept["one"] != kept["other"]


def test_what_is_of_no_sample_is_left_alone():
    plain, long = Case("plain", CASES[0]), [Case("long", text, sample=(10**6,), soak=()) for text in CASES]
    mark_soak([plain, *long])
    assert plain.marks == {}


def test_a_case_that_differs_from_run_to_run_is_refused():
    with pytest.raises(pytest.UsageError, match="bears a name"):
        mark_soak([Case("one", (object(),), sample=(2,))])
