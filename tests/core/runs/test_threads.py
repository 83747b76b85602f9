"""What a language model is told of the questions before: alone, in rounds, in teams."""

from __future__ import annotations

import pytest

from tests.core.runs.test_grounded import MEANS, WAYS, manager, means  # noqa: F401
from tests.endpoint import Messages, Say, ScriptedEndpoint, use
from treeline.core.engine.journal import ending_of
from treeline.core.runs.options import RunOptions
from treeline.core.settings import Endpoint

FIRST = "What is the mean NDVI on 2021-05-03?"
FRAGMENT = "And on 2021-07-12?"


def ask(manager, question: str, play, **options) -> tuple[str, ScriptedEndpoint]:  # noqa: F811
    with ScriptedEndpoint(play) as server:
        endpoint = Endpoint(server.url, "scripted", "sk-secret-0123456789")
        run = manager.start("w", question, RunOptions(policy="language", **options), endpoint)
        manager.wait(run, 120)
    return run, server


def declines(messages: Messages) -> Say:
    """Answer nothing, so that each way asks everyone that it has."""
    if "tools" in str(messages[0]["content"]) and str(messages[0]["content"]).startswith("You are"):
        return use("answer", text="It cannot be told.", declined=True)
    return Say("{}")


def told(server: ScriptedEndpoint) -> list[str]:
    """Return what was told with each request, but to who looks back on the steps of a round."""
    requests = [[str(message["content"]) for message in each.messages] for each in server.requests]
    return [texts[1] for texts in requests if not texts[0].startswith("You look back")]


@pytest.mark.parametrize("way", WAYS)
def test_whoever_is_asked_a_fragment_knows_what_came_before(manager, way: str):  # noqa: F811
    measured = [
        use("doc", tool=MEANS),
        use("call", tool=MEANS, arguments={"file_list": "@ndvi[2021-05-03]"}),
        use("answer", text="The mean NDVI on 2021-05-03 is 0.250.", value=0.25, evidence=[2]),
    ]
    first, _ = ask(manager, FIRST, measured)
    _, server = ask(manager, FRAGMENT, declines, after=first, **WAYS[way])
    assert told(server)
    for text in told(server):
        before, _, behind = text.rpartition("# Question")
        assert f"# What was asked before\n\n{FIRST}" in before and FIRST not in behind
        assert "The mean NDVI on 2021-05-03 is 0.250. (answered)" in before


def test_a_number_of_the_answer_before_is_no_evidence(manager):  # noqa: F811
    first, _ = ask(manager, FIRST, [use("answer", text="It cannot be told.", declined=True)])
    run, server = ask(
        manager, FRAGMENT, lambda messages: use("answer", text="It was 0.250 too.", value=0.25), after=first
    )
    assert ending_of(manager.store, run).status == "unverified"
    assert "It cannot be told. (declined)" in told(server)[0]


def test_the_oldest_questions_of_a_long_thread_are_left_out(manager):  # noqa: F811
    after = ""
    for number in range(5):
        after, server = ask(manager, f"Question {number}?", declines, after=after)
    before = told(server)[0].partition("# What was asked before")[2].partition("# Question\n")[0]
    assert [n for n in range(5) if f"Question {n}?" in before] == [1, 2, 3]


def test_tools_and_advice_of_a_fragment_are_those_of_what_it_follows(manager):  # noqa: F811
    first, server = ask(manager, "Which date has the highest mean NDVI?", declines)
    card = "# Advice on tasks of this kind"
    assert card in told(server)[0]
    _, followed = ask(manager, "And which least?", declines, after=first)
    assert _advice(told(followed)[0], card) == _advice(told(server)[0], card)


def _advice(text: str, title: str) -> str:
    return text.partition(title)[2].partition("# ")[0]
