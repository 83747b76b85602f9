"""Earth-Bench as Earth-Agent (arXiv 2509.23141) publishes it: questions, the expert's calls, the data.

``question.json`` is an object by question number. A value has ``evaluation``, a list with the question in
each regime (``type``, ``question``, ``data``, ``gt_answer``), ``choices`` and ``dialogs``. The expert's calls
lie in ``extracted_tool_calls_GT.json``, the rasters in ``benchmark/data/questionN``. Which part a question
is of (spectrum, products, RGB) follows from its number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from string import ascii_uppercase
from typing import Any

from treeline.core.lab.published.dialogs import arguments_of, listed_files, recorded_calls
from treeline.core.lab.published.places import find_file, find_folder
from treeline.toolkit.errors import InputError

EXPERT_CALLS = "extracted_tool_calls_GT.json"

PARTS = {"spectrum": range(1, 101), "products": range(101, 189), "rgb": range(189, 249)}
"""The numbers of each part's questions: 100, 88 and 60 (Earth-Agent, table 5)."""

_LIST_FILES = "get_filelist"
_NUMBER = re.compile(r"\d+")
_LETTERED = re.compile(r"^\s*\(?([A-Z])\s*[.):、]\s*")
_LETTER_FIRST = re.compile(r"^\s*\(?([A-Z])(?:\s*[.):].*)?\s*$", re.DOTALL)


def is_earth_agent(entry: Mapping[str, Any]) -> bool:
    """Return whether an entry has the form of Earth-Agent's questions."""
    return isinstance(entry.get("evaluation"), list) and not {"files", "tools", "gt_answer"} & entry.keys()


def earth_agent_reader(folder: Path) -> Callable[[str, Mapping[str, Any]], dict[str, Any]]:
    """Return what reads an entry of ``question.json``; it raises InputError where there is no question.

    Parameters
    ----------
    folder : Path
        Where the file lies: the expert's calls and the data are looked for around it.

    Raises
    ------
    InputError
        The file of the expert's calls is not usable.
    """
    return partial(_question, expert=_expert_calls(folder), folder=folder)


def _question(
    key: str, entry: Mapping[str, Any], expert: Mapping[str, list[dict[str, Any]]], folder: Path
) -> dict[str, Any]:
    number = _number(key)
    forms = {_regime(form): form for form in entry.get("evaluation") or () if isinstance(form, Mapping)}
    plain, steps = forms.get("auto_planning", {}), forms.get("instruction_following", {})
    # What one form leaves out, the other tells: both are of the same rasters and the same answer.
    one = {**steps, **{name: value for name, value in plain.items() if value}}
    text = plain.get("question") or steps.get("question")
    if not text:
        raise InputError(
            f"Question {key} of question.json has no text.", "Each entry of 'evaluation' has a 'question'."
        )
    choices = _choices(entry.get("choices") or one.get("choices"))
    dialog = entry.get("dialogs") or ()
    calls = expert.get(number) or recorded_calls(dialog)
    data, names = _data(one.get("data"), number)
    return {
        "id": int(number) if number.isdigit() else number,
        "modality": _part(number),
        "auto_planning": text,
        "instruction_following": steps.get("question", ""),
        "choices": choices,
        "answer": _answers(one.get("gt_answer"), choices),
        "data_dir": data,
        "files": _files_of(folder, data) or names or listed_files(dialog, _LIST_FILES) or _first_files(calls),
        **({"ground_truth": calls} if calls else {}),
    }


def _regime(form: Mapping[str, Any]) -> str:
    """Return which regime a form of a question is of; its name comes in several spellings."""
    name = str(form.get("type", "")).strip().casefold()
    return "instruction_following" if name.startswith("instr") else "auto_planning"


def _number(key: Any) -> str:
    """Return the number of ``question12`` or ``12``; the key itself where it has none."""
    found = _NUMBER.search(str(key))
    return str(int(found[0])) if found else str(key)


def _part(number: str) -> str:
    """Return the part that a question is of; empty where its number tells none."""
    return next((name for name, of in PARTS.items() if number.isdigit() and int(number) in of), "")


