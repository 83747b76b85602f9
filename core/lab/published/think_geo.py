"""ThinkGeo (arXiv 2505.23752) as it is published: ``ThinkGeoBench.json`` and a folder of images.

The file is an object by number. A value has ``tools``, ``files`` (``type``, ``path``), ``dialogs``,
``gt_answer`` (nothing, a list of reference texts, or a whitelist of aliases with a blacklist) and
``evaluation``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from treeline.core.lab.published.dialogs import first_question, recorded_calls
from treeline.toolkit.errors import InputError


def is_think_geo(entry: Mapping[str, Any]) -> bool:
    """Return whether an entry has the form of ThinkGeo's questions."""
    return "dialogs" in entry and ("files" in entry or "gt_answer" in entry)


def think_geo_reader(folder: Path) -> Callable[[str, Mapping[str, Any]], dict[str, Any]]:
    """Return what reads an entry of ``ThinkGeoBench.json``; InputError is raised where it has no question."""
    return _question


def _question(key: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    dialog = entry.get("dialogs") or ()
    text = first_question(dialog)
    if not text:
        raise InputError(
            f"Question {key} of ThinkGeo has no text.",
            "The first message of a user in 'dialogs' is the question.",
        )
    paths = list(_paths(entry.get("files")))
    calls = recorded_calls(dialog)
    accepted, refused = _aliases(entry.get("gt_answer"))
    return {
        "id": int(key) if str(key).isdigit() else key,
        "benchmark": "thinkgeo",
        "modality": str(entry.get("evaluation") or "") if isinstance(entry.get("evaluation"), str) else "",
        "auto_planning": text,
        "accepted": accepted,
        "refused": refused,
        # The images of all questions lie in one folder.
        "data_dir": paths[0].parent.as_posix() if paths else "image",
        "files": [path.name for path in paths],
        "only_files": True,
        **({"ground_truth": calls} if calls else {}),
    }


def _paths(files: Any) -> Iterator[PurePosixPath]:
    """Yield the paths of a question's files, each an object with a path, or a path alone."""
    entries = files if isinstance(files, list) else [] if files is None else [files]
    for entry in entries:
        path = entry.get("path") if isinstance(entry, Mapping) else entry
        if isinstance(path, str) and path.strip():
            yield PurePosixPath(path.strip().replace("\\", "/"))


def _aliases(answer: Any) -> tuple[list[list[str]], list[str]]:
    """Return the groups of which an answer has to name one alias each, and what it must not name.

    A list of reference texts has to be compared by a judge: there is nothing in it that decides.
    """
    if not isinstance(answer, Mapping):
        return [], []
    return _groups(answer.get("whitelist")), [
        alias for group in _groups(answer.get("blacklist")) for alias in group
    ]


def _groups(value: Any) -> list[list[str]]:
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [[str(alias) for alias in item] if isinstance(item, list) else [str(item)] for item in items]
