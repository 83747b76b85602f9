"""Counts and shares beyond limits, and whether there is something: what is said against what was found."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.core.engine.verification.test_cheats import MEANS, Told, result, series
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.counting import _limit_of

DAYS = [f"Lake_2021-0{month}-01_NDVI.tif" for month in range(3, 8)]
MEASURED = (MEANS, series([0.2, 0.4, 0.6, 0.6, 0.8], DAYS, "1"))
SHARE = "calculate_threshold_ratio"


def counted(value: object, **arguments: object) -> tuple:
    return ("count", result("count", value, **arguments))


def share(value: float, threshold: float, mode: str = "above") -> tuple:
    return (SHARE, result(SHARE, value, "%", image_paths="a.tif", threshold=threshold, mode=mode))


HOW_MANY = "On how many dates is the mean NDVI {}?"


@pytest.mark.parametrize(
    ("limit", "said", "right"),
    [
        ("above 0.5", "3", True),
        ("above 0.5", "2", False),
        ("above 0.5", "5", False),
        ("above 0.6", "1", True),
        ("above 0.6", "3", False),
        ("at least 0.6", "3", True),
        ("below 0.5", "2", True),
        ("below 0.5", "3", False),
        ("below 0.4", "1", True),
    ],
)
def test_so_many_lie_beyond_the_limit(limit: str, said: str, right: bool):
    why = Told(HOW_MANY.format(limit), f"On {said} dates.", (MEASURED,), float(said)).why()
    assert (why == "") == right
    if not right:
        assert "is not how many lie" in why or "dates" in why


@pytest.mark.parametrize(("said", "right"), [("60", True), ("40", False), ("100", False)])
def test_such_a_share_of_dates_lies_beyond_the_limit(said: str, right: bool):
    question = "On what share of the dates is the mean NDVI above 0.5?"
    assert (Told(question, f"On {said} %.", (MEASURED,), float(said), "%").why() == "") == right


@pytest.mark.parametrize(
    ("step", "limit", "side", "right"),
    [
        (share(42.0, 0.8), "0.8", "above", True),
        (share(42.0, 0.8), "0.7", "above", False),
        (share(42.0, 0.8), "0.8", "below", False),
        (share(42.0, 0.8, "below"), "0.8", "below", True),
        (share(42.0, 0.8, "below"), "0.8", "above", False),
        (share(42.0, 0.0), "0", "below", False),
        (share(42.0, 0.0), "0", "above", True),
    ],
)
def test_a_share_is_of_the_threshold_and_of_the_side_that_were_asked_for(step, limit, side, right):
    question = f"What share has an NDVI {side} {limit}?"
    assert (Told(question, "42 % of the area.", (step,), 42.0, "%").why() == "") == right


@pytest.mark.parametrize(
    ("found", "said", "right"),
    [
        (0, "No", True),
        (0, "Yes", False),
        (1, "Yes", True),
        (1, "No", False),
        (7, "Yes", True),
        (7, "No", False),
    ],
)
def test_there_is_something_from_one_on(found: int, said: str, right: bool):
    why = Told("Are there any ships?", f"{said}.", (counted(found),)).why()
    assert (why == "") == right
    assert right or why.startswith(f"The result is {found}, so that the answer is")


@pytest.mark.parametrize(("said", "right"), [("5", True), ("6", False), ("4", False)])
def test_what_was_counted_is_what_is_told(said: str, right: bool):
    assert (
        Told("How many ships are there?", f"There are {said}.", (counted(5),), float(said)).why() == ""
    ) == right


TWO_DAYS = (MEANS, series([0.2, 0.6], DAYS[:2], "1"))


@pytest.mark.parametrize(
    ("limit", "said", "right"),
    [
        ("above 0.5", "1", True),
        ("above 0.5", "2", False),
        ("above 0.1", "2", True),
        ("above 0.1", "1", False),
    ],
)
def test_of_two_dates_as_many_lie_beyond_the_limit_as_are_told(limit: str, said: str, right: bool):
    assert (Told(HOW_MANY.format(limit), f"On {said} dates.", (TWO_DAYS,), float(said)).why() == "") == right


@pytest.mark.parametrize(
    ("limits", "of", "fits"),
    [
        (["0.5"], "1", "0.5"),
        (["50 %"], "1", None),
        (["50 %"], "%", "50 %"),
        (["0.5"], "%", "0.5"),
        (["0.5", "50 %"], "1", "0.5"),
        (["0.5", "50 %"], "%", "50 %"),  # of two limits that of the number's own unit
        (["0.5", "0.7"], "1", None),
    ],
)
def test_a_number_is_held_against_the_limit_of_its_unit(limits: list[str], of: str, fits: str | None):
    claims = [claim for text in limits for claim in claims_in(f"It is {text}.")]
    answer = SimpleNamespace(evidence=SimpleNamespace(units={0.6: (of,)}))
    found = _limit_of(answer, claims, 0.6)  # type: ignore[arg-type]
    assert found is (claims[limits.index(fits)] if fits else None)
