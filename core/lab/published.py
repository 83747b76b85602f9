"""The question file as the benchmark publishes it, brought into our form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from treeline.toolkit.errors import InputError

_OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("question_id", "index"),
    "auto_planning": ("question", "autonomous", "query"),
    "instruction_following": ("instruction", "instructions"),
    "choices": ("options",),
    "answer": ("correct_answer", "gt_answer"),
    "data_dir": ("data_path", "data"),
    "ground_truth": ("tool_calls", "trajectory", "dialogs"),
}
_LETTERED = re.compile(r"^\s*\(?([A-Z])\s*[.):、]\s*")
_LETTER_FIRST = re.compile(r"^\s*\(?([A-Z])(?:\s*[.):].*)?\s*$", re.DOTALL)


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
    return [_question(entry, folder) for entry in entries]


def _question(entry: Any, folder: Path) -> dict[str, Any]:
    if not isinstance(entry, Mapping):
        raise InputError(
            "An entry of the question file is no question.", "Each is an object with 'question'."
        )
    found = dict(entry)
    for name, others in _OTHER_NAMES.items():
        value = next((found[other] for other in others if other in found), None)
        if name not in found and value is not None:
            found[name] = value
    choices = _choices(found.get("choices"))
    found |= {"choices": choices, "answer": _answers(found.get("answer"), choices)}
    if isinstance(found.get("ground_truth"), list):
        found["ground_truth"] = list(_calls(found["ground_truth"]))
    found.setdefault("data_dir", f"benchmark/data/question{found.get('id')}")
    place = folder / "data" / Path(str(found["data_dir"])).name
    if "files" not in found and place.is_dir():
        files = (path for path in sorted(place.rglob("*")) if path.is_file())
        found["files"] = [path.relative_to(place).as_posix() for path in files]
    return found


def _choices(value: Any) -> list[str]:
    """Return options without the letters before them, which tell only their order."""
    texts = list(value.values()) if isinstance(value, Mapping) else list(value or ())
    plain = [str(text) for text in texts]
    letters = [match[1] for text in plain if (match := _LETTERED.match(text))]
    if plain and letters == list(ascii_uppercase[: len(plain)]):
        return [_LETTERED.sub("", text, count=1) for text in plain]
    return plain


def _answers(value: Any, choices: Sequence[str]) -> Any:
    """Return the letter of the right option, however it is told; an answer without options as it stands."""
    if isinstance(value, Mapping):
        value = value.get("whitelist")
    if isinstance(value, list):
        flat = [item for part in value for item in (part if isinstance(part, list) else [part])]
        return [_letter(item, choices) for item in flat]
    return _letter(value, choices)


def _letter(value: Any, choices: Sequence[str]) -> Any:
    if not isinstance(value, str) or not choices:
        return value
    if value in choices:
        return ascii_uppercase[choices.index(value)]
    match = _LETTER_FIRST.match(value)
    return match[1] if match else value


def _calls(entries: Sequence[Any]) -> Iterator[Any]:
    """Yield the calls of a trajectory; of a dialog those that its messages hold."""
    for entry in entries:
        if not isinstance(entry, Mapping) or "tool" in entry:
            yield entry
            continue
        for call in entry.get("tool_calls") or ():
            function = call.get("function", call)
            arguments = function.get("arguments") or {}
            yield {
                "tool": function.get("name"),
                "arguments": json.loads(arguments) if isinstance(arguments, str) else arguments,
            }
