"""One parameter of a tool: its type, its contract and what it means."""

from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass
from typing import Any

from treeline.toolkit.contracts import Reads, Writes


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool."""

    name: str
    annotation: Any
    required: bool
    default: Any
    description: str
    contract: Reads | Writes | None
    many: bool

    @property
    def is_input(self) -> bool:
        """Whether it is a raster that is read."""
        return isinstance(self.contract, Reads)

    @property
    def is_output(self) -> bool:
        """Whether it says where to write a raster."""
        return isinstance(self.contract, Writes)

    @property
    def type_text(self) -> str:
        """The type as a person reads it, such as ``list[str]``."""
        plain = without_contract(self.annotation)
        return inspect.formatannotation(plain).replace("typing.", "")

    @property
    def text(self) -> str:
        """What it means, with its contract in words."""
        if self.contract is None:
            return self.description
        return f"{self.description} ({self.contract.describe()})"


def parameter_of(parameter: inspect.Parameter, hint: Any, description: str) -> Parameter:
    """Return the parameter of a signature with its type hint and its description."""
    contract = None
    if typing.get_origin(hint) is typing.Annotated:
        contract = next((m for m in hint.__metadata__ if isinstance(m, Reads | Writes)), None)
    required = parameter.default is inspect.Parameter.empty
    return Parameter(
        name=parameter.name,
        annotation=hint,
        required=required,
        default=None if required else parameter.default,
        description=" ".join(description.split()),
        contract=contract,
        many=_accepts_list(without_contract(hint)),
    )


def without_contract(hint: Any) -> Any:
    """Return the plain type of an annotation."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint


def _accepts_list(hint: Any) -> bool:
    options = typing.get_args(hint) if typing.get_origin(hint) not in (list, dict, None) else (hint,)
    return any((typing.get_origin(o) or o) is list for o in options)
