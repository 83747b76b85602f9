"""What is named to a policy that wrote a name that is not there."""

from __future__ import annotations

import pytest

from treeline.core.engine.advice import find_tool, near_tools
from treeline.toolkit import registry


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("calc_tvdi", "compute_tvdi"),
        ("get_compute_tvdi_tool", "compute_tvdi"),
        ("no_such_thing", None),
        ("calculate", None),  # verbs alone mean nothing
    ],
)
def test_a_tool_is_meant_by_its_words_without_the_verbs(name: str, meant: str | None):
    found = find_tool(name, registry())
    assert (found.name if found else None) == meant


def test_the_nearest_tools_share_rare_words_and_are_three():
    near = near_tools("snow_depth_of_lake", registry())
    assert len(near) == 3 and "snow" in near[0]
    assert near_tools("compute_tvdi", registry(), 1) == ["compute_tvdi"]
    assert near_tools("xyzzy", registry(), 1), "by their spelling, where no word is shared"


def test_a_rare_word_that_is_shared_weighs_more_than_a_like_spelling():
    spelt_alike = {"calculate_batch_evi", "calculate_batch_wri", "calculate_batch_savi"}
    assert spelt_alike & set(near_tools("calculate_batch_tvdi", registry()))
    assert near_tools("calculate_batch_tvdi", registry(), 1) == ["compute_tvdi"]
    assert near_tools("calculate_batch_whatever_harmonic", registry(), 1) == ["calculate_harmonic_map"]
