"""The layered team's plan by a language model: one question a layer, from the top."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from treeline.core.teams.contracting import promises_of
from treeline.core.teams.crew import Crew
from treeline.core.teams.language.asking import text_from, workspace_parts
from treeline.core.teams.model import Contract, SubGoal
from treeline.core.teams.orchestrator import answer_goal
from treeline.core.teams.subagents import ACQUISITION, ANALYSIS, BY_NAME, LAYERS, SYNTHESIS, of_layer

# HTAM, section 3.2: how many sub-agents each layer may have.
MOST = {SYNTHESIS: 1, ANALYSIS: 3, ACQUISITION: 2}
_DEFAULT = {SYNTHESIS: "GeneralChatBot", ANALYSIS: "SemanticSegmentor", ACQUISITION: "Preprocessing"}
_ARROW = "->"
_BETWEEN = re.compile(r"\s*,\s*|\s+and\s+")
_PARTED = re.compile(r"\s[-–—]\s")
_INSTRUCTION = (
    "You choose the sub-agents of one layer of a team that answers a question about rasters. Reply with one "
    "line for each that you choose, at most {most}: its name, a colon, what it is to do, an arrow (->), and "
    "what it hands on: roles of rasters, such as ndvi or terrain_slope, and numbers where it measures some."
)


def model_plan(crew: Crew) -> list[tuple[SubGoal, str]]:
    """Return sub-goals with their sub-agents, the lowest layer first, the answer last."""
    question = crew.question
    chosen: dict[int, list[tuple[str, str]]] = {}
    for layer in (SYNTHESIS, ANALYSIS, ACQUISITION):
        chosen[layer] = _choose(crew, question, layer, chosen)
    return _assemble(question, chosen)


def read_choice(text: str, layer: int) -> list[tuple[str, str]]:
    """Return the sub-agents of a layer that a text names, with what each is to do."""
    names = {agent.name.casefold(): agent.name for agent in of_layer(layer)}
    found: dict[str, str] = {}
    for line in text.splitlines():
        head, _, brief = _PARTED.sub(":", line, count=1).partition(":")
        name = names.get(re.sub(r"[^a-z]", "", head.casefold()).removesuffix("agent"))
        if name and brief.strip(" *_`"):
            found.setdefault(name, brief.strip(" *_`"))
    return list(found.items())[: MOST[layer]]


def _choose(
    crew: Crew, question: str, layer: int, above: dict[int, list[tuple[str, str]]]
) -> list[tuple[str, str]]:
    upper = "\n".join(f"Layer {n}: {name}: {brief}" for n, pairs in above.items() for name, brief in pairs)
    parts = {
        f"Layer {layer}: {LAYERS[layer]}": "\n".join(f"- {a.name}: {a.brief}" for a in of_layer(layer)),
        "Chosen above": upper or "nothing yet",
        **workspace_parts(crew),
        "Question": question,
    }
    text = text_from(crew, _INSTRUCTION.format(most=MOST[layer]), parts, f"plan layer {layer}")
    default = BY_NAME[_DEFAULT[layer]]
    return read_choice(text, layer) or [
        (default.name, f"{default.brief} It is for this question: {question}")
    ]


def contract_of(brief: str) -> Contract:
    """Return what a brief promises: what stands behind its arrow, and numbers where it asks for some."""
    task, _, outputs = brief.partition(_ARROW)
    roles = _BETWEEN.split(outputs.strip(" .")) if outputs else []
    return Contract((), promises_of(roles, task), success=task.strip())


def _assemble(question: str, chosen: Mapping[int, Sequence[tuple[str, str]]]) -> list[tuple[SubGoal, str]]:
    plan: list[tuple[SubGoal, str]] = []
    below: tuple[str, ...] = ()
    for layer in (ACQUISITION, ANALYSIS):
        goals = [
            (SubGoal(name.casefold(), brief, "prepare", contract_of(brief), below, layer=layer), name)
            for name, brief in chosen[layer]
        ]
        plan += goals
        below = tuple(goal.id for goal, _ in plan)
    answer = answer_goal(question, [goal for goal, _ in plan], SYNTHESIS)
    return [*plan, (answer, chosen[SYNTHESIS][0][0])]
