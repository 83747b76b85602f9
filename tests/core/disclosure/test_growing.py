"""What the branches of a tree that builds itself are called."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from treeline.core.disclosure.growing import _distinguishing_words, _names, _words


def tool(name, brief):
    return SimpleNamespace(name=name, brief=brief)


def test_words_of_three_letters_count_and_numbers_do_not():
    assert _words(tool("fit_to_ndvi", "Fit 365 of sea on ab.")) == {"fit", "ndvi", "sea"}


def test_words_that_tell_a_group_from_the_others_come_first():
    groups = [
        [tool("snow_depth", "Depth."), tool("snow_cover", "Cover."), tool("snow_cover_map", "Cover.")],
        [tool("fire_cover", "Cover."), tool("fire_map", "Map.")],
    ]
    share, everywhere = {"snow": 3 / 3, "cover": 2 / 3, "depth": 1 / 3, "map": 1 / 3}, {}
    everywhere = {"snow": 3 / 5, "cover": 3 / 5, "depth": 1 / 5, "map": 2 / 5}
    weight = {word: share[word] * math.log(1 + share[word] / everywhere[word]) for word in share}
    first, second = _distinguishing_words(groups)
    assert first == sorted(weight, key=lambda word: -weight[word]) == ["snow", "cover", "depth", "map"]
    assert second[0] == "fire"


@pytest.mark.parametrize(("others", "first"), [(2, "index"), (5, "snow")])
def test_a_word_of_most_of_a_group_leads_it_where_that_of_all_is_everywhere(others: int, first: str):
    group = [tool("snow_index", ""), tool("snow_index", ""), tool("index", "")]
    named, _ = _distinguishing_words([group, [tool("index", "")] * others])
    assert named[0] == first


def test_branches_of_one_name_are_numbered():
    words = [["snow", "ice", "cover"], ["snow", "ice"], [], ["snow", "ice"]]
    assert _names(words, "") == ["snow ice", "snow ice 2", "others", "snow ice 3"]
    assert _names(words[:1], "Money") == ["Money/snow ice"]
