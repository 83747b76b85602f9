"""Which demands of a lesson hold for every question of a key.

Those that the key carries itself: the variable that it names, clouds that it leaves out. They forbid a wrong
way and change nothing of a right one. Which raster was spoilt, which call failed, is of one question alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from treeline.core.context.guardrails import Guardrail, MaskFirst, RequireRole
from treeline.core.memory.items import BankItem


def rules_for_kind(rules: Iterable[Guardrail], key: str) -> Iterator[Guardrail]:
    """Yield the guardrails that every question of a key carries already."""
    variables = list(_variables(json.loads(key))) if key else []
    roles = {str(variable.get("role")) for variable in variables}
    dated = [variable for variable in variables if not variable.get("timeless")]
    for rule in rules:
        match rule:
            # A question that also names the variable that is to be avoided may rightly measure it.
            case RequireRole(role=role, instead_of=wrong):
                holds = role in roles and not roles & set(wrong)
            case MaskFirst():
                holds = bool(dated) and all(variable.get("clouds") == "masked" for variable in dated)
            case _:
                holds = False
        if holds:
            yield rule


def demand_only(item: BankItem, key: str) -> BankItem | None:
    """Return an item with those of its guardrails alone that the questions of a key carry already.

    One that demands something, and nothing of it holds, has nothing to say there: ``None``.
    """
    rules = tuple(rules_for_kind(item.guardrails, key))
    return replace(item, guardrails=rules) if rules or not item.guardrails else None


def _variables(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        for one in value:
            yield from _variables(one)
    elif isinstance(value, dict):
        if value.get("node") == "Variable":
            yield value
        for one in value.values():
            yield from _variables(one)
