"""Kit Terrain: the shape of the land."""

from __future__ import annotations

from treeline.toolkit.terrain import correction, position, relief

__all__ = ["correction", "position", "relief"]
