"""How a rise or a fall is told: which lost most, gained least, and between which two dates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treeline.core.policies.planner.figures import join_words, plain
from treeline.core.policies.planner.phrases import phrase, step_of, without_groups
from treeline.core.policies.planner.sides import in_course_of_time
from treeline.core.policies.planner.values import Numbers
from treeline.core.policies.planner.work import Work
from treeline.core.query.expression import Aggregate, Combine, Node, Steps, Which

_SIGNED = ("difference", "percent_change")
_TEMPERATURES = ("K", "degC", "degF")


def change_in_time(node: Node, tell: Callable[[Node], str], word: str = "change") -> str:
    """Return what changed, from when to when; empty where two things differ by more than their times."""
    if not isinstance(node, Combine) or node.how not in (*_SIGNED, "absolute_difference"):
        return ""
    course = in_course_of_time(node.left, node.right, tell)
    if course is None:
        return ""
    first, last = (time.removeprefix("in ").removeprefix("on ") for time in course[1:])
    return f"{word} in {course[0]} from {first} to {last}".lstrip()


def most_changed(node: Which, labels: Sequence[str], value: float | None, unit: str) -> str:
    """Return which rose or fell most, or least where none went the other way; empty of anything else."""
    what = change_in_time(node.of, without_groups, "")
    if not what or not value or node.nth != 1 or not isinstance(node.of, Combine):
        return ""
    names = join_words(labels)
    if node.of.how == "absolute_difference":
        least = "least" if node.direction == "lowest" else "most"
        return f"{names} changed {least} {what}: by {plain(value, unit)}."
    warm = any(unit.startswith(one) for one in _TEMPERATURES)
    fell, rose = ("cooled", "warmed") if warm else ("lost", "gained")
    verb, other = (fell, rose) if value < 0 else (rose, fell)
    amount = _with_sign(value, unit)
    if (node.direction == "lowest") == (value < 0):
        return f"{names} {verb} most {what}: {amount}."
    return f"None {other}; {names} {verb} least {what}: {amount}."


def largest_step(work: Work, node: Which, labels: Sequence[str], value: float | None, unit: str) -> str:
    """Return to which date a series fell or rose most, and from which; empty of anything but steps."""
    if not isinstance(node.of, Steps) or value is None or node.nth != 1 or len(labels) != 1:
        return ""
    moved = _name_of_step(node.of, node.direction, value)
    before = _date_before(work, node.of, labels[0])
    if not moved or not before:
        return ""
    what = f"{without_groups(node.of.of)} from one {step_of(node.of)} to the next"
    amount = plain(value, unit) if node.of.how == "absolute_difference" else _with_sign(value, unit)
    return f"{labels[0]} saw the {moved} in {what}: {amount} since {before}."


def extreme_of_steps(work: Work, node: Node, value: float | None, unit: str) -> str:
    """Return how far a series fell or rose most, and between which dates; empty of anything else."""
    match node:
        case Aggregate("min" | "max" as statistic, Steps() as steps, "date" | "period", by=None):
            found = work.known_value(steps)
            moved = _name_of_step(steps, "lowest" if statistic == "min" else "highest", value or 0.0)
            if not moved or value is None or not isinstance(found, Numbers) or len(found.scales) != 1:
                return ""
            later = [
                label for label, v in zip(found.scales[0].labels, found.values, strict=True) if v == value
            ]
            before = _date_before(work, steps, later[0]) if len(later) == 1 else ""
            told = f", from {before} to {later[0]}" if before else ""
            next_one = f"from one {step_of(steps)} to the next"
            amount = plain(value, unit) if steps.how == "absolute_difference" else _with_sign(value, unit)
            return f"The {moved} in {phrase(steps.of)} {next_one} is {amount}{told}."
    return ""


def _name_of_step(node: Steps, direction: str, value: float) -> str:
    """Return what a largest step is called; empty where the lowest is no fall, or the highest no rise."""
    if node.how == "absolute_difference":
        return "largest change" if direction == "highest" else "smallest change"
    if direction == "lowest":
        return "largest fall" if value < 0 else ""
    return "largest rise" if value > 0 else ""


def _date_before(work: Work, node: Steps, later: str) -> str:
    """Return the date or period that stands before another in a series."""
    series = work.known_value(node.of)
    labels = series.scales[0].labels if isinstance(series, Numbers) and len(series.scales) == 1 else ()
    at = labels.index(later) if later in labels else 0
    return labels[at - 1] if at else ""


def _with_sign(value: float, unit: str) -> str:
    """Return a number with its sign, which tells a rise from a fall."""
    return f"{'+' if value > 0 else ''}{plain(value, unit)}"
