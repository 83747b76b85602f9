"""What a question says twice settles its meaning; what adds something is never passed over."""

from __future__ import annotations

import pytest

from tests.core.query.workspaces import DEMO
from treeline.core.query.reading import read


@pytest.mark.parametrize(
    ("doubled", "plain"),
    [
        ("spread of elevation (standard deviation)", "standard deviation of elevation"),
        ("On which date was mean LST highest (maximum of the means)?", "On which date was mean LST highest?"),
        (
            "Which month of 2022 had the highest monthly mean NDVI?",
            "Which month of 2022 had the highest mean NDVI?",
        ),
        ("spatial standard deviation of elevation", "standard deviation of elevation"),
        ("Which region was greenest on average on 2022-06-15?", "Which region was greenest on 2022-06-15?"),
        ("range of elevation (maximum minus minimum)", "range of elevation"),
    ],
)
def test_what_is_said_twice_is_read_as_if_said_once(doubled: str, plain: str):
    found, wanted = read(doubled, DEMO), read(plain, DEMO)
    assert found.status == "read", found
    assert set(found.expressions) <= set(wanted.expressions)


@pytest.mark.parametrize(
    "question",
    [
        "mean elevation (median)",
        "mean NDVI on 2022-06-15 (maximum)",
        "mean LST on 2022-06-15 (of the roofs)",
        "range of elevation (mean minus minimum)",
        "On which date was mean LST highest (minimum)?",
        "Which region was greenest monthly on 2022-06-15?",
        "On which date was mean LST highest (mean of the maximum)?",
        "Which date was greenest and by how much?",
        "Which region was hottest on 2022-07-18, and by how much?",
        "What is the change of mean NDVI from 2021 to 2022 for each date?",
    ],
)
def test_a_bracket_that_contradicts_is_not_passed_over(question: str):
    assert read(question, DEMO).status != "read"


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("mean NDVI on 2022-06-15 (forest only)", "mean NDVI of the forest on 2022-06-15"),
        ("mean NDVI (2022-06-15)", "mean NDVI on 2022-06-15"),
        ("On which date was LST highest (maximum)?", "On which date was the maximum LST highest?"),
    ],
)
def test_a_bracket_that_adds_something_counts(question: str, plain: str):
    assert read(question, DEMO).expressions == read(plain, DEMO).expressions
