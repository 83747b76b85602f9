"""Kit Analysis: trends, seasons, breaks and hot spots."""

from __future__ import annotations

from toolkit.analysis import breaks, hotspots, seasons, trends

__all__ = ["breaks", "hotspots", "seasons", "trends"]
