"""Who does the work of a perception tool: weights of the user, a vision model, or a classical method.

One lookup, :func:`backend`, in this order: ONNX weights where the file is there, a vision language
model where one is configured, a classical method where it can tell the subject. What none of them can do is
refused with how to get it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from treeline.toolkit.errors import BackendMissing
from treeline.toolkit.perception.backends import classical, onnx, vision
from treeline.toolkit.perception.tasks import Task

Choice = Literal["auto", "onnx", "vision", "classical"]


class Provider(Protocol):
    """A module that offers backends."""

    def offer(self, tool: str, task: Task, subject: str, forced: bool) -> Any | None:
        """Return a backend for the task, or ``None``."""
        ...

    def how_to_get(self, tool: str, task: Task) -> str:
        """Return in a sentence what the user has to supply."""
        ...


PROVIDERS: Mapping[str, Provider] = {"onnx": onnx, "vision": vision, "classical": classical}


def backend(tool: str, task: Task, choice: Choice = "auto", subject: str = "") -> Any:
    """Return the backend of a tool.

    Parameters
    ----------
    tool : str
        Name of the tool, which is that of its weights too.
    task : str
        What it has to do.
    choice : str
        ``auto``, or the one that the user wants.
    subject : str
        What is looked for; a classical method tells only some subjects.

    Raises
    ------
    BackendMissing
        There is none; the hint says how to get one.
    """
    asked = PROVIDERS if choice == "auto" else {choice: PROVIDERS[choice]}
    for provider in asked.values():
        found = provider.offer(tool, task, subject, choice != "auto")
        if found is not None:
            return found
    about = f" for {subject!r}" if subject else ""
    kind = "" if choice == "auto" else f"{choice} "
    raise BackendMissing(
        f"{tool} has no {kind}backend{about}.",
        " Or: ".join(provider.how_to_get(tool, task) for provider in asked.values()),
    )
