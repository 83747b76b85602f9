"""Expressions as JSON values and back; a field at its default is left out."""

from __future__ import annotations

import datetime as dt
from dataclasses import fields
from typing import Any

from treeline.core.query import expression, objects
from treeline.core.query.expression import Node

VERSION = 1

_NODES: dict[str, type[Node]] = {
    name: kind
    for name, kind in (vars(expression) | vars(objects)).items()
    if isinstance(kind, type) and issubclass(kind, Node) and kind is not Node
}


def to_json(node: Node) -> dict[str, Any]:
    """Return an expression as JSON values, with the version of the form."""
    return {"version": VERSION, **_encode(node)}


def from_json(stored: dict[str, Any]) -> Node:
    """Read what :func:`to_json` gave.

    Raises
    ------
    ValueError
        It has another version, or a node or field that does not exist.
    """
    if stored.get("version") != VERSION:
        raise ValueError(f"An expression of version {stored.get('version')!r}; this reads {VERSION}.")
    node = _decode({key: value for key, value in stored.items() if key != "version"})
    if not isinstance(node, Node):
        raise ValueError("That is no expression.")
    return node


def _encode(value: Any) -> Any:
    if isinstance(value, Node):
        given = {item.name: getattr(value, item.name) for item in fields(value)}
        defaults = {item.name: item.default for item in fields(value)}
        kept = {name: _encode(one) for name, one in given.items() if one != defaults[name]}
        return {"node": type(value).__name__, **kept}
    if isinstance(value, tuple):
        return [_encode(one) for one in value]
    return value.isoformat() if isinstance(value, dt.date) else value


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_decode(one) for one in value)
    if not isinstance(value, dict):
        return value
    name = value.get("node")
    if not isinstance(name, str) or name not in _NODES:
        raise ValueError(f"There is no node {name!r}.")
    arguments = {key: _decode(one) for key, one in value.items() if key != "node"}
    try:
        if name == "Span":
            arguments = {key: dt.date.fromisoformat(one) for key, one in arguments.items()}
        return _NODES[name](**arguments)
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from error
