"""Values as language models write them: JSON, JSON in JSON, or what Python would print."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

_ENCODED = 3
_MOST_TRIED = 200
_LONGEST = 100_000
_CLOSING = {"{": "}", "[": "]", "(": ")"}
_OPENING = re.compile(r"[{\[]")
_TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
_FAULTS = (ValueError, TypeError, SyntaxError, RecursionError, MemoryError)


def read_value(text: str) -> Any:
    """Return the value that a text writes; one that was encoded over again is decoded as often.

    Raises
    ------
    ValueError
        It writes none.
    """
    value = _decoded(text)
    for _ in range(_ENCODED):
        if not isinstance(value, str):
            break
        try:
            value = _decoded(value)
        except ValueError:
            break
    return value


def values_in(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the objects and arrays in a text with where they begin, outermost ones only."""
    text, position = text[:_LONGEST], 0
    for _ in range(_MOST_TRIED):
        opening = _OPENING.search(text, position)
        if opening is None:
            return
        start = position = opening.start()
        end = end_of(text, start)
        try:
            value = read_value(text[start:end]) if end else None
        except ValueError:
            value = None
        if isinstance(value, dict | list):
            yield start, value
        position = end if end and isinstance(value, dict | list) else start + 1


def end_of(text: str, start: int) -> int | None:
    """Return where the bracket closes that opens at ``start``, one past it; ``None`` if it never does."""
    closing, quoted, escaped = list[str](), False, False
    for position, sign in enumerate(text[start:], start=start):
        if quoted:
            quoted = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in _CLOSING:
            closing.append(_CLOSING[sign])
        elif closing and sign == closing[-1]:
            closing.pop()
            if not closing:
                return position + 1
    return None


def _decoded(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except _FAULTS as error:
        fault = error
    for attempt in (_TRAILING_COMMA.sub("", text), None):
        try:
            return json.loads(attempt, strict=False) if attempt else _as_json(ast.literal_eval(text.strip()))
        except _FAULTS:
            continue
    raise ValueError(str(fault)) from None


def _as_json(value: Any) -> Any:
    """Return a value that Python wrote as what JSON can hold.

    Raises
    ------
    ValueError
        It holds something else, such as an ellipsis for what was left out.
    """
    match value:
        case bool() | int() | float() | str() | None:
            return value
        case list() | tuple() | set():
            return [_as_json(item) for item in value]
        case dict():
            return {str(key): _as_json(item) for key, item in value.items()}
        case _:
            raise ValueError(f"{value!r} is no value of JSON")
