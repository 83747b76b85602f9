"""Microwave channels as callers name them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, source

_PATTERN = re.compile(r"(\d*)\D*?([HV])\D*?(\d*)$", re.IGNORECASE)


def channel_key(name: str) -> str:
    """Return the channel as frequency and polarisation: ``19H`` for ``H19``, ``bt_19h`` or ``19.35H``."""
    match = _PATTERN.search(re.sub(r"\.\d+", "", name.replace("bt", "")).replace("_", ""))
    return f"{match[1] or match[3]}{match[2].upper()}" if match else name


def chosen_channels(
    paths: Mapping[str, str], needed: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, Source]:
    """Return the rasters of channels by argument name (``c19H``, ...).

    Raises
    ------
    InputError
        A channel is missing; the message names it and those that were given.
    """
    by_key = {channel_key(name): path for name, path in paths.items()}
    missing = [name for name in needed if name not in by_key]
    if missing:
        given = ", ".join(paths) or "none"
        example = ", ".join(f'"{name}": "file.tif"' for name in needed)
        raise InputError(
            f"bt_paths: there is no channel {missing[0]}; given are {given}.", f"Give {{{example}}}."
        )
    wanted = [name for name in (*needed, *optional) if name in by_key]
    return {f"c{name}": source(by_key[name]) for name in wanted}
