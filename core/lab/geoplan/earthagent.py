"""EarthAgent with a language model at every layer (HTAM, arXiv 2511.17198, equations 1 to 4).

From the top layer down the model chooses sub-agents, each choice conditioned on those above; then each
chosen sub-agent, from the lowest layer up, plans its own tools after what was planned below it.
"""

from __future__ import annotations

from collections.abc import Sequence

from treeline.core.lab.geoplan.model_planners import Advisor
from treeline.core.teams.geoplan.agents import agents, agents_of_layer
from treeline.core.teams.geoplan.planner import LAYERS

_TITLES = {
    1: "data acquisition and preprocessing",
    2: "data processing and analysis",
    3: "synthesis and application",
}
_CHOOSE = (
    "{question}\n\nYou manage the layer of {title}. Chosen in the layers above: {above}.\n\n"
    "Its sub-agents and their tools:\n{offered}\n\nWhich of them does the task need? End with a JSON array "
    'of their names, such as ["a", "b"]; an empty one where none is needed.'
)
_CHOOSE_AMONG_ALL = (
    "{question}\n\nThese are sub-agents and their tools:\n{offered}\n\nWhich of them does the task need, and "
    'in which order? End with a JSON array of their names, such as ["a", "b"].'
)
_PLAN = (
    "{question}\n\nYou are the sub-agent {agent}, and call at most {steps} tools. Your tools: {tools}.\n\n"
    "Planned before you: {path}\n\n"
    'Reply with a JSON array of your tools in the order of their calls, such as ["a", "b"].'
)


def earthagent(advisor: Advisor, question: str) -> list[str]:
    """Return the tools of the chosen sub-agents, the lowest layer first."""
    chosen: dict[int, list[str]] = {}
    for layer in LAYERS:
        chosen[layer] = _choose(advisor, question, layer, chosen)
    path: list[str] = []
    for layer in sorted(chosen):
        for agent in chosen[layer]:
            path += _plan(advisor, question, agent, path)
    return path


def earthagent_without_layers(advisor: Advisor, question: str) -> list[str]:
    """Return the tools of sub-agents that were chosen at once out of all, in the order of the choice.

    The ablation of HTAM, section 5.4.
    """
    names = [name for layer in sorted(LAYERS) for name in agents_of_layer(layer)]
    text = _CHOOSE_AMONG_ALL.format(question=question, offered=_offer(names))
    path: list[str] = []
    for agent in advisor.names_in(advisor.ask(text), names):
        path += _plan(advisor, question, agent, path)
    return path


def _offer(names: Sequence[str]) -> str:
    return "\n".join(f"- {name}: {', '.join(agents()[name]['tools'])}" for name in names)


def _choose(advisor: Advisor, question: str, layer: int, above: dict[int, list[str]]) -> list[str]:
    names = agents_of_layer(layer)
    offered = _offer(names)
    told = (
        "; ".join(f"{_TITLES[high]}: {', '.join(some) or 'none'}" for high, some in above.items())
        or "nothing"
    )
    text = _CHOOSE.format(question=question, title=_TITLES[layer], above=told, offered=offered)
    return advisor.names_in(advisor.ask(text), names)


def _plan(advisor: Advisor, question: str, agent: str, path: list[str]) -> list[str]:
    own = agents()[agent]
    text = _PLAN.format(
        question=question,
        agent=agent,
        steps=own["steps"],
        tools=", ".join(own["tools"]),
        path=", ".join(path) or "nothing",
    )
    return advisor.names_in(advisor.ask(text), own["tools"])[: own["steps"]]
