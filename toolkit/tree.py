"""The skill tree: kits, their tools, and the tools' documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from treeline.toolkit.tool import REGISTRY, Registry, Tool


@dataclass(frozen=True, slots=True)
class Kit:
    """A skill node: a named group of tools with a summary of one or two lines."""

    name: str
    summary: str


KITS: dict[str, Kit] = {}


def add_kit(name: str, summary: str) -> str:
    """Register a kit and return its name, for use in ``@tool(kit=...)``.

    Raises
    ------
    ValueError
        There is a kit of that name already.
    """
    if name in KITS:
        raise ValueError(f"There is a kit named {name!r} already.")
    KITS[name] = Kit(name, " ".join(summary.split()))
    return name


def arrange_kits(order: Sequence[str]) -> None:
    """Put the registered kits in an order that names each of them."""
    arranged = sorted(KITS.items(), key=lambda item: order.index(item[0]))
    KITS.clear()
    KITS.update(arranged)


@dataclass(frozen=True)
class SkillTree:
    """Kits and the tools under them."""

    kits: Mapping[str, Kit]
    tools: Mapping[str, tuple[Tool, ...]]

    @classmethod
    def of(cls, registry: Registry = REGISTRY, kits: Mapping[str, Kit] = KITS) -> SkillTree:
        """Return the tree of a registry; kits without tools are left out."""
        tools = {name: tuple(registry.of_kit(name)) for name in kits}
        return cls({n: k for n, k in kits.items() if tools[n]}, {n: t for n, t in tools.items() if t})
