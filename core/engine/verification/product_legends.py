"""What the classes of rasters that tools made are called, by the contracts of the tools.

A tool that writes classes tells in its document what their numbers mean: 1 valley, 2 lower slope; 1 seen, 0
not seen. A number of such a class is no class of the user's map, and no name of it is another one's.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import Step
from treeline.core.engine.verification.results import classes_path_of, tool_of
from treeline.toolkit import registry
from treeline.toolkit.contracts import Writes
from treeline.toolkit.syntax import NO_EXPRESSION, expression_in
from treeline.toolkit.variables import VARIABLES

_CLASS = re.compile(r"(?<![\w.-])(?P<number>\d{1,2}) (?P<name>[a-z][a-z -]*?)(?=[,;:.]| and \d|$)")
_WRITES_CLASSES = frozenset({"class", None})
_MARKS = frozenset({"0", "1"})
_OWN_NUMBERS = frozenset({"clusters", "classes"})
_MADE_CLASSES = _OWN_NUMBERS | {"mask", "change_mask"}
_SIDES = ("before", "after")
_OF_A_CHOICE = len(("condition", "if it is so", "else"))


@cache
def classes_of_tool(tool: str) -> Mapping[str, str]:
    """Return what a tool calls the classes that it writes, by their number as text; else nothing."""
    if tool not in registry():
        return {}
    known = registry().get(tool)
    written = [each for each in known.parameters if isinstance(each.contract, Writes)]
    contracts = [each.contract for each in written if isinstance(each.contract, Writes)]
    if not any(contract.unit in _WRITES_CLASSES for contract in contracts):
        return {}
    for text in (*(each.description for each in written), known.brief):
        found = {
            match["number"]: match["name"].strip().removeprefix("significant ")
            for match in _CLASS.finditer(" ".join(text.split()))
        }
        if len(found) > 1 and "1" in found:
            return found
    return {}


def legends_of_steps(steps: Sequence[Step]) -> dict[int, Mapping[str, str]]:
    """Return by number of step what the classes of the rasters that it read are called, as tools named them.

    Of a mask, whose numbers are no classes, nothing is called so; and clusters have numbers of their own, as
    zones have that a formula writes, which no class of the user's map has.
    """
    made: dict[str, Mapping[str, str]] = {}
    clusters, marks = set[str](), set[str]()
    found: dict[int, Mapping[str, str]] = {}
    for step in steps:
        classes = file_name(classes_path_of(step))
        names = [classes] if classes else [*map(file_name, texts(step.observation.arguments))]
        read = [made[name] for name in names if name in made]
        if read and not is_of_marks(read[0]):
            found[step.number] = read[0]
        elif clusters.intersection(names) or classes in marks:
            found[step.number] = {}
        named, given = _names_given(step), step.observation.arguments or {}
        made |= dict.fromkeys(_written(step), named or classes_of_tool(tool_of(step)))
        own = writes_own_numbers(str(given.get("formula", "")))
        products = [p for p in step.observation.products if (own or p.role in _OWN_NUMBERS) and not named]
        clusters |= {name for product in products for name in _names(product)}
        marks |= {name for p in step.observation.products if p.role == "mask" for name in _names(p)}
    return found


def _names_given(step: Step) -> Mapping[str, str]:
    """Return what a call said that the numbers of the classes mean which it writes; else nothing."""
    named = (step.observation.arguments or {}).get("class_names") if step.observation.products else None
    return named if isinstance(named, dict) else {}


def with_names_of_sides(step: Step, steps: Sequence[Step], legend: Mapping[str, str]) -> Step:
    """Return a step that crossed two class rasters with the names that the classes of each have.

    What the land cover of a mask is has numbers of the user's map before, and 0 and 1 after.

    Parameters
    ----------
    steps : sequence of Step
        All that were carried out.
    legend : mapping
        Names of the classes of the user's map by their number, as text.
    """
    value, given = step.observation.value, step.observation.arguments or {}
    rows = value.get("transitions") if isinstance(value, dict) else None
    if not isinstance(rows, list) or not {f"{side}_path" for side in _SIDES} <= given.keys():
        return step
    made: dict[str, Mapping[str, str]] = {}
    for earlier in steps:
        own = [p for p in earlier.observation.products if p.role in _MADE_CLASSES]
        called = _names_given(earlier) or classes_of_tool(tool_of(earlier))
        made |= {name: called for product in own for name in _names(product)}
    read = {side: file_name(str(given[f"{side}_path"])) for side in _SIDES}
    if sum(name in made for name in read.values()) != 1:
        return step
    names = {side: made.get(name, legend) for side, name in read.items()}
    found = [row | {side: names[side].get(str(row[side]), row[side]) for side in _SIDES} for row in rows]
    observation = replace(step.observation, value={**value, "transitions": found})
    return replace(step, observation=observation)


def writes_own_numbers(formula: str) -> bool:
    """Return whether a formula gives numbers that it writes itself: 1 where it is steep, else 2.

    ``where(m == 1, c, nodata)`` passes on those of a raster, and keeps what they mean.
    """
    try:
        root = expression_in(formula)
    except NO_EXPRESSION:
        return False
    return isinstance(root, ast.Call) and any(isinstance(each, ast.Constant) for each in _given_by(root))


def _given_by(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what a formula may give: of a choice, either side of it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == _OF_A_CHOICE:
        yield from (each for side in node.args[1:] for each in _given_by(side))
    else:
        yield node


def marks_of_steps(steps: Sequence[Step]) -> dict[int, Mapping[str, str]]:
    """Return by number of step what 1 and 0 of the only mask that it read mean; empty where no tool says."""
    made: dict[str, Mapping[str, str]] = {}
    found: dict[int, Mapping[str, str]] = {}
    for step in steps:
        read = [made[name] for name in map(file_name, texts(step.observation.arguments)) if name in made]
        if len(read) == 1:
            found[step.number] = read[0]
        legend = classes_of_tool(tool_of(step))
        masks = {
            name for product in step.observation.products if _is_mask(product) for name in _names(product)
        }
        made |= {name: legend if is_of_marks(legend) else {} for name in masks}
    return found


def is_of_marks(legend: Mapping[str, str]) -> bool:
    """Return whether a legend is that of a mask, which has no other numbers than 0 and 1."""
    return legend.keys() <= _MARKS


def _is_mask(product: ProductRecord) -> bool:
    variable = VARIABLES.get(product.role)
    of_class = variable is None or variable.kind == "class"
    return of_class and {product.minimum, product.maximum} <= {0.0, 1.0}


def _written(step: Step) -> list[str]:
    return [name for product in step.observation.products for name in _names(product)]


def _names(product: ProductRecord) -> tuple[str, str]:
    return file_name(product.name), file_name(product.path)
