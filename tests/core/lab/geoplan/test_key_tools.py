"""Key tools by the proxy, at its limit of a third."""

from __future__ import annotations

from treeline.core.lab.geoplan.key_tools import RareTools, asks_for_choice, key_scores


def test_a_tool_of_a_third_of_the_paths_is_common_and_one_of_less_is_rare():
    third = RareTools([["a"], ["b"], ["c", "b"]])
    assert third(["a", "b"]) == {"a"}  # none is below a third: the rarest alone
    assert third(["a", "c", "b"]) == {"a"}
    quarter = RareTools([["a"], ["b", "c"], ["b"], ["b"]])
    assert quarter(["a", "c", "b"]) == {"a", "c"}
    nearly = RareTools([["a"]] * 6 + [["b"]] * 13)  # 6 of 19 is 0.316
    assert nearly(["a", "b"]) == {"a"} and nearly(["b"]) == {"b"}


def test_scores_of_nothing():
    assert key_scores((), (), (), ()).recall == 1.0
    nothing = key_scores({"a"}, (), (), {"a"})
    assert (nothing.recall, nothing.precision, nothing.f1) == (0.0, 0.0, 0.0)


def test_a_path_of_one_tool_leaves_nothing_to_choose():
    assert [asks_for_choice(path) for path in ([], ["a"], ["a", "a"], ["a", "b"])] == [
        False,
        False,
        False,
        True,
    ]
