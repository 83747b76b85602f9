"""The rasters that an expression needs: found or made by backward chaining, each at most once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from treeline.core.policies.planner.derivation import (
    FORMS,
    GIVEN_FORM,
    KINDS,
    OTHER_FORM,
    SETTINGS,
    AvailableRole,
    Derivation,
    DerivedRole,
    Partners,
    RoleRequest,
    Source,
    UnavailableRole,
    base_of,
    is_base,
    is_joined,
    is_of_all_dates,
    is_stack,
    partner,
)
from treeline.core.policies.planner.figures import join_words
from treeline.core.policies.planner.layers import Item, Layer, months_of_no_year, near
from treeline.core.policies.planner.named_tools import BY_HAND
from treeline.core.policies.planner.plan import CannotAnswer, NotAtHand, Plan, Steps, one_or_list
from treeline.core.query.inventory import STATIC_ROLES
from treeline.core.query.titles import short_title, whole_title
from treeline.toolkit.tool import Reads, Tool
from treeline.toolkit.variables import CLOUD_ROLES, variable

TAKEN_FROM = "Taken from"
CALIBRATED = {
    "calibrate_sentinel1": "Sigma0 by the tables of the product, less its noise, not corrected for terrain.",
    "square_amplitudes": "Backscatter is the square of the amplitudes, with the factor of their product.",
}
# What a person does where a raster is not there, or is there and was not recognised.
SETTLED_BY = "Add such a raster on the Data page, or correct there the role of one that is it."
_MOST_WAYS = 3
_MOST_SCENES = 31
# One after the other, where a tool has a form for one scene and one for many.
_FEW_SCENES = 16
_MOST_MASKED = 48
# Scenes of one path are shifted against each other by some hundredths of their width.
_ALIKE = 0.95
# In words, as no step has this number and numbers of an answer are held against those of steps.
_TENTHS = (
    "hardly any",
    "about a tenth",
    "about a fifth",
    "about a third",
    "about two fifths",
    "about a half",
    "about three fifths",
    "about two thirds",
    "about four fifths",
    "about nine tenths",
)


@dataclass
class Materials:
    """Layers found in the workspace or made from it; what was made is kept by item.

    Attributes
    ----------
    clear : frozenset of str
        Roles in whose rasters another member of a team masked clouds already.
    one_by_one : bool
        Whether few scenes are worked on one after the other by the tools' forms for one scene.
    cloudless : set of str
        Addresses of cloud masks that are known to mark nothing: what they belong to needs no masking.
    """

    plan: Plan
    derivation: Derivation
    clear: frozenset[str] = frozenset()
    one_by_one: bool = False
    cloudless: set[str] = field(default_factory=set)
    _outputs: dict[tuple[str, ...], str] = field(default_factory=dict)
    _masked: dict[tuple[str, str], str] = field(default_factory=dict)
    _used: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    def find(self, role: str, request: RoleRequest) -> Source:
        """Return how a role can be had.

        Raises
        ------
        CannotAnswer
            It cannot; names what is missing and what there is.
        """
        found = self.derivation.find_joined(role, request)
        if isinstance(found, UnavailableRole):
            raise self._missing_error(found, request.place)
        if is_joined(found):
            tiles = sorted({item.place for leaf in leaves_of(found) for item in leaf.items})
            self.plan.remark(f"Of the tiles {join_words(tiles)} together.")
        return found

    def realise(self, source: Source, *, masked: bool) -> Steps[Layer]:
        """Return the rasters of a source; what has to be made is made first.

        Parameters
        ----------
        masked : bool
            Cloudy pixels are left out of what it is made from.
        """
        if isinstance(source, AvailableRole):
            return (yield from self._without_clouds(source.layer)) if masked else source.layer
        if masked and self.one_by_one and 1 < len(source.items) <= _MOST_MASKED:
            yield from self._each_without_clouds(source)
        inputs: dict[str, list[Layer]] = {}
        for name, parts in source.inputs.items():
            inputs[name] = []
            for part in parts:
                inputs[name].append((yield from self.realise(part, masked=masked)))
        return (yield from self._make(source, inputs))

    def _each_without_clouds(self, source: DerivedRole) -> Steps[None]:
        """Mask and make scene after scene; what is made is kept, so that all together are at hand then."""
        for item in source.items:
            try:
                yield from self.realise(_of_scene(source, item), masked=True)
            except CannotAnswer:
                continue  # all scenes together tell which of them have no mask

    def cloud_layer(self, place: str = "") -> Layer | None:
        """Return the rasters that tell where clouds are; ``None`` where there are none."""
        reads = self._masking_tool()[1]
        request = RoleRequest(lambda item: True, place=place)
        for role in reads.roles:
            found = self.derivation.find(role, request)
            if isinstance(found, AvailableRole):
                return found.layer
        return None

    def clouds_of_all(self, place: str) -> Steps[Layer | None]:
        """Return what tells where clouds are, of adjoining tiles together; says where of one of several."""
        layer = self.cloud_layer(place)
        if layer is None or place:
            return layer
        found = self.find(layer.role, RoleRequest(lambda item: True))
        if isinstance(found, AvailableRole):
            self.whence(AvailableRole(layer.role, layer), sensor="", place="")
            return layer
        return (yield from self.realise(found, masked=False))

    def whence(self, source: Source, *, sensor: str, place: str) -> None:
        """Say which sensor or place was taken where the question names none and there are several."""
        leaves = leaves_of(source)
        others = [o for o in self.derivation.layers if o.role in {leaf.role for leaf in leaves}]
        if not place and (months := months_of_no_year([*leaves, *others])):
            raise CannotAnswer(months)
        for asked, attribute in ((sensor, "sensor"), (place, "place")):
            taken = {_of_layer(leaf, attribute) for leaf in leaves} - {""}
            left = {_of_layer(layer, attribute) for layer in others} - taken - {""}
            if not asked and len(taken) == 1 and left:
                here, others_there = taken.pop(), sorted(left)
                self.plan.remark(f"{TAKEN_FROM} {here}; there is also {', '.join(others_there)}.")
                if attribute == "place":
                    self.plan.account.places = [here, *others_there]
                return
        self._say_unnamed(leaves, others, asked=bool(sensor or place))

    def _say_unnamed(self, leaves: Sequence[Layer], others: Sequence[Layer], *, asked: bool) -> None:
        """Tell by its file what else there is of a variable, where one of them has no place."""
        taken = {_of_layer(leaf, "place") for leaf in leaves}
        left = {_of_layer(other, "place"): other.addresses[0] for other in others}
        left = {place: place or address for place, address in left.items() if place not in taken}
        if not asked and len(taken) == 1 and left:
            what = taken.pop() or leaves[0].addresses[0]
            self.plan.remark(f"{TAKEN_FROM} {what}; there is also {', '.join(sorted(left.values()))}.")

    def say_form(self, source: Source) -> None:
        """Tell which index was taken where its name stands for two; the tools tell the usual form."""
        if isinstance(source, AvailableRole):
            if not source.layer.handed:
                self.plan.remark(GIVEN_FORM.get(source.role, ""))
            return
        roles = [part.role for parts in source.inputs.values() for part in parts]
        usual = [form[source.role] for form in FORMS.values() if source.role in form]
        if usual and not all(role in wanted for role, wanted in zip(roles, usual[0], strict=False)):
            self.plan.remark(OTHER_FORM[source.role])

    def say_grounds(self, source: Source, items: Iterable[Item]) -> None:
        """Tell where rasters of one variable share little ground, so that they are no series of one place."""
        for leaf in leaves_of(source):
            used = self._used.setdefault((leaf.role, leaf.items[0].place), set())
            used |= {item.label for item in items}
            self._say_same_date(leaf, items)
            (first, here), *others = ((label, leaf.ground_at(label)) for label in sorted(used))
            shares = [(here.common(there), label) for label, there in others if here and there]
            share, least = min(shares, default=(1.0, ""))
            if share < _ALIKE:
                told = f"{_TENTHS[round(10 * share)]} of it is common" if share else "they share none"
                self.plan.remark(f"The rasters of {first} and {least} show different ground: {told}.")
                return

    def _say_same_date(self, leaf: Layer, items: Iterable[Item]) -> None:
        """Tell where several rasters of one variable are of one moment, of which each counts as a date."""
        moments = {item.date for item in items if item.date}
        counts = Counter(item.date for item in leaf.items if item.date in moments)
        moment, count = max(counts.items(), key=lambda each: each[1], default=(None, 0))
        if count > 1:
            alike = [item for item in leaf.items if item.date == moment]
            names = join_words([item.address for item in alike[:4]])
            self.plan.remark(f"{names} are of one date ({alike[0].label}); each counts as one of its own.")

    def say_kind(self, role: str) -> None:
        """Tell which of several kinds of a variable its plain name means, where there are others too."""
        kind, others = KINDS.get(role, ("", ()))
        held = [short_title(layer.role) for layer in self.derivation.layers if layer.role in others]
        if held:
            self.plan.remark(f"{_title(role)} is {kind}; there is also {join_words(sorted(set(held)))}.")

    # --- Making ---------------------------------------------------------------------------------

    def _make(self, made: DerivedRole, inputs: dict[str, list[Layer]]) -> Steps[Layer]:
        layers = [layer for parts in inputs.values() for layer in parts]
        if made.tool.gives.quantity == "calibrated":
            self.plan.remark(CALIBRATED[made.tool.name])
        items = [i for i in made.items if all(_of(layer, i) for layer in layers)]
        if not items:
            raise CannotAnswer(
                f"The inputs of {made.tool.name} have no date in common once clouds are masked."
            )
        keys = [(made.tool.name, *_addresses(layers, item)) for item in items]
        new = [item for item, key in zip(items, keys, strict=True) if key not in self._outputs]
        if new and is_of_all_dates(made.tool):
            new = [item for item in layers[0].items if all(_of(layer, item) for layer in layers)]
        if new:
            names = self._names(made, new)
            yield from self._carry_out(made, inputs, new, names)
            of_new = ((made.tool.name, *_addresses(layers, item)) for item in new)
            self._outputs.update(zip(of_new, names, strict=True))
        band = made.tool.band_of(made.role) or 1
        outputs = [self._outputs[key] for key in keys]
        addresses = [f"{output}#{band}" if band > 1 else output for output in outputs]
        named = tuple(replace(i, address=o) for o, i in zip(addresses, items, strict=True))
        known = variable(made.role)
        return Layer(made.role, named, known.unit if known else "1")

    def _names(self, made: DerivedRole, items: list[Item]) -> list[str]:
        """Return names for products: what they are, then the place and the date that tell them apart."""
        role = made.tool.name if made.tool.name.isupper() else made.role
        leaves = {leaf.role for leaf in leaves_of(made)}
        known = [i for layer in self.derivation.layers if layer.role in leaves for i in layer.items]
        several = len({item.place for item in known}) > 1
        dated = not several or len({item.date for item in known}) > 1
        return [
            self.plan.name(role, item.place if several else "", item.mark if dated else "") for item in items
        ]

    def _carry_out(
        self, made: DerivedRole, inputs: dict[str, list[Layer]], items: list[Item], outputs: list[str]
    ) -> Steps[None]:
        if bases := [p.name for p in made.tool.inputs if p.name in inputs and is_base(p, made.tool)]:
            yield from self._month_by_month(made, inputs, items, outputs, bases)
            return
        stacked = [p for p in made.tool.inputs if p.name in inputs and is_stack(p, made.tool)]
        if stacked or (_of_one_band(made.tool) and 1 < len(items) <= _MOST_SCENES):
            yield from self._scene_by_scene(made, inputs, items, outputs)
            return
        if (form := self._form_for_one(made, len(items))) is not None:
            yield from self._scene_by_scene(made, inputs, items, outputs, form)
            return
        single = len(items) == 1 and not made.tool.outputs[0].many
        arguments: dict[str, object] = {}
        for name, parts in inputs.items():
            layer = parts[0]
            chosen = layer.only(found for i in items if (found := _of(layer, i)))
            one = single or (len(items) == 1 and not _many(made.tool, name))
            arguments[name] = chosen.addresses[0] if one else chosen.argument
        arguments[made.tool.outputs[0].name] = outputs[0] if single else outputs
        thought = f"{_title(made.role)} comes from {_list(inputs)}, for {_dates(items)}."
        yield from self.plan.call(made.tool, thought, **arguments, **made.settings)

    def _form_for_one(self, made: DerivedRole, scenes: int) -> str | None:
        """Return the name of a tool's form for one scene, for a single one or where few are there."""
        leaves = {leaf.role for leaf in leaves_of(made)}
        held = (layer for layer in self.derivation.layers if layer.role in leaves)
        few = scenes == 1 or max((len(layer.items) for layer in held), default=0) <= _FEW_SCENES
        return next(iter(made.tool.aliases), None) if self.one_by_one and few else None

    def _scene_by_scene(
        self,
        made: DerivedRole,
        inputs: dict[str, list[Layer]],
        items: list[Item],
        outputs: list[str],
        form: str = "",
    ) -> Steps[None]:
        for item, output in zip(items, outputs, strict=True):
            arguments: dict[str, object] = {}
            for name, parts in inputs.items():
                addresses = [found.address for part in parts if (found := _of(part, item))]
                arguments[name] = addresses if _many(made.tool, name) else addresses[0]
            writes = made.tool.outputs[0]
            arguments[writes.name] = [output] if writes.many else output
            thought = f"{_title(made.role)} of {item.label}."
            yield from self.plan.call(form or made.tool, thought, **arguments, **made.settings)

    def _month_by_month(
        self,
        made: DerivedRole,
        inputs: dict[str, list[Layer]],
        items: list[Item],
        outputs: list[str],
        bases: list[str],
    ) -> Steps[None]:
        """Make what is held against other years: the images of one calendar month have one base."""
        written = dict(zip(items, outputs, strict=True))
        self._say_base(made.role, inputs[bases[0]][0].items)
        for month in sorted({item.date.month for item in items if item.date}):
            alike = [item for item in items if item.date and item.date.month == month]
            arguments: dict[str, object] = {}
            for name, (layer, *_) in inputs.items():
                if name in bases:
                    arguments[name] = [base.address for base in base_of(alike[0], layer.items)]
                else:
                    arguments[name] = one_or_list([f.address for i in alike if (f := _of(layer, i))])
            arguments[made.tool.outputs[0].name] = one_or_list([written[item] for item in alike])
            thought = f"{_title(made.role)} of {_dates(alike)}."
            yield from self.plan.call(made.tool, thought, **arguments, **made.settings)

    def _say_base(self, role: str, base: Iterable[Item]) -> None:
        """Tell of which years the images are that an index of one date is held against."""
        years = [item.date.year for item in base if item.date]
        what = (
            f"{short_title(role)} is held against all images of the same month, {min(years)} to {max(years)}"
        )
        self.plan.remark(f"Each {what}.")

    # --- Clouds ---------------------------------------------------------------------------------

    def _masking_tool(self) -> tuple[Tool, Reads]:
        tools = self.plan.registry.givers_of("cloud_masked", "raster")
        if not tools:
            raise NotAtHand("No tool to mask clouds is at hand here.")
        contract = tools[0].inputs[1].contract
        assert isinstance(contract, Reads)
        return tools[0], contract

    def clouds_of(self, layer: Layer) -> list[tuple[Item, Item]]:
        """Return the rasters of a layer, each with what tells where its clouds are, where that is known."""
        clouds = self.cloud_layer(layer.items[0].place)
        if clouds is None or self._dates_of_undated(clouds, layer) > 1:
            return []
        masks = Partners(AvailableRole(clouds.role, clouds))
        return [(item, mask) for item in layer.items if (mask := masks.of(item))]

    def undated_clouds(self, layer: Layer) -> str:
        """Return in a sentence that nothing tells which date's clouds a mask shows; empty where it does."""
        clouds = self.cloud_layer(layer.items[0].place)
        dates = self._dates_of_undated(clouds, layer) if clouds else 0
        if clouds is None or dates < 2:
            return ""
        return (
            f"{clouds.addresses[0]} has no date, so nothing tells which of {dates} dates its clouds are of: "
            "give its file a date in its name or correct it on Data."
        )

    def _dates_of_undated(self, clouds: Layer, layer: Layer) -> int:
        """Return of how many dates a mask without one can be: all at its place, also those not asked for."""
        if any(item.date for item in clouds.items):
            return 0
        place = layer.items[0].place
        held = (o for o in self.derivation.layers if o.role not in {*STATIC_ROLES, *CLOUD_ROLES})
        items = [*layer.items, *(item for other in held for item in other.items if item.place == place)]
        return len({item.date for item in items if item.date} or {None})

    def _without_clouds(self, layer: Layer) -> Steps[Layer]:
        """Return a layer of which cloudy pixels are masked, for the dates whose clouds are known."""
        tool, reads = self._masking_tool()
        if layer.role in {*reads.roles, *self.clear, *STATIC_ROLES}:
            return layer
        clouds, pairs = self.cloud_layer(layer.items[0].place), self.clouds_of(layer)
        if clouds is None or not pairs:
            raise CannotAnswer(
                "Clouds were to be left out, but there is no cloud mask or quality band of these dates.",
                self.undated_clouds(layer) or what_would_do(reads.roles),
            )
        if len(pairs) < len(layer.items):
            self.plan.remark(without_mask(len(layer.items) - len(pairs)))
        self._masked.update(
            {(i.address, m.address): i.address for i, m in pairs if m.address in self.cloudless}
        )
        new = [(item, mask) for item, mask in pairs if (item.address, mask.address) not in self._masked]
        if new:
            outputs = [self.plan.name(f"{layer.role}_clear", item.mark) for item, _ in new]
            value, mask_name = (p.name for p in tool.inputs)
            arguments: dict[str, object] = {
                value: one_or_list(layer.only(i for i, _ in new).addresses),
                mask_name: one_or_list(clouds.only(m for _, m in new).addresses),
                tool.outputs[0].name: one_or_list(outputs),
            }
            thought = f"Clouds must not count: mask {layer.role} with {clouds.role}."
            yield from self.plan.call(tool, thought, **arguments)
            keys = ((item.address, mask.address) for item, mask in new)
            self._masked.update(zip(keys, outputs, strict=True))
        items = tuple(replace(i, address=self._masked[i.address, m.address]) for i, m in pairs)
        return replace(layer, items=items, handle="", whole=())

    def ways_to(self, role: str) -> str:
        """Return in a sentence what tools would make a role of; empty where it is there or none would."""
        found = self.derivation.find(role, RoleRequest(lambda item: True))
        return _ways(found) if isinstance(found, UnavailableRole) else ""

    def _missing_error(self, found: UnavailableRole, place: str) -> CannotAnswer:
        everything = self.derivation.layers
        here = near(everything, place, everything)
        held = join_words(sorted({short_title(layer.role) for layer in here})) or "nothing"
        where = f" of {place}" if place else ""
        return CannotAnswer(
            f"There is no {_name(found.role)}{where} and nothing to derive it from: I see only {held}.",
            _ways(found) or SETTLED_BY,
        )


