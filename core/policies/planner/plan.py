"""How a plan talks with the engine: it yields decisions and is sent what the environment answered.

A plan is a generator. Fed the same observations, it takes the same way, so a run that was killed
goes on from its record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from treeline.core.engine.actions import Call, Decision, Observation, ProductRecord, Skill, action_name
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.gate import DENIED
from treeline.toolkit import Registry
from treeline.toolkit.errors import GridMismatch, NoValidPixels
from treeline.toolkit.tool import Tool

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Feedback:
    """A step's number, its observation, and the arguments that a call was made with, where they are known.

    They are others than those that were decided on where a person changed the call.
    """

    step: int
    observation: Observation
    arguments: Mapping[str, Any] | None = None


Steps: TypeAlias = Generator[Decision, Feedback, T]


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gave.

    Attributes
    ----------
    value : object
        The tool's result as JSON; the properties read it as what the tool is known to give.
    """

    step: int
    value: object
    products: tuple[ProductRecord, ...]
    warnings: tuple[str, ...]

    @property
    def reference(self) -> str:
        """``@result4`` for the result of step 4: how a later call can address it."""
        return f"@result{self.step}"

    @property
    def number(self) -> float | None:
        """The result as a number; the first of a list."""
        value = self.value
        if isinstance(value, list):
            value = value[0] if value else None
        return float(value) if isinstance(value, int | float) else None

    @property
    def numbers(self) -> tuple[float | None, ...]:
        """The result as a list of numbers."""
        values = self.value if isinstance(self.value, list) else [self.value]
        return tuple(float(v) if isinstance(v, int | float) else None for v in values)

    @property
    def rows(self) -> tuple[dict[str, object], ...]:
        """The result as the rows of a table."""
        values = self.value if isinstance(self.value, list) else [self.value]
        return tuple(row for row in values if isinstance(row, dict))

    @property
    def table(self) -> dict[str, object]:
        """The result as names with values."""
        return self.value if isinstance(self.value, dict) else {}


class CannotAnswer(Exception):
    """The question cannot be answered from the workspace.

    Parameters
    ----------
    reason : str
        What is missing, in a sentence.
    needed : str
        What it would need, or what there is instead.
    """

    def __init__(self, reason: str, needed: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.needed = needed

    @property
    def text(self) -> str:
        """Why there is no answer and what it would need."""
        return " ".join(part for part in (self.reason, self.needed) if part)


class NoPixel(CannotAnswer):
    """No pixel is left to measure."""


class NotAtHand(CannotAnswer):
    """A tool that is needed is in no part of the tree that this policy sees."""


_NOTHING_THERE = (NoValidPixels.__name__, GridMismatch.__name__)
_SELECTING = frozenset({"condition_masked", "mask", "clouds_marked"})
_MARKING = frozenset({"rasterize_features", "reclassify_raster", "calculate_batch_formula"})
# A name may have no more; tools add to it, and a land-cover map may have 44 classes.
_LONGEST = 100
_EMPTY = re.compile(r"No pixel of (.+?) is valid: ")
_FEW_OR_EQUAL = re.compile(r"of the pixels are valid|has the same value|^No pixel of .* is valid: ")


@dataclass
class Account:
    """What one reading of a question met on its way.

    Attributes
    ----------
    remarks : list of str
        What the person should know besides the value.
    observations : list of Observation
        What the calls gave.
    empty : dict
        By the name of a raster that was made and has no valid pixel: where they went.
    places : list of str
        The place that something was taken from where the question names none, and the others that have it.
    """

    remarks: list[str] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    empty: dict[str, str] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)

    def copy(self) -> Account:
        """Return an account that begins with the same."""
        return Account([*self.remarks], [*self.observations], {**self.empty}, [*self.places])

    def remark(self, text: str) -> None:
        """Keep something that the answer should say, once."""
        if text and text not in self.remarks:
            self.remarks.append(text)


