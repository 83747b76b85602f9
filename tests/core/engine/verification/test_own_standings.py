"""How two numbers of a text are told to stand to one another."""

from __future__ import annotations

import pytest

from treeline.core.engine.verification.own_standings import find_false_own_standings


def standings(text: str) -> list[str]:
    return list(find_false_own_standings(text))


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("Marsh changed most: its mean wetness {} from 0.52 to 0.31.", "fell", "rose"),
        ("The lake {} from 41.2 ha in May to 57.9 ha in July.", "expanded", "shrank"),
        ("Beech stands are nearly {} as tall: 21.4 m against 11.2 m.", "twice", "half"),
        ("The median (288.4 K) is 1.3 K {} the mean (289.7 K).", "below", "above"),
        ("Near infrared is {}: 0.31 on average versus 0.05 in the red.", "brighter", "darker"),
        ("The maximum is 61.3 and the mean 22.1, so the maximum is 39.2 {}.", "higher", "lower"),
        ("The index gives 12.4 ha and the map 15.1 ha. The index is thus 2.7 ha {}.", "smaller", "larger"),
        ("| Of | ha |\n|--|--|\n| survey | 80 |\n| mask | 71 |\n\nThe mask is 9 ha {}.", "smaller", "larger"),
        ("Fen {} the most, 6.1 K (292.4 to 298.5 K).", "warmed", "cooled"),
        ("Its mean fell from 0.52 to 0.31, a {} of 0.21.", "loss", "gain"),
        ("Only the carr {} (+0.021 per year).", "rises", "falls"),
        ("The steepest has 61.3, but Coldwell is {} on average (18.2 against 15.7).", "steeper", "flatter"),
        ("Eastern slopes are the {} extensive: 318 ha compared with 254 ha in the west.", "more", "less"),
    ],
)  # fmt: skip
def test_what_two_numbers_say_otherwise_is_found(text: str, right: str, wrong: str):
    assert standings(text.format(right)) == []
    assert standings(text.format(wrong)) != []


@pytest.mark.parametrize(
    "text",
    [
        "It did not rise: from 0.52 it went to 0.31.",
        "The larger of the two has 58 ha against 41 ha for the other.",
        "It is warmer in July (302.1 K) than in May (295.4 K).",
        "Of 90 dates 12 lie above 0.6, and 78 below 0.6.",
        "It falls from 61 % to 12 dates.",
        "Fen warmed by 6.1 K, and heath lost 0.2 (0.7 to 0.5).",
        "It fell less than carr (+0.2 to +0.1).",
        "Its values (+0.2) do not rise.",
    ],
)
def test_what_is_told_otherwise_is_left_alone(text: str):
    assert standings(text) == []
