"""A step that another record takes over: what it says of results names them by their numbers there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treeline.core.engine.actions import Call
from treeline.core.engine.call_reuse import SAME_AS
from treeline.core.engine.state import Step

_NAMED = re.compile(rf"(?P<before>@result|{SAME_AS})(?P<number>\d+)\b")
_ELSEWHERE = "a result of another member"


def renumber(step: Step, number: int, numbers: Mapping[int, int]) -> Step:
    """Return a step under another number, with the results that it names as they are numbered there.

    Parameters
    ----------
    numbers : mapping of int to int
        From the numbers of the record that it is from; its own is added.
    """
    known = {**numbers, step.number: number}
    seen = step.observation
    seen = replace(
        seen,
        text=rename_results(seen.text, known),
        hint=rename_results(seen.hint, known),
        warnings=tuple(rename_results(warning, known) for warning in seen.warnings),
    )
    action = step.action
    if isinstance(action, Call):
        action = Call(action.tool, rename_results(dict(action.arguments), known))
    return replace(step, number=number, action=action, observation=seen)


def rename_results(value: Any, numbers: Mapping[int, int]) -> Any:
    """Return a value in which ``@result4`` has its number of another record, wherever it stands.

    One that has no number there is told in words, so that it is not taken for another.

    Examples
    --------
    >>> rename_results({"x": ["@result4"]}, {4: 7})
    {'x': ['@result7']}
    """
    match value:
        case str():
            return _NAMED.sub(lambda found: _name(found, numbers), value)
        case list():
            return [rename_results(item, numbers) for item in value]
        case dict():
            return {key: rename_results(item, numbers) for key, item in value.items()}
        case _:
            return value


def _name(found: re.Match[str], numbers: Mapping[int, int]) -> str:
    number = numbers.get(int(found["number"]))
    return _ELSEWHERE if number is None else f"{found['before']}{number}"
