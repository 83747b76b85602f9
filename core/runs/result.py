"""The run result: the one form in which a run leaves the engine.

The command line prints it, pages export it, a Python caller gets it. It follows from the record alone: the
run's row and its events. Its schema is ``run_result.schema.json``; ``python -m
treeline.core.runs.result`` writes it again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

from treeline.core.engine.actions import (
    AnswerPart,
    NumberSource,
    Reading,
    UnconfirmedSentence,
    tell_unconfirmed,
)
from treeline.core.engine.verification import say_what_was_checked

VERSION: Literal[1] = 1
SCHEMA = Path(__file__).with_name("run_result.schema.json")

RunState = Literal["queued", "running", "waiting", "ended"]
RunStatus = Literal["answered", "unverified", "asks", "declined", "stopped", "failed"]

# Heads the list of what the numbers of an answer are.
NUMBERS = "What its numbers are, by the steps"
_OF_A_MAP = ("the map of ", "map of ", "the ")
# Only a run of that kind has them.
_OF_MODEL = ("planner",)
_OF_ROUNDS = ("rounds",)
_OF_TEAM = ("members", "sub_goals", "verdicts", "happened")


class _FrozenModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Tokens(_FrozenModel):
    """Tokens of a language model."""

    input: int
    output: int


class StepObservation(_FrozenModel):
    """What the environment answered to an action.

    Attributes
    ----------
    arguments : dict, optional
        Of a call: the arguments as they were after repair.
    products : list of str
        Paths of what was written.
    """

    kind: Literal["information", "result", "refusal", "failure"]
    text: str
    hint: str
    value: Any
    warnings: list[str]
    error: str
    arguments: dict[str, Any] | None
    products: list[str]


class StepResult(_FrozenModel):
    """An action and what became of it.

    Attributes
    ----------
    name : str
        The kit or tool; ``answer`` for the answer.
    arguments : dict
        As the policy wrote them.
    """

    number: int
    action: Literal["skill", "doc", "call", "answer"]
    name: str
    arguments: dict[str, Any]
    thought: str
    observation: StepObservation
    seconds: float
    tokens: Tokens


class RoundResult(_FrozenModel):
    """One attempt of a run in rounds, with what the critic said of it."""

    run: str
    steps: list[StepResult]
    answer: str | None
    status: RunStatus | None
    issue: str | None
    signs: list[str]
    reflection: str | None
    reflection_tokens: int


class FaultResult(_FrozenModel):
    """A fault of Treeline itself in the run; its traceback is in the record and in the log.

    Attributes
    ----------
    code : str
        To be quoted; the same for the same exception at the same place.
    message : str
        The sentence that a person reads.
    error : str
        Name of the exception's type.
    """

    code: str
    message: str
    error: str


class AreaResult(_FrozenModel):
    """An area of interest. A pixel is inside when its centre is.

    Attributes
    ----------
    name : str
        What it was given as: a file, a box, a polygon.
    crs : str
        In which it was taken.
    square_kilometres : float
        On the ellipsoid.
    geometry : dict
        GeoJSON in longitude and latitude.
    """

    name: str
    crs: str
    square_kilometres: float
    geometry: dict[str, Any]


class PlannerResult(_FrozenModel):
    """What the planner answers to the question that a language model worked on.

    Attributes
    ----------
    differs : bool
        Option, number or date is another one than the run's.
    """

    text: str
    value: float | None
    unit: str
    choice: str | None
    read_as: str
    differs: bool


class RunResult(_FrozenModel):
    """A run as the record has it, ended or not.

    Attributes
    ----------
    version : int
        Of this form; another number where a field changes its meaning or goes.
    state : str
        ``queued``, ``running``, ``waiting`` (for a person) or ``ended``.
    place : int, optional
        Of a run that is queued: how many begin before it, and itself.
    read_as, expression : str and dict, optional
        The question as it was understood: in words, and the same as JSON.
    area_of_interest : AreaResult, optional
        Inside which every tool worked.
    status : str, optional
        How it ended; ``None`` until it has.
    reason : str
        Why there is no answer, or why its evidence does not carry it.
    evidence : list of int
        Numbers of the steps that the answer rests on.
    problems : dict
        What is wrong with files that could not be used, by name.
    products : list of str
        Paths of what the run wrote.
    faults : list of FaultResult
        Faults of Treeline itself, of its rounds and members too, the oldest first.
    map : str, optional
        The one of the products that shows the answer.
    parts : list of AnswerPart
        The answers one by one, where several questions were asked in one.
    readings : list of Reading
        Readings of the question to choose from.
    unconfirmed : list of UnconfirmedSentence
        What of the answer a model said and no step bears out as it does the rest.
    sources : list of NumberSource
        What the numbers of a model's answer are, in words that are not the model's.
    planner : PlannerResult, optional
        What the planner answers beside a language model; left out of the JSON where it was not asked.
    seconds : float
        From the first event to the last.
    card : dict, optional
        The task card that it was told.
    ledger : dict
        What each part of the context cost at each turn.
    rounds : list of RoundResult, optional
        Left out of the JSON where the run has none.
    members, sub_goals, verdicts, happened : list of dict, optional
        What a team did; left out of the JSON where there is none.
    """

    version: Literal[1] = VERSION
    run: str
    workspace: str
    state: RunState
    place: int | None = None
    question: str
    choices: list[str]
    read_as: str | None
    expression: dict[str, Any] | None
    area_of_interest: AreaResult | None
    answer: str | None
    value: float | None
    unit: str
    choice: str | None
    status: RunStatus | None
    reason: str
    evidence: list[int]
    problems: dict[str, str]
    steps: list[StepResult]
    tokens: Tokens
    seconds: float
    products: list[str]
    faults: list[FaultResult]
    map: str | None
    parts: list[AnswerPart]
    readings: list[Reading]
    unconfirmed: list[UnconfirmedSentence]
    sources: list[NumberSource]
    card: dict[str, Any] | None
    ledger: dict[str, Any]
    planner: PlannerResult | None = None
    rounds: list[RoundResult] | None = None
    members: list[dict[str, Any]] | None = None
    sub_goals: list[dict[str, Any]] | None = None
    verdicts: list[dict[str, Any]] | None = None
    happened: list[dict[str, Any]] | None = None

    @property
    def chosen_option(self) -> str:
        """The option that was chosen, with its letter and its text; empty where none was."""
        return name_choice(self.choice, self.choices)

    @property
    def map_title(self) -> str:
        """What its map shows: the words in which the question was understood."""
        told = self.read_as or self.question
        for beginning in _OF_A_MAP:
            told = told.removeprefix(beginning)
        return told[:1].upper() + told[1:]

    @property
    def difference(self) -> str:
        """What the planner answers, in a sentence, where that differs; else empty."""
        if self.planner is None or not self.planner.differs:
            return ""
        return f"The planner gives another answer: {self.planner.text}"

    @property
    def beside(self) -> list[str]:
        """What stands beside the answer, in sentences: what is not confirmed and was checked, another one."""
        apart = [f"Not confirmed: {told}" for told in tell_unconfirmed(self.unconfirmed)]
        by_model = self.status == "answered" and self.tokens.output
        checked = say_what_was_checked(self.answer or "") if by_model else ""
        return [*apart, *filter(None, [self.difference, checked])]

    @model_serializer(mode="wrap")
    def _without_what_it_has_not(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = serialize(self)
        absent = [name for name in (*_OF_MODEL, *_OF_ROUNDS, *_OF_TEAM) if getattr(self, name) is None]
        return {name: item for name, item in fields.items() if name not in absent}

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values, in the order of the fields."""
        return self.model_dump(mode="json")


def name_choice(letter: str | None, choices: Sequence[str]) -> str:
    """Return the letter of an option with its text, "B (0.7)"; empty where there is none."""
    if not letter:
        return ""
    place = ord(letter[0]) - ord("A")
    option = choices[place] if 0 <= place < len(choices) else ""
    if not option or re.match(rf"\(?{letter[0]}[).:]", option, re.IGNORECASE):  # it has its letter itself
        return option or letter
    return f"{letter} ({option})"


def schema() -> dict[str, Any]:
    """Return the JSON schema of a run result."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **RunResult.model_json_schema()}


def schema_text() -> str:
    """Return the schema as its file has it."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema_text(), "utf-8")
