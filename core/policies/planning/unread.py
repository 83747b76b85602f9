"""Files of the series that an answer rests on, which cannot be read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from treeline.core.engine.actions import Observation
from treeline.core.engine.calls import texts
from treeline.core.engine.calls import file_name

_MOST_NAMES = 3


def unread(problems: Mapping[str, str], observations: Iterable[Observation]) -> list[str]:
    """Say which files of a series that the calls read were left out, because nobody can read them.

    Parameters
    ----------
    problems : mapping
        File name to what is wrong with it, as the workspace found it.
    """
    files = {file_name(text) for o in observations for text in texts(o.arguments)}
    read = Counter(_series(file) for file in files)
    names = [name for name in sorted(problems) if read[_series(name)] > 1]
    if not names:
        return []
    shown = ", ".join(names[:_MOST_NAMES])
    rest = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    count = "One file of this series" if len(names) == 1 else f"{len(names)} files of this series"
    return [f"{count} cannot be read and {'was' if len(names) == 1 else 'were'} left out: {shown}{rest}."]


def _series(file: str) -> str:
    """Return a file's name without what tells the files of a series apart: numbers, as in dates."""
    return re.sub(r"\d+", "#", file)
