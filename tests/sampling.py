"""Which of many cases alike `make test` tries; `make soak` tries all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def sample(
    cases: Iterable[Any],
    one_in: int,
    text: Callable[[Any], str] = str,
    name: Callable[[Any], str] | None = None,
) -> list[Any]:
    """Return cases as parameters of which all but some are of `make soak`.

    A case's own text decides, so that one more or one less changes nothing for the others.

    Parameters
    ----------
    cases : iterable
        A tuple is several parameters.
    one_in : int
        About one case in so many is tried by `make test`, and at least one.
    text : callable
        What tells a case apart from the others in every session: no address in memory.
    name : callable, optional
        The name of a case in reports; that of pytest where it is not given.
    """
    every = list(cases)
    turns = [_number(text(case)) for case in every]
    first = min(range(len(every)), key=lambda place: turns[place], default=0)
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if turn % one_in == 0 or place == first else pytest.mark.soak,
            **({"id": name(case)} if name else {}),
        )
        for place, (case, turn) in enumerate(zip(every, turns, strict=True))
    ]


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])
