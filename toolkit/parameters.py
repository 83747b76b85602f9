"""One parameter of a tool: its type, its contract and what it means."""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import Any

from treeline.toolkit.contracts import Reads, Writes
from treeline.toolkit.value_types import type_of


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool.

    Attributes
    ----------
    type_text : str
        The type as a person reads it, such as ``list[str]``.
    contract : Reads or Writes, optional
        Of a raster.
    """

    name: str
    type_text: str
    required: bool
    default: Any
    description: str
    contract: Reads | Writes | None = None

    @property
    def annotation(self) -> Any:
        """The type."""
        return type_of(self.type_text)

    @property
    def many(self) -> bool:
        """Whether it takes a list."""
        hint = self.annotation
        options = typing.get_args(hint) if typing.get_origin(hint) not in (list, dict, None) else (hint,)
        return any((typing.get_origin(o) or o) is list for o in options)

    @property
    def is_input(self) -> bool:
        """Whether it is a raster that is read."""
        return isinstance(self.contract, Reads)

    @property
    def is_output(self) -> bool:
        """Whether it says where to write a raster."""
        return isinstance(self.contract, Writes)

    @property
    def text(self) -> str:
        """What it means, with its contract in words."""
        if self.contract is None:
            return self.description
        return f"{self.description} ({self.contract.describe()})"
