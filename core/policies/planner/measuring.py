"""From a subject to numbers: one for each date, or one for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treeline.core.policies.planner.averaging import COMPOSITE_WORDS, accumulated, accumulates, composed
from treeline.core.policies.planner.conditional import conditional_number
from treeline.core.policies.planner.intent import Statistic, Subject, Threshold
from treeline.core.policies.planner.layers import Layer
from treeline.core.policies.planner.making import Materials
from treeline.core.policies.planner.masking import area_series
from treeline.core.policies.planner.measured import Number, Series, Value, series_of, unit_of
from treeline.core.policies.planner.plan import CannotAnswer, NoPixel, Plan, Steps
from treeline.core.policies.planner.units import DECIBEL, POWER, converted, mode_of
from treeline.core.policies.planner.zoned import zone_size
from treeline.core.policies.planner.zones import ZONE
from treeline.toolkit.tool import Tool
from treeline.toolkit.variables import variable


@dataclass
class Measuring:
    """Measures subjects with the tools of the registry, found by what they give.

    Attributes
    ----------
    briefly, dates_first : bool
        A mean over dates is taken in one step; the mean of each date always goes before it.
    """

    plan: Plan
    materials: Materials
    briefly: bool = False
    dates_first: bool = False

    def series(self, subject: Subject) -> Steps:
        """Return a :class:`Series` of a subject's statistic, a number for each date."""
        layer = yield from self.materials.layer(subject.role, subject)
        if subject.conditions:
            return (yield from self._conditional_series(subject, layer))
        return (yield from self.series_of(subject, layer))

    def series_of(self, subject: Subject, layer: Layer) -> Steps:
        """Return a :class:`Series` of a statistic of a layer, whatever the conditions."""
        if subject.statistic == "share":
            return (yield from self._share_series(subject, layer))
        if subject.statistic == "pixels" and layer.role == "frp":
            return (yield from self._fire_pixels(subject, layer))
        if subject.statistic in ("area", "pixels"):
            return (yield from area_series(self, subject, layer))
        if subject.statistic == "percentile":
            return (yield from self._percentile_series(subject, layer))
        amount = "mean" if subject.statistic == "sum" and accumulates(layer) else subject.statistic
        tool = self.tool(amount, "series")
        thought = f"{_capital(_name(subject))} of {_of_dates(layer)}."
        result = yield from self.plan.call(tool, thought, **{tool.inputs[0].name: layer.argument})
        return series_of(layer, result, unit_of(subject, layer))

    def _fire_pixels(self, subject: Subject, layer: Layer) -> Steps:
        limit = subject.threshold.value if subject.threshold else 0.0
        tool = self.tool("count", "series")
        thought = f"How many pixels burn on {_of_dates(layer)}."
        result = yield from self.plan.call(
            tool, thought, **{tool.inputs[0].name: layer.addresses}, fire_threshold=limit
        )
        return series_of(layer, result, "pixels")

    def number(self, subject: Subject) -> Steps:
        """Return a :class:`Number`: the subject's statistic over its whole period."""
        if subject.role == ZONE:
            return (yield from zone_size(self, subject))
        layer = yield from self.materials.layer(subject.role, subject)
        measure = conditional_number if subject.conditions else Measuring.number_of
        number: Number = yield from measure(self, subject, layer)
        return self._in_decibels(subject, number)

    def _in_decibels(self, subject: Subject, number: Number) -> Number:
        """Return power in decibels where these are asked for: their difference is that of decibels then."""
        asked = (self.materials.intent.unit, number.unit) == (DECIBEL, POWER)
        if number.value is None or not asked or subject.statistic in ("std", "sum"):
            return number
        return replace(number, value=converted(number.value, POWER, DECIBEL), unit=DECIBEL)

    def number_of(self, subject: Subject, layer: Layer) -> Steps:
        """Return a :class:`Number`: a statistic of a layer over all its dates, whatever the conditions."""
        count = len(layer.items)
        kind = self.materials.intent.composite
        layer = yield from composed(self, layer, kind)
        if len(layer.items) == 1:
            series = yield from self.series_of(subject, layer)
            how = f"on the map of the dates' {COMPOSITE_WORDS[kind]}" if count > 1 and kind else ""
            return Number(series.values[0], series.unit, how, count)
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
        quantity = ("mean", "series") if len(layer.items) == 1 else ("mean_of_means", "number")
        tool = self.tool(*quantity)
        result = yield from self.plan.call(
            tool, "The limit depends on the mean.", **{tool.inputs[0].name: layer.argument}
        )
        return _first(result.value)

    def _mean_of_means(self, subject: Subject, layer: Layer) -> Steps:
        if not self.briefly and (self.dates_first or layer.whole or _is_index(layer)):
            number: Number = yield from self._mean_of_series(subject, layer)
            return replace(number, how="mean of the dates' means")
        tool = self.tool("mean_of_means", "number")
        thought = f"Mean {subject.role} over {_of_dates(layer)}."
        result = yield from self.plan.call(tool, thought, **{tool.inputs[0].name: layer.argument})
        return Number(result.value, unit_of(subject, layer), "mean of the dates' means", len(layer.items))

    def _extreme_of_series(self, subject: Subject, layer: Layer) -> Steps:
        series = yield from self.series_of(subject, layer)
        name = "max_value_and_index" if subject.statistic == "max" else "min_value_and_index"
        result = yield from self.plan.call(
            name, f"The {subject.statistic} over all dates.", x=series.argument
        )
        label = series.items[int(result.value[1])].label if result.value else ""
        return Number(
            _first(result.value), series.unit, f"reached on {label}" if label else "", len(layer.items)
        )

    def _pooled(self, subject: Subject, layer: Layer) -> Steps:
        tool = self.tool("pooled", "table")
        thought = f"{_capital(_name(subject))} over the pixels of {_of_dates(layer)} together."
        result = yield from self.plan.call(tool, thought, **{tool.inputs[0].name: layer.argument})
        value = result.value.get(subject.statistic) if isinstance(result.value, dict) else None
        return Number(
            value, unit_of(subject, layer), "over the pixels of all dates together", len(layer.items)
        )

    def _shape_of_series(self, subject: Subject, layer: Layer) -> Steps:
        of_each: Statistic = "pixels" if subject.threshold else "mean"
        means = yield from self.series_of(replace(subject, statistic=of_each), layer)
        tool = self.tool(subject.statistic, "number")
        thought = f"{subject.statistic.capitalize()} of the dates' means."
        result = yield from self.plan.call(tool, thought, **{tool.parameters[0].name: means.argument})
        return Number(result.value, "1", "of the dates' means", len(layer.items))

    def _mean_share(self, subject: Subject, layer: Layer) -> Steps:
        assert subject.threshold is not None
        if subject.threshold.upper is not None:
            return (yield from self._mean_of_series(subject, layer))
        tool = self.tool("share", "number", "%")
        limit = yield from self.limit(subject.threshold, subject, layer)
        arguments = {
            tool.inputs[0].name: layer.argument,
            "threshold": limit,
            **_unusual(tool, mode_of(subject.threshold)),
        }
        result = yield from self.plan.call(tool, f"{_capital(_name(subject))}.", **arguments)
        return Number(result.value, "%", "mean of the dates' shares", len(layer.items))

    def _sum(self, subject: Subject, layer: Layer) -> Steps:
        if accumulates(layer):
            return (yield from accumulated(self, subject, layer))
        return (yield from self._mean_of_series(subject, layer))

    def _mean_of_series(self, subject: Subject, layer: Layer) -> Steps:
        series = yield from self.series_of(subject, layer)
        result = yield from self.plan.call(
            "mean", f"Mean of the {len(layer.items)} dates.", x=series.argument
        )
        how = f"mean of the dates' {_OF_DATES.get(subject.statistic, 'values')}"
        return Number(result.value, series.unit, how, sum(v is not None for v in series.values))

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
            result = yield from self.plan.call(
                "difference", "What lies between the two limits.", a=low, b=high
            )
            values.append(result.value)
        return Series(whole.items, tuple(values), "%", values)

    def _shares(self, subject: Subject, layer: Layer, limit: Value, mode: str) -> Steps:
        if self.materials.intent.of_hotspots and mode == "above":
            return (yield from self._hot_shares(subject, layer, limit))
        kind = "number" if len(layer.items) == 1 else "series"
        tool = self.tool("share", kind, "%")
        thought = f"Share of the pixels of {subject.role} that lie {mode.replace('_', ' or ')} {limit}."
        arguments = {tool.inputs[0].name: layer.argument, "threshold": limit, **_unusual(tool, mode)}
        result = yield from self.plan.call(tool, thought, **arguments)
        return series_of(layer, result, "%")

    def _hot_shares(self, subject: Subject, layer: Layer, limit: Value) -> Steps:
        tool = self.tool("share", "series", "1")
        arguments = {tool.inputs[0].name: layer.argument, "threshold": limit}
        result = yield from self.plan.call(tool, f"Hot spots of {subject.role}: above {limit}.", **arguments)
        found = series_of(layer, result, "%")
        return replace(found, values=tuple(v and 100.0 * v for v in found.values))

    def _percentile_series(self, subject: Subject, layer: Layer) -> Steps:
        tool = self.tool("percentile", "number")
        addresses: Any = layer.addresses[0] if len(layer.items) == 1 else layer.argument
        thought = f"{_capital(_name(subject))} of {_of_dates(layer)}."
        result = yield from self.plan.call(
            tool, thought, **{tool.inputs[0].name: addresses}, percentile=subject.percentile
        )
        return series_of(layer, result, unit_of(subject, layer))

    def _conditional_series(self, subject: Subject, layer: Layer) -> Steps:
        values: list[Value] = []
        unit = ""
        missed: CannotAnswer | None = None
        for item in layer.items:
            try:
                found = yield from conditional_number(self, subject, layer.only([item]))
            except NoPixel as nothing:
                values.append(None)
                missed = nothing
                continue
            values.append(found.value)
            unit = found.unit
        if not unit:
            raise missed or CannotAnswer("There is no date to measure.")
        return Series(layer.items, tuple(values), unit, values)

    def tool(self, quantity: str, kind: str, unit: str | None = None) -> Tool:
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
    "sum": Measuring._sum,
    "skewness": Measuring._shape_of_series,
    "kurtosis": Measuring._shape_of_series,
    "share": Measuring._mean_share,
}


_OF_DATES = {"median": "medians", "percentile": "percentiles", "sum": "sums", "area": "areas",
             "share": "shares", "pixels": "numbers of pixels", "mean": "means"}  # fmt: skip


def _is_index(layer: Layer) -> bool:
    known = variable(layer.role)
    return known is not None and known.kind == "index"


def _unusual(tool: Tool, mode: str) -> dict[str, str]:
    default = next((p.default for p in tool.parameters if p.name == "mode"), None)
    return {} if mode == default else {"mode": mode}


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, Sequence) and not isinstance(value, str) and value else value


def _of_dates(layer: Layer) -> str:
    labels = [item.label for item in layer.items]
    return labels[0] if len(labels) == 1 else f"{len(labels)} dates"


def _name(subject: Subject) -> str:
    if subject.statistic == "percentile":
        return f"{subject.percentile:g}th percentile of {subject.role}"
    return (
        f"{subject.statistic} {subject.role}" if subject.statistic != "share" else f"share of {subject.role}"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
