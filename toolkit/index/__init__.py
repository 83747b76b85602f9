"""Spectral and environmental indices computed from bands."""

from __future__ import annotations

from treeline.toolkit.index import batch_table, burn, calculator, dryness, fire, named, snow

__all__ = ["batch_table", "burn", "calculator", "dryness", "fire", "named", "snow"]
