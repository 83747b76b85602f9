"""Registers the kit."""

from __future__ import annotations

from toolkit.tree import add_kit

RADAR = add_kit(
    "Radar",
    """Backscatter: decibels and intensity, speckle (Lee filter, looks), ratios and vegetation index of
    polarisations, change between dates, flood masks.""",
)
