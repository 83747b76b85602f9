"""What the nodes of an expression evaluate to, with the labels of the axes that it varies over."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.plan import CannotAnswer
from treeline.core.query.kinds import Axis


@dataclass(frozen=True, slots=True)
class Mark:
    """One place on an axis: a date, a period or a zone.

    Attributes
    ----------
    label : str
        As people write it.
    date : datetime, optional
        Of a period its first image's.
    """

    label: str
    date: dt.datetime | None = None

    @property
    def key(self) -> object:
        """What two marks share that stand for the same: the day, else the label."""
        return (
            self.date.date()
            if self.date and self.label[:4].isdigit() and len(self.label) >= 10
            else self.label
        )


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis with its marks, in order."""

    axis: Axis
    marks: tuple[Mark, ...]

    def __len__(self) -> int:
        return len(self.marks)

    @property
    def labels(self) -> tuple[str, ...]:
        """The marks as people write them."""
        return tuple(mark.label for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers over no, one or two axes.

    Attributes
    ----------
    scales : tuple of Scale
        None for a single number.
    values : tuple of float or None
        The last axis varies fastest; ``None`` where no pixel or date is valid.
    truth : bool
        1 and 0 stand for true and false.
    reference : str
        How a later call can address just these values; empty where it must be given them.
    places : int
        Decimals that the question asks for; -1 for what is sensible.
    """

    scales: tuple[Scale, ...]
    values: tuple[float | None, ...]
    unit: str = ""
    truth: bool = False
    reference: str = ""
    places: int = -1

    @property
    def single(self) -> float | None:
        """The only value."""
        return self.values[0]

    @property
    def argument(self) -> object:
        """How a later call is given the values: a number, or a list."""
        if not self.scales:
            return self.values[0]
        return self.reference or list(self.values)

    def scale(self, axis: str) -> Scale:
        """Return the marks of an axis."""
        return next(scale for scale in self.scales if scale.axis == axis)

    def has(self, axis: str) -> bool:
        """Return whether the numbers vary over an axis."""
        return any(scale.axis == axis for scale in self.scales)

    def rows(self, axis: str) -> tuple[tuple[Scale, ...], list[list[float | None]]]:
        """Return the other axes, and for each of their places the values along an axis."""
        position = next(n for n, scale in enumerate(self.scales) if scale.axis == axis)
        others = tuple(scale for scale in self.scales if scale.axis != axis)
        along = len(self.scales[position])
        found = []
        for place in places(others):
            indexes = [(*place[:position], i, *place[position:]) for i in range(along)]
            found.append([self.values[flat(index, self.scales)] for index in indexes])
        return others, found


@dataclass(frozen=True, slots=True)
class Rasters:
    """A raster, or one for each date or period.

    Attributes
    ----------
    axis : str
        ``date`` or ``period``; empty for a single raster without that axis.
    truth : bool
        1 inside, 0 outside, nodata where it cannot be told.
    """

    layer: Layer
    axis: Axis | None = None
    truth: bool = False

    @property
    def items(self) -> tuple[Item, ...]:
        """The rasters in order."""
        return self.layer.items

    @property
    def unit(self) -> str:
        """Of the values."""
        return self.layer.unit

    @property
    def scales(self) -> tuple[Scale, ...]:
        """The axis besides that of pixels."""
        if self.axis is None:
            return ()
        return (Scale(self.axis, tuple(Mark(item.label, item.date) for item in self.items)),)

    def at(self, outputs: Sequence[str], role: str, unit: str, *, truth: bool = False) -> Rasters:
        """Return rasters of products that stand for these, one for each."""
        items = tuple(replace(i, address=o) for i, o in zip(self.items, outputs, strict=True))
        return Rasters(Layer(role, items, unit), self.axis, truth)


@dataclass(frozen=True, slots=True)
class ZoneRaster:
    """Numbered zones on the ground.

    Attributes
    ----------
    labels : mapping
        Number to what the zone is called, in the order of an answer; a number not in it is no zone.
    """

    address: str
    labels: Mapping[float, str]


@dataclass(frozen=True, slots=True)
class Selection:
    """Dates, periods or zones that were found, with the values that they were chosen by.

    Attributes
    ----------
    alone : bool
        One was asked for.
    """

    axis: Axis
    marks: tuple[Mark, ...]
    values: tuple[float | None, ...] = ()
    unit: str = ""
    alone: bool = True


@dataclass(frozen=True, slots=True)
class Text:
    """Something said in words, with the number that carries it where there is one.

    Attributes
    ----------
    labels, numbers : tuple
        Names and further numbers that an option may hold.
    verdict : str
        Of a test, what it comes to: two that share it answer alike, whatever their numbers.
    """

    text: str
    value: float | None = None
    unit: str = ""
    product: str = ""
    labels: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The values of several questions."""

    values: tuple[Value, ...]


Value: TypeAlias = Numbers | Rasters | Selection | Text | Bundle


def number(value: float | None, unit: str = "", reference: str = "") -> Numbers:
    """Return a single number."""
    return Numbers((), (value,), unit, reference=reference)


def places(scales: Sequence[Scale]) -> Iterator[tuple[int, ...]]:
    """Yield the indexes of every place of some axes, in the order of the values."""
    return itertools.product(*(range(len(scale)) for scale in scales))


def flat(index: Sequence[int], scales: Sequence[Scale]) -> int:
    """Return where the value of some indexes stands."""
    position = 0
    for one, scale in zip(index, scales, strict=True):
        position = position * len(scale) + one
    return position


def common_scales(several: Sequence[Numbers | Rasters]) -> tuple[Scale, ...]:
    """Return the axes over which values vary together, each with the marks that all of them have.

    Raises
    ------
    CannotAnswer
        They share an axis but no mark on it.
    """
    found: dict[str, Scale] = {}
    for value in several:
        for scale in value.scales:
            if scale.axis not in found:
                found[scale.axis] = scale
                continue
            keys = {mark.key for mark in scale.marks}
            kept = tuple(mark for mark in found[scale.axis].marks if mark.key in keys)
            if not kept:
                one, other = found[scale.axis].labels, scale.labels
                raise CannotAnswer(
                    f"What is set against each other has no {scale.axis} in common: "
                    f"{one[0]} to {one[-1]} against {other[0]} to {other[-1]}.",
                    "Take the mean over the dates of each first, or name dates that both have.",
                )
            found[scale.axis] = Scale(scale.axis, kept)
    return tuple(found.values())


def spread(value: Numbers, scales: Sequence[Scale]) -> list[float | None]:
    """Return the numbers for every place of axes that hold their own."""
    if not value.scales:
        return [value.values[0]] * _size(scales)
    axes = [scale.axis for scale in scales]
    lookups = []
    for scale in value.scales:
        axis = axes.index(scale.axis)
        lookups.append((axis, _places_of(scales[axis].marks, scale.marks)))
    found = []
    for place in places(scales):
        index = [positions[place[axis]] for axis, positions in lookups]
        found.append(value.values[flat(index, value.scales)])
    return found


def match_items(value: Rasters, scales: Sequence[Scale]) -> list[Item]:
    """Return the raster for every mark of an axis; a single one serves all."""
    if not scales:
        return list(value.items[:1])
    if value.axis is None:
        return [value.items[0]] * len(scales[0])
    return [value.items[n] for n in _places_of(scales[0].marks, value.scales[0].marks)]


def _places_of(wanted: Sequence[Mark], marks: Sequence[Mark]) -> list[int]:
    """Return where some marks stand among others: those of just that label, else the first of that day."""
    by_label = {mark.label: i for i, mark in reversed(list(enumerate(marks)))}
    by_key = {mark.key: i for i, mark in reversed(list(enumerate(marks)))}
    return [by_label[mark.label] if mark.label in by_label else by_key[mark.key] for mark in wanted]


def _size(scales: Sequence[Scale]) -> int:
    size = 1
    for scale in scales:
        size *= len(scale)
    return size


def as_numbers(value: Value) -> Value:
    """Return the number that a text of the data themselves carries, as how many images there are."""
    if isinstance(value, Text) and value.value is not None:
        return Numbers((), (value.value,), value.unit)
    return value
