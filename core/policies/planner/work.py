"""How an expression is carried out: each kind of node has a rule, and some patterns a shorter way.

A rule is registered with :func:`computes` for a class of nodes, a shorter way with :func:`shortcut`:
a single tool that does what several nodes say. Shorter ways are tried before the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from treeline.core.policies.planner.grounds import Grounds
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.materials import Materials
from treeline.core.policies.planner.plan import CannotAnswer, Plan, Result, Steps
from treeline.core.policies.planner.values import (
    Bundle,
    Numbers,
    Rasters,
    Selection,
    Text,
    Value,
    ZoneRaster,
)
from treeline.core.query.expression import Node, Place, Zones
from treeline.toolkit.interest import AreaOfInterest

N = TypeVar("N", bound=Node)
_RULES: dict[type[Node], Callable[[Work, Node], Steps[Value]]] = {}
_SHORTCUTS: dict[type[Node], list[Callable[[Work, Node], Steps[Value | None]]]] = {}
_ON_A_GRID = ("feature", "box", "point", "aoi", "side")


def computes(
    kind: type[N],
) -> Callable[[Callable[[Work, N], Steps[Value]]], Callable[[Work, N], Steps[Value]]]:
    """Register how a kind of node is carried out."""

    def register(rule: Callable[[Work, N], Steps[Value]]) -> Callable[[Work, N], Steps[Value]]:
        if kind in _RULES:
            raise ValueError(f"{kind.__name__} has a rule already.")
        _RULES[kind] = rule  # type: ignore[assignment]
        return rule

    return register


def shortcut(
    kind: type[N],
) -> Callable[[Callable[[Work, N], Steps[Value | None]]], Callable[[Work, N], Steps[Value | None]]]:
    """Register a shorter way for some nodes of a kind; it gives ``None`` for the others."""

    def register(way: Callable[[Work, N], Steps[Value | None]]) -> Callable[[Work, N], Steps[Value | None]]:
        _SHORTCUTS.setdefault(kind, []).append(way)  # type: ignore[arg-type]
        return way

    return register


@dataclass
class Work:
    """An expression under work.

    Attributes
    ----------
    reference : Item, optional
        The raster on whose grid places are drawn.
    under_clouds : list of Layer
        What was taken with its clouds because nothing was said of them.
    clouds_known : bool
        How much of that lies under clouds was looked at.
    emptied : list of str
        Where the last pixels went, in sentences.
    sides : dict
        Of comparisons of single numbers: the numbers, in one unit.
    courses : dict
        Of conditions over dates or zones: the numbers that were held against a limit.
    apart : dict
        Of those that set two measured numbers against each other: how far these are apart.
    area : AreaOfInterest, optional
        Inside which the run works.
    chain : tuple of str
        Tools of the task card, where the course keeps to them: in the profile ``earth_bench``.
    shares : dict
        Of conditions that are asked of any or every pixel: the share, in per cent, where they hold.
    zone_rasters : dict
        The rasters of numbered zones that were made, by the zones and the file on whose grid they lie.
    chances : dict
        Of slopes that are not significant: how probable such a one is by chance.
    """

    plan: Plan
    materials: Materials
    grounds: Grounds
    reference: Item | None = None
    area: AreaOfInterest | None = None
    chain: tuple[str, ...] = ()
    under_clouds: list[Layer] = field(default_factory=list)
    clouds_known: bool = False
    emptied: list[str] = field(default_factory=list)
    sides: dict[Node, tuple[Numbers, ...]] = field(default_factory=dict)
    courses: dict[Node, Numbers] = field(default_factory=dict)
    apart: dict[Node, Numbers] = field(default_factory=dict)
    shares: dict[Node, float] = field(default_factory=dict)
    chances: dict[Node, float] = field(default_factory=dict)
    zone_rasters: dict[tuple[Zones, str], ZoneRaster] = field(default_factory=dict)
    _values: dict[tuple[Node, str], Value] = field(default_factory=dict)

    def known_value(self, node: Node) -> Value | None:
        """Return what a node was worked out to; ``None`` where it was not."""
        return self._values.get((node, ""))

    def settle(self, node: Node, value: Value) -> None:
        """Keep what a node was worked out to by another way."""
        self._values[node, ""] = value

    def value(self, node: Node) -> Steps[Value]:
        """Return what a node stands for; a node that occurs twice is worked out once.

        Raises
        ------
        CannotAnswer
            It cannot be had.
        """
        # The bands of one file lie on one grid, and the classes of one place in its map.
        grid = ""
        if self.reference:
            grid = self.reference.address.partition("#")[0] if _is_drawn(node) else self.reference.place
        key = (node, grid)
        if key not in self._values:
            self._values[key] = yield from self._compute(node)
        return self._values[key]

    def _compute(self, node: Node) -> Steps[Value]:
        for way in _SHORTCUTS.get(type(node), ()):
            found = yield from way(self, node)
            if found is not None:
                return found
        rule = _RULES.get(type(node))
        if rule is None:
            raise CannotAnswer(f"I cannot work out a {type(node).__name__} yet.")
        return (yield from rule(self, node))

    def numbers(self, node: Node) -> Steps[Numbers]:
        """Return a node that stands for numbers."""
        value = yield from self.value(node)
        if not isinstance(value, Numbers):
            raise CannotAnswer(f"Numbers are needed here, not {describe(value)}.")
        return value

    def rasters(self, node: Node) -> Steps[Rasters]:
        """Return a node that stands for rasters."""
        value = yield from self.value(node)
        if not isinstance(value, Rasters):
            raise CannotAnswer(f"A raster is needed here, not {describe(value)}.")
        return value

    def choose(self, node: Node) -> Steps[Selection]:
        """Return a node that stands for dates or names."""
        value = yield from self.value(node)
        if not isinstance(value, Selection):
            raise CannotAnswer(f"Dates or names are needed here, not {describe(value)}.")
        return value

    def note_empty(self, result: Result, what: str) -> None:
        """Keep in mind that a step left no pixel of a raster."""
        shares = [product.valid_share for product in result.products if product.kind == "raster"]
        if shares and all(share == 0 for share in shares):
            text = f"No pixel is left of {what}."
            if text not in self.emptied:
                self.emptied.append(text)

    def draw_on(self, item: Item, node: Node) -> Steps[Value]:
        """Return a node whose places are drawn on the grid of a raster."""
        with self.on_grid(item):
            return (yield from self.value(node))

    @contextmanager
    def on_grid(self, item: Item) -> Iterator[None]:
        """Have places drawn on the grid of a raster, and classes taken from its place."""
        before, self.reference = self.reference, item
        try:
            yield
        finally:
            self.reference = before


def describe(value: Value) -> str:
    """Return in words what a value is."""
    match value:
        case Numbers(scales=()):
            return "a single number"
        case Numbers(scales=scales):
            return "numbers for each " + " and ".join(scale.axis for scale in scales)
        case Rasters(axis=axis):
            return f"a raster for each {axis}" if axis else "a raster"
        case Selection(axis=axis):
            return f"a {axis}"
        case Text():
            return "words"
        case Bundle():
            return "several answers"


def _is_drawn(node: Node) -> bool:
    return any(isinstance(part, Place | Zones) and part.by in _ON_A_GRID for part in node.walk())
