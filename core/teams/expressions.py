"""A question as it was read: how a sub-goal keeps it, and what is left of it without its particulars."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from treeline.core.query.expression import Node
from treeline.core.query.form import from_json, to_json
from treeline.core.query.reading import Reading

# Names and sensors of one workspace, and ways to say a value: they do not make a question another one.
_PARTICULAR = frozenset({"version", "names", "attribute", "sensor", "unit", "level", "decimals"})
_WORD = re.compile(r"[a-z_]+")


def stored_reading(reading: Reading) -> dict[str, Any]:
    """Return a reading as JSON values."""
    return {
        "status": reading.status,
        "words": [list(word) for word in reading.words],
        "expressions": [to_json(node) for node in reading.expressions],
        "uncovered": list(reading.uncovered),
        "notes": list(reading.notes),
        "offers": [[said, to_json(node)] for said, node in reading.offers],
        "missing": [list(one) for one in reading.missing],
    }


def recalled_reading(question: str, stored: Mapping[str, Any]) -> Reading:
    """Return the reading that :func:`stored_reading` gave."""
    return Reading(
        question,
        stored["status"],
        tuple((text, entry, kind) for text, entry, kind in stored["words"]),
        expressions=tuple(map(from_json, stored["expressions"])),
        uncovered=tuple(stored["uncovered"]),
        notes=tuple(stored["notes"]),
        offers=tuple((said, from_json(node)) for said, node in stored["offers"]),
        missing=tuple((word, role) for word, role in stored["missing"]),
    )


def kind_of_question(expressions: Iterable[Node], ways: Iterable[str] = ()) -> str:
    """Return what questions of one kind share: their expressions without dates, numbers and names.

    Parameters
    ----------
    ways : iterable of str
        How the variables are had, such as ``ndvi:given``.
    """
    kept = [_general(to_json(node)) for node in expressions]
    return json.dumps([*kept, sorted(set(ways))], sort_keys=True, separators=(",", ":"))


def words_of_kind(kind: str) -> str:
    """Return the words of a kind of question, each once: what it is found by beside those of the question."""
    return " ".join(dict.fromkeys(_WORD.findall(kind.casefold())))


def _general(value: Any) -> Any:
    match value:
        case {"node": "Span", **ends}:
            return "day" if ends and ends.get("first") == ends.get("last") else "period"
        case dict():
            given = {str(name): one for name, one in value.items() if name != "node"}
            kept = {name: _slot(name, one) for name, one in given.items() if name not in _PARTICULAR}
            left = {name: one for name, one in kept.items() if one not in (None, [])}
            return {"node": value["node"], **left}
        case list():
            return _once([_general(one) for one in value])
        case bool() | str():
            return value
        case _:
            return None


def _slot(name: str, value: Any) -> Any:
    """Return a slot without its number; of picked dates and of rankings which end or how many stays."""
    match name:
        case "pick" if isinstance(value, int):
            return "first" if value > 0 else "last"
        case "top":
            return "some" if value else "all"
        case "assumed":
            return [slot for slot in value if slot == "clouds"]
        case _:
            return _general(value)


def _once(values: list[Any]) -> list[Any]:
    """Return what is left of a list where numbers are gone: equals once, in their order."""
    kept: list[Any] = []
    for value in values:
        if value is not None and value not in kept:
            kept.append(value)
    return kept
