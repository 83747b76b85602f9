"""Sub-goals by a language model; where it gives none that can be used, the question stays whole."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from treeline.core.teams.contracting import promises_of, tools_for
from treeline.core.teams.crew import Crew
from treeline.core.teams.language.asking import objects_in, text_from, workspace_parts
from treeline.core.teams.model import ANSWER, Contract, SubGoal
from treeline.core.teams.orchestrator import FOR_ALL, FOR_MAKERS, answer_goal
from treeline.core.teams.retrieval import PriorKnowledge
from treeline.toolkit import registry

_INSTRUCTION = """\
You lead a small team that answers a question about rasters. Split the question into at most {count} \
sub-goals, each for one executor who sees nothing but its own sub-goal and the products of those it \
depends on. Few are better than many; one is right where nothing can be done apart. The last sub-goal \
answers the question.

Reply with one JSON array and nothing else. Each item:
{{"id": "short-name", "brief": "all that the executor must know", "depends": ["id", ...], \
"inputs": ["role or handle", ...], "outputs": ["role", ...], "kits": ["kit of tools that it needs", ...], \
"format": "raster or number", \
"success": "when it is reached"}}
{advice}"""
_IDENTIFIER = re.compile(r"[^a-z0-9]+")


def _as_list(value: object) -> object:
    return re.split(r"\s*,\s*", value) if isinstance(value, str) else [] if value is None else value


_Names = Annotated[list[str], BeforeValidator(_as_list)]


class _Goal(BaseModel):
    id: str = Field(min_length=1, max_length=60)
    brief: str = Field(min_length=1, max_length=4_000)
    depends: _Names = []
    inputs: _Names = []
    outputs: _Names = []
    kits: _Names = []
    format: str = "raster"
    success: str = ""


def model_goals(crew: Crew, known: PriorKnowledge, advice: str) -> tuple[SubGoal, ...]:
    """Return the sub-goals that a language model splits the question into, the answer last."""
    question = crew.question
    if crew.options.executors < 2:
        return (answer_goal(question, ()),)
    instruction = _INSTRUCTION.format(count=crew.options.executors, advice=advice)
    text = text_from(crew, instruction, _parts(crew, known, question), "split the question")
    goals = read_goals(text, question, crew.options.executors)
    said = "stays whole" if len(goals) == 1 else f"is split into {len(goals)} sub-goals"
    crew.tell("orchestrator", f"The question {said}.")
    return goals


def read_goals(text: str, question: str, most: int) -> tuple[SubGoal, ...]:
    """Return the sub-goals that a model's text describes; the whole question where it describes none.

    The last one is always the question itself; a dependence on a later or an unknown one is left out.
    """
    items = [goal for item in objects_in(text) if (goal := _read(item)) is not None]
    goals: list[SubGoal] = []
    # The last one answers: the question itself, in its own words, takes its place.
    for item in items[: max(most - 1, 0)] if len(items) > most else items[:-1]:
        name = _IDENTIFIER.sub("-", item.id.casefold()).strip("-") or f"goal-{len(goals) + 1}"
        if name == ANSWER or name in {goal.id for goal in goals}:
            name = f"{name}-{len(goals) + 1}"
        # Only on goals before it, so that none waits for itself by way of others.
        depends = tuple(goal.id for goal in goals if goal.id in {d.casefold() for d in item.depends})
        outputs = promises_of([*item.outputs, item.format], item.brief)
        contract = Contract(tuple(item.inputs), outputs, item.format, item.success)
        tools = _tools_of(item.kits, contract)
        goals.append(SubGoal(name, item.brief, "prepare", contract, depends, tools=tools))
    return (*goals, answer_goal(question, goals))


def _tools_of(kits: Iterable[str], contract: Contract) -> tuple[str, ...]:
    """Return the tools of some kits, those that the contract needs, and those that any maker may need.

    Nothing, which stands for all, where no kit is named: the contract alone may forget what comes between.
    """
    wanted = {kit.casefold() for kit in kits}
    names = [tool.name for tool in registry() if tool.kit.casefold() in wanted]
    names += tools_for(contract) if names else ()
    return tuple(dict.fromkeys([*names, *FOR_ALL, *FOR_MAKERS])) if names else ()


def _read(item: object) -> _Goal | None:
    try:
        return _Goal.model_validate(item)
    except ValidationError:
        return None


def _parts(crew: Crew, known: PriorKnowledge, question: str) -> dict[str, str]:
    return {
        "What was learned earlier": "\n".join(f"- {line}" for line in known.lines),
        "Tools": crew.team.disclosure().context().get("tree", ""),
        **workspace_parts(crew),
        "Question": question,
    }
