"""Comparisons and what joins them: masks where they are of rasters, truths where they are of numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treeline.core.policies.planner.figures import join_words
from treeline.core.policies.planner.formulas import Formula
from treeline.core.policies.planner.grounds import split_where
from treeline.core.policies.planner.layers import near
from treeline.core.policies.planner.measures import is_difference, limit_in, line, unit_of_limit
from treeline.core.policies.planner.plan import CannotAnswer, Steps
from treeline.core.policies.planner.values import (
    Numbers,
    Rasters,
    Scale,
    Selection,
    Value,
    common_scales,
    spread,
)
from treeline.core.policies.planner.work import Work, computes, shortcut
from treeline.core.query.canonical import both
from treeline.core.query.expression import (
    Aggregate,
    And,
    Combine,
    Compare,
    Convert,
    Node,
    Not,
    Number,
    Or,
    Variable,
)
from treeline.core.query.kinds import kind_of
from treeline.core.query.titles import short_title

MODES = {
    "gt": "above",
    "ge": "above_equal",
    "lt": "below",
    "le": "below_equal",
    "eq": "equal",
    "ne": "not_equal",
}
_SIGNS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "==", "ne": "!="}


@computes(Compare)
def compare(work: Work, node: Compare) -> Steps[Value]:
    """Return where, when or whether something passes a limit."""
    values = yield from _sides(work, node)
    if any(isinstance(value, Rasters) for value in values):
        return (yield from mask(work, node))
    if all(isinstance(value, Selection) for value in values):
        return (yield from _compare_dates(work, node, [v for v in values if isinstance(v, Selection)]))
    numbers = [value for value in values if isinstance(value, Numbers)]
    if len(numbers) < len(values):
        raise CannotAnswer("Only numbers with numbers and dates with dates can be compared.")
    return (yield from _compare_numbers(work, node, numbers))


def _sides(work: Work, node: Compare) -> Steps[list[Value]]:
    values = []
    for side in (node.of, node.limit, node.upper):
        if side is not None:
            values.append((yield from work.value(side)))
    return values


def _compare_numbers(work: Work, node: Compare, values: list[Numbers]) -> Steps[Numbers]:
    left = values[0]
    if isinstance(node.limit, Number) and not left.scales and left.single is not None:
        wanted = unit_of_limit(left.unit, values[1].unit)
        if wanted != left.unit:
            left = yield from work.numbers(Convert(node.of, wanted))
            values = [left, *values[1:]]
    scales = common_scales(values)
    _say_left_out(work, values, scales)
    given: list[object] = []
    for value in values:
        factor, offset = line(value.unit, left.unit)
        if (factor, offset) != (1.0, 0.0) and value.scales:
            raise CannotAnswer(f"{value.unit} and {left.unit} are to be compared; ask for one unit.")
        if value.scales:
            given.append(
                value.reference if scales == value.scales and value.reference else spread(value, scales)
            )
        else:
            apart = is_difference(node.of)
            given.append(limit_in(value, left.unit, difference=apart) if value is not left else value.single)
    if not scales and left.single is None:
        return Numbers((), (None,), truth=True)
    arguments: dict[str, object] = {"values": given[0], "operator": node.operator, "limit": given[1]}
    if len(given) > 2:
        arguments["upper"] = given[2]
    result = yield from work.plan.call("compare_values", "Does it pass the limit?", **arguments)
    if not scales:
        yield from _keep_sides(work, node, values)
    elif left.scales == scales:
        work.courses[node] = left
    return _truths(result.value, scales, result.reference)


def _say_left_out(work: Work, values: list[Numbers], scales: tuple[Scale, ...]) -> None:
    """Say which dates or periods only one side has: the condition is not asked of them."""
    shared = {label for scale in scales for label in scale.labels}
    labels = (label for value in values for scale in value.scales for label in scale.labels)
    alone = sorted({label for label in labels if label not in shared})
    if alone:
        told = join_words(alone) if len(alone) <= _MOST_NAMED else f"{len(alone)} {scales[0].axis}s"
        work.plan.remark(f"Left out is what only one side has: {told}.")


_MOST_NAMED = 6


def _keep_sides(work: Work, node: Compare, values: list[Numbers]) -> Steps[None]:
    """Keep what was compared, and how far two measured numbers are apart: an answer tells them."""
    work.sides[node] = tuple(values)
    measured = not isinstance(node.of, Number) and not isinstance(node.limit, Number)
    if measured and node.upper is None and all(value.single is not None for value in values):
        work.apart[node] = yield from work.numbers(Combine("difference", node.of, node.limit))


def _truths(value: object, scales: tuple[Scale, ...], reference: str) -> Numbers:
    values = value if isinstance(value, list) else [value]
    numbers = tuple(None if v is None else float(bool(v)) for v in values)
    return Numbers(scales, numbers, truth=True, reference=reference if scales else "")


def _compare_dates(work: Work, node: Compare, sides: list[Selection]) -> Steps[Numbers]:
    one, other = (side.marks[0].date for side in sides[:2])
    if one is None or other is None or len(sides) > 2:
        raise CannotAnswer("These are no dates that could be compared.")
    days = yield from work.plan.call(
        "days_between", "Which is later?", earlier=f"{other:%Y-%m-%d}", later=f"{one:%Y-%m-%d}"
    )
    result = yield from work.plan.call(
        "compare_values", "Which is later?", values=days.number, operator=node.operator, limit=0.0
    )
    return _truths(result.value, (), "")


# --- Masks ----------------------------------------------------------------------------------------


def mask(work: Work, node: Node) -> Steps[Rasters]:
    """Return a mask of where a condition holds, one for each date of what it is about."""
    formula = Formula()
    text = yield from _write(work, node, formula)
    return (
        yield from formula.carry_out(
            work,
            text,
            "A mask of where the condition holds.",
            stem=_stem(node),
            role="mask",
            unit="class",
            truth=True,
        )
    )


def _stem(node: Node) -> str:
    """Return how the file of a mask begins: one of a change says of which variable."""
    roles = {leaf.role for leaf in node.walk() if isinstance(leaf, Variable)}
    is_of_change = isinstance(node, Compare) and is_difference(node.of) and len(roles) == 1
    return f"mask_{roles.pop()}_change" if is_of_change else "mask"


def _write(work: Work, node: Node, formula: Formula) -> Steps[str]:
    """Return a condition as a formula writes it."""
    writer = _WRITERS.get(type(node))
    if writer is not None:
        return (yield from writer(work, node, formula))
    value = yield from work.value(node)
    if isinstance(value, Numbers):
        raise CannotAnswer("A condition on pixels cannot be joined with one on numbers.")
    return f"({formula.operand(value)} > 0.5)"


def _write_compare(work: Work, node: Compare, formula: Formula) -> Steps[str]:
    values = yield from _sides(work, node)
    if not any(isinstance(value, Rasters) for value in values):
        raise CannotAnswer("A condition on pixels cannot be joined with one on numbers.")
    unit = next(v.unit for v in values if isinstance(v, Rasters))
    apart = is_difference(node.of)
    operands = [formula.operand(value, unit, difference=apart) for value in values]
    if node.operator == "between":
        return f"(({operands[0]} >= {operands[1]}) & ({operands[0]} <= {operands[2]}))"
    return f"({operands[0]} {_SIGNS[node.operator]} {operands[1]})"


def _write_joined(work: Work, node: And | Or, formula: Formula) -> Steps[str]:
    parts = []
    for part in node.of:
        parts.append((yield from _write(work, part, formula)))
    return "(" + (" & " if isinstance(node, And) else " | ").join(parts) + ")"


def _write_not(work: Work, node: Not, formula: Formula) -> Steps[str]:
    return f"(~{(yield from _write(work, node.of, formula))})"


_WRITERS: dict[type[Node], Callable[..., Steps[str]]] = {
    Compare: _write_compare,
    And: _write_joined,
    Or: _write_joined,
    Not: _write_not,
}


@shortcut(Compare)
def _one_limit(work: Work, node: Compare) -> Steps[Value | None]:
    """Mark where one variable passes a number: the tool for a threshold."""
    if not (isinstance(node.of, Variable) or _is_map(node.of)) or node.operator not in MODES:
        return None
    limit = yield from work.value(node.limit)
    if not isinstance(limit, Numbers) or limit.scales:
        return None
    rasters = yield from work.rasters(node.of)
    bound, mode = limit_in(limit, rasters.unit), MODES[node.operator]
    outputs = [work.plan.name(f"{rasters.layer.role}_{mode}", item.mark) for item in rasters.items]
    what = f"{short_title(rasters.layer.role)} is {mode.replace('_', ' or ')} {bound:g}"
    result = yield from work.plan.call(
        "calc_batch_image_hotspot_tif",
        f"A mask of where {what}.",
        file_list=rasters.layer.argument,
        threshold=bound,
        output_path_list=outputs,
        mode=mode,
    )
    work.note_empty(result, f"{short_title(rasters.layer.role)}")
    return rasters.at(outputs, "mask", "class", truth=True)


def _is_map(node: Node) -> bool:
    """Return whether a node is a statistic of each pixel's dates of one variable."""
    return (
        isinstance(node, Aggregate)
        and node.over == "date"
        and node.by is None
        and isinstance(node.of, Variable)
    )


