"""How a person wants a question to be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeline.core.engine.journal import expression_of
from treeline.core.record.store import Store


@dataclass(frozen=True, slots=True)
class HowToRead:
    """What a policy that reads questions is told besides the question.

    Attributes
    ----------
    reading : int
        Which of the readings that were asked back is meant, from 1; 0 where none was chosen.
    partial : bool
        Whether the largest part that is understood is carried out where the whole is not.
    former : mapping, optional
        The expression of the question that this one follows.
    one_by_one : bool
        Whether scenes are worked on one after the other where a tool has a form for one: so the courses of
        the profile ``earth_bench`` go.
    """

    reading: int = 0
    partial: bool = False
    former: Mapping[str, Any] | None = None
    one_by_one: bool = False


AS_IT_STANDS = HowToRead()


def how_to_read(store: Store, options: Mapping[str, Any]) -> HowToRead:
    """Return how the question of a recorded run is to be read, by the options that the store keeps."""
    after = options.get("after")
    former = expression_of(store, after) if after else None
    one_by_one = options.get("profile") == "earth_bench"
    return HowToRead(options.get("reading", 0), options.get("partial", False), former, one_by_one)


PLANNER_READS = "planner_reads"  # in a note: how the planner reads a question that another policy works on
PLANNER_ANSWERS = "planner_answers"  # in a note: what it answers, and whether that differs
