"""The mode of a server: one person on this machine, or a team. It is set, never guessed."""

from __future__ import annotations

import os
from typing import Literal, get_args

from treeline.toolkit.errors import InputError

Mode = Literal["local", "team"]
MODES: tuple[Mode, ...] = get_args(Mode)
LOCAL: Mode = "local"
TEAM: Mode = "team"
SETTING = "TREELINE_MODE"


def mode_of_environment() -> Mode:
    """Return the mode that ``TREELINE_MODE`` sets; ``local`` where it is empty.

    Raises
    ------
    InputError
        There is no such mode.
    """
    text = os.environ.get(SETTING, "") or LOCAL
    for mode in MODES:
        if text == mode:
            return mode
    raise InputError(f"There is no mode {text!r}.", f"Set {SETTING} to {' or '.join(MODES)}.")


def in_team() -> bool:
    """Return whether several people use the server."""
    return mode_of_environment() == TEAM
