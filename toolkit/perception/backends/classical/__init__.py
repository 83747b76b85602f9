"""Classical methods for the subjects that they can tell; each says by its name what it can and cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treeline.toolkit.perception.backends.classical.alteration import AnyChange
from treeline.toolkit.perception.backends.classical.blobs import Blobs, names_blobs
from treeline.toolkit.perception.backends.classical.cover import LandCover
from treeline.toolkit.perception.backends.classical.region import Watershed
from treeline.toolkit.perception.tasks import Task

CanTell = Callable[[str], bool]

_ALWAYS: CanTell = lambda subject: True  # noqa: E731
_BY_TASK: Mapping[Task, tuple[type, CanTell, str]] = {
    "scene": (
        LandCover,
        lambda subject: not subject,
        "Leave the labels out: a classical method knows only kinds of land cover.",
    ),
    "detection": (
        Blobs,
        names_blobs,
        "Ask for 'bright objects' or 'dark objects', or give a mask: a classical method knows only those.",
    ),
    "grounding": (
        Blobs,
        names_blobs,
        "Ask for 'the largest bright object' or the like: a classical method knows only bright and dark.",
    ),
    "segmentation": (Watershed, _ALWAYS, ""),
    "change": (AnyChange, _ALWAYS, ""),
}


def offer(tool: str, task: Task, subject: str, forced: bool) -> Any | None:
    """Return the classical method where it can tell the subject, or the user insists on one."""
    entry = _BY_TASK.get(task)
    if entry is None:
        return None
    make, can_tell, _ = entry
    return make() if forced or can_tell(subject) else None


def how_to_get(tool: str, task: Task) -> str:
    """Return what a classical method could do instead."""
    return _BY_TASK[task][2] if task in _BY_TASK else "No classical method does this task."
