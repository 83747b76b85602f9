"""The benchmark's perception tools that need no model."""

from __future__ import annotations

import numpy as np

from treeline.toolkit.perception.boxes import Boxes, Distance, Numbers, as_boxes, as_points, distance_extremes
from treeline.toolkit.perception.components import count_outer_contours, erode, grey, skeleton
from treeline.toolkit.profiles.earth_bench.stored_values import band_of, bands_of, write
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import variant

WHITE = 255
HALF = 127


@variant("bboxes2centroids", "earth_bench")
def bboxes2centroids(bboxes: Boxes) -> list[Numbers]:
    """Round to single precision."""
    boxes = as_boxes(bboxes)
    return ((boxes[:, :2] + boxes[:, 2:]) / 2).astype(np.float32).tolist()


@variant("centroid_distance_extremes", "earth_bench")
def centroid_distance_extremes(centroids: list[Numbers]) -> dict[str, Distance]:
    """Answer infinite distances for one point."""
    return distance_extremes(as_points(centroids))


@variant("threshold_segmentation", "earth_bench")
def threshold_segmentation(input_image_path: str, threshold: float, output_path: str) -> str:
    """Mark stored values, nodata too, with 255; in 16 bits, of which 255 is not the nodata value."""
    marked = (band_of(input_image_path) > threshold) * WHITE
    return report_saved(write(marked, input_image_path, output_path, "mask", "uint16"))


@variant("count_above_threshold", "earth_bench")
def count_above_threshold(file_path: str, threshold: float) -> int:
    """Count stored values, nodata too."""
    return int((band_of(file_path) > threshold).sum())


@variant("count_skeleton_contours", "earth_bench")
def count_skeleton_contours(image_path: str, erosion: int = 0, threshold: float = 0.0) -> int:
    """Take grey values above 127, eroded once."""
    objects = grey(bands_of(image_path)) > (threshold or HALF)
    return count_outer_contours(skeleton(erode(objects, erosion or 1)))
