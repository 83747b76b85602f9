"""The files that benchmarks come in: one JSON object a line, read into checked models."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from treeline.core.engine.calls import texts
from treeline.core.lab.published.forms import NAMES, published_file, published_questions
from treeline.toolkit.errors import InputError

Regime = Literal["ap", "if"]

Model = TypeVar("Model", bound=BaseModel)


class Record(BaseModel):
    """A line of a file of records; what it does not know is passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, content: Any) -> Any:
        if not isinstance(content, dict):
            return content
        # Published files write null where others leave a field out: both mean the default.
        return {name: value for name, value in content.items() if value is not None}


class ToolCall(Record):
    """A tool with its arguments, and what it answered where that was recorded."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    output: Any = None


class Question(Record):
    """One question of Earth-Bench.

    Attributes
    ----------
    auto_planning, instruction_following : str
        The question without and with the steps to take.
    data_dir : str
        The folder as the benchmark writes it, such as ``benchmark/data/question7``.
    files : tuple of str
        Names of the input files in that folder.
    ground_truth, answer
        The expert's calls, and the letter of the right option (or the number, where there are no
        options); they serve scoring alone.
    accepted, refused
        Groups of aliases of which a right answer names one each, and what it does not name; for scoring.
    benchmark : str
        Of which it is; what was chosen while others were looked at is not said of it.
    only_files : bool
        Whether the folder holds other questions' files too, so that only the named ones are given.
    """

    id: int | str
    benchmark: Literal["earth-bench", "thinkgeo"] = "earth-bench"
    modality: str = ""
    auto_planning: str
    instruction_following: str = ""
    choices: tuple[str, ...] = ()
    answer: str | tuple[str, ...] | None = None
    accepted: tuple[tuple[str, ...], ...] = ()
    refused: tuple[str, ...] = ()
    data_dir: str = ""
    files: tuple[str, ...] = ()
    only_files: bool = False
    ground_truth: tuple[ToolCall, ...] = ()

    def text(self, regime: Regime) -> str:
        """Return the question as a regime puts it; without steps where none are given."""
        return (self.instruction_following if regime == "if" else "") or self.auto_planning

    @property
    def answers(self) -> tuple[str, ...]:
        """The right answers: letters, or a number where there are no options."""
        return (self.answer,) if isinstance(self.answer, str) else self.answer or ()

    @property
    def has_expert(self) -> bool:
        """Whether the expert's calls are given."""
        return "ground_truth" in self.model_fields_set

    @property
    def all_files(self) -> tuple[str, ...]:
        """The files, and those that the expert used besides: the published lists have gaps."""
        used = (text for call in self.ground_truth for text in texts(call.arguments))
        inside = (PurePosixPath(text) for text in used if text.startswith(f"{self.folder}/"))
        return tuple(dict.fromkeys([*self.files, *(path.name for path in inside if path.suffix)]))

    @property
    def folder(self) -> str:
        """The folder of the inputs as the benchmark writes it."""
        return self.data_dir or f"benchmark/data/question{self.id}"

    @property
    def output_folder(self) -> str:
        """The folder in which the benchmark's runs leave their products."""
        return str(PurePosixPath(*_out(PurePosixPath(self.folder).parts)))


class Scores(Record):
    """The benchmark's own record of how a run compares with the expert's."""

    tool_any_order: float
    tool_in_order: float
    tool_exact_match: float
    parameters: float


class ScoredRun(Record):
    """The calls of one run beside the expert's."""

    run: str = ""
    question: int | str = ""
    predicted: tuple[ToolCall, ...]
    expected: tuple[ToolCall, ...]
    scores: Scores | None = None


class ModelCall(Record):
    """A call that a language model really made, and what the reference answered."""

    run: str = ""
    question: int | str
    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    failed: bool = False
    output: Any = None


