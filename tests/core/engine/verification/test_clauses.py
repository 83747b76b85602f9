"""A clause states one thing; what only continues one stays with it."""

from __future__ import annotations

import pytest

from treeline.core.engine.verification.clauses import clauses_of, refers, sentences


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("Forest rose, meadow fell.", ["Forest rose", "meadow fell."]),
        ("Forest rose while meadow fell.", ["Forest rose", "while meadow fell."]),
        ("Forest rose and it fell.", ["Forest rose", "and it fell."]),
        ("It has 0.4, which is the lowest.", ["It has 0.4", "which is the lowest."]),
        ("The second highest, 0.4, is of May.", ["The second highest, 0.4, is of May."]),
        ("It has 23 C, more than 1.5 times the 14 C.", ["It has 23 C, more than 1.5 times the 14 C."]),
        ("It tripled, from 0.25 to 0.73.", ["It tripled, from 0.25 to 0.73."]),
        ("From highest to lowest: a, b, c.", ["From highest to lowest: a, b, c."]),
        ("In a, b they are 1, 2 respectively.", ["In a, b they are 1, 2 respectively."]),
        ("Forest (0.8, the most), meadow (0.5).", ["Forest (0.8, the most)", "meadow (0.5)."]),
        ("On all dates but one it was warm.", ["On all dates but one it was warm."]),
        ("The mean is 1 and the largest is 2.", ["The mean is 1", "and the largest is 2."]),
        (
            "The lowest basin is 1 and the highest lies at 2.",
            ["The lowest basin is 1", "and the highest basin lies at 2."],
        ),
        ("Between a and the largest lie 3 m.", ["Between a and the largest lie 3 m."]),
        ("It was 94 %, then 53 %: it fell.", ["It was 94 %", "then 53 %:", "it fell."]),
        ("The greener, the cooler.", ["The greener, the cooler."]),
        ("", []),
    ],
)
def test_a_clause_states_one_thing(text: str, clauses: list[str]):
    assert list(clauses_of(text)) == clauses


def test_an_abbreviation_ends_no_sentence():
    assert sentences("The max. is 3. It rose.\nIt fell.") == ["The max is 3.", "It rose.", "It fell."]


@pytest.mark.parametrize(
    ("clause", "label", "expected"),
    [
        ("which is the lowest", "forest", True),
        ("This was the lowest.", "2021-07-12", True),
        ("it fell by half", "2021-07-12", False),
        ("it fell by half", "forest", True),
        ("a little less than meadow", "forest", True),
        ("meadow has more", "forest", False),
    ],
)
def test_what_refers_to_the_clause_before(clause: str, label: str, expected: bool):
    assert refers(clause, label) is expected
