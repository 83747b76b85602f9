"""The skill tree: kits, their tools, and the tools' documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treeline.toolkit.definition import Tool
from treeline.toolkit.errors import ContractError
from treeline.toolkit.registering import REGISTRY, Registry


@dataclass(frozen=True, slots=True)
class Kit:
    """A skill node: a named group of tools with a summary of one or two lines."""

    name: str
    summary: str


KITS: dict[str, Kit] = {}
ORDER = (
    "Index",
    "Inversion",
    "Perception",
    "Statistics",
    "Analysis",
    "Series",
    "Geometry",
    "Terrain",
    "Radar",
    "Classification",
    "Change",
    "Catalogue",
)
"""In which kits are shown; those that it does not name come last, by name."""


def add_kit(name: str, summary: str) -> str:
    """Register a kit and return its name, for use in ``@tool(kit=...)``.

    Raises
    ------
    ContractError
        There is another kit of that name already.
    """
    kit = Kit(name, " ".join(summary.split()))
    # The same kit again is no fault: its module may be imported a second time.
    if KITS.setdefault(name, kit) != kit:
        raise ContractError(f"There is a kit named {name!r} already.", "Take another name.")
    return name


def arrange_kits() -> None:
    """Put the registered kits in the order in which they are shown."""
    named = {name: KITS[name] for name in ORDER if name in KITS}
    others = {name: KITS[name] for name in sorted(KITS.keys() - named.keys())}
    KITS.clear()
    KITS.update(named | others)


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
