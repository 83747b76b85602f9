"""Spectral and environmental indices computed from bands."""

from __future__ import annotations

from toolkit.index import burn, calculator, dryness, fire, more, named, snow, surface, vegetation, water

__all__ = ["burn", "calculator", "dryness", "fire", "more", "named", "snow", "surface", "vegetation", "water"]
