"""Carries out a derivation: masks, then makes, and remembers what was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treeline.core.policies.planner.absence import missing, nothing_then, only_date_near
from treeline.core.policies.planner.clearing import mask_roles, without_clouds
from treeline.core.policies.planner.contracts import FORMS, GIVEN_FORM, OTHER_FORM
from treeline.core.policies.planner.derivation import (
    Derivation,
    Given,
    Made,
    Missing,
    Source,
    Wish,
    is_stack,
    partner,
)
from treeline.core.policies.planner.fires import change_layer, of_two_dates
from treeline.core.policies.planner.intent import Intent, Subject, Zone
from treeline.core.policies.planner.layers import Item, Layer, chosen
from treeline.core.policies.planner.plan import CannotAnswer, Plan, Steps
from treeline.core.policies.planner.titles import short_title
from treeline.core.policies.planner.zoned import within
from treeline.toolkit.tool import Tool
from treeline.toolkit.variables import variable

_MOST_SCENES = 31


@dataclass
class Materials:
    """The layers that a question needs, made at most once."""

    plan: Plan
    derivation: Derivation
    intent: Intent
    _made: dict[tuple[str, ...], Layer] = field(default_factory=dict)
    _masked: dict[tuple[str, ...], Layer] = field(default_factory=dict)
    _within: dict[tuple[tuple[str, ...], Zone], Layer] = field(default_factory=dict)
    changes: dict[tuple[Any, ...], Layer] = field(default_factory=dict)
    tables: dict[str, Any] = field(default_factory=dict)
    _outputs: dict[tuple[str, ...], list[str]] = field(default_factory=dict)

    def serving(self, intent: Intent) -> Materials:
        """Return materials for another intent, which makes what it needs anew."""
        return Materials(self.plan, self.derivation, replace(intent, clear_only=self.intent.clear_only))

    def layer(self, role: str, subject: Subject) -> Steps:
        """Return the layer of a role for a subject's place, sensor, period and zone.

        Raises
        ------
        CannotAnswer
            The role cannot be had, or not in the period.
        """
        layer = yield from self._everywhere(role, subject)
        if subject.zone is None or not layer.items:
            return layer
        key = (tuple(layer.addresses), subject.zone)
        if key not in self._within:
            self._within[key] = yield from within(self, layer, subject.zone)
        return self._within[key]

    def _everywhere(self, role: str, subject: Subject) -> Steps:
        if of_two_dates(role) and not self.derivation.has(role):
            return (yield from change_layer(self, role, subject))
        shared = (role, subject.place, subject.sensor)
        own = (*shared, subject.period.label, subject.which)
        key = own if own in self._made else shared
        if key not in self._made:
            alike = [
                s for s in self.intent.subjects if (s.place, s.sensor) == (subject.place, subject.sensor)
            ]
            source = self._source(role, subject, alike or [subject])
            if _takes_lists(source) and len({s.period for s in alike}) > 1:
                source, key = self._source(role, subject, [subject]), own
            self._made[key] = yield from self._realise(source)
        layer = self._made[key]
        items = chosen(subject, layer.items)
        if not items and len(layer.items) == 1 and layer.items[0].date is None:
            items = layer.items
        if not items and only_date_near([subject], layer.items):
            items = layer.items
        if not items:
            raise nothing_then(role, [subject], layer.items)
        if subject.which:
            self.plan.remark(f"The {subject.which} date is {items[0].label}.")
        return layer.only(items)

    def _source(self, role: str, subject: Subject, wanted: Sequence[Subject]) -> Source:
        everywhere = Wish(
            lambda item: True, self.intent.methods, subject.place, subject.sensor, self.intent.forms
        )
        whole = self.derivation.find(role, everywhere)
        if isinstance(whole, Missing):
            raise missing(whole, self.derivation, subject.place)
        dates = {item.label for s in wanted for item in chosen(s, whole.items)}

        def keep(item: Item) -> bool:
            return item.date is None or any(s.period.holds(item.date) for s in wanted)

        found = self.derivation.find(role, replace(everywhere, keep=keep))
        if isinstance(found, Missing) and (instead := only_date_near(wanted, whole.items)):
            self.plan.remark(instead)
            found = whole
        if isinstance(found, Missing):
            raise nothing_then(role, wanted, whole.items)
        which = any(s.which for s in wanted)
        self._say_whence(found, subject)
        self._say_form(found)
        return _limited(found, dates) if which and dates else found

    def _say_whence(self, source: Source, subject: Subject) -> None:
        """Say which sensor or place was taken where the question names none and there are several."""
        leaves = _leaves(source)
        roles = {leaf.role for leaf in leaves}
        others = [layer for layer in self.derivation.layers if layer.role in roles]
        for asked, attribute in ((subject.sensor, "sensor"), (subject.place, "place")):
            taken = {_of_layer(leaf, attribute) for leaf in leaves} - {""}
            left = {_of_layer(layer, attribute) for layer in others} - taken - {""}
            if not subject.sensor and not asked and len(taken) == 1 and left:
                self.plan.remark(f"Taken from {taken.pop()}; there is also {', '.join(sorted(left))}.")
                return

    def _say_form(self, source: Source) -> None:
        """Tell which index was taken where its name stands for two; the tools tell the usual form."""
        if isinstance(source, Given):
            self.plan.remark(GIVEN_FORM.get(source.role, ""))
            return
        roles = [part.role for parts in source.inputs.values() for part in parts]
        usual = [form[source.role] for form in FORMS.values() if source.role in form]
        if usual and not all(role in wanted for role, wanted in zip(roles, usual[0], strict=False)):
            self.plan.remark(OTHER_FORM[source.role])

    def _realise(self, source: Source) -> Steps:
        if isinstance(source, Given):
            return (yield from self._clear(source.layer))
        inputs: dict[str, list[Layer]] = {}
        for name, parts in source.inputs.items():
            inputs[name] = []
            for part in parts:
                layer = yield from self._realise(part)
                inputs[name].append(layer)
        return (yield from self._make(source, inputs))

    def _make(self, made: Made, inputs: dict[str, list[Layer]]) -> Steps:
        layers = [layer for parts in inputs.values() for layer in parts]
        items = [i for i in made.items if all(_of(layer, i) for layer in layers)]
        if not items:
            raise CannotAnswer(
                f"The inputs of {made.tool.name} have no date in common once clouds are masked."
            )
        call = (made.tool.name, *(i.address for layer in layers for item in items if (i := _of(layer, item))))
        if call not in self._outputs:
            self._outputs[call] = self._names(made, items)
            yield from self._carry_out(made, inputs, items, self._outputs[call])
        outputs = self._outputs[call]
        band = made.tool.band_of(made.role) or 1
        addresses = [f"{output}#{band}" if band > 1 else output for output in outputs]
        named = tuple(replace(i, address=o) for o, i in zip(addresses, items, strict=True))
        known = variable(made.role)
        return Layer(made.role, named, known.unit if known else "1")

    def _names(self, made: Made, items: list[Item]) -> list[str]:
        """Return names for products: what they are, then the place and the date that tell them apart."""
        role = made.tool.name if made.tool.name.isupper() else made.role
        leaves = {leaf.role for leaf in _leaves(made)}
        known = [i for layer in self.derivation.layers if layer.role in leaves for i in layer.items]
        several = len({item.place for item in known}) > 1
        dated = not several or len({item.date for item in known}) > 1
        return [
            self.plan.name(role, item.mark if dated else "", item.place if several else "") for item in items
        ]

    def _carry_out(
        self, made: Made, inputs: dict[str, list[Layer]], items: list[Item], outputs: list[str]
    ) -> Steps:
        stacked = [p for p in made.tool.inputs if p.name in inputs and is_stack(p, made.tool)]
        if stacked or (_of_one_band(made.tool) and 1 < len(items) <= _MOST_SCENES):
            yield from self._scene_by_scene(made, inputs, items, outputs)
        else:
            arguments: dict[str, Any] = {
                name: _argument(parts[0], [_of(parts[0], i) for i in items]) for name, parts in inputs.items()
            }
            single = len(items) == 1 and not made.tool.outputs[0].many
            arguments = {
                n: _single(v) if single or not _many(made.tool, n) and len(items) == 1 else v
                for n, v in arguments.items()
            }
            arguments[made.tool.outputs[0].name] = outputs[0] if single else outputs
            self._say_method(made)
            thought = f"{_title(made.role)} comes from {_list(inputs)}, for {_dates(items)}."
            yield from self.plan.call(made.tool, thought, **arguments, **made.settings)

    def _say_method(self, made: Made) -> None:
        """Tell when another method had to be taken than the one that the question names."""
        methods = [m for m in self.intent.methods if m in self.derivation.registry]
        if methods and made.tool.name not in methods and made.role in ("lst", "lst_day", "pwv"):
            self.plan.remark(
                f"The inputs of {' or '.join(methods)} are not all there; {made.tool.name} was taken."
            )

    def _scene_by_scene(
        self, made: Made, inputs: dict[str, list[Layer]], items: list[Item], outputs: list[str]
    ) -> Steps:
        for item, output in zip(items, outputs, strict=True):
            arguments: dict[str, Any] = {}
            for name, parts in inputs.items():
                addresses = [found.address for part in parts if (found := _of(part, item))]
                arguments[name] = addresses if _many(made.tool, name) else addresses[0]
            arguments[made.tool.outputs[0].name] = output
            thought = f"{_title(made.role)} of {item.label}."
            yield from self.plan.call(made.tool, thought, **arguments, **made.settings)
        return None

    def _clear(self, layer: Layer) -> Steps:
        """Return a layer without its clouds where the question asks for that."""
        if not self.intent.clear_only or layer.role in mask_roles(self.plan):
            return layer
        key = tuple(layer.addresses)
        if key not in self._masked:
            self._masked[key] = yield from without_clouds(self.plan, self.derivation, layer)
        return self._masked[key]


def _of_one_band(tool: Tool) -> bool:
    """Return whether a tool turns one raster into another; each product then shows as soon as it is made."""
    return [p.many for p in tool.inputs if p.required] == [False] and not tool.outputs[0].many


def _takes_lists(source: Source) -> bool:
    """Return whether a tool for lists makes a role: it is given the scenes of one subject at a time."""
    return isinstance(source, Made) and source.tool.outputs[0].many


def _leaves(source: Source) -> list[Layer]:
    if isinstance(source, Given):
        return [source.layer]
    return [leaf for parts in source.inputs.values() for part in parts for leaf in _leaves(part)]


def _of_layer(layer: Layer, attribute: str) -> str:
    return layer.sensor if attribute == "sensor" else layer.items[0].place


def _of(layer: Layer, item: Item) -> Item | None:
    return partner(Given(layer.role, layer), item)


def _limited(source: Source, labels: set[str]) -> Source:
    if isinstance(source, Given):
        return Given(source.role, source.layer.where(lambda item: item.label in labels or item.date is None))
    inputs = {name: tuple(_limited(part, labels) for part in parts) for name, parts in source.inputs.items()}
    return replace(source, inputs=inputs, items=tuple(item for item in source.items if item.label in labels))


def _argument(layer: Layer, items: list[Item | None]) -> list[str] | str:
    return layer.only(item for item in items if item is not None).argument


def _single(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _many(tool: Tool, name: str) -> bool:
    return any(p.many for p in tool.parameters if p.name == name)


def _title(role: str) -> str:
    title = short_title(role)
    return title[:1].upper() + title[1:]


def _list(inputs: dict[str, list[Layer]]) -> str:
    roles = list(dict.fromkeys(layer.role for parts in inputs.values() for layer in parts))
    return roles[0] if len(roles) == 1 else f"{', '.join(roles[:-1])} and {roles[-1]}"


def _dates(items: list[Item]) -> str:
    return (
        items[0].label
        if len(items) == 1
        else f"{len(items)} dates from {items[0].label} to {items[-1].label}"
    )
