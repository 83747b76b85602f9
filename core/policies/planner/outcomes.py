"""What carrying out a reading gives: with clouds and without, and whether several outcomes agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from treeline.core.engine.verification.grounds import are_the_same_map, empty_map
from treeline.core.policies.planner.answering import Finding, finding_of
from treeline.core.policies.planner.choices import (
    find_first_label,
)
from treeline.core.policies.planner.clouds import drop_default, mask_clouds, needs_clouds
from treeline.core.policies.planner.figures import plain
from treeline.core.policies.planner.measures import convertible
from treeline.core.policies.planner.movements import change_in_time
from treeline.core.policies.planner.phrases import phrase
from treeline.core.policies.planner.plan import (
    Account,
    CannotAnswer,
    NoPixel,
    NotAtHand,
    Steps,
)
from treeline.core.policies.planner.variables import cloud_share_by_date
from treeline.core.policies.planner.work import Work
from treeline.core.query.expression import Centroid, Convert, Dates, Node, Phenology, Several, Which
from treeline.core.query.form import to_json

# More rows than these are not told where it is asked which table is meant.
_MOST_TOLD = 5
NO_PIXEL = Finding("Without cloudy pixels no pixel is left.")


@dataclass(frozen=True, slots=True)
class Outcome:
    """An expression that was carried out, what it gave, and what was met on the way."""

    expression: Node
    finding: Finding
    account: Account


def both_ways(work: Work, expression: Node) -> Steps[list[Outcome]]:
    """Return what an expression gives, and what without clouds where nothing was said of them.

    The second is worked out only where clouds are known of the dates that were taken, and given only
    where it differs in what would be shown.
    """
    plan, common = work.plan, work.plan.account
    plan.account = common.copy()
    found = Outcome(expression, (yield from _finding(work, expression)), plan.account)
    if not needs_clouds(expression):
        return [found]
    plan.account = common.copy()
    if not (yield from _has_clouds(work)):
        for sentence in sorted(set(map(work.materials.undated_clouds, work.under_clouds))):
            found.account.remark(sentence and f"Clouds are left in. {sentence}")
        return [replace(found, expression=drop_default(expression))]
    without, plan.account = mask_clouds(expression), common.copy()
    try:
        clear = Outcome(without, (yield from _finding(work, without)), plan.account)
    except NoPixel:
        return [found, Outcome(without, NO_PIXEL, plan.account)]
    except NotAtHand:
        raise
    except CannotAnswer as problem:
        found.account.remark(f"Cloudy pixels are included; without them: {problem.reason}")
        return [found]
    if clear.finding.product and empty_map(clear.finding.product, plan.observations):
        return [found, Outcome(without, NO_PIXEL, plan.account)]
    maps = found.finding.product, clear.finding.product
    # All that was made: an account leaves out what a condition gave, of which nothing is to be doubted.
    seen = [feedback.observation for feedback in plan.made.values()]
    shown_alike = all(maps) and are_the_same_map(*maps, seen)
    if shown_alike or _answer_the_same(expression, found.finding, clear.finding):
        found.account.remark(_tell_clouds(expression, found.finding, clear.finding))
        return [found]
    return [found, clear]


def _tell_clouds(expression: Node, found: Finding, clear: Finding) -> str:
    """Return that clouds do not change what was chosen, and its number where that is another."""
    one, other = (plain(each.value, each.unit) for each in (found, clear))
    with_another = isinstance(expression, Which) and one != other
    told = f"it is the same, with {other}" if with_another else "the answer is the same"
    return f"Cloudy pixels are included; without them {told}."


def of_options(work: Work, found: Outcome, choices: tuple[str, ...]) -> Steps[Outcome]:
    """Return the highest of those that are options, where another is higher; anything else as it is.

    Which of all is highest is told as well.
    """
    expression, winner = found.expression, found.finding
    if not choices or not isinstance(expression, Which) or (expression.nth, expression.top) != (1, 1):
        return found
    if find_first_label(winner.labels, choices) is not None:
        return found
    work.plan.account = found.account
    ranking = yield from _finding(work, replace(expression, top=0))
    place = find_first_label(ranking.labels, choices)
    if place is None or len(ranking.numbers) != len(ranking.labels):
        return found
    label, value = ranking.labels[place], ranking.numbers[place]
    told = f"Of the options {label} ({plain(value, winner.unit)}) is {expression.direction}."
    text = f"{told} Of all: {winner.text}"
    return replace(found, finding=replace(winner, text=text, labels=(label,), value=value, numbers=(value,)))


def in_unit(work: Work, found: Outcome, unit: str) -> Steps[Outcome]:
    """Return a number in another unit of the same quantity; anything else as it is."""
    value = found.finding.value
    if value is None or not convertible(found.finding.unit, unit):
        return found
    expression = Convert(found.expression, unit)
    work.plan.account = found.account
    return replace(found, expression=expression, finding=(yield from _finding(work, expression)))


def _finding(work: Work, expression: Node) -> Steps[Finding]:
    value = yield from work.value(expression)
    return finding_of(work, expression, value)


def fullest_of(found: Sequence[Outcome]) -> Outcome | None:
    """Return the one of several readings that answers in parts, of which the others are the first alone."""
    for each in found if len(found) > 1 else ():
        parts = each.expression.of if isinstance(each.expression, Several) else ()
        if parts and all(other is each or other.expression == parts[0] for other in found):
            return each
    return None


def agree(found: Sequence[Outcome]) -> bool:
    """Return whether readings give one answer: the same number, of the same date where any tells one."""
    findings = [each.finding for each in found]
    labels = {finding.labels for finding in findings if finding.labels}
    if len(labels) == 1 and all(_is_one_date(each.expression) for each in found):
        # One reading tells beside the date what was measured on it, another that it was clear.
        return len({finding.value for finding in findings if finding.value is not None}) <= 1
    return len(labels) <= 1 and len(set(map(_sharing_key, findings))) == 1


def _is_one_date(node: Node) -> bool:
    return isinstance(node, Dates) and node.pick != "all"


def _sharing_key(finding: Finding) -> str:
    """Return what two findings share that answer alike: a number, a claim on the same ones, else the text."""
    if finding.truth is not None and finding.numbers and not finding.parts:
        return f"{finding.truth} {' '.join(plain(number, finding.unit) for number in finding.numbers)}"
    alone = finding.value is not None and finding.truth is None and len(finding.labels) <= 1
    if alone and not (finding.product or finding.parts):
        return plain(finding.value, finding.unit)
    return finding.text


def _answer_the_same(expression: Node, one: Finding, other: Finding) -> bool:
    """Return whether two findings give one answer, whatever they say of clouds.

    It is yes or no of a claim, the verdict of a test, and of a choice what is chosen: the numbers beside
    them may differ.
    """
    if isinstance(expression, Several) and len(one.parts) == len(other.parts) == len(expression.of):
        return all(map(_answer_the_same, expression.of, one.parts, other.parts))
    if one.truth is not None:
        return one.truth is other.truth
    chosen = isinstance(expression, Which | Dates) or isinstance(expression, Phenology) and not expression.by
    if chosen and one.labels:
        return one.labels == other.labels
    if one.verdict:
        return one.verdict == other.verdict
    plain = other.text.replace(" without cloudy pixels", "")
    return plain == one.text and (isinstance(expression, Centroid) or not one.product)


def _has_clouds(work: Work) -> Steps[bool]:
    """Return whether a cloud is known on one of the dates that were taken with their clouds.

    Which dates have none is kept, so that these need no mask.
    """
    cloudy = False
    # The bands of a scene lie under the same clouds.
    skies = {
        (layer.sensor, *((item.date, item.place) for item in layer.items)): layer
        for layer in work.under_clouds
    }
    for layer in skies.values():
        try:
            shares = yield from cloud_share_by_date(work, layer)
        except NotAtHand:
            raise
        except CannotAnswer:
            continue
        work.clouds_known = True
        cloudy = cloudy or any(share > 0 for share in shares.values())
    return cloudy


def text_of(finding: Finding) -> str:
    """Return what a finding comes to: the date or name and its value, a map, or in words."""
    if finding.product:
        return finding.product
    if finding.value is None or finding.truth is not None or len(finding.labels) > 1:
        return finding.text
    value = plain(finding.value, finding.unit)
    return f"{finding.labels[0]} ({value})" if finding.labels else value


def short_text(found: Outcome) -> str:
    """Return what an outcome says; of a long table only between which two values it lies."""
    finding = found.finding
    if len(finding.labels) <= _MOST_TOLD or len(finding.numbers) != len(finding.labels) or finding.parts:
        return finding.text
    rows = sorted(zip(finding.numbers, finding.labels, strict=True))
    ends = (f"{plain(number, finding.unit)} ({label})" for number, label in (rows[0], rows[-1]))
    what = found.expression.of if isinstance(found.expression, Which) else found.expression
    return f"The {change_in_time(what, phrase) or phrase(what)} lies between {' and '.join(ends)}."


def differ_in_clouds(found: Sequence[Outcome]) -> bool:
    """Return whether readings differ in whether cloudy pixels count, and in nothing else."""
    return len({mask_clouds(each.expression) for each in found}) == 1


def expression_to_follow(found: Sequence[Outcome]) -> dict[str, Any] | None:
    """Return what a further question can follow: the expression of readings that differ in clouds alone."""
    return to_json(found[0].expression) if differ_in_clouds(found) else None
