"""A sample is of its cases alone, and has one at least."""

from __future__ import annotations

import pytest

from tests.sampling import chosen

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
