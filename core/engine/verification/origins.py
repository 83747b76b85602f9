"""What files and numbers were made of, from call to call: of which classes and dates, beyond which limits.

A class is chosen by one call, and what is measured by a later one that reads the file which the first wrote:
a mean of a raster that was cut to the forest is one of the forest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import dates_of_file
from treeline.core.engine.verification.phrases import ENDINGS, WINDS
from treeline.core.engine.verification.results import (
    is_number,
    numbers_in,
    tool_of,
    usual_argument,
    variables_in,
)
from treeline.toolkit.variables import VARIABLES

# What only tells the grid or the place of a result chooses no ground.
_NO_CHOICE = frozenset({"reference_path", "output_path", "output_paths", "output_path_list"})
_ZONES = frozenset({"zones_path", "classes_path"})
# What a raster is held against tells where it counts, and of no date.
_GROUND = re.compile(r"condition|mask|qa_|class|zone|vector|aoi")
# Ground that is chosen by how it lies.
_BEARS = re.compile(r"^(?:directions?|aspects?|facing)$")
_CHOOSES = re.compile(r"value|class|mode")
_LIMITS = re.compile(r"threshold")
# Arguments that tell how something is made, in a word by which answers call it.
_WAYS = ("name", "method")
# The ends of what is let through; one of them alone is a limit, and what lies above the least is let through.
_ENDS = {"minimum": 1, "maximum": -1}
# A formula that is one comparison with a number is such a limit, too.
_COMPARED = re.compile(r"\(?\s*[a-z]\w*\s*(?P<side>[<>])=?\s*(?P<number>[-+]?\d+(?:\.\d+)?)\s*\)?", re.I)
# What these let through is told by no single limit.
_OPEN = re.compile(r"formula|expression|minimum|maximum|mask|condition2|percentile")
_CLEARS = re.compile(r"cloud_mask")
_EQUAL = ("equal", "not_equal")
# What tools of differences take from what: the first of the two less the second.
_DIFFERENCES = {
    "calculate_tif_difference": ("image_b_path", "image_a_path"),
    "subtract": ("img1_path", "img2_path"),
}
_OF_A_DAY = len("2016-08-14")
_FILE = re.compile(rf"\.{ENDINGS}$|^@", re.I)
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit by which pixels or dates were chosen, and the side of it (1 above, -1 below)."""

    number: float
    side: int


@dataclass(frozen=True, slots=True)
class Origin:
    """What a file or a number is of.

    Attributes
    ----------
    names : frozenset of str
        The classes that it is limited to; empty where it is of the whole.
    dates : frozenset of str
        The days, months or years of what was read.
    limits : frozenset of Limit
    is_open : bool
        It was chosen in a way that names no limit, such as a formula.
    is_clear : bool
        Clouds were taken out of it.
    change : int
        It is a difference of two dates: of the later less the earlier (1), or the other way (-1).
    variables : frozenset of str
        The roles of what was read; ``UNKNOWN`` among them where a file does not tell its own.
    ways : frozenset of str
        How it was made, as calls were told it by name: an index, a method.
    """

    names: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    limits: frozenset[Limit] = frozenset()
    is_open: bool = False
    is_clear: bool = False
    change: int = 0
    variables: frozenset[str] = frozenset()
    ways: frozenset[str] = frozenset()

    def joined(self, other: Origin) -> Origin:
        """Return the origin of what is made of both."""
        return Origin(
            self.names | other.names,
            self.dates | other.dates,
            self.limits | other.limits,
            self.is_open or other.is_open,
            self.is_clear or other.is_clear,
            self.change or other.change,
            self.variables | other.variables,
            self.ways | other.ways,
        )


@dataclass(frozen=True, slots=True)
class Origins:
    """The origins of the results of a step: of all together, and of each item of a list.

    Attributes
    ----------
    items : sequence of Origin
        One for each item that a call was handed and gave something for; empty where it was handed no list.
    """

    whole: Origin
    items: Sequence[Origin] = ()


