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
# What stands around a value: a fence, marks of a template, a remark, a bracket too many.
_BEFORE = re.compile(r"\A\ufeff?\s*```\w*\s*|\A\ufeff")
_BEHIND = re.compile(r"[\s}\])]*(?:```|<[|/][^<>]*>|(?://|#)[^\n]*)?\s*")
_REMARK = re.compile(r"(?<![\w/:])(?://|#)[^\n]*|/\*.*?\*/", re.DOTALL)
_BETWEEN = re.compile(r"[\s{}\[\](),:;=\"'\u2018\u2019\u201c\u201d]+")
_NOTHING = re.compile(r"[:=]\s*[,;}]")
_CONSTANTS = frozenset({"true", "false", "null", "none"})
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
    fault: BaseException | None = None
    # As it stands first: a bracket in a text may look as if the value ended there.
    for said in dict.fromkeys((text, _unwrapped(text))):
        try:
            # Not strict: models write line breaks into strings as they are.
            value = json.loads(said, strict=False)
        except _FAULTS as error:
            fault = fault or error
        else:
            return _as_json(value)
        try:
            value = value_in(said)
        except _FAULTS:
            continue
        return _as_json(value)
    return _repair(said.strip(), str(fault))


def _repair(text: str, fault: str) -> Any:
    """Return the object or array that a text means which breaks the rules of JSON.

    Raises
    ------
    ValueError
        It is neither, was cut off, or holds what the repair would drop: that must not be guessed.
    """
    if not text.startswith(("{", "[")):
        raise ValueError(fault)
    # The repair closes what is open, so that a message which was cut off would become a call with half of its
    # arguments.
    if end_of(text, 0) != len(text):
        raise ValueError("a quotation mark or a bracket is never closed, or closed by another kind")
    # Plain JSON was tried before.
    value = _as_json(json_repair.loads(text, skip_json_loads=True))
    if (lost := _lost(text, value)) is not None:
        raise ValueError(f"{lost} is no value of JSON; write out every value, texts in quotation marks")
    return value


def _unwrapped(text: str) -> str:
    """Return a text without what models and their servers put around a value."""
    text = _BEFORE.sub("", text).strip()
    end = end_of(text, 0) if text.startswith(("{", "[")) else None
    return text[:end] if end and _BEHIND.fullmatch(text, end) else text


def _lost(text: str, value: Any) -> str | None:
    """Return what a text says and a value that was made of it does not; ``None`` where that is nothing.

    Of a sum such as 1 + 2 the repair takes the first number, of 1 000 the 1, and of three dots nothing.
    """
    quoted = [match[0][1:-1] for match in _QUOTED.finditer(text)]
    bare = _REMARK.sub("", _QUOTED.sub('""', text))
    if _NOTHING.search(bare):
        return "nothing at all"
    texts, numbers = list[str](), set[float]()
    _gather(value, texts, numbers)
    kept = _plain("\0".join(texts))
    for part in [*quoted, *filter(None, _BETWEEN.split(bare))]:
        if _plain(part) not in kept and part.casefold() not in _CONSTANTS and _number(part) not in numbers:
            return part
    return None


def _plain(text: str) -> str:
    return "".join(text.replace("\\", "").split())


def _number(text: str) -> float | None:
    try:
        return float(text.replace("_", ""))
    except ValueError:
        return None


def _gather(value: Any, texts: list[str], numbers: set[float]) -> None:
    """Add the texts and numbers of a value, its keys among them."""
    match value:
        case str():
            texts.append(value)
        case bool() | None:
            pass
        case int() | float():
            numbers.add(float(value))
        case list():
            for item in value:
                _gather(item, texts, numbers)
        case dict():
            texts.extend(value)
            for item in value.values():
                _gather(item, texts, numbers)


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
