"""One event for each thing that happened in a run; the store keeps them, pages read them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from treeline.core.engine.actions import Action, Answer, Call, Observation, Reasoning, TokenUse
from treeline.core.record.status import Status


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run began.

    Attributes
    ----------
    context : dict
        What the policy is told at the start, by part.
    problems : dict
        What is wrong with files of the workspace that cannot be used, by name.
    """

    question: str
    choices: tuple[str, ...] = ()
    context: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    kind: Literal["run_started"] = "run_started"


@dataclass(frozen=True, slots=True)
class RunResumed:
    """A run that was stopped or interrupted goes on after a step."""

    after_step: int
    kind: Literal["run_resumed"] = "run_resumed"


@dataclass(frozen=True, slots=True)
class StepStarted:
    """The policy chose an action."""

    step: int
    action: Annotated[Action, Field(discriminator="kind")]
    thought: str = ""
    tokens: TokenUse = TokenUse()
    seconds: float = 0.0
    reasoning: Reasoning = Reasoning()
    joined: bool = False
    kind: Literal["step_started"] = "step_started"


@dataclass(frozen=True, slots=True)
class Draft:
    """What a policy is writing: no event, but shown until the step that it becomes is one.

    Attributes
    ----------
    thought : str
        Words so far, thoughts among them.
    calls : tuple of str
        Calls so far, the last one half-written.
    """

    thought: str = ""
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """A call is under way: items or blocks done of a total."""

    step: int
    done: int
    total: int
    label: str = ""
    kind: Literal["progress"] = "progress"


@dataclass(frozen=True, slots=True)
class StepFinished:
    """The environment answered; ``seconds`` is what the action took."""

    step: int
    observation: Observation
    seconds: float
    kind: Literal["step_finished"] = "step_finished"


@dataclass(frozen=True, slots=True)
class Note:
    """Something a person should know that is no step: a retry, a budget that runs low."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)
    kind: Literal["note"] = "note"


@dataclass(frozen=True, slots=True)
class DecisionAwaited:
    """The run waits for a person's word on its next step.

    Attributes
    ----------
    action : Action, optional
        What the policy would do; ``None`` where the person chooses.
    thought : str
        Why the policy would do it.
    plan : tuple of Call
        Before the first step: the calls that are certain, where the whole plan is to be looked at.
    """

    step: int
    action: Annotated[Action, Field(discriminator="kind")] | None = None
    thought: str = ""
    plan: tuple[Call, ...] = ()
    kind: Literal["awaited"] = "awaited"


@dataclass(frozen=True, slots=True)
class DecisionGiven:
    """A person's word on a step that is awaited.

    Attributes
    ----------
    action : Action, optional
        What is to be done; ``None`` leaves it as it was proposed.
    denied : str
        Why it is not to be done; empty where it is.
    """

    step: int
    action: Annotated[Action, Field(discriminator="kind")] | None = None
    thought: str = ""
    denied: str = ""
    kind: Literal["given"] = "given"


@dataclass(frozen=True, slots=True)
class ApprovalSet:
    """From here on other calls are asked about than before, see :mod:`treeline.core.runs.approval`."""

    ask: str
    kind: Literal["approval_set"] = "approval_set"


@dataclass(frozen=True, slots=True)
class BudgetRaised:
    """From here on the run may use more than it was asked with: how much is added to which limit."""

    more: dict[str, int | float]
    kind: Literal["budget_raised"] = "budget_raised"


@dataclass(frozen=True, slots=True)
class RunFinished:
    """A run ended, with an answer or with a reason why there is none.

    Attributes
    ----------
    error : str
        The kind of error that it failed with, where it did.
    limit : str
        The limit of its budget that was used up, where that ended it: ``steps``, ``tokens``, ...
    """

    status: Status
    answer: Answer | None = None
    reason: str = ""
    error: str = ""
    limit: str = ""
    kind: Literal["run_finished"] = "run_finished"


def ending(answer: Answer) -> RunFinished:
    """Return the end of a run that ends with an answer."""
    doubt = answer.unverified or "Not every part of the question is answered."
    return RunFinished(answer.status, answer, doubt if answer.status == "unverified" else "")


Event = (
    RunStarted
    | RunResumed
    | StepStarted
    | Progress
    | StepFinished
    | Note
    | DecisionAwaited
    | DecisionGiven
    | ApprovalSet
    | BudgetRaised
    | RunFinished
)

# Built when the first event is read or written: a command that has none starts without it.
_ADAPTER: TypeAdapter[Event] = TypeAdapter(
    Annotated[Event, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)


def to_json(event: Event) -> str:
    """Return an event as JSON text."""
    return _ADAPTER.dump_json(event).decode()


def draft_json(draft: Draft) -> str:
    """Return a draft as JSON text."""
    return json.dumps({"thought": draft.thought, "calls": draft.calls}, ensure_ascii=False)


def draft_from_json(text: str) -> Draft:
    """Return the draft that :func:`draft_json` wrote."""
    found = json.loads(text)
    return Draft(found["thought"], tuple(found["calls"]))


def from_json(text: str | bytes) -> Event:
    """Return the event that a JSON text holds.

    Raises
    ------
    pydantic.ValidationError
        The text is no event of this version.
    """
    return _ADAPTER.validate_json(text)
