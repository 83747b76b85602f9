"""What is asked of the things that plain pictures show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treeline.core.query.expression import Node

Sight = Literal[
    "scene",  # how many pictures show scenes of the class
    "count",  # how many objects each has
    "area",
    "distance",
    "pair",
    "centroids",
    "described",  # where the one object is that a description fits
    "change",
    "destroyed",  # of buildings, before and after
]


@dataclass(frozen=True, slots=True)
class Objects(Node):
    """What is to be seen in plain pictures, which hold no variable to measure.

    Attributes
    ----------
    about : str
        What is asked of the objects.
    name : str
        What they are, in the singular; the class of a scene; a description of a single one.
    gsd : float, optional
        Ground sampling distance in metres for each pixel.
    gsds : tuple of (name, gsd)
        Where each picture has its own.
    farthest : bool
        The farthest pair is meant, not the closest.
    outlined : bool
        The area within the outlines is meant, not that of the boxes.
    each : float, optional
        An area in square metres that the total is to be expressed in.
    rank : bool
        The pictures are to be sorted.
    """

    about: Sight
    name: str = ""
    gsd: float | None = None
    gsds: tuple[tuple[str, float], ...] = ()
    farthest: bool = False
    outlined: bool = False
    each: float | None = None
    rank: bool = False

    def gsd_of(self, picture: str) -> float | None:
        """Return the ground sampling distance of a picture."""
        return dict(self.gsds).get(picture.lower(), self.gsd)