def _ways(found: UnavailableRole) -> str:
    """Return what a role could be computed with, and how a person settles that; empty where nothing would."""
    # Tools that lack the same bands are one way to whoever looks for these.
    ways: dict[tuple[str, ...], str] = {}
    for tool, roles in found.ways:
        ways.setdefault(roles, tool)
    # Settings are no raster that could be added.
    ranked = sorted(ways.items(), key=lambda way: SETTINGS in way[0])
    told = [f"by {tool} with {join_words([*map(_name, roles)])}" for roles, tool in ranked]
    if not told:
        return ""
    text = f"{_title(found.role)} could be computed {'; or '.join(told[:_MOST_WAYS])}"
    only_by_hand = all(SETTINGS in roles for roles in ways)
    return f"{text}: {BY_HAND}." if only_by_hand else f"{text}. {SETTLED_BY}"


def what_would_do(roles: Iterable[str]) -> str:
    """Return in sentences that a raster of one of some roles would settle what is missing."""
    return f"One of these would do: {'; '.join(map(_name, roles))}. {SETTLED_BY}"


def _name(role: str) -> str:
    """Return what a person calls a role, and the role as the Data page has it."""
    known = variable(role)
    return f"{whole_title(known)} ({role})" if known else role


def leaves_of(source: Source) -> list[Layer]:
    """Return the layers of the workspace that something comes from."""
    if isinstance(source, AvailableRole):
        return [source.layer]
    return [leaf for parts in source.inputs.values() for part in parts for leaf in leaves_of(part)]