class Items(list[Model], Generic[Model]):
    """What was read of a file or folder: an entry that is not usable is reported, and the others are read.

    Attributes
    ----------
    unread : tuple of str
        Of each entry that is left out, which it is and why.
    """

    def __init__(self, items: Iterable[Model] = (), unread: Iterable[str] = ()) -> None:
        super().__init__(items)
        # With the items, since who reads them has to say so: a score over fewer questions is another score.
        self.unread = tuple(unread)


Load = Callable[[], Any]


def usable(
    entries: Iterable[tuple[str, Load]], model: type[Model], path: Path, unread: Iterable[str] = ()
) -> Items[Model]:
    """Return the entries that are usable, each given by where it stands and what loads it.

    Raises
    ------
    InputError
        None of them is; says why the first is not.
    """
    found: list[Model] = []
    told = list(unread)
    for where, load in entries:
        try:
            found.append(_validate(load, model, path, where))
        except InputError as error:
            told.append(str(error))
    # A file of another kind would else look like a file without questions.
    if told and not found:
        raise InputError(told[0], f"Nothing in {str(path)!r} is usable.")
    return Items(found, told)


def read_records(path: Path, model: type[Model]) -> list[Model]:
    """Read a file with one JSON object a line.

    Raises
    ------
    InputError
        The file cannot be read, or a line is no such record; the message names the line.
    """
    return [_validate(load, model, path, where) for where, load in lines_of(path)]


def lines_of(path: Path) -> list[tuple[str, Load]]:
    """Return the lines of a file that hold something, each with its place.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    lines = _text(path).splitlines()
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    # Read when it is asked for, so that one broken line leaves the others readable.
    return [(f"Line {number}", partial(json.loads, line)) for number, line in numbered]


def objects_of(path: Path) -> list[tuple[str, Load]]:
    """Return the objects of a file that holds one, or a list of them, each with its place.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    content = _json(path)
    if not isinstance(content, list):
        return [("The object", lambda: content)]
    return [
        (f"Object {number}", partial(lambda entry: entry, entry))
        for number, entry in enumerate(content, start=1)
    ]


def read_questions(path: Path) -> Items[Question]:
    """Read questions from a file of lines, a published file, or the folder of an unpacked archive.

    Raises
    ------
    InputError
        There is nothing to read, or no entry is a question.
    """
    if path.is_dir():
        found = published_file(path)
        if found is None:
            raise InputError(
                f"There are no questions in the folder {str(path)!r}.",
                f"Give a folder with {' or '.join(NAMES)}.",
            )
        path = found
    if path.suffix != ".json":
        return usable(lines_of(path), Question, path)
    entries, unread = published_questions(_json(path), path.resolve().parent)
    loads: list[tuple[str, Load]] = [(f"Question {entry['id']}", partial(dict, entry)) for entry in entries]
    return usable(loads, Question, path, unread)


def _validate(load: Callable[[], Any], model: type[Model], path: Path, where: str) -> Model:
    try:
        return model.model_validate(load())
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "record"
        raise InputError(
            f"{where} of {str(path)!r} is not usable: {name}: {first['msg']}.",
            f"A line holds {', '.join(model.model_fields)}.",
        ) from None
    except ValueError as error:
        raise InputError(
            f"{where} of {str(path)!r} is not JSON: {error}.", "Write one JSON object a line."
        ) from None


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path))
    except ValueError as error:
        raise InputError(
            f"{str(path)!r} is not JSON: {error}.", "Give the benchmark's own file as it is published."
        ) from None


def _text(path: Path) -> str:
    try:
        # With or without the mark of byte order that some editors put first.
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputError(f"{str(path)!r} cannot be read: {reason}.", "Give a JSON-lines file.") from None


def _out(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Replace the last folder named ``data`` by ``out``."""
    last = max((i for i, part in enumerate(parts) if part == "data"), default=None)
    return ("benchmark", "out", *parts[-1:]) if last is None else (*parts[:last], "out", *parts[last + 1 :])
