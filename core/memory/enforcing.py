"""The environment's side of the guardrails: a call that breaks one is refused, with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from treeline.core.context.guardrails import (
    MASKED_PART,
    AvoidCall,
    AvoidTool,
    Guardrail,
    LeaveOut,
    MaskFirst,
    RequireRole,
    of_context,
)
from treeline.core.engine.calls import (
    ProposedCall,
    RoleOf,
    file_name,
    inputs_of,
    masked_files,
    measures,
    role_finder,
)
from treeline.core.engine.state import State
from treeline.core.errors import GuardrailBroken
from treeline.toolkit import Registry
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.tool import Tool
from treeline.toolkit.variables import CLOUD_ROLES, variable

# Kinds of variables that are often of no date: relief, land cover, population.
_GROUND_KINDS = frozenset({"product", "class"})


@dataclass(frozen=True)
class _RuledCall:
    """A call with what the rules ask of it."""

    call: ProposedCall

    @property
    def tool(self) -> Tool:
        return self.call.tool

    @cached_property
    def inputs(self) -> list[str]:
        return list(inputs_of(self.call.tool, self.call.arguments))

    @cached_property
    def role_of(self) -> RoleOf:
        return role_finder(self.call.data)


def check_guardrails(call: ProposedCall) -> None:
    """Refuse a call that breaks a guardrail of the run.

    Raises
    ------
    GuardrailBroken
        Says which raster or tool, why, and what would do.
    """
    wanted = _RuledCall(call)
    for rule in of_context(call.state.context):
        check = _CHECKS.get(type(rule))
        problem = check(rule, wanted) if check else ""
        if problem:
            raise GuardrailBroken(problem, f"{rule.reason} {rule}".strip())


def _masked_names(state: State, registry: Registry) -> frozenset[str]:
    # A member of a team is handed rasters that another member masked, whose calls are not among its own.
    by_others = state.context.get(MASKED_PART, "").splitlines()
    return masked_files(state.calls, registry) | frozenset(by_others)


def _role(rule: RequireRole, wanted: _RuledCall) -> str:
    if not measures(wanted.tool):
        return ""
    wrong = [address for address in wanted.inputs if wanted.role_of(address) in rule.instead_of]
    return f"{wrong[0]} is {wanted.role_of(wrong[0])}, and {rule.role} is asked for." if wrong else ""


def _call(rule: AvoidCall, wanted: _RuledCall) -> str:
    # As the policy wrote them or as they are after repair: the critic kept the former, and a handle and its
    # paths are the same call.
    same = rule.arguments in (dict(wanted.call.action.arguments), dict(wanted.call.arguments))
    return f"This call of {rule.tool} failed before." if same and rule.tool == wanted.tool.name else ""


def _tool(rule: AvoidTool, wanted: _RuledCall) -> str:
    return f"{rule.tool} failed on this question before." if rule.tool == wanted.tool.name else ""


def _raster(rule: LeaveOut, wanted: _RuledCall) -> str:
    if rule.raster not in map(file_name, wanted.inputs):
        return ""
    others = [address for address in wanted.inputs if file_name(address) != rule.raster]
    instead = (
        f" The others are {', '.join(others[:12])}{' ...' if len(others) > 12 else ''}." if others else ""
    )
    return f"{rule.raster} is among the rasters and cannot be used.{instead}"


def _may_be_cloudy(address: str, wanted: _RuledCall) -> bool:
    """Return whether clouds can hide what a raster shows: not relief, classes or the clouds themselves."""
    role = wanted.role_of(address)
    known = variable(role)
    if role in CLOUD_ROLES:
        return False
    if known is None or known.kind not in _GROUND_KINDS:
        return True
    try:
        return wanted.call.data.resolver.describe(address)[0].date is not None
    # A raster that cannot be described may be of any kind, so the rule holds for it.
    except TreelineError:
        return True


def _mask(rule: MaskFirst, wanted: _RuledCall) -> str:
    if not measures(wanted.tool):
        return ""
    masked = _masked_names(wanted.call.state, wanted.call.registry)
    bare = [
        address
        for address in wanted.inputs
        if file_name(address) not in masked and _may_be_cloudy(address, wanted)
    ]
    return f"{bare[0]} still holds cloudy pixels." if bare else ""


_CHECKS: dict[type[Guardrail], Callable[[Any, _RuledCall], str]] = {
    RequireRole: _role,
    AvoidCall: _call,
    AvoidTool: _tool,
    LeaveOut: _raster,
    MaskFirst: _mask,
}
