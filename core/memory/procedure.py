"""How a question of a kind was answered: steps with parameters instead of particulars, and what to check.

A step names its tool and what each argument is: a role, a parameter of the question's key, a value that
belongs to the way itself. No number of a result and no file is in it, so that nothing of an answer goes
from one question to the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import PurePath
from typing import Any

from treeline.core.engine.actions import Answer, Call
from treeline.core.engine.calls import RoleOf, file_name
from treeline.core.engine.state import Step
from treeline.toolkit import Registry
from treeline.toolkit.parameters import Parameter
from treeline.toolkit.tool import Tool
from treeline.toolkit.variables import variable

# What is longer is a sentence or a path of its own question, and no value that another question could use.
_LONGEST_LITERAL = 40
_MOST_STEPS = 30


@dataclass(frozen=True, slots=True)
class ProcedureStep:
    """A call with parameters instead of particulars.

    Attributes
    ----------
    arguments : dict
        By name: ``<ndvi>`` or ``<ndvi of each date>`` for rasters, ``<limit 1>`` for a parameter of the key,
        ``<result>`` for what an earlier step gave, else the value itself.
    gives : str
        What comes out.
    check : str
        What must hold of it before the next step; empty where the contract says nothing.
    """

    tool: str
    arguments: dict[str, str]
    gives: str = ""
    check: str = ""

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value}" for name, value in self.arguments.items())
        told = f"{self.tool}({given})" + (f" -> {self.gives}" if self.gives else "")
        return f"{told} [{self.check}]" if self.check else told


@dataclass(frozen=True, slots=True)
class Procedure:
    """Steps in their order, with what the answer must be.

    Attributes
    ----------
    ways : tuple of str
        How each variable was had, such as ``ndvi:given`` or ``lst:split_window``: elsewhere the steps differ.
    """

    steps: tuple[ProcedureStep, ...]
    checks: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools, each once, in order."""
        return tuple(dict.fromkeys(step.tool for step in self.steps))

    def __str__(self) -> str:
        lines = [f"{number}. {step}" for number, step in enumerate(self.steps, start=1)]
        return "\n".join([*lines, *(f"Check: {check}" for check in self.checks)])


@dataclass(frozen=True, slots=True)
class TraceContext:
    """What tells parameters from results.

    Attributes
    ----------
    role_of : callable
        Returns what a raster is; of a handle, what the rasters of its collection are.
    count_of : callable
        Returns how many rasters a handle names; ``None`` where that is not known.
    parameters : mapping
        Of the question's key.
    """

    registry: Registry
    role_of: RoleOf
    parameters: Mapping[str, Any]
    count_of: Callable[[str], int | None] = lambda handle: None


def procedure_of(
    calls: Iterable[Step], answer: Answer | None, around: TraceContext, ways: Sequence[str] = ()
) -> Procedure:
    """Return the procedure of calls that led to an answer; those that failed are left out."""
    steps = [_step(step, around) for step in calls if step.observation.is_success]
    kept = [step for step in steps if step is not None]
    # The same step in a row is one step for several dates: their particulars are parameters, so that they are
    # equal.
    once = [step for step, _ in groupby(kept)]
    return Procedure(tuple(once[:_MOST_STEPS]), checks_of(answer), tuple(sorted(set(ways))))


def checks_of(answer: Answer | None) -> tuple[str, ...]:
    """Return what holds of an answer whatever its particulars are: its form and its unit."""
    if answer is None or not answer.answers:
        return ()
    if answer.value is None:
        return ("It ends in a map.",) if answer.map else ("It ends in words.",)
    unit = f" in {answer.unit}" if answer.unit and answer.unit != "1" else ""
    return (f"It ends in a number{unit}.",)


def keeps_checks(procedure: Procedure, answer: Answer | None) -> bool:
    """Return whether an answer has the form and the unit that the procedure leads to."""
    return not procedure.checks or checks_of(answer) == procedure.checks


def _step(step: Step, around: TraceContext) -> ProcedureStep | None:
    assert isinstance(step.action, Call)
    if step.action.tool not in around.registry:
        return None
    tool = around.registry.get(step.action.tool)
    roles = {PurePath(product.name).name: product.role for product in step.observation.products}
    by_name = {parameter.name: parameter for parameter in tool.parameters}
    arguments = {
        name: _argument(value, by_name.get(name), around)
        for name, value in step.action.arguments.items()
        if value is not None
    }
    made = tuple(dict.fromkeys(role for role in roles.values() if role))
    return ProcedureStep(tool.name, arguments, _gives(tool, made), _check(made))


def _argument(value: Any, parameter: Parameter | None, around: TraceContext) -> str:
    if parameter is not None and parameter.is_output:
        return "<new file>"
    if parameter is not None and parameter.is_input:
        return _raster(value, around)
    if (named := _parameter_equal_to(value, around.parameters)) is not None:
        return f"<{named}>"
    return _literal(value)


def _raster(value: Any, around: TraceContext) -> str:
    values = list(value) if isinstance(value, list | tuple) else [value]
    text = str(values[0]) if values else ""
    handle = text.startswith("@")
    # A handle names a single raster too: elevation has no dates, and of a series one date may be meant.
    many = len(values) > 1 or (handle and around.count_of(text) != 1)
    role = _role_of_handle(text) if handle else around.role_of(text)
    return f"<{role or 'raster'} of each date>" if many else f"<{role or 'raster'}>"


def _role_of_handle(handle: str) -> str:
    """Return the role of a collection: its handle also tells a place, or that it was made."""
    name = handle.lstrip("@").partition("[")[0]
    return next((head for head in accumulate(name.split("-"), "{}-{}".format) if variable(head)), name)


def _parameter_equal_to(value: Any, parameters: Mapping[str, Any]) -> str | None:
    def plain(one: Any) -> Any:
        return float(one) if isinstance(one, int | float) and not isinstance(one, bool) else one

    return next((name for name, one in parameters.items() if plain(one) == plain(value)), None)


def _literal(value: Any) -> str:
    """Return a value that belongs to the way; fractions, lists and files are results of others."""
    match value:
        case bool() | int():
            return str(value)
        case float():
            return str(value) if value == int(value) else "<result>"
        case str() if value.startswith("@"):
            return "<result>"
        case str():
            named = file_name(value) != value or "." in value or len(value) > _LONGEST_LITERAL
            return "<name>" if named else value
        case _:
            return "<results>"


def _gives(tool: Tool, made: Sequence[str]) -> str:
    if made:
        return " and ".join(made)
    return " ".join(filter(None, (tool.gives.quantity, tool.gives.kind)))


def _check(made: Sequence[str]) -> str:
    known = [found for role in made if (found := variable(role)) is not None]
    bounds = [
        f"{each.role} within {each.plausible[0]:g} to {each.plausible[1]:g}"
        + (f" {each.unit}" if each.unit not in ("", "1") else "")
        for each in known
        if all(map(math.isfinite, each.plausible))
    ]
    return ", ".join(bounds)
