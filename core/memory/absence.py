"""Whether a call failed because data are missing, which says nothing about the tool."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from treeline.core.engine.calls import arguments_of
from treeline.core.engine.state import Step
from treeline.toolkit.errors import (
    BackendMissing,
    GridMismatch,
    NoValidPixels,
    PathOutside,
    RasterMissing,
    RasterUnreadable,
    ScaleUnknown,
)

_OF_DATA = frozenset(
    error.__name__
    for error in (
        BackendMissing,
        GridMismatch,
        NoValidPixels,
        PathOutside,
        RasterMissing,
        RasterUnreadable,
        ScaleUnknown,
    )
)


def lacks_data(step: Step) -> bool:
    """Return whether a call failed because what it was given is not there, or holds no value."""
    if step.observation.is_success:
        return False
    return step.observation.error in _OF_DATA or any(map(_is_void, arguments_of(step).values()))


def _is_void(value: Any) -> bool:
    """Return whether a list holds no value: a month without a clear date gives such a series."""
    # A text is a sequence too, of letters.
    if isinstance(value, str) or not isinstance(value, Sequence):
        return False
    # An empty list counts as well: nothing was there to be measured.
    return all(one is None or (isinstance(one, float) and math.isnan(one)) for one in value)
