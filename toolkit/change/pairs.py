"""The bands of two dates, one beside the other."""

from __future__ import annotations

from collections.abc import Sequence

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, bands_of


def pair_bands(before_list: Sequence[str], after_list: Sequence[str]) -> tuple[list[Source], list[Source]]:
    """Return the bands of two dates in their order.

    Raises
    ------
    InputError
        There are none, or not as many at both dates.
    """
    before = [band for address in before_list for band in bands_of(address)]
    after = [band for address in after_list for band in bands_of(address)]
    if not before or len(before) != len(after):
        raise InputError(
            f"There are {len(before)} bands before and {len(after)} after.",
            "Give the same bands of both dates.",
        )
    for early, late in zip(before, after, strict=True):
        if early.role and late.role and early.role != late.role:
            current_context().warn(f"{early.name} ({early.role}) is compared with {late.name} ({late.role}).")
    return before, after
