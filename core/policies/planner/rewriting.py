"""Expressions with some of their nodes changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import TypeVar

from treeline.core.query.expression import Node

N = TypeVar("N", bound=Node)


def rewrite(expression: Node, kind: type[N], change: Callable[[N], Node]) -> Node:
    """Return an expression in which a function has changed each node of a kind, the inner ones first."""
    values: dict[str, object] = {}
    for item in fields(expression):
        before = getattr(expression, item.name)
        after = _part(before, kind, change)
        if after is not before:
            values[item.name] = after
    made = replace(expression, **values) if values else expression
    return change(made) if isinstance(made, kind) else made


def _part(value: object, kind: type[N], change: Callable[[N], Node]) -> object:
    if isinstance(value, Node):
        return rewrite(value, kind, change)
    if isinstance(value, tuple) and any(isinstance(one, Node) for one in value):
        after = tuple(_part(one, kind, change) for one in value)
        return value if all(a is b for a, b in zip(after, value, strict=True)) else after
    return value
