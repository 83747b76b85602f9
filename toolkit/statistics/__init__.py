"""Kit Statistics: numbers from rasters and from lists, conditions, areas, masks."""

from __future__ import annotations

from toolkit.statistics import arithmetic, files, lists

__all__ = ["arithmetic", "files", "lists"]
