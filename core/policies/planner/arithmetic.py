"""Values set against each other: differences, ratios, anomalies, steps, units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from treeline.core.policies.planner.formulas import Formula
from treeline.core.policies.planner.measures import is_difference, line
from treeline.core.policies.planner.plan import CannotAnswer, Steps, abreast
from treeline.core.policies.planner.statistics import convert_numbers
from treeline.core.policies.planner.values import (
    Bundle,
    Numbers,
    Rasters,
    Scale,
    Selection,
    Text,
    Value,
    as_numbers,
    common_scales,
    spread,
)
from treeline.core.policies.planner.variables import make_together
from treeline.core.policies.planner.work import Work, computes, describe
from treeline.core.query.expression import (
    DAY_OF_YEAR,
    Aggregate,
    Anomaly,
    Combine,
    Compare,
    Convert,
    Node,
    Place,
    Rounded,
    Several,
)
from treeline.core.query.expression import Steps as StepsNode
from treeline.core.query.titles import short_title
from treeline.toolkit.decibels import is_decibel
from treeline.toolkit.recognition.periods import depth_factor
from treeline.toolkit.units import becomes_decibels

_FORMULAS: Mapping[str, str] = {
    "difference": "{l} - {r}",
    "absolute_difference": "abs({l} - {r})",
    "ratio": "{l} / {r}",
    "percent_change": "100 * ({l} - {r}) / {r}",
    "sum": "{l} + {r}",
    "product": "{l} * {r}",
    "normalised_difference": "({l} - {r}) / ({l} + {r})",
}


@computes(Combine)
def combine(work: Work, node: Combine) -> Steps[Value]:
    """Return two values set against each other."""
    left, right = map(as_numbers, (yield from beside(work, node.left, node.right)))
    node = _of_decibels(work, node, left, right)
    if isinstance(left, Selection) and isinstance(right, Selection):
        return (yield from _days_apart(work, node, left, right))
    if isinstance(left, Rasters) or isinstance(right, Rasters):
        return (yield from _of_rasters(work, node, left, right))
    if isinstance(left, Numbers) and isinstance(right, Numbers):
        return (yield from _of_numbers(work, node, left, right))
    raise CannotAnswer(f"{describe(left)} cannot be set against {describe(right)}.")


def beside(work: Work, left: Node, right: Node) -> Steps[list[Value]]:
    """Return two nodes that are set against each other: the same step for both before the next.

    What both need is made for all their dates at once.
    """
    yield from make_together(work, [left, right])
    if set(_inner(left)) & set(_inner(right)) or any(
        isinstance(one, Place) for one in (*left.walk(), *right.walk()) if getattr(one, "by", "") != "site"
    ):
        return [(yield from work.value(left)), (yield from work.value(right))]
    return (yield from abreast([work.value(left), work.value(right)]))


def _of_decibels(work: Work, node: Combine, left: Value, right: Value) -> Combine:
    """Return what is set against each other where both are in decibels: their ratio is a difference."""
    units = [value.unit for value in (left, right) if isinstance(value, Numbers | Rasters)]
    if len(units) < 2 or not all(is_decibel(unit) for unit in units):
        return node
    if node.how == "ratio":
        work.plan.remark("Of decibels the ratio is the difference, in dB.")
        return replace(node, how="difference")
    if node.how in ("percent_change", "product", "normalised_difference", "sum"):
        raise CannotAnswer(
            f"Decibels are logarithms, of which a {_name_of(node)} means nothing.",
            "Ask for the difference in dB, or give intensities (decibel_to_linear makes them).",
        )
    return node


def _inner(node: Node) -> list[Node]:
    """Return the nodes of an expression that take work; leaves are at hand by now."""
    return [
        one for one in node.walk() if isinstance(one, Aggregate | Combine | Compare | StepsNode | Anomaly)
    ]


def unit_of(how: str, left: str, right: str) -> str:
    """Return the unit of two values set against each other."""
    if how == "ratio":
        return "1" if left == right else left if right in ("", "1") else f"{left}/{right}"
    return {"percent_change": "%", "normalised_difference": "1"}.get(how, left)


def _days_apart(work: Work, node: Combine, left: Selection, right: Selection) -> Steps[Value]:
    later, earlier = left.marks[0].date, right.marks[0].date
    if later is None or earlier is None:
        raise CannotAnswer("These are no dates that could be compared.")
    result = yield from work.plan.call(
        "days_between", "How many days lie between.", earlier=f"{earlier:%Y-%m-%d}", later=f"{later:%Y-%m-%d}"
    )
    days = result.number
    return Numbers((), (abs(days) if days is not None and node.how != "difference" else days,), "days")


# --- Numbers --------------------------------------------------------------------------------------


def _of_numbers(work: Work, node: Combine, left: Numbers, right: Numbers) -> Steps[Numbers]:
    if node.how not in ("ratio", "product") and line(right.unit, left.unit) != (1.0, 0.0):
        right = yield from convert_numbers(work, right, left.unit)
    unit = unit_of(node.how, left.unit, right.unit)
    scales = common_scales([left, right])
    if scales:
        sides = [
            v.reference if v.reference and v.scales == scales else _lay(v, scales) for v in (left, right)
        ]
        result = yield from work.plan.call(
            "combine_values",
            f"The {_name_of(node)}, one by one.",
            left=sides[0],
            right=sides[1],
            how=node.how,
        )
        return Numbers(scales, result.numbers, unit, reference=result.reference)
    if left.single is None or right.single is None:
        return Numbers((), (None,), unit)
    return (yield from _of_two(work, node, left.single, right.single, unit))


def _lay(value: Numbers, scales: tuple[Scale, ...]) -> object:
    return value.single if not value.scales else spread(value, scales)


def _of_two(work: Work, node: Combine, left: float, right: float, unit: str) -> Steps[Numbers]:
    thought = f"The {_name_of(node)} of the two."
    if node.how in ("difference", "absolute_difference"):
        result = yield from work.plan.call("difference", thought, a=right, b=left)
        apart = result.number
        falls = node.how == "difference" and left < right
        return Numbers((), (-apart if falls and apart else apart,), unit)
    if node.how == "percent_change" and right != 0:
        result = yield from work.plan.call("percentage_change", thought, a=right, b=left)
    elif node.how == "ratio" and right != 0:
        result = yield from work.plan.call("division", thought, a=right, b=left)
    elif node.how == "product":
        result = yield from work.plan.call("multiply", thought, a=left, b=right)
    else:
        if node.how in ("ratio", "percent_change") and right == 0:
            raise CannotAnswer("What it would be divided by is 0.")
        result = yield from work.plan.call("combine_values", thought, left=left, right=right, how=node.how)
    return Numbers((), (result.number,), unit)


def _name_of(node: Combine) -> str:
    return node.how.replace("_", " ")


# --- Rasters --------------------------------------------------------------------------------------


def _of_rasters(work: Work, node: Combine, left: Value, right: Value) -> Steps[Value]:
    if isinstance(left, Rasters) and isinstance(right, Rasters) and node.how == "difference":
        plain = line(right.unit, left.unit) == (1.0, 0.0)
        if plain and len(left.items) == len(right.items) == 1 and not common_scales([left, right]):
            return (yield from _change_map(work, left, right))
    formula = Formula()
    own = left.unit if isinstance(left, Numbers | Rasters) else ""
    other = right.unit if isinstance(right, Numbers | Rasters) else ""
    first = formula.operand(left)
    second = formula.operand(right, "" if node.how in ("ratio", "product") else own)
    unit = unit_of(node.how, own, other)
    text = _FORMULAS[node.how].replace("{l}", first).replace("{r}", second)
    stem, role = _stem(left, right, node.how), _role_of(node.how)
    return (
        yield from formula.carry_out(
            work, text, f"The {_name_of(node)}, pixel by pixel.", stem=stem, role=role, unit=unit
        )
    )


def _role_of(how: str) -> str:
    """Return what two rasters become; only what may fall as well as rise is a difference."""
    if how == "absolute_difference":
        return how
    return "expression" if how in ("ratio", "sum", "product") else "difference"


def _stem(left: Value, right: Value, how: str) -> str:
    role = next((v.layer.role for v in (left, right) if isinstance(v, Rasters)), "")
    return f"{role}_{how}"


def _change_map(work: Work, left: Rasters, right: Rasters) -> Steps[Value]:
    later, earlier = left.items[0], right.items[0]
    # Of two days it is of neither, and neither is what is made of it.
    mark = later.mark if earlier.label == later.label else f"{earlier.label}T{later.label}"
    output = work.plan.name(f"{left.layer.role}_change", mark)
    yield from work.plan.call(
        "calculate_tif_difference",
        "The later one less the earlier one, pixel by pixel.",
        image_a_path=earlier.address,
        image_b_path=later.address,
        output_path=output,
    )
    change = left.at([output], "difference", left.unit)
    return replace(change, layer=replace(change.layer, items=(replace(change.items[0], stamp=mark),)))


# --- Units, rounding, several ---------------------------------------------------------------------


@computes(Convert)
def _convert(work: Work, node: Convert) -> Steps[Value]:
    value = yield from work.value(node.of)
    apart = is_difference(node.of)
    if isinstance(value, Selection) and node.unit == DAY_OF_YEAR:
        return _day_of_year(value)
    if isinstance(value, Numbers):
        return (yield from convert_numbers(work, value, node.unit, difference=apart))
    if not isinstance(value, Rasters):
        raise CannotAnswer(f"{describe(value)} has no unit to convert.")
    if node.unit == value.unit.partition("/")[0] != value.unit:
        return (yield from _depths(work, value, node.unit))
    if becomes_decibels(value.unit, node.unit) and not apart:
        return (yield from _in_decibels(work, value))
    factor, offset = line(value.unit, node.unit, difference=apart)
    if (factor, offset) == (1.0, 0.0):
        return value
    formula = Formula()
    text = f"{formula.operand(value)} * {factor!r} + ({offset!r})"
    return (
        yield from formula.carry_out(
            work,
            text,
            f"In {node.unit}.",
            stem=f"{value.layer.role}_{node.unit}",
            role="expression",
            unit=node.unit,
        )
    )


def _day_of_year(found: Selection) -> Value:
    """Return the number of a date within its year, beside the date."""
    days = [mark.date.timetuple().tm_yday for mark in found.marks if mark.date is not None]
    if len(days) != 1:
        return found  # none was found, which its own words tell
    label = found.marks[0].label
    return Text(f"{label} is day {days[0]} of the year.", float(days[0]), "day", labels=(label,))


def _in_decibels(work: Work, value: Rasters) -> Steps[Rasters]:
    outputs = [work.plan.name(f"{value.layer.role}_dB", item.mark) for item in value.items]
    for item, output in zip(value.items, outputs, strict=True):
        yield from work.plan.call(
            "linear_to_decibel", "In decibels.", input_path=item.address, output_path=output
        )
    return value.at(outputs, value.layer.role, "dB")


def _depths(work: Work, value: Rasters, unit: str) -> Steps[Rasters]:
    """Return rates as the depths of the times of which they are the means.

    Raises
    ------
    CannotAnswer
        It is not known how long one of these is.
    """
    factors = [depth_factor(value.unit, item.days) for item in value.items]
    outputs = [work.plan.name(f"{value.layer.role}_depth", item.mark) for item in value.items]
    for factor in dict.fromkeys(factors):
        if factor is None:
            raise CannotAnswer(f"It is not known of how long a time {describe(value)} are the means.")
        places = [place for place, other in enumerate(factors) if other == factor]
        yield from work.plan.call(
            "calculate_batch_formula",
            f"The depth of the time of which each is the mean, in {unit}.",
            formula=f"x0 * {factor!r}",
            rasters={"x0": [value.items[place].address for place in places]},
            output_paths=[outputs[place] for place in places],
            role=value.layer.role,
            unit=unit,
        )
    # The factors stand in the formulas, which an answer is held against.
    lengths = " or ".join(f"{factor:g}" for factor in sorted({factor for factor in factors if factor}))
    time = _TIMES.get(value.unit.partition("/")[2], value.unit.partition("/")[2])
    work.plan.remark(
        f"Each raster in {value.unit} counts for the {lengths} {time}{'' if lengths == '1' else 's'} "
        "of which it is the mean."
    )
    return value.at(outputs, value.layer.role, unit)


_TIMES = {"h": "hour", "s": "second"}


@computes(Rounded)
def _round(work: Work, node: Rounded) -> Steps[Value]:
    value = yield from work.value(node.of)
    return replace(value, places=node.decimals) if isinstance(value, Numbers) else value


@computes(Several)
def _several(work: Work, node: Several) -> Steps[Value]:
    values = []
    for part in node.of:
        values.append((yield from work.value(part)))
    return Bundle(tuple(values))


# --- Steps and anomalies --------------------------------------------------------------------------


@computes(StepsNode)
def _steps(work: Work, node: StepsNode) -> Steps[Value]:
    value = yield from work.value(node.of)
    if node.how == "percent_change" and is_decibel(getattr(value, "unit", "")):
        raise CannotAnswer("Decibels are logarithms: their change is told in dB, not in per cent.")
    unit = "%" if node.how == "percent_change" else getattr(value, "unit", "")
    if isinstance(value, Rasters):
        return (yield from _steps_of_rasters(work, node, value, unit))
    if not isinstance(value, Numbers) or len(value.scales) != 1:
        raise CannotAnswer(f"{describe(value)} has no steps.")
    if len(value.values) < 2:
        raise CannotAnswer("A step needs at least two dates.")
    result = yield from work.plan.call(
        "step_changes", "Change from each to the next.", values=value.argument, how=node.how
    )
    scale = value.scales[0]
    later = Scale(scale.axis, scale.marks[1:])
    return Numbers((later,), result.numbers[1:], unit)


def _steps_of_rasters(work: Work, node: StepsNode, value: Rasters, unit: str) -> Steps[Value]:
    if value.axis is None or len(value.items) < 2:
        raise CannotAnswer("A step needs at least two dates.")
    earlier = Rasters(value.layer.only(value.items[:-1]), value.axis)
    outputs = [work.plan.name(f"{value.layer.role}_step", item.mark) for item in value.items[1:]]
    text = _FORMULAS[node.how].replace("{l}", "x1").replace("{r}", "x0")
    role = _role_of(node.how)
    yield from work.plan.call(
        "calculate_batch_formula",
        "Change from each date to the next.",
        formula=text,
        rasters={"x0": earlier.layer.addresses, "x1": value.layer.addresses[1:]},
        output_paths=outputs,
        role=role,
        unit=unit,
    )
    return Rasters(value.layer.only(value.items[1:]), value.axis).at(outputs, role, unit)


@computes(Anomaly)
def _anomaly(work: Work, node: Anomaly) -> Steps[Value]:
    value = yield from work.value(node.of)
    base = yield from work.value(node.base)
    unit = {"z_score": "1", "percent": "%"}.get(node.how, getattr(value, "unit", ""))
    if isinstance(value, Numbers) and isinstance(base, Numbers):
        if base.has("zone") and len(base.scales) > 1:
            return (yield from _anomaly_of_zones(work, node, value, base, unit))
        result = yield from work.plan.call(
            "anomaly_of_values",
            "How far from the usual.",
            values=value.argument,
            baseline=list(base.values),
            kind=node.how,
        )
        return Numbers(value.scales, result.numbers, unit, reference=result.reference if value.scales else "")
    if not isinstance(value, Rasters) or not isinstance(base, Rasters):
        raise CannotAnswer(f"{describe(value)} cannot be set against {describe(base)}.")
    if base.axis is None:
        return (yield from _anomaly_in_space(work, node, value, base, unit))
    kind = {"z_score": "standardized"}.get(node.how, node.how)
    outputs = [work.plan.name(f"{value.layer.role}_anomaly", item.mark) for item in value.items]
    for item, output in zip(value.items, outputs, strict=True):
        yield from work.plan.call(
            "calculate_anomaly",
            f"How far {short_title(value.layer.role)} is from the usual.",
            image_path=item.address,
            baseline_list=base.layer.argument,
            output_path=output,
            kind=kind,
        )
    return value.at(outputs, "anomaly", unit)


def _anomaly_of_zones(work: Work, node: Anomaly, value: Numbers, base: Numbers, unit: str) -> Steps[Value]:
    """Return how far each zone is from what is usual in it."""
    (zones,), usual = base.rows(next(scale.axis for scale in base.scales if scale.axis != "zone"))
    if value.scales != (zones,):
        raise CannotAnswer("Only zones of one time can be set against what is usual in each.")
    if node.how == "percent":
        raise CannotAnswer("An anomaly in per cent is told of one zone.", "Ask for it in its unit.")
    plan = work.plan
    mean = yield from plan.call("summarize_values", "What is usual in each.", values=usual, statistic="mean")
    found = yield from plan.call(
        "combine_values", "How far each is from it.", left=value.argument, right=list(mean.numbers)
    )
    if node.how == "z_score":
        spread_of = yield from plan.call(
            "summarize_values", "How much it varies in each.", values=usual, statistic="std"
        )
        left, right = list(found.numbers), list(spread_of.numbers)
        found = yield from plan.call(
            "combine_values", "In standard deviations.", left=left, right=right, how="ratio"
        )
    return Numbers(value.scales, found.numbers, unit, reference=found.reference)


def _anomaly_in_space(work: Work, node: Anomaly, value: Rasters, base: Rasters, unit: str) -> Steps[Value]:
    """Return how far each pixel lies from the mean of the pixels of one raster."""
    mean = yield from work.plan.call("calc_batch_image_mean", "The usual.", file_list=base.layer.addresses)
    if mean.number is None:
        raise CannotAnswer("The base has no valid pixel.")
    text = f"(x0 - ({mean.number!r}))"
    if node.how == "z_score":
        spread_of = yield from work.plan.call(
            "calc_batch_image_std", "How much it varies.", file_list=base.layer.addresses
        )
        if not spread_of.number:
            raise CannotAnswer("The base does not vary.")
        text += f" / {spread_of.number!r}"
    elif node.how == "percent":
        text = f"100 * {text} / {abs(mean.number)!r}"
    formula = Formula()
    formula.operand(value)
    stem = f"{value.layer.role}_anomaly"
    return (
        yield from formula.carry_out(
            work, text, "How far each pixel is from the mean.", stem=stem, role="anomaly", unit=unit
        )
    )
