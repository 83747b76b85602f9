"""What a policy is told of the tools that may always be called, and of those needed often."""

from __future__ import annotations

from treeline.core.context.open_tools import CONTEXT_PART, OFTEN_NEEDED, OPEN_TOOLS, open_tools


def test_of_the_tools_needed_often_those_are_told_that_the_run_has():
    told = open_tools({"keep_where", "calculate_ndvi"})[CONTEXT_PART]
    assert "Often needed, once read by doc: keep_where (Statistics)." in told
    assert not [name for name in OFTEN_NEEDED if name != "keep_where" and name in told]


def test_a_run_that_has_none_of_them_is_told_of_the_open_ones_alone():
    lines = open_tools(())[CONTEXT_PART].splitlines()
    assert [line.partition("(")[0] for line in lines] == list(OPEN_TOOLS)
