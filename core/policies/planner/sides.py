"""What two sides that are set against each other share, so that it is told once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from treeline.core.policies.planner.phrases import ground_text, held_text, phrase, time_text, without_groups
from treeline.core.query.expression import (
    ALWAYS,
    Cloud,
    Combine,
    Compare,
    Node,
    Number,
    Place,
    Variable,
    When,
)
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import leaves


def in_course_of_time(
    later: Node, earlier: Node, tell: Callable[[Node], str] = phrase
) -> tuple[str, str, str] | None:
    """Return what is measured at two times, and these; ``None`` where more differs."""
    times = [_times_of(side) for side in (earlier, later)]
    if any(len(found) != 1 for found in times):
        return None
    first, last = (found.pop() for found in times)
    bare = [
        rewrite(side, (Variable, Place), lambda node: replace(node, when=ALWAYS)) for side in (later, earlier)
    ]
    if bare[0] != bare[1] or not _precedes(first, last):
        return None
    return tell(bare[0]), time_text(first), time_text(last)


def _times_of(node: Node) -> set[When]:
    """Return the times of the variables; where there are none, those of the maps of classes."""
    variables = {part.when for part in node.walk() if isinstance(part, Variable)}
    return variables or {part.when for part in node.walk() if isinstance(part, Place)}


def second_side(left: Node, right: Node) -> str:
    """Return what something is set against: "that of grassland", "that in July" where no more differs."""
    for slot, none, tell in (("where", None, ground_text), ("when", ALWAYS, time_text)):
        empty = partial(replace, **{slot: none})
        bare = [rewrite(side, (Variable, Cloud), empty) for side in (left, right)]
        # Of what is measured: what a condition on the ground is of, lies within it.
        inner = {part for leaf in leaves(right) if leaf.where is not None for part in leaf.where.walk()}
        found = {getattr(leaf, slot) for leaf in leaves(right) if leaf not in inner}
        if bare[0] == bare[1] and len(found) == 1 and (told := tell(found.pop())):
            return f"that {told}"
    return f"the {phrase(right)}"


def held_by_each(node: Node) -> str:
    """Return what zones or dates have for which a condition holds: "a rise in mean NDVI from A to B"."""
    match node:
        case Compare(Combine("difference", later, earlier), "gt" | "lt" as sign, Number(0.0)) | Compare(
            later, "gt" | "lt" as sign, earlier
        ):
            course = in_course_of_time(later, earlier, without_groups)
            if course is not None:
                first, last = (time.removeprefix("in ").removeprefix("on ") for time in course[1:])
                return f"a {'rise' if sign == 'gt' else 'fall'} in {course[0]} from {first} to {last}"
    return held_text(node) if isinstance(node, Compare) else phrase(node)


def _precedes(first: When, last: When) -> bool:
    ends = [span.last for span in first.spans]
    begins = [span.first for span in last.spans]
    return bool(ends and begins) and all(
        end is not None and begin is not None and end < begin for end in ends for begin in begins
    )
