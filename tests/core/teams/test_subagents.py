"""Who may call what in the layered team."""

from __future__ import annotations

import pytest

from treeline.core.teams.subagents import (
    SUB_AGENTS,
    agent_for,
    layers_of_tool,
    of_layer,
    sub_agents_of,
    tools_of,
)
from treeline.toolkit import registry


def test_every_tool_is_in_the_hands_of_a_sub_agent_and_in_its_layer():
    layer_of = {agent.name: agent.layer for agent in SUB_AGENTS}
    for tool in registry():
        assert sub_agents_of(tool)
        assert layers_of_tool(tool) == tuple(sorted({layer_of[name] for name in sub_agents_of(tool)}))
    assert [len(of_layer(layer)) for layer in (1, 2, 3)] == [2, 6, len(SUB_AGENTS) - 8]


@pytest.mark.parametrize(
    ("tool", "layers"),
    [("get_filelist", (1,)), ("calculate_slope", (1, 2)), ("getis_ord_gi_star", (2,)), ("mean", (3,))],
)
def test_a_tool_is_called_in_its_layers(tool: str, layers: tuple[int, ...]):
    assert layers_of_tool(registry().get(tool)) == layers
    assert all(tool in tools_of(name, registry()) for name in sub_agents_of(registry().get(tool)))


def test_the_sub_agent_that_can_call_most_of_the_tools_is_taken():
    tools = [registry().get(name) for name in ("SAM2", "MSCN", "RemoteCLIP")]
    assert agent_for(tools, 2) == "SceneClassifier" and agent_for(tools[:1], 2) == "InstanceSegmentor"
    assert agent_for([], 2) == of_layer(2)[0].name
