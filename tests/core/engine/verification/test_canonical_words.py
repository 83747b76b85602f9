"""Relations in other words are written in those that the rules know."""

from __future__ import annotations

import pytest

from treeline.core.engine.verification.canonical_words import in_canonical_words


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Every class but one clears 0.7.", "Every class but one exceeds 0.7."),
        ("The May image of 2022 was cooler than that of 2021.", "The May 2022 was cooler than May 2021."),
        ("Two scenes topped the mark of 0.7.", "Two scenes exceeded the mark of 0.7."),
        ("It never got past 300 K.", "It never exceeded 300 K."),
        ("Two classes fall short of 0.6.", "Two classes stay below 0.6."),
        ("Oakhollow just misses 0.6.", "Oakhollow lies just below 0.6."),
        ("Forest heads the field at 0.7.", "Forest comes first at 0.7."),
        ("It stayed put at 299 K.", "It remained the same at 299 K."),
        ("Oakhollow misses 0.6.", "Oakhollow stays below 0.6."),
        ("Half of them failed to reach 0.6.", "Half of them stayed below 0.6."),
        ("Lakeside outdoes Pinehurst.", "Lakeside exceeds Pinehurst."),
        ("Grassland lags behind forest.", "Grassland trails forest."),
        ("20 June takes third place.", "20 June ranks third."),
        ("5 July leads; right behind it comes 20 June.", "5 July leads, followed by 20 June."),
        ("1 January was bleaker than 11 January.", "1 January was lower than 11 January."),
        ("The most verdant region is Marshend.", "The greenest region is Marshend."),
        ("They differ by a tenth.", "They differ by 0.1."),
        ("It has a tenth of a hectare.", "It has 0.1 hectare."),
        ("No class holds more than a fifth.", "No class holds more than 20 %."),
        ("Each scene was lower than the one before.", "it fell from each scene to the next."),
    ],
)
def test_what_says_the_same_is_written_in_the_same_words(text: str, canonical: str):
    assert in_canonical_words(text) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "The sky was clear on 3 dates.",
        "It came second to none.",
        "A third of the scenes were clear.",
        "It fell by more than a third.",
        "The satellite passes over the area.",
        "The last scene is that of 5 October.",
    ],
)
def test_what_says_something_else_stays_as_it_is(text: str):
    assert in_canonical_words(text) == text
