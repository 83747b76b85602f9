"""Kit Radar: backscatter."""

from __future__ import annotations

from treeline.toolkit.radar import combining, flood, scale, speckle

__all__ = ["combining", "flood", "scale", "speckle"]
