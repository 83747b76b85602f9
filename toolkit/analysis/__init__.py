"""Kits Analysis (trends, seasons, breaks, hot spots) and Series (maps from stacks through time)."""

from __future__ import annotations

from treeline.toolkit.analysis import breaks, composites, hotspots, phenology, seasons, trend_maps, trends

__all__ = ["breaks", "composites", "hotspots", "phenology", "seasons", "trend_maps", "trends"]
