"""Kit Perception: objects, scenes and masks in pictures."""

from __future__ import annotations

from treeline.toolkit.perception import boxes, components, detection, scenes, segmentation, thresholds

__all__ = ["boxes", "components", "detection", "scenes", "segmentation", "thresholds"]