# --- And, or, not ---------------------------------------------------------------------------------


@computes(And)
def _and(work: Work, node: And) -> Steps[Value]:
    site, rest = split_where(node)
    layers = work.materials.derivation.layers
    if site and rest and (there := [layer for layer in near(layers, site, layers) if layer.items]):
        return (yield from work.draw_on(replace(there[0].items[0], place=site), both(*rest)))
    return (yield from _join(work, node, list(node.of), "and"))


@computes(Or)
def _or(work: Work, node: Or) -> Steps[Value]:
    return (yield from _join(work, node, list(node.of), "or"))


@computes(Not)
def _not(work: Work, node: Not) -> Steps[Value]:
    return (yield from _join(work, node, [node.of], "not"))


def _join(work: Work, node: Node, parts: list[Node], how: str) -> Steps[Value]:
    if _of_pixels(node):
        return (yield from mask(work, node))
    values = []
    for part in parts:
        values.append((yield from work.numbers(part)))
    scales = common_scales(values)
    rows: list[object] = [spread(value, scales) for value in values]
    result = yield from work.plan.call("join_conditions", f"Joined by {how}.", conditions=rows, how=how)
    found = result.value if scales else (result.value[0] if isinstance(result.value, list) else result.value)
    return _truths(found, scales, result.reference)


def _of_pixels(node: Node) -> bool:
    return "pixel" in kind_of(node).axes
