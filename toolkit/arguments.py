"""The arguments of a tool checked against its parameters, as a pydantic model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from treeline.toolkit.errors import InputError
from treeline.toolkit.likeness import nearest_names
from treeline.toolkit.parameters import Parameter

LIKE_ENOUGH = 60
MOST_FOREIGN = 4


def model_of(tool: str, parameters: Sequence[Parameter]) -> type[BaseModel]:
    """Return the model of the arguments of a tool."""
    fields: dict[str, Any] = {p.name: (p.annotation, ... if p.required else p.default) for p in parameters}
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    return create_model(f"{tool}_arguments", __config__=config, **fields)


def check_arguments(
    tool: str, model: type[BaseModel], arguments: Mapping[str, Any], signature: str
) -> dict[str, Any]:
    """Return the arguments with defaults filled in and certain conversions made.

    Raises
    ------
    InputError
        Names the argument, what was found, and the right signature.
    """
    try:
        found = model.model_validate(dict(arguments))
    except ValidationError as error:
        raise _input_error(tool, list(model.model_fields), error, signature) from None
    values = {name: getattr(found, name) for name in model.model_fields}
    for name, value in values.items():
        # pydantic takes NaN and infinity for numbers, and every comparison with NaN is false.
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError(
                f"{tool}: the argument {name!r} is {value}.",
                f"Give a finite number. Signature: {signature}",
            )
    return values


def _input_error(tool: str, names: list[str], error: ValidationError, signature: str) -> InputError:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"][:1]) or "arguments"
    if first["type"] == "missing":
        message = f"{tool} needs the argument {name!r}, which is missing{_foreign(error)}."
    elif first["type"] == "extra_forbidden":
        near = nearest_names(name, names, 1, LIKE_ENOUGH)
        message = f"{tool} has no argument {name!r}" + (f"; the nearest is {near[0]!r}." if near else ".")
    else:
        found = str(first.get("input"))[:80]
        message = f"{tool}: the argument {name!r} is not usable ({first['msg']}); found {found!r}."
    return InputError(message, f"Signature: {signature}")


def _foreign(error: ValidationError) -> str:
    """Return what was given besides, of which one may be what is missing under another name."""
    names = [str(fault["loc"][0]) for fault in error.errors() if fault["type"] == "extra_forbidden"]
    return f"; it has no {', '.join(map(repr, names[:MOST_FOREIGN]))}" if names else ""
