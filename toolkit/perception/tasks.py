"""The tasks that perception tools leave to a backend, and what its answers are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from treeline.toolkit.perception.picture import Box, Mask, Picture

Task = Literal["scene", "detection", "grounding", "segmentation", "change", "buildings"]
CUT = 0.7
Ranking = list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Detection:
    """One object: its box in pixels, what it is, and how sure the backend is (0 to 1)."""

    box: Box
    label: str
    confidence: float | None = None


class Backend(Protocol):
    """Something that fulfils a task; it says who it is."""

    name: str


class SceneClassifier(Backend, Protocol):
    """Tells what a picture shows as a whole."""

    def classify(self, picture: Picture, labels: Sequence[str]) -> Ranking:
        """Return labels with probabilities or shares, the highest first."""
        ...


class Detector(Backend, Protocol):
    """Finds all objects of a kind."""

    def detect(self, picture: Picture, prompt: str) -> list[Detection]:
        """Return the objects that the words name."""
        ...


class Grounder(Backend, Protocol):
    """Finds the one object that a description means."""

    def ground(self, picture: Picture, prompt: str) -> Detection | None:
        """Return the object, or ``None`` when there is none."""
        ...


class Segmenter(Backend, Protocol):
    """Draws the outlines of the objects in boxes."""

    def segment(self, picture: Picture, boxes: Sequence[Box]) -> Mask:
        """Return the pixels of the objects in the boxes."""
        ...


class ChangeDetector(Backend, Protocol):
    """Tells what changed between two pictures."""

    def changes(self, before: Picture, after: Picture) -> Mask:
        """Return the pixels that changed."""
        ...


class BuildingMapper(Backend, Protocol):
    """Draws the buildings of one picture."""

    def buildings(self, picture: Picture) -> Mask:
        """Return the pixels of buildings."""
        ...


_QUALIFIERS: Mapping[str, Callable[[Box], float]] = {
    r"west(ern)?(most)?\b|\bleft(most)?\b": lambda b: b[0] + b[2],
    r"east(ern)?(most)?\b|\bright(most)?\b": lambda b: -b[0] - b[2],
    r"north(ern)?(most)?\b|\b(top|upper)(most)?\b": lambda b: b[1] + b[3],
    r"south(ern)?(most)?\b|\b(bottom|lower)(most)?\b": lambda b: -b[1] - b[3],
    r"\b(largest|biggest)\b": lambda b: -(b[2] - b[0]) * (b[3] - b[1]),
    r"\bsmallest\b": lambda b: (b[2] - b[0]) * (b[3] - b[1]),
}


def choose_detection(detections: Sequence[Detection], prompt: str) -> Detection | None:
    """Return the one of several objects that words of place and size mean.

    Of several such words each ranks the objects, and the best sum of ranks wins; without any the
    surest object.
    """
    if not detections:
        return None
    orders = [measure for pattern, measure in _QUALIFIERS.items() if re.search(pattern, prompt.casefold())]
    if not orders:
        return max(detections, key=lambda d: d.confidence or 0.0)
    ranks = np.zeros(len(detections))
    for measure in orders:
        ranks += np.argsort(np.argsort([measure(d.box) for d in detections], kind="stable"), kind="stable")
    return detections[int(np.argmin(ranks))]


def without_doubles(
    detections: Sequence[Detection], overlap: float = 0.5, inside: float | None = None
) -> list[Detection]:
    """Return the objects without those that a surer one of the same label covers.

    Parameters
    ----------
    overlap : float
        Intersection over union from which two boxes are one object.
    inside : float, optional
        Share of the smaller box within the other from which it is a part of the same object, as
        where the edge of a tile cut it.
    """

    def one_object(a: Box, b: Box) -> bool:
        union, smaller = _overlap(a, b)
        return union >= overlap or (inside is not None and smaller >= inside)

    kept: list[Detection] = []
    for one in sorted(detections, key=lambda d: -(d.confidence or 0.0)):
        if not any(one.label == other.label and one_object(one.box, other.box) for other in kept):
            kept.append(one)
    return kept


def _overlap(a: Box, b: Box) -> tuple[float, float]:
    """Return the intersection as a share of the union, and of the smaller box."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0, 0.0
    both = width * height
    sizes = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    return both / (sum(sizes) - both), both / min(sizes)
