"""From a subject to numbers: one for each date, or one for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.policies.planner.intent import Condition, Subject, Threshold
from core.policies.planner.layers import Item, Layer
from core.policies.planner.making import Materials
from core.policies.planner.plan import CannotAnswer, Plan, Result, Steps
from core.policies.planner.titles import short_title
from core.policies.planner.units import converted, mode_of
from toolkit.tool import Tool
from toolkit.variables import variable

Value = float | None


@dataclass(frozen=True, slots=True)
class Number:
    """A number that a step gave.

    Attributes
    ----------
    how : str
        What it is over several dates, such as "mean of the dates' means"; empty for one date.
    """

    value: Value
    unit: str
    how: str = ""
    dates: int = 1


@dataclass(frozen=True, slots=True)
class Series:
    """A number for each date.

    Attributes
    ----------
    argument : Any
        How a later call is given the values: ``@result4`` where one step gave them all.
    """

    items: tuple[Item, ...]
    values: tuple[Value, ...]
    unit: str
    argument: Any

    @property
    def labels(self) -> list[str]:
        """The dates as people write them."""
        return [item.label for item in self.items]

    @property
    def dates(self) -> list[datetime | None]:
        """The dates."""
        return [item.date for item in self.items]


@dataclass
class Measuring:
    """Measures subjects with the tools of the registry, found by what they give."""

    plan: Plan
    materials: Materials

    def series(self, subject: Subject) -> Steps:
        """Return a :class:`Series` of a subject's statistic, a number for each date."""
        layer = yield from self.materials.layer(subject.role, subject)
        if subject.conditions:
            return (yield from self._conditional_series(subject, layer))
        if subject.statistic == "share":
            return (yield from self._share_series(subject, layer))
        if subject.statistic in ("area", "pixels"):
            return (yield from self._area_series(subject, layer))
        if subject.statistic == "percentile":
            return (yield from self._percentile_series(subject, layer))
        tool = self._tool(subject.statistic, "series")
        thought = f"{_capital(_name(subject))} of {_of_dates(layer)}."
        result = yield from self.plan.call(tool, thought, **{tool.inputs[0].name: layer.argument})
        return _series(layer, result, unit_of(subject, layer))

    def number(self, subject: Subject) -> Steps:
        """Return a :class:`Number`: the subject's statistic over its whole period."""
        layer = yield from self.materials.layer(subject.role, subject)
        if subject.conditions:
            return (yield from self._conditional_number(subject, layer))
        if len(layer.items) == 1:
            series = yield from self.series(subject)
            return Number(series.values[0], series.unit)
        reduce = _OVER_DATES.get(subject.statistic, Measuring._mean_of_series)
        return (yield from reduce(self, subject, layer))

    def limit(self, threshold: Threshold, subject: Subject, layer: Layer) -> Steps:
        """Return a threshold's value in the unit of a layer; a relative one after the mean is known."""
        if threshold.of_mean is None:
            assert threshold.value is not None
            return converted(threshold.value, threshold.unit, layer.unit)
        mean = yield from self._mean_of(layer)
        if mean is None:
            return None
        self.plan.remark(f"The limit is {threshold.of_mean:g} times the mean of {mean:.4g}.")
        return round(mean * threshold.of_mean, 10)

    def _mean_of(self, layer: Layer) -> Steps:
        if len(layer.items) == 1:
            tool = self._tool("mean", "series")
            result = yield from self.plan.call(tool, "The limit depends on the mean.", **{tool.inputs[0].name: layer.argument})
            return _first(result.value)
        tool = self._tool("mean_of_means", "number")
        result = yield from self.plan.call(tool, "The limit depends on the mean.", **{tool.inputs[0].name: layer.argument})
        return result.value

    def _mean_of_means(self, subject: Subject, layer: Layer) -> Steps:
        tool = self._tool("mean_of_means", "number")
        thought = f"Mean {subject.role} over {_of_dates(layer)}."
        result = yield from self.plan.call(tool, thought, **{tool.inputs[0].name: layer.argument})
        return Number(result.value, unit_of(subject, layer), "mean of the dates' means", len(layer.items))

    def _extreme_of_series(self, subject: Subject, layer: Layer) -> Steps:
        series = yield from self.series(subject)
        name = "max_value_and_index" if subject.statistic == "max" else "min_value_and_index"
        result = yield from self.plan.call(name, f"The {subject.statistic} over all dates.", x=series.argument)
        label = series.items[int(result.value[1])].label if result.value else ""
        return Number(_first(result.value), series.unit, f"reached on {label}" if label else "", len(layer.items))

    def _pooled(self, subject: Subject, layer: Layer) -> Steps:
        tool = self._tool("pooled", "table")
        thought = f"{_capital(_name(subject))} over the pixels of {_of_dates(layer)} together."
        result = yield from self.plan.call(tool, thought, **{tool.inputs[0].name: layer.argument})
        value = result.value.get(subject.statistic) if isinstance(result.value, dict) else None
        return Number(value, unit_of(subject, layer), "over the pixels of all dates together", len(layer.items))

    def _mean_share(self, subject: Subject, layer: Layer) -> Steps:
        assert subject.threshold is not None
        if subject.threshold.upper is not None:
            return (yield from self._mean_of_series(subject, layer))
        tool = self._tool("share", "number", "%")
        limit = yield from self.limit(subject.threshold, subject, layer)
        arguments = {tool.inputs[0].name: layer.argument, "threshold": limit, **_mode(tool, subject.threshold)}
        result = yield from self.plan.call(tool, f"{_capital(_name(subject))}.", **arguments)
        return Number(result.value, "%", "mean of the dates' shares", len(layer.items))

    def _mean_of_series(self, subject: Subject, layer: Layer) -> Steps:
        series = yield from self.series(subject)
        result = yield from self.plan.call("mean", f"Mean of the {len(layer.items)} dates.", x=series.argument)
        return Number(result.value, series.unit, f"mean of {len(layer.items)} dates", len(layer.items))

    def _share_series(self, subject: Subject, layer: Layer) -> Steps:
        assert subject.threshold is not None
        limit = yield from self.limit(subject.threshold, subject, layer)
        whole = yield from self._shares(subject, layer, limit, mode_of(subject.threshold))
        if subject.threshold.upper is None:
            return whole
        upper = converted(subject.threshold.upper, subject.threshold.unit, layer.unit)
        beyond = yield from self._shares(subject, layer, upper, "above")
        values = []
        for low, high in zip(whole.values, beyond.values, strict=True):
            result = yield from self.plan.call("difference", "What lies between the two limits.", a=low, b=high)
            values.append(result.value)
        return Series(whole.items, tuple(values), "%", values)

    def _shares(self, subject: Subject, layer: Layer, limit: Value, mode: str) -> Steps:
        kind = "number" if len(layer.items) == 1 else "series"
        tool = self._tool("share", kind, "%")
        thought = f"Share of the pixels of {subject.role} that lie {mode.replace('_', ' or ')} {limit}."
        result = yield from self.plan.call(tool, thought, **{tool.inputs[0].name: layer.argument}, threshold=limit, mode=mode)
        return _series(layer, result, "%")

    def _percentile_series(self, subject: Subject, layer: Layer) -> Steps:
        tool = self._tool("percentile", "number")
        addresses: Any = layer.addresses[0] if len(layer.items) == 1 else layer.argument
        thought = f"{_capital(_name(subject))} of {_of_dates(layer)}."
        result = yield from self.plan.call(tool, thought, **{tool.inputs[0].name: addresses}, percentile=subject.percentile)
        return _series(layer, result, unit_of(subject, layer))

    def _area_series(self, subject: Subject, layer: Layer) -> Steps:
        masks = yield from self.mask(subject.threshold, subject, layer)
        return (yield from self._areas(subject, masks))

    def _areas(self, subject: Subject, masks: Layer) -> Steps:
        tool = self._tool("area", "number")
        addresses: Any = masks.addresses[0] if len(masks.items) == 1 else masks.addresses
        unit = self.materials.intent.unit if self.materials.intent.unit in ("ha", "km2", "m2") else "ha"
        arguments: dict[str, Any] = {tool.inputs[0].name: addresses, "gsd": None, "unit": unit}
        if subject.statistic == "pixels":
            unit = "pixels"
            arguments = {tool.inputs[0].name: addresses, "gsd": 1.0}
        result = yield from self.plan.call(tool, "Area of the mask, from the georeference.", **arguments)
        return _series(masks, result, unit)

    def mask(self, threshold: Threshold | None, subject: Subject, layer: Layer) -> Steps:
        """Return masks of a layer: 1 where the threshold is met."""
        if threshold is None:
            raise CannotAnswer("An area needs a limit to tell what belongs to it.", "Say, for example, where NDVI > 0.5.")
        limit = yield from self.limit(threshold, subject, layer)
        low = yield from self._mask(layer, limit, mode_of(threshold))
        if threshold.upper is None:
            return low
        upper = converted(threshold.upper, threshold.unit, layer.unit)
        high = yield from self._mask(layer, upper, "above")
        return (yield from self._subtracted(low, high, f"{layer.role}_between"))

    def _subtracted(self, first: Layer, second: Layer, name: str) -> Steps:
        tool = self.plan.registry.get("subtract")
        outputs = [self.plan.name(name, item.label) for item in first.items]
        given = (first.addresses, second.addresses, outputs)
        one, two, output = (column[0] if len(outputs) == 1 else column for column in given)
        names = [*(p.name for p in tool.inputs), tool.outputs[0].name]
        yield from self.plan.call(tool, "What lies between the two limits.", **dict(zip(names, (one, two, output), strict=True)))
        items = tuple(Item(o, i.date, i.label, i.place) for o, i in zip(outputs, first.items, strict=True))
        return Layer("mask", items, "1")

    def _mask(self, layer: Layer, limit: Value, mode: str) -> Steps:
        tool = next(t for t in self.plan.registry.giving("mask", "raster") if any(p.name == "mode" for p in t.parameters))
        outputs = [self.plan.name(f"{layer.role}_{mode}", item.label) for item in layer.items]
        arguments = {tool.inputs[0].name: layer.argument, "threshold": limit, tool.outputs[0].name: outputs, "mode": mode}
        thought = f"A mask of where {layer.role} is {mode.replace('_', ' or ')} {limit}."
        yield from self.plan.call(tool, thought, **arguments)
        items = tuple(Item(o, i.date, i.label, i.place) for o, i in zip(outputs, layer.items, strict=True))
        return Layer("mask", items, "1")

    def _conditional_number(self, subject: Subject, layer: Layer) -> Steps:
        from core.policies.planner.conditional import conditional_number

        return (yield from conditional_number(self, subject, layer))

    def _conditional_series(self, subject: Subject, layer: Layer) -> Steps:
        from core.policies.planner.conditional import conditional_number

        values = []
        for item in layer.items:
            found = yield from conditional_number(self, subject, layer.only([item]))
            values.append(found.value)
            unit = found.unit
        return Series(layer.items, tuple(values), unit, values)

    def _tool(self, quantity: str, kind: str, unit: str | None = None) -> Tool:
        """Return the tool that gives a quantity.

        Raises
        ------
        CannotAnswer
            There is none.
        """
        found = [t for t in self.plan.registry.giving(quantity, kind) if unit is None or t.gives.unit == unit]
        if not found:
            raise CannotAnswer(f"No tool gives the {quantity} of rasters as a {kind}.")
        return min(found, key=lambda t: sum(p.required for p in t.parameters))


