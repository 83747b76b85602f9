"""Which part of a benchmark a question is of: read while Treeline was made, set aside then, or unseen.

Of Earth-Bench's 248 questions those that ``questions_at_hand.txt`` numbers were at hand. One in five of these
was set aside by rule and not read. The others nobody saw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

EARTH_BENCH = "earth-bench"
LOOKED_AT, SET_ASIDE, UNSEEN = "looked_at", "set_aside", "unseen"
PARTS = (LOOKED_AT, SET_ASIDE, UNSEEN)

# Of five questions at hand one is set aside: nobody looks at it while the planner is worked on.
_SET_ASIDE_OF, _REST = 5, 3

Row = TypeVar("Row", bound=Mapping[str, object])


def part_of(identifier: int | str, benchmark: str = EARTH_BENCH) -> str:
    """Return the part that a question is of; empty for a benchmark that was not looked at."""
    if benchmark != EARTH_BENCH:
        return ""
    number = str(identifier)
    if number not in _at_hand():
        return UNSEEN
    return SET_ASIDE if int(number) % _SET_ASIDE_OF == _REST else LOOKED_AT


def by_part(rows: Sequence[Row], benchmark: str, name: str = "question_id") -> dict[str, list[Row]]:
    """Return the rows of each part that has some, by the field that names their question."""
    found = {part: [row for row in rows if part_of(str(row[name]), benchmark) == part] for part in PARTS}
    return {part: some for part, some in found.items() if some}


@lru_cache(maxsize=1)
def _at_hand() -> frozenset[str]:
    return frozenset((Path(__file__).parent / "questions_at_hand.txt").read_text("utf-8").split())
