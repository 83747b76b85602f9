"""Values as language models write them: JSON, JSON in JSON, or what Python would print."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

import json_repair

from treeline.toolkit.syntax import value_in

# Models send arguments as JSON in a text in JSON; deeper than this it is the content that is such a text.
_ENCODED = 3
# From each bracket that opens nothing the search starts again, so a long text of brackets would take
# quadratic time without these two.
_MOST_TRIED = 200
_LONGEST = 100_000
_CLOSING = {"{": "}", "[": "]", "(": ")"}
_OPENING = re.compile(r"[{\[]")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_KEY = re.compile(r"[\"'\w]\s*:")
_LEFT_OUT = re.compile(r"\.\.\.|\u2026")
_FAULTS = (ValueError, TypeError, SyntaxError, RecursionError, MemoryError)


def read_value(text: str) -> Any:
    """Return the value that a text writes; one that was encoded over again is decoded as often.

    Raises
    ------
    ValueError
        It writes none.
    """
    value = _decode(text)
    for _ in range(_ENCODED):
        if not isinstance(value, str):
            break
        try:
            value = _decode(value)
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
            value = read_value(text[start:end]) if end and _is_written(text[start:end]) else None
        except ValueError:
            value = None
        if isinstance(value, dict | list):
            yield start, value
        # Behind a bracket that opens nothing the next one may still open a value.
        position = end if end and isinstance(value, dict | list) else start + 1


def _is_written(text: str) -> bool:
    """Return whether brackets in a text hold a value that is whole or meant as one, and no remark."""
    return _KEY.search(text) is not None or text.lstrip("[{ ")[:1] in "\"'-0123456789]}"


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


def _decode(text: str) -> Any:
    try:
        # Not strict: models write line breaks into strings as they are.
        return _as_json(json.loads(text, strict=False))
    except _FAULTS as error:
        fault = error
    try:
        value = value_in(text)
    except _FAULTS:
        return _repair(text.strip(), fault)
    return _as_json(value)


def _repair(text: str, fault: BaseException) -> Any:
    """Return the object or array that a text means which breaks the rules of JSON.

    Raises
    ------
    ValueError
        It is neither, leaves something out, or was cut off: what is missing must not be guessed.
    """
    if not text.startswith(("{", "[")):
        raise ValueError(str(fault))
    # The repair closes what is open, so that a message which was cut off would become a call with half of its
    # arguments.
    if end_of(text, 0) != len(text):
        raise ValueError("a quotation mark or a bracket is never closed, or closed by another kind")
    # The repair drops the dots, and with them the items that the model did not write out.
    if _LEFT_OUT.search(_QUOTED.sub("", text)):
        raise ValueError("... is no value of JSON; write out every item, or a handle")
    # Plain JSON was tried before.
    return _as_json(json_repair.loads(text, skip_json_loads=True))


def _as_json(value: Any) -> Any:
    """Return a value that Python wrote as what JSON can hold.

    Raises
    ------
    ValueError
        It holds something else, such as an ellipsis for what was left out.
    """
    match value:
        case float() if math.isnan(value):
            return None
        case float() if math.isinf(value):
            raise ValueError(f"{value} is no number of JSON")
        case bool() | int() | float() | str() | None:
            return value
        case list() | tuple() | set():
            return [_as_json(item) for item in value]
        case dict():
            return {str(key): _as_json(item) for key, item in value.items()}
        case _:
            raise ValueError(f"{value!r} is no value of JSON")
