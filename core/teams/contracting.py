"""From what a sub-goal's contract promises to the tools that its executor needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treeline.core.engine.calls import measures
from treeline.core.teams.model import NUMBERS, Contract
from treeline.toolkit import Registry, registry
from treeline.toolkit.tool import Tool
from treeline.toolkit.variables import VARIABLES

_STATISTICS_KIT = "Statistics"
# How many tools back from a role its makers are looked for; each step back shows an executor more tools.
_MOST_DEEP = 3
_MEASURED = re.compile(
    r"\b(?:mean|average|median|minimum|maximum|highest|lowest|percentiles?|deviation|statistics?|share|"
    r"per ?cent|percentage|count|how (?:many|much)|numbers?|areas?|sum|total|trend|correlat\w+|measure\w*|"
    r"compar\w+|by how)\b",
    re.IGNORECASE,
)
_ANY_RASTER = frozenset({"raster", "rasters", "answer", ""})
_ANY_NUMBER = frozenset({"number", "numbers", "text", "table", "series"})


def tools_for(contract: Contract) -> tuple[str, ...]:
    """Return the tools that can deliver what a contract promises; none where nothing known is promised.

    That is what makes each role and, before it, what that is made from; for numbers, all that measures.
    """
    tools = registry()
    roles = [output for output in contract.outputs if output in VARIABLES]
    made = [tool.name for role in roles for tool in _makers(role, tools, set(), _MOST_DEEP)]
    measured = [tool.name for tool in tools if measures(tool) or tool.kit == _STATISTICS_KIT]
    return tuple(dict.fromkeys([*made, *(measured if NUMBERS in contract.outputs else ())]))


def promises_of(outputs: Iterable[str], said: str) -> tuple[str, ...]:
    """Return what a sub-goal promises: the roles named for it, and numbers where its words ask for some.

    Where one of the names is no role, none is promised: all that is made is handed on.
    """
    words = [word for output in outputs for word in re.split(r"\s+or\s+", output.strip(" @.").casefold())]
    numbers = any(word in _ANY_NUMBER for word in words) or _MEASURED.search(said)
    roles = [word for word in words if word not in _ANY_RASTER | _ANY_NUMBER]
    known = roles if all(role in VARIABLES for role in roles) else []
    return tuple(dict.fromkeys([*known, *([NUMBERS] if numbers else [])]))


def _makers(role: str, tools: Registry, seen: set[str], deep: int) -> Iterator[Tool]:
    if not deep or role in seen:
        return
    seen.add(role)
    for tool in tools.writers_of(role):
        yield tool
        for parameter in tool.inputs:
            for needed in getattr(parameter.contract, "roles", ()):
                yield from _makers(needed, tools, seen, deep - 1)