@dataclass
class _Trace:
    """The files and numbers that were made so far."""

    legend: Mapping[str, str]
    files: dict[str, Origin] = field(default_factory=dict)
    marks: set[str] = field(default_factory=set)
    numbers: dict[float, Origin] = field(default_factory=dict)

    def follow(self, step: Step) -> Origins:
        """Return what the results of a step are of, and keep what it wrote and found."""
        given = {k: v for k, v in (step.observation.arguments or {}).items() if k not in _NO_CHOICE}
        made = step.observation.products
        value = step.observation.value
        length = len(value) if isinstance(value, list) else len(made)
        own = Origin(
            frozenset(self._chosen(given)),
            limits=frozenset((*self._limits(step, given), *_lone_ends(given))),
            is_clear=_CLEARS.search(tool_of(step)) is not None,
            change=self._change(step, given),
            ways=frozenset(text.casefold() for name in _WAYS for text in texts(given.get(name))),
        )
        items = [own] * length
        for name, argument in given.items():
            if name in _ZONES or argument is None:
                continue
            if _OPEN.search(name) and not isinstance(argument, bool) and not _is_limit(name, given):
                own = own.joined(Origin(is_open=True))
            if isinstance(argument, list) and len(argument) == length:
                pairs = zip(items, argument, strict=True)
                items = [one.joined(self._origin(name, item)) for one, item in pairs]
            else:
                own = own.joined(self._origin(name, argument))
        items = [one.joined(own) for one in items]
        whole = own
        for one in items:
            whole = whole.joined(one)
        self._keep(step, made, whole, items)
        return Origins(whole, items if length > 1 else ())

    def _change(self, step: Step, given: Mapping[str, Any]) -> int:
        """Return 1 where a step took the earlier date from the later one, -1 the other way; else 0."""
        ends = _DIFFERENCES.get(tool_of(step), ())
        dates = [min(self._origin(name, given.get(name)).dates, default="") for name in ends]
        return (dates[0] > dates[1]) - (dates[0] < dates[1]) if dates and all(dates) else 0

    def _origin(self, name: str, argument: Any) -> Origin:
        """Return what an argument is of: files that it names, and numbers that earlier steps found."""
        found = Origin()
        for text in texts(argument):
            key = file_name(text)
            origin = self.files.get(key) or Origin(
                dates=frozenset(dates_of_file(text)[:1]), variables=_variables_of_file(text)
            )
            # Of what tells where something is measured it has neither the date nor the variable.
            of_place = replace(origin, dates=frozenset(), variables=frozenset())
            found = found.joined(of_place if of_ground(name) else origin)
        for number in numbers_in(argument):
            found = found.joined(self.numbers.get(number, Origin()))
        return found

    def _keep(
        self, step: Step, made: Sequence[ProductRecord], whole: Origin, items: Sequence[Origin]
    ) -> None:
        """Keep what the files that a step wrote, and its only number, are of."""
        for place, product in enumerate(made):
            origin = items[place] if len(items) == len(made) else whole
            if product.date:
                origin = replace(origin, dates=frozenset({product.date[:_OF_A_DAY]}))
            known = VARIABLES.get(product.role)
            if known is not None and known.kind != "class":  # a mask is of what it was made by
                origin = replace(origin, variables=frozenset({product.role}))
            self.files[file_name(product.name)] = self.files[file_name(product.path)] = origin
            if {product.minimum, product.maximum} <= {0.0, 1.0}:
                self.marks |= {file_name(product.name), file_name(product.path)}
        value = step.observation.value
        rows = value if isinstance(value, list) and len(value) == len(items) else [value]
        for place, row in enumerate(rows):
            for number in numbers_in(row):
                if number % 1:  # whole numbers are of anything
                    self.numbers.setdefault(number, items[place] if len(rows) == len(items) else whole)

    def _chosen(self, given: Mapping[str, Any]) -> Iterator[str]:
        """Yield the classes that a call chooses: by an attribute, a direction, or their number."""
        only = given.get("only")
        if isinstance(only, dict):
            yield from (str(value).casefold() for value in only.values())
        for name, item in given.items():
            words = [item] if isinstance(item, str) else item
            if _BEARS.search(name) and isinstance(words, list) and len(words) == 1 and words[0] in WINDS:
                yield str(words[0])
        of_marks = file_name(str(given.get("condition_path", ""))) in self.marks  # whose 1 is no class
        for name, item in given.items() if not of_marks else ():
            # So many classes are no class.
            chooses = given.get("mode") == "equal" or _CHOOSES.search(name) and not name.endswith("classes")
            if is_number(item) and f"{item:g}" in self.legend and chooses:
                yield self.legend[f"{item:g}"]

    def _limits(self, step: Step, given: Mapping[str, Any]) -> Iterator[Limit]:
        """Yield the limits of a call; what is cut to a mask of 0 and 1 is cut to what that was made by."""
        read = [given["condition_path"]] if "condition_path" in given else list(given.values())
        files = {file_name(text) for text in texts(read)}
        mode = str(given.get("mode", usual_argument(step, "mode")))
        if mode in _EQUAL or files and files <= self.marks:
            return
        below = mode.startswith("below") or given.get("above") is False
        for name, item in given.items():
            if _LIMITS.search(name) and is_number(item):
                yield Limit(float(item), -1 if below else 1)


def _lone_ends(given: Mapping[str, Any]) -> Iterator[Limit]:
    """Yield the limits that a call names by one end of what it lets through, or by a comparison."""
    for name, item in given.items():
        if _is_limit(name, given):
            match = _COMPARED.fullmatch(str(item))
            yield (
                Limit(float(match["number"]), 1 if match["side"] == ">" else -1)
                if match
                else Limit(float(item), _ENDS[name])
            )


def _is_limit(name: str, given: Mapping[str, Any]) -> bool:
    """Return whether an argument lets through what lies on one side of a number, and no other limits it."""
    if name in _ENDS:
        return is_number(given[name]) and sum(is_number(given.get(end)) for end in _ENDS) == 1
    return name == "formula" and _COMPARED.fullmatch(str(given[name])) is not None


def _variables_of_file(text: str) -> frozenset[str]:
    """Return the variables of a file that no step wrote, by its name; none of a text that names no file."""
    if not _FILE.search(text):
        return frozenset()
    return frozenset(variables_in(file_name(text))) or frozenset({UNKNOWN})


def of_ground(argument: str) -> bool:
    """Return whether an argument of a call tells where something is measured, and not what."""
    return _GROUND.search(argument) is not None


def trace_origins(steps: Sequence[Step], legend: Mapping[str, str]) -> dict[int, Origins]:
    """Return what the results of each step are of, by its number.

    Parameters
    ----------
    steps : sequence of Step
        All that were carried out, in order.
    legend : mapping
        Names of classes by their number, as text.
    """
    trace = _Trace(legend)
    return {step.number: trace.follow(step) for step in steps}
