"""How a plan talks with the engine: it yields decisions and is sent what the environment answered.

A plan is a generator. Fed the same observations, it takes the same way, so a run that was killed
goes on from its record.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treeline.core.disclosure import Disclosure
from treeline.core.engine.actions import Call, Decision, Observation, ProductRecord, Skill, action_name
from treeline.toolkit import Registry
from treeline.toolkit.errors import GridMismatch, NoValidPixels
from treeline.toolkit.tool import Tool


@dataclass(frozen=True, slots=True)
class Feedback:
    """A step's number and its observation."""

    step: int
    observation: Observation


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gave.

    Attributes
    ----------
    value : Any
        The tool's result as JSON.
    reference : str
        How a later call can address it.
    """

    step: int
    value: Any
    products: tuple[ProductRecord, ...]
    warnings: tuple[str, ...]

    @property
    def reference(self) -> str:
        """``@result4`` for the result of step 4."""
        return f"@result{self.step}"


class CannotAnswer(Exception):
    """The question cannot be answered from the workspace.

    Parameters
    ----------
    reason : str
        What is missing, in a sentence.
    needed : str
        What it would need.
    """

    def __init__(self, reason: str, needed: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.needed = needed


class NoPixel(CannotAnswer):
    """No pixel is left to measure."""


_NOTHING_THERE = (NoValidPixels.__name__, GridMismatch.__name__)
_MARKING = ("rasterize_features", "reclassify_raster")
_FEW_OR_EQUAL = r"of the pixels are valid|has the same value"

Steps = Generator[Decision, Feedback, Any]


def abreast(ways: Sequence[Steps]) -> Steps:
    """Follow several ways side by side, a call of each in turn; return what each of them gave.

    So the same step is taken for every subject that is compared before the next step begins.
    """
    given: list[Any] = [None] * len(ways)
    answers: dict[int, Feedback | None] = dict.fromkeys(range(len(ways)))
    while answers:
        for number in list(answers):
            way, calling = ways[number], True
            while calling:
                try:
                    answer = answers[number]
                    decision = way.send(answer) if answer else next(way)
                except StopIteration as end:
                    given[number] = end.value
                    del answers[number]
                    break
                answers[number] = yield decision
                calling = not isinstance(decision.action, Call)
    return given


@dataclass
class Plan:
    """The way so far: what was opened, what calls gave, what is worth saying.

    Attributes
    ----------
    evidence : list of int
        Steps that the answer rests on.
    remarks : list of str
        What the person should know besides the number.
    observations : list of Observation
        What the calls gave.
    """

    registry: Registry
    disclosure: Disclosure
    opened: set[str] = field(default_factory=set)
    evidence: list[int] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    observations: list[Observation] = field(default_factory=list)

    def call(self, tool: Tool | str, thought: str, **arguments: Any) -> Steps:
        """Open a tool's branch where that is not done, call it, and return a :class:`Result`.

        Raises
        ------
        CannotAnswer
            The call was refused or failed; says why.
        """
        chosen = self.registry.get(tool) if isinstance(tool, str) else tool
        yield from self._open(chosen)
        feedback = yield Decision(Call(chosen.name, arguments), thought)
        observation = feedback.observation
        if not observation.succeeded:
            if observation.error in _NOTHING_THERE:
                raise NoPixel(observation.text, observation.hint)
            raise CannotAnswer(
                f"{chosen.name} could not be carried out: {observation.text}", observation.hint
            )
        self.evidence.append(feedback.step)
        # Where a condition was to leave few pixels, few pixels are no cause for doubt.
        selecting = chosen.gives.quantity == "condition_masked" or chosen.name in _MARKING
        self.observations.append(_without_doubts(observation) if selecting else observation)
        return Result(feedback.step, observation.value, observation.products, observation.warnings)

    def remark(self, text: str) -> None:
        """Keep something that the answer should say, once."""
        if text and text not in self.remarks:
            self.remarks.append(text)

    def name(self, role: str, label: str, place: str = "", suffix: str = ".tif") -> str:
        """Return a file name for a product that no other product of the plan has."""
        stem = "_".join(part for part in (role, _slug(place), _slug(label)) if part)
        name, count = f"{stem}{suffix}", 1
        while name in self.names:
            count += 1
            name = f"{stem}_{count}{suffix}"
        self.names.add(name)
        return name

    def _open(self, tool: Tool) -> Generator[Decision, Feedback, None]:
        for action in self.disclosure.way_to(tool.name, self.opened):
            self.opened.add(action_name(action))
            thought = f"{tool.name} looks right: {_without_stop(tool.brief)}."
            if isinstance(action, Skill):
                thought = f"The kit {action.kit} should hold what I need."
            yield Decision(action, thought)


def _without_doubts(observation: Observation) -> Observation:
    warnings = tuple(w for w in observation.warnings if not re.search(_FEW_OR_EQUAL, w))
    return replace(observation, products=(), warnings=warnings)


def _slug(text: str) -> str:
    moment = re.sub(r"(?<=\d) (?=\d)", "T", text).replace(":", "")
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in moment).strip("-")


def _without_stop(text: str) -> str:
    return text.strip().rstrip(".")