_OVER_DATES: dict[str, Callable[[Measuring, Subject, Layer], Steps]] = {
    "mean": Measuring._mean_of_means,
    "min": Measuring._extreme_of_series,
    "max": Measuring._extreme_of_series,
    "std": Measuring._pooled,
    "sum": Measuring._mean_of_series,
    "share": Measuring._mean_share,
}


def unit_of(subject: Subject, layer: Layer) -> str:
    """Return the unit of a subject's statistic."""
    if subject.statistic in ("share", "area", "pixels"):
        return {"share": "%", "area": "ha", "pixels": "pixels"}[subject.statistic]
    if subject.statistic in ("skewness", "kurtosis"):
        return "1"
    known = variable(layer.role)
    return layer.unit or (known.unit if known else "")


def _mode(tool: Tool, threshold: Threshold) -> dict[str, str]:
    mode = mode_of(threshold)
    default = next((p.default for p in tool.parameters if p.name == "mode"), None)
    return {} if mode == default else {"mode": mode}


def _series(layer: Layer, result: Result, unit: str) -> Series:
    values = result.value if isinstance(result.value, Sequence) and not isinstance(result.value, str) else [result.value]
    argument: Any = result.reference if len(layer.items) > 1 else list(values)
    return Series(layer.items, tuple(values), unit, argument)


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, Sequence) and not isinstance(value, str) and value else value


def _of_dates(layer: Layer) -> str:
    labels = [item.label for item in layer.items]
    return labels[0] if len(labels) == 1 else f"{len(labels)} dates"


def _name(subject: Subject) -> str:
    if subject.statistic == "percentile":
        return f"{subject.percentile:g}th percentile of {subject.role}"
    return f"{subject.statistic} {subject.role}" if subject.statistic != "share" else f"share of {subject.role}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def describe(condition: Condition) -> str:
    """Return a condition in words."""
    threshold = condition.threshold
    role = short_title(condition.role)
    if threshold.of_mean is not None:
        return f"{role} is {threshold.side} {threshold.of_mean:g} times the mean"
    if threshold.upper is not None:
        return f"{role} is between {threshold.value:g} and {threshold.upper:g} {threshold.unit}".strip()
    side = {"above": "at least", "below": "at most"}[threshold.side] if threshold.inclusive else threshold.side
    return f"{role} is {side} {threshold.value:g} {threshold.unit}".strip()
