"""Sub-goals by a language model; where it gives none that can be used, the question stays whole."""

from __future__ import annotations

import re
from dataclasses import asdict

from pydantic import BaseModel, Field, ValidationError

from core.errors import EndpointError
from core.memory.asking import reflecting
from core.policies.language.exchange import Exchange
from core.policies.language.prompt import Message
from core.settings import Endpoint
from core.teams.crew import Crew
from core.teams.language.variants import array_in
from core.teams.model import Contract, SubGoal
from core.teams.orchestrator import ANSWER, answer_goal
from core.teams.retrieval import Known

_INSTRUCTION = """\
You lead a small team that answers a question about rasters. Split the question into at most {count} \
sub-goals, each for one executor who sees nothing but its own sub-goal and the products of those it \
depends on. Few are better than many; one is right where nothing can be done apart. The last sub-goal \
answers the question.

Reply with one JSON array and nothing else. Each item:
{{"id": "short-name", "brief": "all that the executor must know", "depends": ["id", ...], \
"inputs": ["role or handle", ...], "outputs": ["role", ...], "format": "raster or number", \
"success": "when it is reached"}}
{advice}"""
_IDENTIFIER = re.compile(r"[^a-z0-9]+")


class _Goal(BaseModel):
    id: str = Field(min_length=1, max_length=60)
    brief: str = Field(min_length=1, max_length=4_000)
    depends: list[str] = []
    inputs: list[str] = []
    outputs: list[str] = []
    format: str = "raster"
    success: str = ""


def model_goals(crew: Crew, known: Known, advice: str) -> tuple[SubGoal, ...]:
    """Return the sub-goals that a language model splits the question into, the answer last."""
    record = crew.manager.record(crew.run)
    if crew.options.executors < 2:
        return (answer_goal(record.question, ()),)
    exchange = reflecting(Exchange(crew.endpoint or Endpoint.from_environment()))
    try:
        reply = exchange.reply(
            _messages(crew, known, advice), lambda text: crew.tell("note", text), crew.stop
        )
    except EndpointError as error:
        crew.tell("orchestrator", f"The question stays whole: {error.message}")
        return (answer_goal(record.question, ()),)
    crew.tell("orchestrator", "The model split the question.", tokens=asdict(reply.tokens))
    return read_goals(reply.text, record.question, crew.options.executors)


def read_goals(text: str, question: str, most: int) -> tuple[SubGoal, ...]:
    """Return the sub-goals that a model's text describes; the whole question where it describes none.

    The last one is always the question itself; a dependence on a later or an unknown one is left out.
    """
    try:
        items = [_Goal.model_validate(item) for item in array_in(text)]
    except ValidationError:
        items = []
    goals: list[SubGoal] = []
    for item in items[: max(most - 1, 0)] if len(items) > most else items[:-1]:
        name = _IDENTIFIER.sub("-", item.id.casefold()).strip("-") or f"goal-{len(goals) + 1}"
        if name == ANSWER or name in {goal.id for goal in goals}:
            name = f"{name}-{len(goals) + 1}"
        depends = tuple(goal.id for goal in goals if goal.id in {d.casefold() for d in item.depends})
        contract = Contract(tuple(item.inputs), tuple(item.outputs), item.format, item.success)
        goals.append(SubGoal(name, item.brief, "prepare", contract, depends))
    return (*goals, answer_goal(question, goals))


def _messages(crew: Crew, known: Known, advice: str) -> list[Message]:
    record = crew.manager.record(crew.run)
    parts = [
        f"# Tools\n\n{crew.manager.disclosure(crew.run).context().get('tree', '')}",
        f"# Workspace\n\n{crew.manager.data(crew.run).catalogue()}",
        f"# Question\n\n{record.question}",
    ]
    if known.hits:
        experience = "\n".join(f"- {hit.item.text}" for hit in known.hits)
        parts.insert(0, f"# What was learned earlier\n\n{experience}")
    instruction = _INSTRUCTION.format(count=crew.options.executors, advice=advice)
    return [{"role": "system", "content": instruction}, {"role": "user", "content": "\n\n".join(parts)}]
