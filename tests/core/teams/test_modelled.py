"""The teams with a language model, played by a scripted endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.options import RunOptions
from core.settings import Endpoint
from core.state import state_of
from core.teams.modelled import read_goals
from core.teams.modelled_layers import read_choice
from core.teams.report import team_report, team_tokens
from tests.endpoint import Messages, Say, ScriptedEndpoint, use

QUESTION = "What is the mean NDVI on 2021-06-01?"
GOALS = [
    {"id": "ndvi", "brief": "Make the NDVI of 2021-06-01.", "inputs": ["red", "nir"], "outputs": ["ndvi"]},
    {"id": "mean", "brief": "Measure its mean.", "depends": ["ndvi"], "format": "number"},
]
LAYERS = {
    "Layer 3": "AgriScout: say the mean",
    "Layer 2": "SemanticSegmentorAgent: Make the NDVI of 2021-06-01.",
    "Layer 1": "DataFetcher: list the files",
}


def said(messages: Messages) -> str:
    return "\n".join(str(message["content"]) for message in messages)


def play(messages: Messages) -> Say:
    """Split the question, or act as the executor whose sub-goal stands in the conversation."""
    if "You lead a small team" in messages[0]["content"]:
        return Say(f"Here it is: {json.dumps(GOALS)}")
    if "sub-agents of one layer" in messages[0]["content"]:
        head = messages[1]["content"].split("\n")[0]
        return Say(next(text for layer, text in LAYERS.items() if layer in head))
    text, turn = said(messages), len(messages) - 2
    if f"# Question\n\n{QUESTION}" in text:
        tool, name = "calc_batch_image_mean", "ndvi.tif"
        steps = [
            use("doc", tool=tool),
            use("call", tool=tool, arguments={"file_list": [name]}),
            use("answer", text="It is measured.", value=_last_number(messages), evidence=[2]),
        ]
    elif "Make the NDVI" in text.split("# Question")[-1]:
        tool = "calculate_batch_ndvi"
        arguments = {
            "input_nir_paths": ["Lake_2021-06-01.tif#nir"], "input_red_paths": ["Lake_2021-06-01.tif#red"],
            "output_paths": ["ndvi.tif"],
        }  # fmt: skip
        steps = [
            use("doc", tool=tool),
            use("call", tool=tool, arguments=arguments),
            use("answer", text="NDVI is made.", evidence=[2]),
        ]
    else:
        steps = [use("answer", text="Nothing else is there.")]
    return steps[min(turn // 2, len(steps) - 1)]


def _last_number(messages: Messages) -> float | None:
    text = str(messages[-1]["content"]).split("result: ")[-1]
    try:
        return float(text.split("\n")[0].strip("[]").split()[-1])
    except (ValueError, IndexError):
        return None


@pytest.mark.parametrize("team", ["evolver", "layered"])
def test_a_model_splits_the_question_and_executors_see_their_part_only(
    bands: Path, manager_over: Callable, team: str
):
    manager = manager_over(bands)
    alone = manager.work(manager.create("lake", QUESTION, RunOptions()))
    with ScriptedEndpoint(play) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        options = RunOptions(policy="language", team=team, variants=2)
        run = manager.create("lake", QUESTION, options, endpoint=endpoint)
        finished = manager.work(run, endpoint)
    assert finished.status == "answered", finished.reason
    assert finished.answer.value == pytest.approx(alone.answer.value, rel=1e-3)
    report = team_report(manager.store, run)
    assert {"ndvi", "answer"} <= {goal["id"] for goal in report["sub_goals"]} or team == "layered"
    briefs = {record.question: record.id for record in manager.store.runs(parent=run)}
    maker = state_of(e.event for e in manager.store.events(briefs["Make the NDVI of 2021-06-01."]))
    assert QUESTION not in str(maker.context) and maker.question != QUESTION
    assert any("NDVI is made" in str(request.messages) for request in server.requests)
    used = team_tokens(manager.store, run)
    assert used.input >= 100 * sum(member["steps"] for member in report["members"])


@pytest.mark.parametrize("text", ["", "I cannot.", "[1, 2]", '[{"id": ""}]', "[{]"])
def test_a_text_without_sub_goals_leaves_the_question_whole(text: str):
    goals = read_goals(text, QUESTION, 3)
    assert [goal.id for goal in goals] == ["answer"] and goals[0].brief == QUESTION


def test_a_dependence_on_what_comes_later_is_left_out():
    items = [{"id": n, "brief": n, "depends": ["b", "a"]} for n in ("a", "b", "c")]
    first, second, last = read_goals(json.dumps(items), QUESTION, 3)
    assert first.depends == () and second.depends == ("a",) and last.depends == ("a", "b")


def test_a_layer_has_no_more_sub_agents_than_the_paper_gives_it():
    text = "\n".join(f"{name}: x" for name in ("AgriScout", "Miner", "Nobody"))
    assert read_choice(text, 3) == [("AgriScout", "x")]
