"""Calls that language models made, presented one by one to our environment.

Each call meets a workspace with the file names of its question and nothing else. Either it runs
(``ok``), or it runs after repairs that were certain (``repaired``), or it is refused with a hint.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from treeline.core.disclosure.fixed import Flat
from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.environment import Environment
from treeline.core.engine.state import State
from treeline.core.lab.parts import EARTH_BENCH, by_part
from treeline.core.lab.records import ModelCall, Question, read_questions, read_records
from treeline.core.lab.symbolic import NamesData, NamesWorkspace, SymbolicEnvironment, lay_out
from treeline.core.lab.tuning import tuning_statement
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.errors import InputError

_WORD = re.compile(r"[^\s,;:'\"()\[\]]+")


def present_calls(calls_file: Path, questions_file: Path) -> dict[str, Any]:
    """Present the calls of a file, in its order, and count what became of them.

    Raises
    ------
    InputError
        A file cannot be read, or a call belongs to a question that is not there.
    """
    questions = {str(question.id): question for question in read_questions(questions_file)}
    calls = read_records(calls_file, ModelCall)
    # By question, since a workspace of names takes longer to lay out than a call; the rows stand in the
    # file's order.
    rows: list[dict[str, Any]] = [{}] * len(calls)
    for identifier, numbered in _by_question(calls).items():
        if identifier not in questions:
            raise InputError(
                f"There is no question {identifier!r} in {str(questions_file)!r}.",
                "Give the questions of the calls.",
            )
        question = questions[identifier]
        with names_workspace(question) as workspace:
            for number, call in numbered:
                # Each call has an environment of its own: what an earlier one wrote was not there when the
                # model made this one.
                environment = names_environment(workspace, f"call-{number}")
                rows[number] = present(call, environment, question)
    return {
        "bench": "calls",
        "tuned_on": tuning_statement(["recorded calls"]),
        "calls": rows,
        "counts": _counts(rows),
        "by_recorded": _counts_by_outcome(rows, calls),
        "by_part": _counts_by_part(rows, calls),
    }


def present(call: ModelCall, environment: Environment, question: Question) -> dict[str, Any]:
    """Return what our environment makes of a call."""
    observation = environment.act(Call(call.tool, dict(call.arguments)), State(""))
    if observation.is_success:
        outcome = "repaired" if observation.repairs else "ok"
        message = " ".join(observation.repairs) or observation.text
        return {"outcome": outcome, "message": message, "hint": "", "helpful": True}
    return {
        "outcome": "refused",
        "message": observation.text,
        "hint": observation.hint,
        "helpful": _names_an_alternative(observation, question),
    }


@contextmanager
def names_workspace(question: Question) -> Iterator[NamesWorkspace]:
    """Give a workspace over the file names of a question, in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        place = lay_out(question.folder, question.files, Path(folder) / "source")
        yield NamesWorkspace(Path(folder) / "workspace", [place])


def names_environment(workspace: NamesWorkspace, run: str) -> SymbolicEnvironment:
    """Return an environment in which nothing was made yet and every tool is callable."""
    data = NamesData(workspace, run)
    return SymbolicEnvironment(data, Flat(SkillTree.of(registry())), registry(), "earth_bench")


def _names_an_alternative(observation: Observation, question: Question) -> bool:
    """Return whether a hint names a file, a folder or a tool that exists, or the right signature."""
    words = {word.rstrip(".") for word in _WORD.findall(observation.hint)}
    known = {tool.name for tool in registry()} | {PurePosixPath(question.folder).name}
    signature = "Signature: " in observation.hint
    return signature or bool(words & known) or any(name in observation.hint for name in question.files)


def _by_question(calls: Iterable[ModelCall]) -> dict[str, list[tuple[int, ModelCall]]]:
    groups: dict[str, list[tuple[int, ModelCall]]] = {}
    for number, call in enumerate(calls):
        groups.setdefault(str(call.question), []).append((number, call))
    return groups


def _counts(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    counted = Counter(str(row["outcome"]) for row in rows)
    neither = sum(not row["helpful"] for row in rows)
    return {**{name: counted[name] for name in ("ok", "repaired", "refused")}, "without_hint": neither}


def _counts_by_part(rows: list[dict[str, Any]], calls: list[ModelCall]) -> dict[str, dict[str, int]]:
    """Return the counts apart for the parts of the questions that the calls were made for."""
    asked: list[dict[str, Any]] = [
        {"question_id": call.question, "row": row} for row, call in zip(rows, calls, strict=True)
    ]
    return {
        name: _counts([each["row"] for each in some]) for name, some in by_part(asked, EARTH_BENCH).items()
    }


def _counts_by_outcome(rows: list[dict[str, Any]], calls: list[ModelCall]) -> dict[str, dict[str, int]]:
    """Return the counts apart for calls that failed in the reference system and those that did not."""
    pairs = list(zip(rows, calls, strict=True))
    return {
        "failed": _counts([row for row, call in pairs if call.failed]),
        "succeeded": _counts([row for row, call in pairs if not call.failed]),
    }
