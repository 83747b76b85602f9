"""The decision state: all that a policy knows when it chooses the next action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from treeline.core.engine.actions import Action, Call, Doc, Observation, Reasoning, TokenUse
from treeline.core.engine.events import Event, RunStarted, StepFinished, StepStarted


@dataclass(frozen=True, slots=True)
class Step:
    """An action with its observation.

    Attributes
    ----------
    reasoning : Reasoning
    joined : bool
        As in :class:`~treeline.core.engine.actions.Decision`.
    """

    number: int
    action: Action
    observation: Observation
    thought: str = ""
    tokens: TokenUse = TokenUse()
    seconds: float = 0.0
    reasoning: Reasoning = Reasoning()
    joined: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """What a policy sees.

    Attributes
    ----------
    question : str
    choices : tuple of str
        Options to choose from; empty when the question is open.
    context : mapping
        What the run started with, by part: ``catalogue``, ``tree``, ``cards``, ``memory``, ...
    steps : tuple of Step
        The trajectory.
    """

    question: str
    choices: tuple[str, ...] = ()
    context: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()

    def after(self, step: Step) -> State:
        """Return the state after one more step."""
        return replace(self, steps=(*self.steps, step))

    @property
    def documents(self) -> frozenset[str]:
        """Names of the tools whose document is in the trajectory."""
        return frozenset(
            step.action.tool
            for step in self.steps
            if isinstance(step.action, Doc) and step.observation.is_success
        )

    @property
    def calls(self) -> tuple[Step, ...]:
        """The steps that are calls."""
        return tuple(step for step in self.steps if isinstance(step.action, Call))

    @property
    def tokens(self) -> TokenUse:
        """Tokens used so far."""
        return sum((step.tokens for step in self.steps), TokenUse())


def step_of(start: StepStarted, observation: Observation, seconds: float) -> Step:
    """Return the step that an event began and an observation ended."""
    return Step(
        start.step,
        start.action,
        observation,
        start.thought,
        start.tokens,
        seconds,
        start.reasoning,
        start.joined,
    )


def state_of(events: Iterable[Event]) -> State:
    """Return the state that a record of events leads to.

    A step that was chosen but not answered is left out: it is chosen again on resume.
    """
    state = State("")
    chosen: dict[int, StepStarted] = {}
    for event in events:
        match event:
            case RunStarted(question=question, choices=choices, context=context):
                state = State(question, choices, context)
            case StepStarted(step=number):
                chosen[number] = event
            case StepFinished(step=number, observation=observation, seconds=seconds):
                start = chosen[number]
                state = state.after(step_of(start, observation, seconds))
            case _:
                pass
    return state
