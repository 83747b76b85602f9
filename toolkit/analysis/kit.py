"""Registers the kit."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

ANALYSIS = add_kit(
    "Analysis",
    """Series and hot spots: linear trend, Mann-Kendall, Sen's slope, seasonality, change points, spikes,
    Gi*.""",
)
