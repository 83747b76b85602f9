"""The question file as the benchmark publishes it, brought into our form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from toolkit.errors import InputError

_OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("question_id", "index"),
    "auto_planning": ("question", "autonomous", "query"),
    "instruction_following": ("instruction", "instructions"),
    "choices": ("options",),
    "answer": ("correct_answer", "gt_answer"),
    "data_dir": ("data_path", "data"),
    "ground_truth": ("tool_calls", "trajectory", "dialogs"),
}


def questions_of(content: Any, folder: Path) -> list[dict[str, Any]]:
    """Return the questions of a list, or of an object by number, with the files that lie beside it.

    Raises
    ------
    InputError
        The content is neither.
    """
    if isinstance(content, Mapping):
        entries: Iterable[Any] = (
            {"id": key, **value} for key, value in content.items() if isinstance(value, Mapping)
        )
    elif isinstance(content, list):
        entries = content
    else:
        raise InputError("The question file holds no questions.", "It is a list, or an object by number.")
    return [_question(dict(entry), folder) for entry in entries]


def _question(entry: dict[str, Any], folder: Path) -> dict[str, Any]:
    for name, others in _OTHER_NAMES.items():
        found = next((entry[other] for other in others if other in entry), None)
        if name not in entry and found is not None:
            entry[name] = found
    entry.setdefault("data_dir", f"benchmark/data/question{entry.get('id')}")
    place = folder / "data" / Path(str(entry["data_dir"])).name
    if "files" not in entry and place.is_dir():
        entry["files"] = sorted(path.name for path in place.iterdir() if path.is_file())
    return entry
