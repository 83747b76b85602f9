"""What an expert called for a question, where a question file says so."""

from __future__ import annotations

import tempfile
from pathlib import Path

from treeline.core.lab.records import Question, read_questions
from treeline.toolkit import registry

Trajectories = dict[str, tuple[str, ...]]


def expert_trajectories(content: bytes, name: str) -> Trajectories:
    """Return the expert's tools in order by question, from the content of a question file.

    Parameters
    ----------
    content : bytes
        In the form of Earth-Bench: a question a line, or the published ``question.json``.
    name : str
        Of the file; its suffix decides the form.

    Raises
    ------
    InputError
        The file holds no questions.
    """
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        path = Path(folder) / f"questions{Path(name).suffix}"
        path.write_bytes(content)
        questions = read_questions(path)
    return {_plain(text): _tools(question) for question in questions for text in _texts(question)}


def expert_tools_of(question: str, trajectories: Trajectories) -> tuple[str, ...]:
    """Return the expert's tools for a question; none where it is not among them."""
    return trajectories.get(_plain(question), ())


def _tools(question: Question) -> tuple[str, ...]:
    known = registry()
    names = (call.tool for call in question.ground_truth)
    return tuple(known.get(name).name if name in known else name for name in names)


def _texts(question: Question) -> tuple[str, ...]:
    return tuple(text for text in (question.auto_planning, question.instruction_following) if text)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
