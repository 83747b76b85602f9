"""The way to a tool that is known, and the way that has to be found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.lab.test_context import QUESTION
from treeline.core.cli import main
from treeline.core.engine.actions import Observation, Skill
from treeline.core.engine.state import State, Step
from treeline.core.lab.context import replay, replay_questions
from treeline.core.lab.tool_access import _was_named
from treeline.core.lab.toolbox import count_tools, needed_tools, toolbox
from treeline.toolkit.errors import InputError


@pytest.mark.parametrize("disclosure", ["progressive", "adaptive", "two_layer", "random_tree", "self_built"])
def test_whoever_has_to_find_the_way_reaches_every_tool_and_pays_for_it(disclosure: str) -> None:
    known, found = (replay(QUESTION, disclosure, way=way) for way in ("known", "found"))
    # In a random tree it is luck which branch comes first, and a search may be at its end earlier.
    lucky = disclosure == "random_tree"
    assert found.misses == [] and (found.openings >= known.openings or lucky)
    assert found.ledger.input >= known.ledger.input or lucky or disclosure == "adaptive"


def test_a_tree_whose_kits_mean_nothing_costs_more_to_search() -> None:
    tree = toolbox("reference")
    costs = {
        name: replay(QUESTION, name, way="found", tree=tree).openings
        for name in ("progressive", "random_tree")
    }
    assert costs["random_tree"] > costs["progressive"]


def test_what_is_not_given_cannot_be_found() -> None:
    question = QUESTION.model_copy(
        update={"ground_truth": (QUESTION.ground_truth[0].model_copy(update={"tool": "no_such_tool"}),)}
    )
    for disclosure in ("progressive", "retrieval", "flat"):
        assert replay(question, disclosure, way="found").misses == ["no_such_tool"]


def test_a_report_says_what_its_way_means() -> None:
    known, found = (replay_questions([QUESTION], "progressive", way=way) for way in ("known", "found"))
    assert "bound" in known["note"] and "in vain" in found["note"]
    assert found["reached"] == 5 and found["openings_per_question"] == found["questions"][0]["openings"]


def test_sets_of_tools() -> None:
    needed = needed_tools([QUESTION])
    assert len(needed) == 4
    counts = {spec: count_tools(toolbox(spec, needed)) for spec in ("reference", "needed", "needed+20")}
    assert counts == {"reference": 104, "needed": 4, "needed+20": 24}
    assert count_tools(toolbox("reference+75")) == 179 and count_tools(toolbox("all")) > 104
    with pytest.raises(InputError, match="no tools"):
        toolbox("reference+many")


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(QUESTION.model_dump_json(exclude_unset=True) + "\n")
    common = ["bench", "context", "--questions", str(file), "--disclosure", "flat", "--json"]
    tokens = []
    for tools in ("reference", "all"):
        assert main([*common, "--tools", tools, "--way", "found"]) == 0
        tokens.append(json.loads(capsys.readouterr().out)["tokens_per_question"])
    assert tokens[0] < tokens[1]


def test_a_tool_is_seen_in_a_listing_that_tells_names_in_short() -> None:
    value = {"parts": [], "tools": ["calc_mean", "calc_sum", "calc_std"]}
    listing = Observation("information", "Series: calc_{mean,sum,std}", value=value)
    state = State("How warm?", steps=(Step(1, Skill("Series"), listing),))
    assert _was_named("calc_sum", state) and not _was_named("calc", state)
