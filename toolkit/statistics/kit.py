"""Registers the kit."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

STATISTICS = add_kit(
    "Statistics",
    """Numbers from rasters and lists: mean, extremes, percentiles, shares above a threshold, areas,
    differences, cloud masks, arithmetic; file lists.""",
)