def _first_files(calls: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the files that the expert's first listing gave."""
    outputs = (call.get("output") for call in calls if call["tool"] == _LIST_FILES)
    return listed_files([{"role": "tool", "name": _LIST_FILES, "content": next(outputs, None)}], _LIST_FILES)


def _data(value: Any, number: str) -> tuple[str, list[str]]:
    """Return a question's folder as the benchmark writes it, and the names of files that it tells."""
    usual = f"benchmark/data/question{number}"
    told = list(value.values()) if isinstance(value, Mapping) else value
    paths = [told] if isinstance(told, str) else [each for each in told or () if isinstance(each, str)]
    # A description of the data stands there too; a path has a stroke, or is a name without spaces.
    cleaned = [
        _below_benchmark(path.strip().replace("\\", "/"))
        for path in paths
        if "/" in path or len(path.split()) == 1
    ]
    files = [path for path in cleaned if path.suffix]
    folders = [path for path in cleaned if not path.suffix] or [
        path.parent for path in files if path.parent.name
    ]
    return (folders[0].as_posix() if folders else usual), [path.name for path in files]


def _below_benchmark(path: str) -> PurePosixPath:
    """Return a path as the benchmark writes it, without the place where its authors had unpacked it."""
    parts = PurePosixPath(path).parts
    start = next((place for place, part in enumerate(parts) if part.casefold() == "benchmark"), 0)
    return PurePosixPath(*parts[start:])


def _files_of(folder: Path, data: str) -> list[str]:
    """Return the files of a question's folder, wherever the archive was unpacked; none without it."""
    place = find_folder(folder, data) or find_folder(folder.parent, data, deep=False)
    if place is None:
        return []
    inside = (path.relative_to(place) for path in sorted(place.rglob("*")) if path.is_file())
    return [path.as_posix() for path in inside if not any(part.startswith(".") for part in path.parts)]


def _expert_calls(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the expert's calls by question number; none where their file is not to be found."""
    file = find_file(folder, EXPERT_CALLS) or find_file(folder.parent, EXPERT_CALLS, levels=1)
    if file is None:
        return {}
    try:
        entries = json.loads(file.read_text("utf-8-sig"))
        return {_number(entry["question_index"]): _calls(entry["tool_calls"] or ()) for entry in entries}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{str(file)!r} does not hold the expert's calls: {type(error).__name__}: {error}.",
            "It is a list of {question_index, tool_calls: [{name, input, output}]}.",
        ) from None


def _calls(entries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"tool": call["name"], "arguments": arguments_of(call.get("input")), "output": call.get("output")}
        for call in entries
    ]


def _choices(value: Any) -> list[str]:
    """Return options without the letters before them, which tell only their order; a text has one a line."""
    if isinstance(value, str):
        value = [line for line in value.splitlines() if line.strip()]
    texts = list(value.values()) if isinstance(value, Mapping) else list(value or ())
    plain = [str(text) for text in texts]
    letters = [match[1] for text in plain if (match := _LETTERED.match(text))]
    # Only where all have their letter in order: "A. thaliana" among other options keeps its text.
    if plain and letters == list(ascii_uppercase[: len(plain)]):
        return [_LETTERED.sub("", text) for text in plain]
    return plain


def _answers(value: Any, choices: Sequence[str]) -> Any:
    """Return the letters of the right options, however they are written; without options the answers."""
    if isinstance(value, Mapping):
        value = value.get("whitelist")
    parts = value if isinstance(value, list) else [value]
    flat = [item for part in parts for item in (part if isinstance(part, list) else [part])]
    told = [item for item in flat if item is not None and str(item).strip()]
    return list(dict.fromkeys(_letter(item, choices) for item in told)) or None


def _letter(value: Any, choices: Sequence[str]) -> Any:
    if isinstance(value, bool | int | float):
        value = str(value)
    if not isinstance(value, str) or not choices:
        return value
    text = value.strip()
    if text in choices:
        return ascii_uppercase[choices.index(text)]
    # A single letter in lower case is an option; a word that begins with one is none.
    match = _LETTER_FIRST.match(text.upper() if len(text) == 1 else text)
    return match[1] if match else value
