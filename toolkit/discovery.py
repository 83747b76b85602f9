"""Finding the tools: by the inventory where it holds, else by importing; and the kits of other packages."""

from __future__ import annotations

import importlib
import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import treeline.toolkit.tree as tree
from treeline.toolkit.errors import ContractError, TreelineError
from treeline.toolkit.inventory import Inventory, declared_variables, digest, read_inventory
from treeline.toolkit.registering import Registry
from treeline.toolkit.variables import VARIABLES, declare

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ROOT = Path(__file__).parent
PACKAGE = "treeline.toolkit"
PROFILES = "profiles"
GROUP = "treeline.kits"
"""The group of entry points by which other packages offer kits; each names a module."""

_LOG = logging.getLogger(PACKAGE)
_LOCK = threading.Lock()


def kit_folders() -> dict[str, Path]:
    """Return the folders whose modules hold tools: those with a ``kit.py``, and that of the profiles."""
    found = sorted({path.parent for path in ROOT.glob("*/kit.py")} | {ROOT / PROFILES})
    return {folder.name: folder for folder in found}


def modules_below(folder: Path) -> list[str]:
    """Return the names of the modules below a folder of the toolkit, sorted."""
    parts = (path.relative_to(ROOT).with_suffix("").parts for path in folder.rglob("*.py"))
    return sorted(".".join((PACKAGE, *(part for part in each if part != "__init__"))) for each in parts)


def fill(registry: Registry, inventory: Inventory | None = None) -> None:
    """Register every tool of the toolkit and of the packages that offer kits.

    Folders that are as the inventory knows them are not imported; the modules of others are, so that
    a new tool is found at once.

    Raises
    ------
    ContractError
        A tool of the toolkit itself is not declared as it must be. What other packages offer amiss is
        refused with a warning, see :attr:`treeline.toolkit.registering.Registry.refused`.
    """
    with _LOCK:
        folders = kit_folders()
        known = read_inventory() if inventory is None else inventory
        unchanged = {name for name, path in folders.items() if known.folders.get(name) == digest(path)}
        if unchanged != folders.keys():
            # The inventory keeps a profile's function with its tool, whose folder may be one that changed.
            unchanged.discard(PROFILES)
        # Before anything is imported: a module that changed may use a role which an unchanged one declares.
        _restore(registry, known, unchanged)
        for name in folders.keys() - unchanged:
            for module in modules_below(folders[name]):
                _import(module)
        for entry in _offers():
            _offer(registry, entry)
        _arrange(registry)


def _offers() -> list[EntryPoint]:
    # Slow to import, and whoever only asks for the toolkit's errors needs no entry points.
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda entry: entry.name)


def _restore(registry: Registry, known: Inventory, unchanged: set[str]) -> None:
    for name, (folder, summary) in known.kits.items():
        if folder in unchanged:
            tree.add_kit(name, summary)
    tools = [tool for tool in known.tools if folder_of(tool.functions.modules["science"]) in unchanged]
    for tool in tools:
        modules = tool.functions.modules
        tool.functions.modules = {p: m for p, m in modules.items() if folder_of(m) in unchanged}
    for variable in declared_variables(tools):
        declare(variable)
    registry.restore(tools)


def folder_of(module: str) -> str:
    """Return the folder of the toolkit in which a module lies."""
    return module.removeprefix(f"{PACKAGE}.").partition(".")[0]


def _import(module: str) -> None:
    try:
        importlib.import_module(module)
    except ContractError as error:
        raise ContractError(f"{module}: {error.message}", error.hint) from error


def _offer(registry: Registry, entry: EntryPoint) -> None:
    """Import the kit of another package; where that fails nothing of it stays."""
    tools, kits, variables = {tool.name for tool in registry}, dict(tree.KITS), dict(VARIABLES)
    try:
        entry.load()
        _check_kits(registry)
    # The code is that of others and may raise anything; a kit must not keep the application from starting.
    except Exception as error:
        registry.remove([tool.name for tool in registry if tool.name not in tools])
        for table, before in ((tree.KITS, kits), (VARIABLES, variables)):
            for name in table.keys() - before.keys():
                del table[name]
        message = error.message if isinstance(error, TreelineError) else f"{type(error).__name__}: {error}"
        sentence = f"The kit {entry.name!r} ({entry.value}) is refused. {message}"
        registry.refused.append(sentence)
        _LOG.warning(sentence, exc_info=not isinstance(error, TreelineError))


def _check_kits(registry: Registry) -> None:
    for tool in registry:
        if tool.kit not in tree.KITS:
            raise ContractError(
                f"The tool {tool.name} is of a kit {tool.kit!r}, which does not exist.",
                f"Kits are {', '.join(tree.KITS)}; add_kit in a kit.py adds one.",
            )


def _arrange(registry: Registry) -> None:
    _check_kits(registry)
    tree.arrange_kits()
    registry.arrange(tuple(tree.KITS))
