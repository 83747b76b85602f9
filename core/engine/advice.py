"""What would do instead: the hint of a refusal names tools, files or a signature that exist."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from treeline.core.engine.rundata import RunData
from treeline.core.workspace import Collection
from treeline.toolkit import Registry
from treeline.toolkit.errors import InputError, PathOutside, RasterMissing, TreelineError, UnknownTool
from treeline.toolkit.files import is_usable
from treeline.toolkit.likeness import likeness, nearest_names
from treeline.toolkit.recognition import describe_name
from treeline.toolkit.tool import Tool, Writes

# Words in which names of one tool differ from one tool set, or one model, to the next.
_VERBS = frozenset({"calculate", "calc", "compute", "batch", "get", "tool", "function", "mcp", "base"})
_RASTER_NAME = re.compile(r"\.(tiff?|png|jpe?g)\b", re.IGNORECASE)
_NEAR = 3


def find_tool(name: str, registry: Registry) -> Tool | None:
    """Return the tool that a name means which differs in verbs and their spelling alone, if it is one."""
    wanted = _words_without_verbs(name)
    found = [tool for tool in registry if wanted and _words_without_verbs(tool.name) == wanted]
    return found[0] if len(found) == 1 else None


def near_tools(name: str, registry: Registry, count: int = _NEAR) -> list[str]:
    """Return the tools most like a name: by the words of name, output and quantity, rare words first."""
    words = {tool.name: _words_of(tool) for tool in registry}
    counted = Counter(word for known in words.values() for word in known)
    wanted = _words_without_verbs(name)

    def agreement(tool: str) -> float:
        shared = sum(math.log(1 + len(words) / counted[word]) for word in wanted & words[tool])
        # Spelling decides between tools that share the same words, and no more than that.
        return shared + likeness(name, tool) / 50

    return sorted(words, key=agreement, reverse=True)[:count]


def near_files(address: str, data: RunData, count: int = _NEAR) -> list[str]:
    """Return the names in the run's data that are most like an address."""
    names = [product.name for product in data.products] + [p.name for p in data.workspace.files()]
    names = list(filter(is_usable, names))
    # A model may write an address of any length, and each name is compared with it.
    wanted = PurePosixPath(address.replace("\\", "/")[:300]).name
    return nearest_names(wanted, sorted(set(names)), count)


def advice(
    error: TreelineError, data: RunData, registry: Registry, tool: Tool | None, given: Mapping[str, Any]
) -> str:
    """Return the hint of an error, with what exists added where it names nothing that exists."""
    if isinstance(error, UnknownTool) or tool is None:
        return error.hint
    parts = [error.hint]
    if isinstance(error, RasterMissing | PathOutside):
        parts += _about_files(error, data, registry)
    elif _holds_rasters(tool, given):
        makers = [t.name for t in registry.givers_of("mean", "series")][:1]
        parts.append(f"It takes numbers; {', '.join(makers)} gives one for each raster." if makers else "")
    if isinstance(error, InputError) and not isinstance(error, RasterMissing | PathOutside):
        parts.append("" if "Signature:" in error.hint else f"Signature: {tool.signature}")
    return " ".join(part for part in parts if part)


def _about_files(error: TreelineError, data: RunData, registry: Registry) -> list[str]:
    # Errors about files quote the address that was given, which need not be one of the arguments after
    # repair.
    address = next(iter(re.findall(r"['\"]([^'\"]+)['\"]", error.message)), "")
    parts = []
    near = near_files(address, data)
    if near and not any(name in error.hint for name in near):
        parts.append(f"Files here: {', '.join(near)}.")
    facts = describe_name(PurePosixPath(address).name)
    role = facts.role
    known = {collection.role for collection in data.collections.values()}
    of_role = [c for c in data.collections.values() if role and c.role == role and c.handle not in error.hint]
    parts += [_place_in(c, facts.date) for c in of_role[:_NEAR]] or _collections_of(near, data)
    makers = [tool.name for tool in registry.writers_of(role)][:2] if role and role not in known else []
    if makers:
        parts.append(f"{role} is made by {' or '.join(makers)}.")
    return parts


def _collections_of(names: Iterable[str], data: RunData) -> list[str]:
    """Return in a sentence which collections hold some rasters: a handle is shorter than names, and right."""
    holding = {
        address.partition("#")[0]: collection
        for collection in data.collections.values()
        for address in collection.addresses
    }
    found = {holding[name].handle: holding[name] for name in names if name in holding}
    told = [f"{handle} ({collection.extent})" for handle, collection in found.items()]
    return [f"Collections: {', '.join(told)}."] if told else []


def _place_in(collection: Collection, date: datetime | None) -> str:
    """Return in a sentence that a collection is there, and how its part of a date is addressed."""
    part = [m for m in collection.members if date and m.date and m.date.year == date.year]
    of_year = f"; of {date.year} {collection.handle}[{date.year}]" if part and date else ""
    return f"Collection: {collection.handle} ({collection.extent}){of_year}."


def _holds_rasters(tool: Tool, given: Mapping[str, Any]) -> bool:
    """Return whether a tool of plain numbers was given rasters; one that writes rasters reads some too."""
    return not (tool.inputs or tool.outputs) and any(
        _RASTER_NAME.search(str(value)[:2000]) for value in given.values()
    )


def _words_without_verbs(name: str) -> frozenset[str]:
    return frozenset(word for word in _words(name) if word not in _VERBS)


def _words_of(tool: Tool) -> frozenset[str]:
    roles = [p.contract.role for p in tool.outputs if isinstance(p.contract, Writes)]
    return frozenset(
        _flat(_words_without_verbs(text) for text in (tool.name, tool.gives.quantity, *roles, *tool.aliases))
    )


def _flat(groups: Iterable[Iterable[str]]) -> list[str]:
    return [item for group in groups for item in group]


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    # Camel case is parted before the case is folded, which would hide where its words begin.
    parted = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", plain)
    return re.findall(r"[a-z]+|\d+", parted.casefold())
