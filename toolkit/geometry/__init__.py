"""Kit Geometry: rasters and vectors on the ground."""

from __future__ import annotations

from treeline.toolkit.geometry import areas, cutting, joining, numbering, places, shapes, warping, zones

__all__ = ["areas", "cutting", "joining", "numbering", "places", "shapes", "warping", "zones"]
