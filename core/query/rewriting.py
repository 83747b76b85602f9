"""Expressions and phrases with some of their nodes changed: the one walk that rebuilds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

T = TypeVar("T")
Kinds = type[Any] | tuple[type[Any], ...]


def rewrite(item: T, kinds: Kinds, change: Callable[[Any], Any], closed: Kinds = ()) -> T:
    """Return an expression or phrase in which a function has changed each part of some kinds.

    The inner parts are changed first. What stays the same is the same object.

    Parameters
    ----------
    kinds : type or tuple of type
    change : callable
    closed : type or tuple of type
        Kinds whose parts are left as they are.
    """
    made: Any = item
    if isinstance(item, tuple):
        parts = tuple(rewrite(one, kinds, change, closed) for one in item)
        made = item if all(a is b for a, b in zip(parts, item, strict=True)) else parts
    elif not isinstance(item, closed):
        new = {}
        for name, before in _composites(item):
            after = rewrite(before, kinds, change, closed)
            if after is not before:
                new[name] = after
        made = replace(made, **new) if new else item
    return change(made) if isinstance(made, kinds) else made


def _composites(item: Any) -> list[tuple[str, Any]]:
    """Return the slots of a node or phrase that have parts themselves."""
    found = []
    for name in slots_of(type(item)):
        value = getattr(item, name)
        if (value.__class__ is tuple and value) or slots_of(value.__class__):
            found.append((name, value))
    return found


def slots_of(kind: type) -> tuple[str, ...]:
    """Return the names of the slots of a class; none for one that is no node or phrase."""
    found = _SLOTS.get(kind)
    if found is None:
        found = _SLOTS[kind] = tuple(getattr(kind, "__dataclass_fields__", ()))
    return found


_SLOTS: dict[type, tuple[str, ...]] = {}
