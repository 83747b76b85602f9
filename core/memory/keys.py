"""What a lesson is kept by: the typed expression of its question, its particulars as numbered parameters.

Statistic, direction, order, operators, units, roles, clouds, how many periods and limits there are: all that
makes another question of it stays. Which day, which limit, which class is a parameter, so that a lesson at
301 K holds at 300 K; the same particular twice is the same parameter twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treeline.core.engine.rundata import RunData
from treeline.core.memory.key_words import words_of_key
from treeline.core.policies.reading_choice import AS_IT_STANDS, HowToRead

if TYPE_CHECKING:
    from treeline.core.query.expression import Node

# Where names are words of the language and no particulars: north is to south as highest to lowest.
_NAMED_SIDES = frozenset({"facing", "side"})
# What tells which file a name is from, which is another one in the next workspace.
_LEFT_OUT = frozenset({"attribute"})
# Whole numbers that say which one or how many are asked for.
_COUNTS = frozenset({"version", "pick", "nth", "top"})
_TITLES = {
    "value": "limit",
    "names": "name",
    "parameter": "percentage",
    "limits": "limit",
    "step": "step",
    "level": "level",
    "months": "months",
    "sensor": "sensor",
    "decimals": "decimals",
    "name": "name",
}


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a question.

    Attributes
    ----------
    text : str
        Canonical JSON; empty where the question is not read as one expression.
    parameters : dict
        The particulars by name, such as ``day 1``.
    """

    text: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The words of the key, each once: what a lesson is found by beside those of the question."""
        return words_of_key(self.text)


NO_KEY = Key()


def key_of(expressions: Iterable[Node]) -> Key:
    """Return the key of what a question is read as; none where it is read as nothing."""
    from treeline.core.query.form import to_json

    particulars = _Particulars()
    forms = [_abstract(to_json(node), "", particulars) for node in expressions]
    if not forms:
        return NO_KEY
    return Key(json.dumps(forms, sort_keys=True, separators=(",", ":")), particulars.named)


def key_of_question(question: str, data: RunData, how: HowToRead = AS_IT_STANDS) -> Key:
    """Return the key of a question asked of some data; none where it cannot be read, or in several ways."""
    # The planner's modules are many, and few commands read a question.
    from treeline.core.policies.planner.policy import expressions_of

    return key_of(expressions_of(question, data, how))


def differences(key: str, other: str) -> tuple[str, ...]:
    """Return in what two keys differ, a phrase each; nothing where one of them is empty or they are equal."""
    if not key or not other:
        return ()
    return tuple(dict.fromkeys(_compare(json.loads(key), json.loads(other), "expression")))


class _Particulars:
    """Gives each particular a name, the same one to equals."""

    def __init__(self) -> None:
        self.named: dict[str, Any] = {}

    def name(self, title: str, value: Any) -> str:
        for name, known in self.named.items():
            # In Python 1 == 1.0 == True, which are not the same particular.
            if known == value and type(known) is type(value) and name.rpartition(" ")[0] == title:
                return f"<{name}>"
        count = sum(name.rpartition(" ")[0] == title for name in self.named)
        name = f"{title} {count + 1}"
        self.named[name] = value
        return f"<{name}>"


def _abstract(value: Any, slot: str, particulars: _Particulars) -> Any:
    match value:
        # Before any other node: its ends are one particular together, a day or a period.
        case {"node": "Span"}:
            return _span(value, particulars)
        case {"node": _}:
            return _node(value, particulars)
        case list() if slot == "months":
            return particulars.name("months", value)
        case list() if slot == "assumed":
            return [one for one in value if one == "clouds"]
        case list():
            return [_abstract(one, slot, particulars) for one in value]
        # Before int(): a truth value is an int in Python.
        case bool() | None:
            return value
        case int() if slot in _COUNTS:
            return value
        case int() | float():
            return particulars.name(_TITLES.get(slot, "number"), value)
        case _:
            return particulars.name(_TITLES[slot], value) if slot in ("names", "sensor", "name") else value


def _span(value: Mapping[str, Any], particulars: _Particulars) -> str:
    first, last = value.get("first"), value.get("last")
    if first == last and first:
        return particulars.name("day", first)
    if first and last:
        return particulars.name("period", [first, last])
    return particulars.name("since" if first else "until", first or last)


def _node(value: Mapping[str, Any], particulars: _Particulars) -> dict[str, Any]:
    by = value.get("by")
    found: dict[str, Any] = {}
    for slot, one in value.items():
        if slot in _LEFT_OUT or (slot == "source" and by == "feature"):
            continue
        named = slot == "names" and by in _NAMED_SIDES
        found[slot] = one if named or slot == "node" else _abstract(one, slot, particulars)
    return {slot: one for slot, one in found.items() if one not in (None, [])}


def _compare(one: Any, other: Any, where: str) -> Iterable[str]:
    if one == other:
        return
    match one, other:
        case dict(), dict() if one.get("node") == other.get("node"):
            for slot in dict.fromkeys([*one, *other]):
                yield from _compare(one.get(slot), other.get(slot), slot)
        case list(), list() if len(one) == len(other):
            for left, right in zip(one, other, strict=True):
                yield from _compare(left, right, where)
        case _:
            yield f"{where}: {_say(one)}, not {_say(other)}"


def _say(value: Any) -> str:
    match value:
        case None:
            return "none"
        case dict():
            return str(value.get("node", "something")).lower()
        case list():
            return f"{len(value)} of them"
        case _:
            return str(value)
