"""What a sentence says of how two things go together."""

from __future__ import annotations

import pytest

from treeline.core.engine.verification.relation_words import (
    goes_where,
    levels_of_significance,
    relation,
    sign,
    strength,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("there is a positive correlation", 1),
        ("there is a negative correlation", -1),
        ("the slope is negative", -1),
        ("there is no positive correlation", 0),
        ("a clear negative one (r = -0.62)", -1),
        ("yes, positive: r = 0.62", 1),
        ("r = -0.62, a negative one", -1),
        ("there is a correlation", 0),
    ],
)
def test_the_sign_of_a_relation(text: str, expected: int):
    assert sign(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The two go together.", 1),
        ("The greener it is, the cooler it is.", -1),
        ("The greener it is, the warmer it is.", 1),
        ("It is greener than before.", 0),
        ("It is green.", 0),
    ],
)
def test_a_relation_goes_one_way(text: str, expected: int):
    assert relation(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where NDVI is higher by 0.1, the surface is cooler by 1.4 K.", -1),
        ("Whenever it rains more, the yield rises.", 1),
        ("For each additional 0.1 of NDVI the temperature falls by 1.4 K.", -1),
        ("With rising NDVI the temperature rises, too.", 1),
        ("Where it is greener than in May, it is cooler.", 0),
        ("The surface is cooler.", 0),
    ],
)
def test_where_one_is_more_another_is_more_or_less(text: str, expected: int):
    assert goes_where(text) == expected


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("It is significant at the 95 % confidence level.", [(0.05, True)]),
        ("It is significant at the 5 % level.", [(0.05, True)]),
        ("It is significant at the 0.01 level.", [(0.01, True)]),
        ("It is significant at the 0.5 level.", [(0.5, True)]),
        ("It is not significant at the 1 % level.", [(0.01, False)]),
        ("It is significant at the 90 per cent level, not at the 99 % level.", [(0.1, True), (0.01, False)]),
        ("It is significant at the 7 level.", []),
        ("It is significant at the 100 % level.", []),
        ("It is significant.", []),
    ],
)
def test_a_level_of_significance_is_told_as_such_or_as_confidence(
    text: str, levels: list[tuple[float, bool]]
):
    assert levels_of_significance(text) == levels


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There is a strong correlation.", 1),
        ("There is a weak correlation.", -1),
        ("There is no strong correlation.", 0),
        ("There is a correlation.", 0),
    ],
)
def test_a_relation_is_strong_or_weak(text: str, expected: int):
    assert strength(text) == expected
