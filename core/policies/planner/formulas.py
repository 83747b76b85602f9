"""Arithmetic and conditions over rasters as one formula, carried out by one call for all dates."""

from __future__ import annotations

from dataclasses import dataclass, field

from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.measures import line
from treeline.core.policies.planner.plan import CannotAnswer, Steps
from treeline.core.policies.planner.values import (
    Numbers,
    Rasters,
    Value,
    common_scales,
    match_items,
    spread,
)
from treeline.core.policies.planner.work import Work, describe

_TOOL = "calculate_batch_formula"


@dataclass
class Formula:
    """What a formula is made of: rasters by name, and numbers that differ from date to date."""

    rasters: list[Rasters] = field(default_factory=list)
    series: list[Numbers] = field(default_factory=list)

    def operand(self, value: Value, unit: str = "", *, difference: bool = False) -> str:
        """Return how a formula writes a value, in a unit where one is wanted.

        Raises
        ------
        CannotAnswer
            It is neither a raster nor a number.
        """
        if isinstance(value, Numbers) and not value.scales:
            if value.single is None:
                raise CannotAnswer("A number that is needed has no value: no pixel or date is valid for it.")
            factor, offset = line(value.unit, unit, difference=difference)
            return f"({value.single * factor + offset!r})"
        if isinstance(value, Numbers):
            self.series.append(value)
            name = f"{{n{len(self.series) - 1}}}"
        elif isinstance(value, Rasters):
            name = self._name_of(value)
        else:
            raise CannotAnswer(f"A raster cannot be set against {describe(value)}.")
        factor, offset = line(_unit(value), unit, difference=difference)
        return name if (factor, offset) == (1.0, 0.0) else f"({name} * {factor!r} + ({offset!r}))"

    def carry_out(
        self, work: Work, text: str, thought: str, *, stem: str, role: str, unit: str, truth: bool = False
    ) -> Steps[Rasters]:
        """Return the rasters of the formula, one for each date that its parts share."""
        scales = common_scales([*self.rasters, *self.series])
        if any(scale.axis == "zone" for scale in scales) or len(scales) > 1:
            raise CannotAnswer("A raster cannot be set against numbers of zones.")
        inputs = {f"x{n}": match_items(rasters, scales) for n, rasters in enumerate(self.rasters)}
        first = match_items(self.rasters[0], scales)
        numbers = [spread(series, scales) for series in self.series]
        outputs = [work.plan.name(stem, item.mark) for item in first]
        for positions in self._batches(numbers, len(outputs)):
            values = {f"n{n}": _literal(row[positions[0]]) for n, row in enumerate(numbers)}
            given = {
                name: [items[0].address] if _are_alike(items) else [items[p].address for p in positions]
                for name, items in inputs.items()
            }
            result = yield from work.plan.call(
                _TOOL,
                thought,
                formula=text.format(**values),
                rasters=given,
                output_paths=[outputs[p] for p in positions],
                role=role,
                unit=unit,
            )
            work.note_empty(result, thought[:1].lower() + thought[1:].rstrip("."))
        return self._make(first, outputs, scales[0].axis if scales else None, role, unit, truth=truth)

    def _make(
        self, first: list[Item], outputs: list[str], axis: object, role: str, unit: str, *, truth: bool
    ) -> Rasters:
        scales = common_scales([*self.rasters, *self.series])
        items = []
        for position, (output, item) in enumerate(zip(outputs, first, strict=True)):
            mark = scales[0].marks[position] if scales else None
            label, date = (mark.label, mark.date) if mark else (item.label, item.date)
            items.append(Item(output, date, label, item.place, item.stamp))
        known = scales[0].axis if axis and scales else None
        return Rasters(Layer(role, tuple(items), unit), known, truth)

    def _batches(self, numbers: list[list[float | None]], count: int) -> list[list[int]]:
        """Return the positions that one call can serve: all of them unless numbers differ."""
        if not numbers:
            return [list(range(count))]
        kept = [p for p in range(count) if all(row[p] is not None for row in numbers)]
        if len(kept) < count:
            raise CannotAnswer("A number that is needed has no value on one of the dates.")
        return [[p] for p in kept]

    def _name_of(self, rasters: Rasters) -> str:
        if rasters not in self.rasters:
            self.rasters.append(rasters)
        return f"x{self.rasters.index(rasters)}"


def _unit(value: Numbers | Rasters) -> str:
    return value.unit


def _literal(value: float | None) -> str:
    return f"({value!r})"


def _are_alike(items: list[Item]) -> bool:
    return len({item.address for item in items}) == 1
