"""What is said when a variable cannot be had, or not then or there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treeline.core.policies.planner.derivation import Derivation, Missing
from treeline.core.policies.planner.intent import Subject
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.places import place_key
from treeline.core.policies.planner.plan import CannotAnswer
from treeline.core.policies.planner.titles import short_title
from treeline.toolkit.variables import variable

_DAYS_OF_A_COMPOSITE = 8


def missing(found: Missing, derivation: Derivation, place: str) -> CannotAnswer:
    """Return what to raise for a variable that is nowhere, or not at the place."""
    ways = [f"{tool} would need {' and '.join(roles)}" for tool, roles in found.ways]
    here = {"", place_key(place)}
    seen = [layer for layer in derivation.layers if not place or place_key(layer.items[0].place) in here]
    where = f" ({place})" if place else ""
    return CannotAnswer(
        _lacks(found, seen).removesuffix(".") + where + ".", "; ".join(ways[:3]) + "." if ways else ""
    )


def nothing_then(role: str, wanted: Sequence[Subject], items: Sequence[Item]) -> CannotAnswer:
    """Return what to raise for a variable that is there, but not in the period; names the nearest dates."""
    when = " or ".join(dict.fromkeys(s.period.label for s in wanted))
    dated = [item for item in items if item.date is not None]
    target = wanted[0].period.first or wanted[0].period.last
    if not dated:
        return CannotAnswer(
            f"There is no {short_title(role)} in {when}.", f"What there is has no date: {items[0].label}."
        )
    if target is not None:
        dated.sort(key=lambda item: abs(item.date - target))  # type: ignore[operator]
    labels = ", ".join(sorted(item.label for item in dated[:4]))
    word = "on" if wanted[0].period.is_day else "in"
    return CannotAnswer(f"There is no {short_title(role)} {word} {when}.", f"The nearest dates are {labels}.")


def _lacks(missing: Missing, layers: Iterable[Layer]) -> str:
    """Return in a sentence what there is instead of a role that is missing."""
    known = variable(missing.role)
    title = known.title.lower() if known else missing.role
    roles = sorted({layer.role for layer in layers})
    seen = ", ".join(roles) if roles else "nothing"
    return f"There is no {title} ({missing.role}) and nothing to derive it from: I see only {seen}."


def only_date_near(wanted: Sequence[Subject], items: Sequence[Item]) -> str:
    """Return what to say when the only date there is stands for the day asked for; empty where it cannot.

    It must be within a composite's length, or the same day of another year, as after a slip of the pen.
    """
    if len(wanted) != 1 or len(items) != 1 or not (day := wanted[0].period.first) or not items[0].date:
        return ""
    date = items[0].date
    same = (date.month, date.day) == (day.month, day.day)
    if not wanted[0].period.is_day or not (same or abs((date - day).days) <= _DAYS_OF_A_COMPOSITE):
        return ""
    return f"There is none of {wanted[0].period.label}: this is of {items[0].label}, the only date there is."