@dataclass
class Plan:
    """The way so far: what was opened, what calls gave, what is worth saying.

    Attributes
    ----------
    evidence : list of int
        Steps that the answer rests on.
    account : Account
        Of the reading that is worked on.
    made : dict
        What the calls gave that succeeded, so that none is made twice: seven shares are of one table.
    renamed : dict
        What a file is called that a person named otherwise, by the name that its call was to give it.
    changed : list of str
        What else of the calls is not as it was decided on, so that they are no longer what was read.
    """

    registry: Registry
    disclosure: Disclosure
    opened: set[str] = field(default_factory=set)
    evidence: list[int] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    account: Account = field(default_factory=Account)
    made: dict[str, Feedback] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)

    @property
    def remarks(self) -> list[str]:
        """What the person should know besides the value."""
        return self.account.remarks

    @property
    def observations(self) -> list[Observation]:
        """What the calls of the reading that is worked on gave."""
        return self.account.observations

    def call(self, tool: Tool | str, thought: str, **arguments: object) -> Steps[Result]:
        """Open a tool's branch where that is not done, call it, and return what it gave.

        A tool is called by the name that it is asked for by; it may be an older one.

        Raises
        ------
        CannotAnswer
            The call was refused or failed; says why. :class:`NoPixel` where nothing is valid.
        """
        if isinstance(tool, str) and tool not in self.registry:
            raise NotAtHand(f"The tool {tool} is not at hand here.")
        chosen = self.registry.get(tool) if isinstance(tool, str) else tool
        yield from self._open(chosen)
        name = tool if isinstance(tool, str) else chosen.name
        arguments = self.as_named(arguments)
        call = Call(name, arguments)
        key = f"{name} {json.dumps(arguments, sort_keys=True, default=str)}"
        feedback = self.made.get(key) or (yield Decision(call, thought))
        observation = feedback.observation
        if not observation.is_success:
            if observation.error in _NOTHING_THERE:
                raise NoPixel(observation.text, observation.hint)
            if observation.error == DENIED:  # what the policy is told to do instead is nothing to a person
                raise CannotAnswer(f"{chosen.name} was not called. {observation.text}")
            raise CannotAnswer(
                f"{chosen.name} could not be carried out: {observation.text}", observation.hint
            )
        self.made[key] = feedback
        self._note_changes(chosen, arguments, feedback)
        self.evidence += [feedback.step] if feedback.step not in self.evidence else []
        # Where a condition was to leave few pixels, few pixels are no cause for doubt.
        selecting = chosen.gives.quantity in _SELECTING or chosen.name in _MARKING
        said = (_EMPTY.match(warning) for warning in observation.warnings)
        self.account.empty.update({found[1]: found.string for found in said if found})
        self.observations.append(_without_doubts(observation) if selecting else observation)
        return Result(feedback.step, observation.value, observation.products, observation.warnings)

    def _note_changes(self, tool: Tool, asked: Mapping[str, Any], feedback: Feedback) -> None:
        """Note what of a call is not as it was decided on: other names of files, or other arguments."""
        made = asked if feedback.arguments is None else feedback.arguments
        differing = [
            name
            for name, usual in ((each.name, each.default) for each in tool.parameters)
            if _as_written(asked.get(name, usual)) != _as_written(made.get(name, usual))
        ]
        outputs = {output.name for output in tool.outputs}
        for name in outputs.intersection(differing):
            names = zip(_listed(asked.get(name)), _listed(made.get(name)), strict=False)
            self.renamed.update({former: now for former, now in names if former != now})
        others = [name for name in differing if name not in outputs]
        if others and (told := f"{', '.join(others)} of step {feedback.step}") not in self.changed:
            self.changed.append(told)

    def as_named(self, value: Any) -> Any:
        """Return a text, or what holds texts, with the names that a person gave to files."""
        if not self.renamed or not isinstance(value, str | list | dict):
            return value
        if isinstance(value, str):
            names = "|".join(map(re.escape, self.renamed))
            return re.sub(rf"(?<![\w.-])(?:{names})(?!\w)", lambda found: self.renamed[found[0]], value)
        if isinstance(value, list):
            return [self.as_named(each) for each in value]
        return {key: self.as_named(each) for key, each in value.items()}

    def remark(self, text: str) -> None:
        """Keep something that the answer should say, once."""
        self.account.remark(text)

    def name(self, role: str, *labels: str, suffix: str = ".tif") -> str:
        """Return a file name for a product that no other product of the plan has."""
        stem = "_".join(part for part in (_slug(role), *map(_slug, labels)) if part)[:_LONGEST].rstrip("_-")
        name, count = f"{stem}{suffix}", 1
        while name in self.names:
            count += 1
            name = f"{stem}_{count}{suffix}"
        self.names.add(name)
        return name

    def _open(self, tool: Tool) -> Steps[None]:
        for action in self.disclosure.way_to(tool.name, self.opened):
            self.opened.add(action_name(action))
            thought = f"{tool.name} looks right: {tool.brief.strip().rstrip('.')}."
            if isinstance(action, Skill):
                thought = f"The kit {action.kit} should hold what I need."
            yield Decision(action, thought)


def _as_written(value: object) -> str:
    """Return an argument as text: one thing is a list of one, and the record has lists where tuples were."""
    return json.dumps(value if isinstance(value, list | tuple) else [value], default=str)


def _listed(value: object) -> list[str]:
    """Return the names in an argument, one or several."""
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]


def _without_doubts(observation: Observation) -> Observation:
    warnings = tuple(w for w in observation.warnings if not _FEW_OR_EQUAL.search(w))
    return replace(observation, products=(), warnings=warnings)


def _slug(text: str) -> str:
    moment = re.sub(r"(?<=\d) (?=\d)", "T", text).replace(":", "")
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in moment).strip("-")


def one_or_list(values: Sequence[T]) -> T | list[T]:
    """Return the only value by itself, several as a list: how tools that map over lists are called."""
    return values[0] if len(values) == 1 else list(values)


def abreast(ways: Sequence[Steps[T]]) -> Steps[list[T]]:
    """Carry out several plans in turn, one call of each at a time; return what each of them gave.

    So the same step is taken for all that is compared before the next step begins.
    """
    given: dict[int, T] = {}
    answers: dict[int, Feedback | None] = dict.fromkeys(range(len(ways)))
    while answers:
        for number in list(answers):
            try:
                decision = _next(ways[number], answers[number])
                while not isinstance(decision.action, Call):
                    decision = ways[number].send((yield decision))
            except StopIteration as end:
                given[number] = end.value
                del answers[number]
                continue
            answers[number] = yield decision
    return [given[number] for number in range(len(ways))]


def _next(way: Steps[T], answer: Feedback | None) -> Decision:
    return next(way) if answer is None else way.send(answer)
