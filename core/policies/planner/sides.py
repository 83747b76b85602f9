"""What two sides that are set against each other share, so that it is told once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from treeline.core.policies.planner.phrases import ground_text, phrase, time_text
from treeline.core.query.expression import ALWAYS, Cloud, Node, Variable, When
from treeline.core.query.rewriting import rewrite


def in_course_of_time(
    later: Node, earlier: Node, tell: Callable[[Node], str] = phrase
) -> tuple[str, str, str] | None:
    """Return what is measured at two times, and these; ``None`` where more differs."""
    times = [{part.when for part in side.walk() if isinstance(part, Variable)} for side in (earlier, later)]
    if any(len(found) != 1 for found in times):
        return None
    first, last = (found.pop() for found in times)
    bare = [rewrite(side, Variable, lambda node: replace(node, when=ALWAYS)) for side in (later, earlier)]
    if bare[0] != bare[1] or not _precedes(first, last):
        return None
    return tell(bare[0]), time_text(first), time_text(last)


def second_side(left: Node, right: Node) -> str:
    """Return what something is set against: "that of grassland", "that in July" where no more differs."""
    for slot, none, tell in (("where", None, ground_text), ("when", ALWAYS, time_text)):
        empty = partial(replace, **{slot: none})
        bare = [rewrite(side, (Variable, Cloud), empty) for side in (left, right)]
        found = {getattr(leaf, slot) for leaf in right.walk() if isinstance(leaf, Variable | Cloud)}
        if bare[0] == bare[1] and len(found) == 1 and (told := tell(found.pop())):
            return f"that {told}"
    return f"the {phrase(right)}"


def _precedes(first: When, last: When) -> bool:
    ends = [span.last for span in first.spans]
    begins = [span.first for span in last.spans]
    return bool(ends and begins) and all(
        end is not None and begin is not None and end < begin for end in ends for begin in begins
    )
