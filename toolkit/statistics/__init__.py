"""Kit Statistics: numbers from rasters and from lists, conditions, areas, masks."""

from __future__ import annotations

from treeline.toolkit.statistics import (
    area,
    arithmetic,
    bands,
    clouds,
    colours,
    conditional,
    correlation,
    files,
    fire,
    images,
    lists,
    losses,
    maps,
    pixels,
    pooled,
    selecting,
    thresholds,
    values,
)

__all__ = [
    "area",
    "arithmetic",
    "bands",
    "clouds",
    "colours",
    "conditional",
    "correlation",
    "files",
    "fire",
    "images",
    "lists",
    "losses",
    "maps",
    "pixels",
    "pooled",
    "selecting",
    "thresholds",
    "values",
]
