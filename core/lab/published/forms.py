"""Which benchmark a published file of questions comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treeline.core.lab.published.earth_agent import earth_agent_questions, is_earth_agent
from treeline.core.lab.published.places import find_file
from treeline.core.lab.published.think_geo import is_think_geo, think_geo_questions
from treeline.toolkit.errors import InputError

Entry = Mapping[str, Any]

FORMS: tuple[tuple[Callable[[Entry], bool], Callable[[Entry, Path], list[dict[str, Any]]]], ...] = (
    (is_earth_agent, earth_agent_questions),
    (is_think_geo, think_geo_questions),
)
"""Whether an entry is of a benchmark's form, and what reads the file then."""

NAMES = ("question.json", "ThinkGeoBench.json")
"""The files' names, by which they are found in an unpacked archive."""


def published_questions(content: Any, folder: Path) -> list[dict[str, Any]]:
    """Return the questions of a published file.

    Raises
    ------
    InputError
        It has the form of no benchmark that is known, or lacks what its form needs.
    """
    entries = content if isinstance(content, Mapping) else {}
    entries = {key: entry for key, entry in entries.items() if isinstance(entry, Mapping)}
    # The first entry may be one that lacks what is told by its form.
    read = next((read for matches, read in FORMS if any(map(matches, entries.values()))), None)
    if read is None:
        raise InputError(
            "The file has the form of no benchmark that is known here.",
            "Earth-Agent's question.json and ThinkGeoBench.json are objects by question number; a value has "
            "'evaluation' and 'dialogs', or 'files' and 'gt_answer'.",
        )
    return read(entries, folder)


def published_file(folder: Path) -> Path | None:
    """Return a published file of questions in an unpacked archive; ``None`` where there is none."""
    return next((file for name in NAMES if (file := find_file(folder, name)) is not None), None)
