"""What a tool promises: the rasters that it reads and writes, and the quantity that it gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from treeline.toolkit.variables import variable

Profile = Literal["science", "earth_bench"]
Kind = Literal["number", "series", "table", "raster", "boxes", "files", "text", "figure", "value"]


@dataclass(frozen=True, slots=True)
class Reads:
    """Contract of an input raster.

    Parameters
    ----------
    *roles : str
        Acceptable roles, the best first; none means any.
    """

    roles: tuple[str, ...]

    def __init__(self, *roles: str) -> None:
        object.__setattr__(self, "roles", roles)

    def describe(self) -> str:
        """Return the contract in words, for the document."""
        if not self.roles:
            return "a raster of any role"
        texts = []
        for role in self.roles:
            known = variable(role)
            texts.append(f"{role} [{known.unit}]" if known else role)
        return "a raster of role " + " or ".join(texts)


def measured(role: str, unit: str = "") -> str:
    """Return a role with its unit and, of a quantity, its plausible range: ``lst [K, 170 to 355]``."""
    known = variable(role)
    parts = [unit or (known.unit if known else "")]
    if known and known.kind not in ("class", "quality") and all(map(math.isfinite, known.plausible)):
        low, high = known.plausible
        parts.append(f"{low:g} to {high:g}")
    text = ", ".join(filter(None, parts))
    return f"{role} [{text}]" if text else role


@dataclass(frozen=True, slots=True)
class Writes:
    """Contract of an output raster: its role, and its unit where the role does not fix it.

    Attributes
    ----------
    further : tuple of str
        Roles of the second band and of those after it.
    """

    role: str
    unit: str = ""
    further: tuple[str, ...] = ()

    def describe(self) -> str:
        """Return the contract in words, for the document."""
        more = f", then bands of {', '.join(map(measured, self.further))}" if self.further else ""
        return f"where to write {measured(self.role, self.unit)}{more}"

    def band_of(self, role: str) -> int | None:
        """Return the number of the band of a role, from 1; ``None`` where it has none."""
        roles = (self.role, *self.further)
        return roles.index(role) + 1 if role in roles else None


@dataclass(frozen=True, slots=True)
class Gives:
    """What a tool returns, for those who plan with it.

    Attributes
    ----------
    kind : str
        ``raster`` (it writes one per item), ``number``, ``series`` (one number per input
        raster), ``table``, ``boxes``, ``files``, ``text``, ``figure`` or ``value``.
    quantity : str
        The operation in one word, such as ``mean``, ``share``, ``slope``, ``difference``.
    unit : str
        Unit of the number; empty when it is that of the input.
    """

    kind: Kind
    quantity: str = ""
    unit: str = ""
