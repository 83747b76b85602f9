"""What must not be averaged as it stands."""

from __future__ import annotations

from collections.abc import Iterable

from treeline.toolkit.context import current_context
from treeline.toolkit.raster import Source


def warn_of_mean(bands: Iterable[Source]) -> None:
    """Say that the mean of decibels is not that of the power, if a band is in decibels.

    The mean of -20 and -10 dB is -15 dB, that of the power 0.01 and 0.1 is 0.055, or -12.6 dB.
    """
    if any(band.unit.casefold() == "db" for band in bands):
        current_context().warn(
            "This is the mean of decibels, which lies below the decibels of the mean power; for that take "
            "the mean of what decibel_to_linear gives."
        )
