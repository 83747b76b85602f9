"""Registers the kit."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

RADAR = add_kit(
    "Radar",
    "Backscatter: decibels, speckle, polarisation ratios, change, flood masks.",
)
