"""The tools by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz import process as fuzzy

from treeline.toolkit.definition import Tool
from treeline.toolkit.errors import UnknownTool

LONGEST = 80


class Registry:
    """The tools by name. Refuses to overwrite."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}
        self._aliases: dict[str, str] = {}

    def add(self, tool: Tool) -> None:
        """Register a tool.

        Raises
        ------
        ValueError
            A tool or an alias of that name is there already.
        """
        for name in (tool.name, *tool.aliases):
            if name in self._tools or name in self._aliases:
                raise ValueError(f"There is a tool named {name!r} already.")
        self._tools[tool.name] = tool
        self._aliases.update(dict.fromkeys(tool.aliases, tool.name))

    def arrange(self, kits: Sequence[str]) -> None:
        """Put the tools in the order of their kits; within a kit their order stays."""
        self._tools = dict(sorted(self._tools.items(), key=lambda item: kits.index(item[1].kit)))

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: str) -> bool:
        return name in self._tools or name in self._aliases

    def get(self, name: str) -> Tool:
        """Return a tool by its name or by an older name of it.

        Raises
        ------
        UnknownTool
            With the nearest names.
        """
        tool = self._tools.get(self._aliases.get(name, name))
        if tool is None:
            near = self.nearest(name)
            raise UnknownTool(
                f"There is no tool named {name[:LONGEST]!r}.", f"Nearest tools: {', '.join(near)}."
            )
        return tool

    def nearest(self, name: str, count: int = 3) -> list[str]:
        """Return the names that are most like a name, best first."""
        return [match for match, *_ in fuzzy.extract(name, list(self._tools), limit=count)]

    def of_kit(self, kit: str) -> list[Tool]:
        """Return the tools of a kit in the order of their registration."""
        return [tool for tool in self if tool.kit == kit]

    def writing(self, role: str) -> list[Tool]:
        """Return the tools that write a band of a role, first those whose first band it is."""
        found = [(tool.band_of(role), tool) for tool in self]
        return [tool for _, tool in sorted(((b, t) for b, t in found if b), key=lambda pair: pair[0])]

    def giving(self, quantity: str, kind: str | None = None) -> list[Tool]:
        """Return the tools whose result is a quantity, of a kind if one is named."""
        return [t for t in self if t.gives.quantity == quantity and kind in (None, t.gives.kind)]


REGISTRY = Registry()
