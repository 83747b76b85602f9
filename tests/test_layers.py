"""No circle of files, lazy and type-only imports included; lint-imports checks the layers themselves."""

from __future__ import annotations

import grimp
import numpy as np
from scipy.sparse.csgraph import connected_components


def circles() -> list[list[str]]:
    """Return the groups of modules of the package in which each leads to each."""
    graph = grimp.build_graph("treeline", cache_dir=None)
    modules = sorted(graph.modules)
    number = {module: index for index, module in enumerate(modules)}
    imports = np.zeros((len(modules), len(modules)), dtype=bool)
    for module in modules:
        for imported in graph.find_modules_directly_imported_by(module):
            imports[number[module], number[imported]] = True
    count, group = connected_components(imports, connection="strong")
    members = [[m for m in modules if group[number[m]] == index] for index in range(count)]
    return [circle for circle in members if len(circle) > 1]


def test_no_circle_of_files():
    assert circles() == []
