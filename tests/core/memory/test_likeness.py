"""Near copies are one lesson; a word that changes what is said makes another one."""

from __future__ import annotations

import pytest

from treeline.core.memory.items import BankItem
from treeline.core.memory.likeness import LEAST_SHARE, _alike_in_words, _stem, alike
from treeline.core.memory.procedure import Procedure, ProcedureStep

TEXT = "Mask the clouds of every band before the mean NDVI is calculated."


def item_saying(text: str, key: str = "") -> BankItem:
    return BankItem("guardrail", "a topic", text, expression=key)


@pytest.mark.parametrize(
    "text",
    [
        "Mask clouds of every band before calculating mean NDVI.",
        "The clouds of every band are masked before the average NDVI is computed!",
        "Mask the clouds of every band before the mean NDVI is calculated, always.",
    ],
)
def test_near_copies_are_one(text: str):
    assert alike(item_saying(TEXT), item_saying(text)) and alike(item_saying(text), item_saying(TEXT))


@pytest.mark.parametrize(
    "text",
    [
        "Mask the clouds of every band before the mean NDWI is calculated.",
        "Never mask the clouds of every band before the mean NDVI is calculated.",
        "Mask the clouds of every band after the mean NDVI is calculated.",
        "Mask the clouds of every band before the median NDVI is calculated.",
        "Mask the clouds of every band before the mean NDVI is calculated 2 times.",
        "Mask the clouds of every band before the mean NDVI is calculated by calculate_ndvi.",
        "Count objects by their outlines.",
    ],
)
def test_what_says_something_else_stays_apart(text: str):
    assert not alike(item_saying(TEXT), item_saying(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TEXT, "Before the clouds of every band are masked, the mean NDVI is calculated."),
        (
            "Use the winter image and leave out the summer image.",
            "Leave out the winter image and use the summer image.",
        ),
        ("Subtract the red band from the infrared band.", "Subtract the infrared band from the red band."),
        ("Divide the blue band by the green band.", "Divide the green band by the blue band."),
        (
            "Prefer the relief to the slope where both are there.",
            "Prefer the slope to the relief where both are there.",
        ),
        ("Take the red band and the infrared band.", "Take the red band or the infrared band."),
    ],
)
def test_the_same_words_in_another_place_say_something_else(one: str, other: str):
    assert not alike(item_saying(one), item_saying(other)) and alike(item_saying(one), item_saying(one))


def test_lessons_of_different_keys_or_kinds_stay_apart():
    assert not alike(item_saying(TEXT, '[{"node":"A"}]'), item_saying(TEXT, '[{"node":"B"}]'))
    assert not alike(item_saying(TEXT), BankItem("contrast", "a topic", TEXT))


def test_procedures_are_one_by_their_tools_in_order_and_how_variables_were_had():
    def pattern(*tools: str, ways: tuple[str, ...] = ()) -> BankItem:
        steps = tuple(ProcedureStep(tool, {}) for tool in tools)
        return BankItem("pattern", "a topic", " ".join(tools), Procedure(steps, (), ways))

    assert alike(pattern("a", "b"), pattern("a", "b"))
    assert not alike(pattern("a", "b"), pattern("b", "a"))
    assert not alike(pattern("a"), pattern("a", ways=("ndvi:given",)))


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("clouds", "cloud"),
        ("masked", "mask"),
        ("use", "use"),
        ("used", "used"),
        ("bands", "band"),
        ("gases", "gas"),
        ("tie", "tie"),
        ("ties", "tie"),
        ("rice", "ric"),
    ],
)
def test_a_stem_has_three_letters_at_least(word: str, stem: str):
    assert _stem(word) == stem


def test_the_shorter_text_has_so_large_a_share_of_the_words_of_the_longer_at_least():
    words = [
        "amber",
        "birch",
        "cedar",
        "delta",
        "ember",
        "fjord",
        "gravel",
        "harbour",
        "island",
        "juniper",
        "kelp",
        "lichen",
    ]
    enough = 9
    assert enough == LEAST_SHARE * len(words)
    assert _alike_in_words(" ".join(words[:enough]), " ".join(words))
    assert not _alike_in_words(" ".join(words[: enough - 1]), " ".join(words))
