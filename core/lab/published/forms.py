"""Which benchmark a published file of questions comes from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treeline.core.lab.published.earth_agent import EXPERT_CALLS, earth_agent_reader, is_earth_agent
from treeline.core.lab.published.places import find_file
from treeline.core.lab.published.think_geo import is_think_geo, think_geo_reader
from treeline.toolkit.errors import InputError

Entry = Mapping[str, Any]
ReadEntry = Callable[[str, Entry], dict[str, Any]]

FORMS: tuple[tuple[Callable[[Entry], bool], Callable[[Path], ReadEntry]], ...] = (
    (is_earth_agent, earth_agent_reader),
    (is_think_geo, think_geo_reader),
)
"""Whether an entry is of a benchmark's form, and what gives the reader of its entries for a folder."""

_SHOWN = 40

NAMES = ("question.json", "ThinkGeoBench.json")
"""The files' names, by which they are found in an unpacked archive."""


def published_questions(content: Any, folder: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the questions of a published file, and of each entry that is not usable which it is and why.

    Raises
    ------
    InputError
        It has the form of no benchmark that is known, or the file of the expert's calls is not usable.
    """
    everything = content if isinstance(content, Mapping) else {}
    entries = {key: entry for key, entry in everything.items() if isinstance(entry, Mapping)}
    # The first entry may be one that lacks what its form should hold.
    reader = next((reader for matches, reader in FORMS if any(map(matches, entries.values()))), None)
    if reader is None:
        raise InputError(
            "The file has the form of no benchmark that is known here.",
            "Earth-Agent's question.json and ThinkGeoBench.json are objects by question number; a value has "
            "'evaluation' and 'dialogs', or 'files' and 'gt_answer'.",
        )
    found, unread = _each(everything, reader(folder))
    if reader is earth_agent_reader and not any("ground_truth" in question for question in found):
        unread.append(f"{EXPERT_CALLS} is not to be found around the questions: calls are not scored.")
    return found, unread


def _each(entries: Mapping[str, Any], read: ReadEntry) -> tuple[list[dict[str, Any]], list[str]]:
    found, unread = [], []
    for key, entry in entries.items():
        try:
            if not isinstance(entry, Mapping):
                raise InputError(f"Question {key} is no object but {json.dumps(entry)[:_SHOWN]}.")
            found.append(read(key, entry))
        except InputError as error:
            unread.append(str(error))
        except (TypeError, AttributeError, ValueError, KeyError) as error:
            unread.append(f"Question {key} has another form: {type(error).__name__}: {error}.")
    return found, unread


def published_file(folder: Path) -> Path | None:
    """Return a published file of questions in an unpacked archive; ``None`` where there is none."""
    return next((file for name in NAMES if (file := find_file(folder, name)) is not None), None)
