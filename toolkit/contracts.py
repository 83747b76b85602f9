"""What a tool promises: the rasters that it reads and writes, and the quantity that it gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from treeline.toolkit.variables import Variable, variable

Profile = Literal["science", "earth_bench"]
OF_INPUT = ""
"""The unit of a result that has that of its input."""

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


def role_text(role: str, unit: str = "") -> str:
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
    """Contract of an output raster.

    Attributes
    ----------
    role : str
        Of its (first) band: a key of :data:`treeline.toolkit.variables.VARIABLES`.
    unit : str, optional
        Where the role does not fix it; :data:`OF_INPUT` where it is that of the input.
    further : tuple of str
        Roles of the second band and of those after it.
    declares : tuple of Variable
        The roles among them that no other tool has written before.
    keeps_role : bool
        The file has the role and the unit of its input, as a clipped one has; ``role`` says what was done.
    ending : str
        Of the file's name where nobody gives one.
    """

    role: str
    unit: str | None = None
    further: tuple[str, ...] = ()
    declares: tuple[Variable, ...] = ()
    keeps_role: bool = False
    ending: str = "tif"

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the bands that must be known."""
        return self.further if self.keeps_role else (self.role, *self.further)

    def describe(self) -> str:
        """Return the contract in words, for the document."""
        more = f", then bands of {', '.join(map(role_text, self.further))}" if self.further else ""
        return f"where to write {role_text(self.role, self.unit or '')}{more}"

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
    unit : str, optional
        Unit of a number or of those of a series; :data:`OF_INPUT` where it is that of the input.
    of : str, optional
        The parameter whose rasters the unit is of, where it is not the first that reads any.
    """

    kind: Kind
    quantity: str = ""
    unit: str | None = None
    of: str = ""
