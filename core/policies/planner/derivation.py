"""Backward chaining: from a role that is wanted, over the tools that write it, to what the workspace has.

This module only decides; :mod:`treeline.core.policies.planner.materials` carries the decision out.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cache
from typing import Any, Literal

from treeline.core.policies.planner.layers import Item, Layer, adjoining_tiles, near
from treeline.toolkit import Registry
from treeline.toolkit.index.catalogue import SpectralIndex, indices
from treeline.toolkit.tool import Parameter, Tool

TERRAIN = "Terrain"

# Tools one behind the other: at each, the search has as many branches as there are tools that write the role.
_DEEPEST = 3

# Where one name stands for two indices: the bands of each form, in the order of the tool's inputs.
FORMS: dict[str, dict[str, tuple[tuple[str, ...], ...]]] = {
    "open water": {"ndwi": (("nir", "nir08"), ("green",))},
}

# What such an index is where it is not made in the form asked for, or not made here at all.
OTHER_FORM = {"ndwi": "NDWI is here Gao's index of leaf water, from near and short-wave infrared."}
GIVEN_FORM = {"ndwi": "The NDWI is the workspace's own; by which formula it was made, nothing says."}

# What a variable is whose plain name is that of one of several kinds, and the others.
KINDS = {
    "soil_moisture": (
        "that of the surface",
        (
            "root_zone_soil_moisture",
            "profile_soil_moisture",
            "soil_moisture_layer_2",
            "soil_moisture_layer_3",
            "soil_moisture_layer_4",
        ),
    )
}


@dataclass(frozen=True)
class AvailableRole:
    """A role that the workspace has."""

    role: str
    layer: Layer

    @property
    def items(self) -> tuple[Item, ...]:
        """Its rasters."""
        return self.layer.items


@dataclass(frozen=True)
class DerivedRole:
    """A role that a tool makes from others, for the dates that all of these have.

    Attributes
    ----------
    inputs : dict
        By parameter; a parameter that takes several roles at once has several.
    items : tuple of Item
        The rasters to be made: their dates, labels and places, without addresses.
    settings : dict
        Arguments that are no rasters.
    """

    role: str
    tool: Tool
    inputs: dict[str, tuple[Source, ...]]
    items: tuple[Item, ...]
    settings: dict[str, Any] = field(default_factory=dict)


# What a tool lacks that no raster gives.
SETTINGS = "settings that only you can give"
Source = AvailableRole | DerivedRole


@dataclass(frozen=True)
class UnavailableRole:
    """A role that cannot be had.

    Attributes
    ----------
    ways : tuple of (Tool, roles)
        The tools that would make it and what each of them lacks.
    """

    role: str
    ways: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class RoleRequest:
    """What is wanted of a role.

    Attributes
    ----------
    methods : tuple of str
        Tools that the question names.
    place, sensor : str
        Empty for any.
    forms : tuple of str
        Which of several published forms of an index is meant, by their names in ``FORMS``; the index is
        made in another form where the workspace has no bands for it.
    keep : callable
        Which items count, by their date.
    """

    keep: typing.Callable[[Item], bool]
    methods: tuple[str, ...] = ()
    place: str = ""
    sensor: str = ""
    forms: tuple[str, ...] = ("open water",)


class Derivation:
    """Finds how a role can be had from the workspace's layers.

    Parameters
    ----------
    preferred : sequence of str
        Tools to be taken where several serve the same dates in as many steps.
    """

    def __init__(self, registry: Registry, layers: Sequence[Layer], preferred: Sequence[str] = ()) -> None:
        self.registry = registry
        self.layers = list(layers)
        self.preferred = frozenset(preferred)
        self._of_role: dict[str, list[Layer]] = {}
        for layer in self.layers:
            self._of_role.setdefault(layer.role, []).append(layer)

    def find(
        self, role: str, request: RoleRequest, depth: int = 0, busy: frozenset[str] = frozenset()
    ) -> Source | UnavailableRole:
        """Return how a role can be had, or what is missing.

        A raster of the role itself comes first, unless the question names a method that makes it.
        """
        named = [t for t in self._writers(role) if t.name in request.methods]
        given = None if named else self._find_layers(role, request)
        if given is not None:
            return given
        if depth >= _DEEPEST or role in busy:
            return UnavailableRole(role)
        found: list[DerivedRole] = []
        ways: list[tuple[str, tuple[str, ...]]] = []
        for tools in (named, [tool for tool in self._writers(role) if tool not in named]):
            for tool in tools:
                made = self._make(role, tool, request, depth, busy | {role})
                if isinstance(made, DerivedRole):
                    found.append(made)
                else:
                    ways.append((tool.name, made))
            if found:
                return max(found, key=self._merit)
            # The method that was named makes it of nothing that is here: the raster itself does.
            if tools and named and (given := self._find_layers(role, request)) is not None:
                return given
        return self._by_catalogue(role, request, busy) or UnavailableRole(role, tuple(ways))

    def find_joined(self, role: str, request: RoleRequest) -> Source | UnavailableRole:
        """Return how a role can be had: of all tiles together, where the ground is cut into some.

        Only where no place is asked for and every tile has it on the same days; else as one place has it.
        """
        tool = next(iter(self.registry.givers_of("mosaic", "raster")), None)
        if tool is not None and not request.place:
            for tiles in adjoining_tiles(self.layers):
                if joined := self._join(role, request, tool, tiles):
                    return joined
        return self.find(role, request)

    def _join(self, role: str, request: RoleRequest, tool: Tool, tiles: list[str]) -> DerivedRole | None:
        """Return how a role of tiles becomes one raster of each day; ``None`` where one tile lacks it."""
        parts = [self.find(role, replace(request, place=tile)) for tile in tiles]
        sources = tuple(part for part in parts if not isinstance(part, UnavailableRole))
        if len(sources) < len(tiles) or len(set(map(_first_address, sources))) < len(tiles):
            return None
        items = _common(role, sources)
        if not items or any(len(source.items) != len(items) for source in sources):
            return None
        return _as_one(role, tool, sources)

    def can_find(self, role: str) -> bool:
        """Return whether a role is there or can be derived, for whatever dates."""
        return not isinstance(self.find(role, RoleRequest(lambda item: True)), UnavailableRole)

    def has(self, role: str) -> bool:
        """Return whether the workspace has a raster of a role itself."""
        return any(layer.role == role for layer in self.layers)

    def _merit(self, made: DerivedRole) -> tuple[int, int, bool, int]:
        """Return what makes one way better: more dates, fewer steps, preferred, more of the data used."""
        nested = sum(isinstance(s, DerivedRole) for sources in made.inputs.values() for s in sources)
        return len(made.items), -nested, made.tool.name in self.preferred, len(made.inputs)

    def _writers(self, role: str) -> list[Tool]:
        return [
            tool for tool in self.registry.writers_of(role) if tool.inputs and tool.gives.kind == "raster"
        ]

    def _find_layers(self, role: str, request: RoleRequest, parameter: str = "") -> Source | None:
        if role not in self._of_role:
            return None
        candidates = [layer.where(request.keep) for layer in self._of_role[role]]
        candidates = [layer for layer in candidates if layer.items and _of_sensor(request.sensor)(layer)]
        candidates = near(candidates, request.place, self.layers)
        candidates = [layer for layer in candidates if _of_half(parameter)(layer)] or candidates
        if not candidates:
            return None
        given = AvailableRole(role, max(candidates, key=lambda layer: len(layer.items)))
        return self._calibrate(given) if given.layer.calibrator else given

    def _calibrate(self, given: AvailableRole) -> Source:
        """Return how amplitudes become backscatter by the tables or the factor of their product."""
        tools = self.registry.givers_of("calibrated", "raster")
        tool = next((tool for tool in tools if tool.name == given.layer.calibrator), None)
        if tool is None:
            return given
        return DerivedRole(given.role, tool, {tool.inputs[0].name: (given,)}, _common(given.role, [given]))

    def _make(
        self, role: str, tool: Tool, request: RoleRequest, depth: int, busy: frozenset[str]
    ) -> DerivedRole | tuple[str, ...]:
        """Return how a tool makes the role, or the roles that it lacks."""
        settings = settings_of(tool, role)
        if settings is None or any(not p.contract.roles for p in tool.inputs if p.required):  # type: ignore[union-attr]
            return (SETTINGS,)
        best: DerivedRole | None = None
        lacking: tuple[str, ...] = ()
        for place in self._places(request):
            inputs: dict[str, tuple[Source, ...]] = {}
            local = replace(request, place=place)
            if is_of_all_dates(tool):
                local = replace(local, keep=lambda item: True)
            elif any(is_base(parameter, tool) for parameter in tool.inputs):
                local = replace(local, keep=self._in_months_of(request))
            lacking = ()
            form = next((FORMS[name][role] for name in request.forms if role in FORMS[name]), ())
            for position, parameter in enumerate(tool.inputs):
                roles = form[position] if position < len(form) else parameter.contract.roles  # type: ignore[union-attr]
                if image := based_on(parameter, tool):
                    sources = inputs.get(image.name, ())
                    if sources and not _of_several_years(sources[0]):
                        lacking = (*lacking, f"{sources[0].role} of the same month in other years")
                        continue
                else:
                    sources = self._sources(parameter, roles, tool, local, depth, busy)
                if sources:
                    inputs[parameter.name] = sources
                elif parameter.required and image is None:
                    lacking = (*lacking, roles[0])
            if not lacking and _of_two_dates(tool, inputs):
                lacking = ("rasters of two dates",)
            if lacking:
                continue
            items = _common(role, [source for sources in inputs.values() for source in sources])
            if local.keep is not request.keep:
                items = tuple(filter(request.keep, items))
            if items and (best is None or len(items) > len(best.items)):
                best = DerivedRole(role, tool, inputs, items, {**settings, **centres_of(tool)})
        if best is None and request.forms and any(role in FORMS[name] for name in request.forms):
            return self._make(role, tool, replace(request, forms=()), depth, busy)
        return best or lacking or ("dates that all its inputs share",)

    def _sources(
        self,
        parameter: Parameter,
        roles: tuple[str, ...],
        tool: Tool,
        request: RoleRequest,
        depth: int,
        busy: frozenset[str],
    ) -> tuple[Source, ...]:
        if is_stack(parameter, tool):
            found = [self.find(role, request, depth + 1, busy) for role in roles]
            stack = tuple(source for source in found if not isinstance(source, UnavailableRole))
            # A tool with band centres by default has one for each band, in this order.
            if centres := centres_of(tool):
                stack, roles = stack[: _fewest(centres)], roles[: _fewest(centres)]
            # What is fitted over bands works with some of them, from three on.
            return stack if len(stack) == len(roles) or len(stack) > 2 else ()
        direct = [
            given for role in roles if (given := self._find_layers(role, request, parameter.name)) is not None
        ]
        if direct:
            return (direct[0],)
        # What a tool can do without is taken where it is there, and never made for it.
        if not parameter.required:
            return ()
        for role in roles:
            source = self.find(role, request, depth + 1, busy)
            if not isinstance(source, UnavailableRole):
                return (source,)
        return ()

    def _in_months_of(self, request: RoleRequest) -> typing.Callable[[Item], bool]:
        """Return whether an item is of the months, in any year, of those that are asked for."""
        items = (item for layer in self.layers for item in layer.items if item.date)
        months = {item.date.month for item in items if item.date and request.keep(item)}
        return lambda item: item.date is not None and item.date.month in months

    def _places(self, request: RoleRequest) -> list[str]:
        if request.place:
            return [request.place]
        return list(dict.fromkeys(item.place for layer in self.layers for item in layer.items[:1])) or [""]

    def _by_catalogue(self, role: str, request: RoleRequest, busy: frozenset[str]) -> DerivedRole | None:
        """Return how the tool for any index makes a role that only the index catalogue knows."""
        index = _index_of(role)
        if index is None or "spectral_index" not in self.registry:
            return None
        if any(name not in index.defaults for name in index.parameters):
            return None
        for place in self._places(request):
            local = replace(request, place=place)
            bands = [
                next((g for r in band.roles if (g := self._find_layers(r, local))), None)
                for band in index.bands
            ]
            sources = tuple(band for band in bands if band is not None)
            if len(sources) == len(index.bands) and (items := _common(role, sources)):
                tool = self.registry.get("spectral_index")
                return DerivedRole(role, tool, {tool.inputs[0].name: sources}, items, {"name": index.name})
        return None


def _as_one(role: str, mosaic: Tool, parts: tuple[Source, ...]) -> DerivedRole:
    """Return a role of all tiles together; what looks at other pixels is made of the whole ground.

    Tile by tile a slope would lack the pixels along the edges inside, and TVDI have a triangle for each.
    """
    whole = tuple(replace(item, place="") for item in _common(role, parts))
    first = parts[0]
    if isinstance(first, DerivedRole) and (first.tool.kit == TERRAIN or first.tool.of_scene):
        alike = [part for part in parts if isinstance(part, DerivedRole) and part.tool is first.tool]
        if len(alike) == len(parts) and all(part.inputs.keys() == first.inputs.keys() for part in alike):
            inputs: dict[str, tuple[Source, ...]] = {
                name: tuple(
                    _as_one(column[0].role, mosaic, column)
                    for column in zip(*(part.inputs[name] for part in alike), strict=True)
                )
                for name in first.inputs
            }
            return replace(first, inputs=inputs, items=whole)
    return DerivedRole(role, mosaic, {mosaic.inputs[0].name: parts}, whole)


def is_joined(source: Source) -> bool:
    """Return whether a role is had of several tiles together."""
    if isinstance(source, AvailableRole):
        return False
    return source.tool.gives.quantity == "mosaic" or any(
        is_joined(part) for parts in source.inputs.values() for part in parts
    )


def _first_address(source: Source) -> str:
    if isinstance(source, AvailableRole):
        return source.items[0].address
    return "; ".join(_first_address(part) for parts in source.inputs.values() for part in parts)


def _of_two_dates(tool: Tool, inputs: dict[str, tuple[Source, ...]]) -> bool:
    """Return whether a tool compares two dates of one role; day and night are halves of one date."""
    alike = [p for p in tool.inputs if p.name in inputs and not re.search(r"day|night", p.name.lower())]
    roles = [(p.contract.roles, inputs[p.name]) for p in alike if not p.many]  # type: ignore[union-attr]
    return any(one == other for i, one in enumerate(roles) for other in roles[i + 1 :])


def _fewest(centres: dict[str, list[float]]) -> int:
    return min(len(numbers) for numbers in centres.values())


def is_of_all_dates(tool: Tool) -> bool:
    """Return whether a tool makes the raster of each date from those of all dates."""
    many = bool(tool.outputs) and tool.outputs[0].many
    return many and tool.kit == "Series" and all(parameter.many for parameter in tool.inputs)


def is_stack(parameter: Parameter, tool: Tool) -> bool:
    """Return whether a parameter takes several bands of one scene, in a tool for one scene."""
    return parameter.many and bool(tool.outputs) and not tool.outputs[0].many and not is_base(parameter, tool)


def based_on(parameter: Parameter, tool: Tool) -> Parameter | None:
    """Return the one image that a parameter gives other years of; ``None`` where it is no such base."""
    if not parameter.many or tool.kit != "Series" or not parameter.contract.roles:  # type: ignore[union-attr]
        return None
    alike = (p for p in tool.inputs if not p.many and p.contract == parameter.contract)
    return next(alike, None)


def is_base(parameter: Parameter, tool: Tool) -> bool:
    """Return whether a parameter takes the other years of the image that another one takes."""
    return based_on(parameter, tool) is not None


def base_of(item: Item, items: typing.Iterable[Item]) -> list[Item]:
    """Return those items that are of the calendar month of one, of every year."""
    return [other for other in items if other.date and item.date and other.date.month == item.date.month]


def _of_several_years(source: Source) -> bool:
    """Return whether any month of a source is there of two years or more, as a base needs it."""
    months = {(item.date.year, item.date.month) for item in source.items if item.date}
    return len({month for _, month in months}) < len(months)


class Partners:
    """The items of a source, found by their moment and their day."""

    def __init__(self, source: Source) -> None:
        first = source.items[0] if len(source.items) == 1 else None
        self._only = first if first is not None and first.date is None else None
        self._moments: dict[datetime | None, Item] = {}
        self._days: dict[date, Item] = {}
        for item in source.items:
            self._moments.setdefault(item.date, item)
            if item.date is not None:
                self._days.setdefault(item.date.date(), item)

    def of(self, item: Item) -> Item | None:
        """Return the item at the same moment, else on the same day, else the only undated one."""
        if self._only is not None:
            return self._only
        same = self._moments.get(item.date)
        return self._days.get(item.date.date()) if same is None and item.date is not None else same


def partner(source: Source, item: Item) -> Item | None:
    """Return the item of a source at the same moment, else on the same day, else its only undated one."""
    return Partners(source).of(item)


def _common(role: str, sources: Sequence[Source]) -> tuple[Item, ...]:
    """Return an item for each date that every source has."""
    # What has no date, such as an elevation model, goes with each date of the others.
    leading = next((s for s in sources if any(item.date for item in s.items)), sources[0])
    partners = [Partners(source) for source in sources]
    kept = [item for item in leading.items if all(each.of(item) for each in partners)]
    seen: set[datetime | str] = set()
    unique = []
    for item in kept:
        key = item.date or item.address
        if key not in seen:
            seen.add(key)
            # Some thousand are made for each question, for which replace() takes five times as long.
            unique.append(Item("", item.date, item.label, item.place, item.stamp))
    return tuple(unique)


@cache
def _index_of(role: str) -> SpectralIndex | None:
    return next((index for index in indices().values() if index.role == role), None)


def _of_half(parameter: str) -> typing.Callable[[Layer], bool]:
    """Return whether a layer is of the half of the day that a parameter's name speaks of."""
    half = re.search(r"day|night", parameter.lower())
    return lambda layer: half is None or half[0] in re.split(r"[^a-z]+", layer.items[0].place.lower())


