"""What the result of a step is: its numbers, and what the tool that gave them calls them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, TypeGuard

from treeline.core.engine.actions import Call, ProductRecord
from treeline.core.engine.state import Step
from treeline.toolkit import registry
from treeline.toolkit.variables import VARIABLES

# What tables and records call what a row is of, and the statistics of one thing.
IDENTIFIERS = frozenset({"class", "zone", "id", "fid", "number", "polygon"})
STATISTICS = frozenset(
    ["mean", "median", "min", "max", "minimum", "maximum", "std", "sum", "count", "slope", "intercept", "p"]
    + ["p_value", "pvalue", "z", "tau", "r", "r2", "trend", "value", "index", "share", "total", "valid"]
    + ["number", "rank", "statistic", "significant", "standard_error", "s", "variance", "n", "i", "expected"]
    + ["overall_accuracy", "accuracy", "kappa", "samples", "precision", "recall", "f1"]
)


_GAPS = re.compile(r"\bno valid pixel\b|\bNo pixel of \S+ is valid\b")


def is_number(value: Any) -> TypeGuard[int | float]:
    """Return whether a value is a number; yes and no are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers_in(value: Any) -> Iterator[float]:
    """Yield the numbers in a result, however deep."""
    if is_number(value):
        yield float(value)
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(item)


def is_written_as(own: float, number: Any) -> bool:
    """Return whether a number is another one, or is that as a model writes it with fewer digits."""
    return own == number or is_number(number) and bool(written_as([own], [number]))


def written_as(own: Iterable[float], numbers: Iterable[float]) -> set[float]:
    """Return those of some numbers that are one of other ones, or are one as a model writes it shortly."""
    known = set(own)
    rounded: dict[int, set[float]] = {}
    found = set()
    for number in dict.fromkeys(numbers):
        text = repr(float(number))
        places = len(text.partition(".")[2])
        if number not in known and "e" not in text and places not in rounded:
            rounded[places] = {round(each, places) for each in known}
        if number in known or number in rounded.get(places, ()):
            found.add(number)
    return found


def numbers_of(steps: Iterable[Step]) -> list[float]:
    """Return the numbers in the results of steps, each once."""
    return list(dict.fromkeys(number for step in steps for number in numbers_in(step.observation.value)))


def only_number(step: Step) -> float | None:
    """Return the number of a step that gave one alone."""
    value = step.observation.value
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    return float(value) if is_number(value) else None


def tool_of(step: Step) -> str:
    """Return the name of the tool that a step called; empty where it called none."""
    return step.action.tool if isinstance(step.action, Call) else ""


def quantity_of(step: Step) -> str:
    """Return what the tool of a step gives, as its contract calls it; empty where nothing tells it."""
    name = tool_of(step)
    return registry().get(name).gives.quantity if name in registry() else ""


def classes_path_of(step: Step) -> str:
    """Return the raster by whose classes a step measured another one; empty where there is none."""
    return str((step.observation.arguments or {}).get("classes_path", ""))


def usual_numbers(step: Step) -> Iterator[float]:
    """Yield the numbers that the tool of a step used of itself, where the call told it none."""
    told = (step.observation.arguments or {}).keys()
    for name, usual in _usual_arguments(tool_of(step)).items():
        if name not in told and is_number(usual):
            yield float(usual)


def usual_argument(step: Step, argument: str) -> str:
    """Return what the tool of a step takes for an argument that it is not told; empty where nothing."""
    return str(_usual_arguments(tool_of(step)).get(argument) or "")


@cache
def _usual_arguments(tool: str) -> dict[str, Any]:
    known = registry().get(tool).schema["properties"] if tool in registry() else {}
    return {name: each["default"] for name, each in known.items() if "default" in each}


def ends_of_values(product: ProductRecord) -> tuple[float | None, float | None]:
    """Return the smallest and the largest value of a raster; what only marks pixels has none of a size."""
    variable = VARIABLES.get(product.role)
    marks = variable is not None and variable.kind == "class"
    if marks and {product.minimum, product.maximum} <= {0.0, 1.0}:
        return None, None
    return product.minimum, product.maximum


def tells_gaps(step: Step) -> bool:
    """Return whether a step says that rasters have no valid pixel."""
    return any(_GAPS.search(warning) for warning in step.observation.warnings)


def percentiles_of(steps: Sequence[Step]) -> list[tuple[float, float]]:
    """Return the percentages and the values of the percentiles that steps found."""
    found = []
    for step in steps:
        arguments = step.observation.arguments or {}
        asked = arguments.get("percentile", arguments.get("parameter"))
        named = "percentile" in arguments or arguments.get("statistic") == "percentile"
        if named and is_number(asked):
            found += [(float(asked), number) for number in numbers_in(step.observation.value)]
    return found


@lru_cache(maxsize=10_000)
def variables_in(text: str) -> frozenset[str]:
    """Return the roles of the variables that a text, or the name of a file, names."""
    words = _words(text)
    bare = " ".join({word.strip("0123456789") for word in words.split()})  # ndvi2016.tif
    words = f" {words} {bare} "
    named = _names_of_variables().items()
    return frozenset(role for role, names in named if any(name in words for name in names))


@cache
def _names_of_variables() -> dict[str, tuple[str, ...]]:
    """Return by role how texts and names of files call a variable."""
    return {role: tuple(f" {_words(name)} " for name in (role, *v.words)) for role, v in VARIABLES.items()}


def _words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.casefold()))
