"""The layers of the toolkit: which module may import which, lazy and type-only imports included."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import treeline.toolkit

ROOT = Path(treeline.toolkit.__file__).parent
PACKAGE = "treeline.toolkit"


def _modules() -> dict[str, Path]:
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join((PACKAGE, *(part for part in parts if part != "__init__")))] = path
    return found


def _imports(path: Path, modules: dict[str, Path]) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in modules else node.module for name in whole}
    return found & set(modules)


MODULES = _modules()
IMPORTS = {name: _imports(path, MODULES) - {name} for name, path in MODULES.items()}


def test_no_circle_of_files() -> None:
    tuple(TopologicalSorter(IMPORTS).static_order())


def test_recognition_is_below_the_raster_engine() -> None:
    for name, imported in IMPORTS.items():
        if name.startswith(f"{PACKAGE}.recognition"):
            assert not [other for other in imported if other.startswith(f"{PACKAGE}.raster")], name


def test_the_toolkit_is_usable_alone() -> None:
    for path in MODULES.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith(("treeline.core", "treeline.pages", "streamlit"))
