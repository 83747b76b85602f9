"""A step that another record takes over: what it says of results names them by their numbers there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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
    return replace(_map_texts(step, lambda text: rename_results(text, known)), number=number)


def name_handles(step: Step, handles: Mapping[str, str]) -> Step:
    """Return a step in which collections have the handles of the record that takes it over."""
    if all(there == here for there, here in handles.items()):
        return step
    products = tuple(
        replace(product, handle=handles.get(product.handle, product.handle))
        for product in step.observation.products
    )
    step = _map_texts(step, lambda text: rename_handles(text, handles))
    return replace(step, observation=replace(step.observation, products=products))


def rename_handles(text: str, handles: Mapping[str, str]) -> str:
    """Return a text in which collections have the handles of the record that takes it over."""
    if not handles:
        return text
    longest = sorted(handles, key=len, reverse=True)
    pattern = rf"(?:{'|'.join(map(re.escape, longest))})(?![\w-])"
    return re.sub(pattern, lambda found: handles[found[0]], text)


def rename_results(value: Any, numbers: Mapping[int, int]) -> Any:
    """Return a value in which ``@result4`` has its number of another record, wherever it stands.

    One that has no number there is told in words, so that it is not taken for another.

    Examples
    --------
    >>> rename_results({"x": ["@result4"]}, {4: 7})
    {'x': ['@result7']}
    """
    return map_strings(value, lambda text: _NAMED.sub(lambda found: _name(found, numbers), text))


def map_strings(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value of JSON with each of its texts changed; names of fields stay."""
    match value:
        case str():
            return change(value)
        case list():
            return [map_strings(item, change) for item in value]
        case dict():
            return {key: map_strings(item, change) for key, item in value.items()}
        case _:
            return value


def _map_texts(step: Step, change: Callable[[str], str]) -> Step:
    """Return a step with the texts of its call's arguments and of what a policy reads of it changed."""
    seen = step.observation
    warnings = tuple(map(change, seen.warnings))
    seen = replace(seen, text=change(seen.text), hint=change(seen.hint), warnings=warnings)
    action = step.action
    if isinstance(action, Call):
        action = Call(action.tool, map_strings(dict(action.arguments), change))
    return replace(step, action=action, observation=seen)


def _name(found: re.Match[str], numbers: Mapping[int, int]) -> str:
    number = numbers.get(int(found["number"]))
    return _ELSEWHERE if number is None else f"{found['before']}{number}"
