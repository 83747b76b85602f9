"""Lessons of failed attempts: what an entry of the failure memory holds, and whose it is."""

from __future__ import annotations

import getpass
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from treeline.core.context.guardrails import Guardrail

Scope = Literal["off", "own", "user", "shared"]
SCOPES: tuple[str, ...] = ("off", "own", "user", "shared")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What an entry says.

    Attributes
    ----------
    text : str
        The reflection.
    issues : tuple of dict
        Sign, cause, fix and step of each sign of failure.
    trace : str
        The compressed trace that the reflection was made from.
    full_tokens, trace_tokens : int
        Size of the trace before and after.
    author : str
        ``rules``, ``model`` or ``person``.
    tokens : int
        What the reflection cost at the endpoint.
    """

    text: str
    guardrails: tuple[Annotated[Guardrail, Field(discriminator="kind")], ...] = ()
    issues: tuple[dict[str, Any], ...] = ()
    trace: str = ""
    full_tokens: int = 0
    trace_tokens: int = 0
    author: str = "rules"
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A lesson with where it comes from and what became of it.

    Attributes
    ----------
    instance : str
        Key of the question in its data, see :func:`instance_of`.
    root, run : str
        The run that was asked for, and the attempt at it that failed.
    uses, helped, harmed : int
        Runs that used it; those of them that then succeeded, and those that failed all the same.
    expression : str
        The key of the question, see :mod:`treeline.core.memory.keys`; empty where it could not be read.
    """

    id: str
    instance: str
    question: str
    workspace: str
    owner: str
    shared: bool
    root: str
    run: str
    round: int
    created: datetime
    lesson: Lesson
    pinned: bool = False
    muted: bool = False
    deleted: bool = False
    uses: int = 0
    helped: int = 0
    harmed: int = 0
    expression: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """That an entry entered a run; ``helped`` is ``None`` until the run is judged."""

    entry: str
    run: str
    time: datetime
    tokens: int
    helped: bool | None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a lesson comes from."""

    instance: str
    question: str
    workspace: str
    root: str
    run: str
    round: int = 1
    shared: bool = False
    expression: str = ""


def current_user() -> str:
    """Return whose memory this is: ``TREELINE_USER`` or the account's name."""
    try:
        return os.environ.get("TREELINE_USER") or getpass.getuser()
    except (KeyError, OSError):
        return "user"


def instance_of(
    question: str,
    choices: Sequence[str],
    workspace: str,
    data: Sequence[str] = (),
    area: Mapping[str, Any] | None = None,
) -> str:
    """Return the key of a question: its words and options in its data and area, however it is spaced.

    Parameters
    ----------
    question : str
    choices : sequence of str
        The options, in their order: another order is another question.
    workspace : str
    data : sequence of str
        The folders or files that the question is about, in any order.
    area : mapping, optional
        The area of interest with its ``crs`` and ``geometry``; its name does not count.
    """
    words = " ".join(question.casefold().split()).rstrip(" .?!")
    # Spaces, case and the last mark make no other question; the order in which folders are named makes no
    # other data.
    parts: list[Any] = [words, [" ".join(c.casefold().split()) for c in choices], workspace, sorted(data)]
    # Added only where there is one, so that the keys of questions without an area stay what they were before
    # areas.
    if area:
        parts.append({"crs": area["crs"], "geometry": area["geometry"]})
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