def _of_sensor(sensor: str) -> typing.Callable[[Layer], bool]:
    return lambda layer: not sensor or not layer.sensor or sensor in layer.sensor


# --- What the contracts leave open ------------------------------------------------------------------


def centres_of(tool: Tool) -> dict[str, list[float]]:
    """Return the band centres that a tool has by default; it takes just as many bands, in this order."""
    return {p.name: list(p.default) for p in tool.parameters if p.contract is None and _numbers(p.default)}


def _numbers(default: Any) -> bool:
    return isinstance(default, list) and bool(default) and all(isinstance(n, float) for n in default)


def settings_of(tool: Tool, role: str) -> dict[str, Any] | None:
    """Return the required arguments that are no rasters, where the role settles them."""
    settings: dict[str, Any] = {}
    for parameter in tool.parameters:
        if parameter.contract is not None or not parameter.required:
            continue
        options = (
            typing.get_args(parameter.annotation)
            if typing.get_origin(parameter.annotation) is Literal
            else ()
        )
        wanted = role.split("_")[0]
        fitting = next((o for o in options if str(o).casefold() == wanted), None)
        if fitting is None and parameter.annotation is str and parameter.name == "parameter":
            fitting = wanted.upper()
        if fitting is None and parameter.annotation is int and parameter.name.endswith("_index"):
            fitting = 0
        if fitting is None:
            return None
        settings[parameter.name] = fitting
    return settings
