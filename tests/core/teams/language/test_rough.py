"""A run and teams with a model as small local ones are: every dialect in turn, a part of the protocol."""

from __future__ import annotations

import itertools

import pytest

from tests.endpoint import Say, ScriptedEndpoint
from tests.model_dialects import DIALECTS, follow_actions, refuse_requests
from treeline.core.runs.options import RunOptions
from treeline.core.runs.usage import count_tokens_used
from treeline.core.settings import Endpoint
from treeline.core.teams.report import variant_costs

KEY = "sk-secret-rough-0123456789"
QUESTION = "Measure the near infrared of the lake on 2021-06-01."
TOOL = "calc_batch_image_mean"
ACTIONS = [
    ("skill", {"kit": "Statistics"}),
    ("doc", {"tool": TOOL}),
    ("call", {"tool": TOOL, "arguments": {"file_list": ["Lake_2021-06-01.tif#nir"]}}),
    ("answer", {"text": "It is measured.", "evidence": [3]}),
]


@pytest.mark.parametrize("team", ["solo", "evolver", "layered"])
def test_a_rough_model_answers_its_tokens_are_counted_and_the_key_is_nowhere(bands, manager_over, team):
    manager = manager_over(bands)
    dialects = itertools.cycle(DIALECTS.values())

    def rough(messages):
        asked = str(messages[0]["content"])
        if "skill" not in asked:
            return Say("<think>Hm.</think>I would rather not say.", usage=None)
        return follow_actions(ACTIONS, next(dialects))(messages)

    with ScriptedEndpoint(rough, refuses=refuse_requests("stream", "tools", "system")) as server:
        endpoint = Endpoint(server.url, "small", KEY)
        run = manager.create("lake", QUESTION, RunOptions(policy="language", team=team), endpoint=endpoint)
        finished = manager.work(run, endpoint)
        sent = [str(request.body) for request in server.requests]
    assert finished.status == "answered", finished.reason
    used = count_tokens_used(manager.store, run)
    assert used.counted and used.input > 300 * len(ACTIONS)
    if team == "evolver":
        assert all(cost["input"] > 0 for cost in variant_costs(manager.store, run))
    home = manager.data(run).folder.parents[2]
    assert (home / "store.sqlite").is_file()
    assert any("small" in body for body in sent) and not any(KEY in body for body in sent)
    assert not [f for f in home.rglob("*") if f.is_file() and KEY.encode() in f.read_bytes()]