def _of_scene(source: Source, item: Item) -> Source:
    """Return a source for one of its scenes alone."""
    if isinstance(source, AvailableRole):
        found = partner(source, item)
        return replace(source, layer=source.layer.only([found] if found else []))
    inputs = {name: tuple(_of_scene(part, item) for part in parts) for name, parts in source.inputs.items()}
    return replace(source, inputs=inputs, items=tuple(filter(None, [partner(source, item)])))


def _of_one_band(tool: Tool) -> bool:
    """Return whether a tool turns one raster into another; each product then shows as soon as it is made."""
    return [p.many for p in tool.inputs if p.required] == [False] and not tool.outputs[0].many


def _of_layer(layer: Layer, attribute: str) -> str:
    return layer.sensor if attribute == "sensor" else layer.items[0].place


def _of(layer: Layer, item: Item) -> Item | None:
    return partner(AvailableRole(layer.role, layer), item)


def _addresses(layers: Sequence[Layer], item: Item) -> list[str]:
    return [found.address for layer in layers if (found := _of(layer, item))]


def _many(tool: Tool, name: str) -> bool:
    return any(p.many for p in tool.parameters if p.name == name)


def _title(role: str) -> str:
    title = short_title(role)
    return title[:1].upper() + title[1:]


def _list(inputs: dict[str, list[Layer]]) -> str:
    roles = list(dict.fromkeys(layer.role for parts in inputs.values() for layer in parts))
    return roles[0] if len(roles) == 1 else f"{', '.join(roles[:-1])} and {roles[-1]}"


def without_mask(dates: int) -> str:
    """Return that so many dates were left out since nothing tells where their clouds are."""
    told = (
        "One date has no cloud mask and was" if dates == 1 else f"{dates} dates have no cloud mask and were"
    )
    return f"{told} left out."


def _dates(items: list[Item]) -> str:
    if len(items) == 1:
        return items[0].label
    return f"{len(items)} dates from {items[0].label} to {items[-1].label}"
