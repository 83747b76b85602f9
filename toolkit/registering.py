"""The tools by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from treeline.toolkit.contracts import Reads
from treeline.toolkit.definition import Tool
from treeline.toolkit.errors import ContractError, UnknownTool
from treeline.toolkit.functions import DEFAULT
from treeline.toolkit.likeness import nearest_names

# Of a name that an error repeats.
LONGEST = 80


class Registry:
    """The tools by name. Refuses to overwrite.

    Attributes
    ----------
    refused : list of str
        What other packages offered amiss, a sentence each.
    """

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}
        self._aliases: dict[str, str] = {}
        self._variants: dict[str, dict[str, Callable[..., Any]]] = {}
        self._writers: dict[str, tuple[Tool, ...]] | None = None
        self.refused: list[str] = []

    def add(self, tool: Tool) -> None:
        """Register a tool, or the function of one that is known by the inventory.

        Raises
        ------
        ContractError
            A tool or an alias of that name is there already.
        """
        known = self._tools.get(tool.name)
        if known is not None and known.functions.awaits(tool.function.__module__):
            known.functions.add(DEFAULT, tool.function)
            return
        for name in (tool.name, *tool.aliases):
            if name in self:
                raise ContractError(f"There is a tool named {name!r} already.", "Take another name.")
        self._take(tool)

    def _take(self, tool: Tool) -> None:
        self._tools[tool.name] = tool
        self._writers = None
        self._aliases.update(dict.fromkeys(tool.aliases, tool.name))
        for profile, function in self._variants.pop(tool.name, {}).items():
            self._add_to(tool, profile, function)

    def add_variant(self, name: str, profile: str, function: Callable[..., Any]) -> None:
        """Register the function of a tool for a profile, before or after the tool.

        Raises
        ------
        ContractError
            Another module gives that function already.
        """
        if name in self:
            self._add_to(self.get(name), profile, function)
        else:
            self._variants.setdefault(name, {})[profile] = function

    def restore(self, tools: Iterable[Tool]) -> None:
        """Take the tools of the inventory; of those that are there already only their profiles."""
        for tool in tools:
            if tool.name in self._tools:
                self._tools[tool.name].functions.complete(tool.functions)
                continue
            self._take(tool)

    def _add_to(self, tool: Tool, profile: str, function: Callable[..., Any]) -> None:
        if tool.functions.modules.get(profile, function.__module__) != function.__module__:
            raise ContractError(
                f"The tool {tool.name} has a function for the profile {profile} already.",
                "Take another profile, or make a tool of another name.",
            )
        tool.functions.add(profile, function)

    def remove(self, names: Iterable[str]) -> None:
        """Take tools out again."""
        self._writers = None
        for name in names:
            for alias in self._tools.pop(name).aliases:
                del self._aliases[alias]

    def arrange(self, kits: Sequence[str]) -> None:
        """Put the tools in the order of their kits, of their modules' names, and as these define them."""
        key = {tool.name: (kits.index(tool.kit), tool.functions.modules[DEFAULT]) for tool in self}
        self._tools = dict(sorted(self._tools.items(), key=lambda item: key[item[0]]))
        self._writers = None

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

    def spelling(self, name: str) -> str:
        """Return a tool's name as it is written here, however its case is; a name of no tool as it is."""
        if name in self:
            return name
        folded = name.casefold()
        found = [known for known in (*self._tools, *self._aliases) if known.casefold() == folded]
        return found[0] if len(found) == 1 else name

    def nearest(self, name: str, count: int = 3) -> list[str]:
        """Return the names that are most like a name, best first."""
        return nearest_names(name, self._tools, count)

    def of_kit(self, kit: str) -> list[Tool]:
        """Return the tools of a kit in the order of their registration."""
        return [tool for tool in self if tool.kit == kit]

    def writers_of(self, role: str) -> list[Tool]:
        """Return the tools that write a band of a role, first those whose first band it is."""
        # A question asks for hundreds of roles, and each of those that they are made from in turn.
        writers = self._writers
        if writers is None:
            self._writers = writers = _writers_of(self)
        return list(writers.get(role, ()))

    def roles_from(self, held: Iterable[str]) -> set[str]:
        """Return the roles that are held, and those that tools can make of them, one after the other.

        Tools that make something of any raster, such as a mask by a limit, are left out: what they make is of
        no variable of the ground.
        """
        roles = set(held)
        known = -1
        # Until nothing new is made: what one tool makes may be what another one needs.
        while known < len(roles):
            known = len(roles)
            for tool in self:
                inputs = [p.contract for p in tool.inputs if p.required]
                needed = [contract.roles for contract in inputs if isinstance(contract, Reads)]
                if needed and all(not roles.isdisjoint(each) for each in needed):
                    roles.update(tool.bands)
        return roles

    def givers_of(self, quantity: str, kind: str | None = None) -> list[Tool]:
        """Return the tools whose result is a quantity, of a kind if one is named."""
        return [t for t in self if t.gives.quantity == quantity and kind in (None, t.gives.kind)]


def _writers_of(tools: Iterable[Tool]) -> dict[str, tuple[Tool, ...]]:
    """Return the tools that write each role, those first whose first band it is."""
    bands: dict[str, list[tuple[int, Tool]]] = {}
    for tool in tools:
        for role, band in tool.bands.items():
            bands.setdefault(role, []).append((band, tool))
    return {
        role: tuple(tool for _, tool in sorted(found, key=lambda pair: pair[0]))
        for role, found in bands.items()
    }


REGISTRY = Registry()
