"""What is needed with numbers in hand: a calculator, and the rows of a long result."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.index.formula import Formula, is_condition, parse, parse_condition
from treeline.toolkit.lists import rows_of
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.syntax import NO_EXPRESSION, expression_in
from treeline.toolkit.tool import OF_INPUT, Gives, tool

_LONGEST = 300
_MOST_ROWS = 200


@tool(
    kit=STATISTICS,
    source="Elementary arithmetic.",
    gives=Gives("value", "calculation", OF_INPUT),
    formula="the formula that is given",
    difference="None: one formula in both.",
)
def calculate(formula: str, values: dict[str, float | list[float | None]] | None = None) -> Any:
    """Value of an arithmetic formula over numbers in hand, such as ``100 * (b - a) / a``.

    Parameters
    ----------
    formula : str
        Numbers, names, ``+ - * / **`` and ``sqrt, exp, log, abs``; of a list ``sum, mean, median, min, max``
        and how many items it has, or meet a condition: ``count(a > 0.5)``.
    values : dict, optional
        Numbers, or lists of one length, by the name in the formula, such as
        ``{"a": 0.25, "b": "@result4"}``.

    Returns
    -------
    float or list
        One number, or one for each item of the lists; null where an item is missing.
    """
    if len(formula) > _LONGEST:
        raise InputError(f"formula: it has {len(formula)} characters.", f"Keep it below {_LONGEST}.")
    given = values or {}
    return _evaluate(_Summaries(given).replace(formula), given)


def _evaluate(formula: str, given: Mapping[str, Any], understand: Callable[[str], Formula] = parse) -> Any:
    """Return the value of a formula, or of each item where it has lists; null where one is missing."""
    understood = understand(formula)
    missing = [name for name in understood.names if name not in given]
    if missing:
        raise InputError(
            f"values: there is no number for {missing[0]!r}; given are {', '.join(given) or 'none'}.",
            f"The formula is {formula!r}.",
        )
    used = {name: np.asarray(given[name], dtype=float) for name in understood.names}
    lengths = {name: array.size for name, array in used.items() if array.ndim}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError(f"values: the lists differ in length: {told}.", "Give lists of one length.")
    with np.errstate(all="ignore"):
        found = np.asarray(understood(used), dtype=float)
    if not found.ndim and not np.isfinite(found):
        raise InputError(f"The formula {formula!r} has no value with these numbers.", "Is a divisor 0?")
    return [float(item) if np.isfinite(item) else None for item in found] if found.ndim else float(found)


_SUMMARIES: Mapping[str, Callable[[Any], Any]] = {
    "sum": np.sum,
    "mean": np.mean,
    "median": np.median,
    "min": np.min,
    "max": np.max,
}
_COUNT = "count"


@dataclass
class _Summaries(ast.NodeTransformer):
    """Puts the sum, mean or number of the items of a list in the place where a formula asks for it."""

    given: Mapping[str, Any]

    def replace(self, formula: str) -> str:
        """Return a formula without summaries; what is no arithmetic as it is, for the reader to refuse."""
        try:
            body = expression_in(formula)
        except NO_EXPRESSION:
            return formula
        return ast.unparse(self.visit(body))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Return what a call comes to, where it summarises."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in (*_SUMMARIES, _COUNT) or len(node.args) != 1 or node.keywords:
            return self.generic_visit(node)
        inner = ast.unparse(self.visit(node.args[0]))
        # A condition such as count(x > 3) is summarised over its truth values.
        found = _evaluate(inner, self.given, parse_condition if is_condition(inner) else parse)
        items = [item for item in (found if isinstance(found, list) else [found]) if item is not None]
        if name == _COUNT:
            return ast.Constant(float(sum(map(bool, items)) if is_condition(inner) else len(items)))
        if not items:
            raise InputError(f"There is no number of which {ast.unparse(node)!r} could be.", "Give a list.")
        return ast.Constant(float(_SUMMARIES[name](items)))


@tool(
    kit=STATISTICS,
    source="Picking by position.",
    gives=Gives("value", "rows"),
    formula="rows first to first + count - 1",
    difference="None: one formula in both.",
)
def get_rows(
    rows: list[Any] | dict[str, Any], first: int = 1, count: int = 40, containing: str = ""
) -> list[Any] | dict[str, Any]:
    """Rows of a long result by their place, or those that contain a text.

    Parameters
    ----------
    rows : list or dict
        The result, such as ``"@result4"``.
    first : int
        The first row that is wanted, counted from 1.
    count : int
        How many, up to 200.
    containing : str
        Only rows in which this stands, upper and lower case alike.

    Returns
    -------
    list or dict
        The rows as they are. Those of the tables of several rasters have the number of their ``raster``, and
        those of tables in a record the name of what they are ``of``.
    """
    if first < 1 or not 1 <= count <= _MOST_ROWS:
        raise InputError(
            f"first is {first} and count is {count}.",
            f"Rows are counted from 1, and 1 to {_MOST_ROWS} are given at a time.",
        )
    wanted = containing.casefold()
    listed = rows_of(rows)
    found = [row for row in listed if wanted in str(row).casefold()]
    part = found[first - 1 : first - 1 + count]
    if not part:
        of = f" that contain {containing!r}" if containing else ""
        raise InputError(
            f"rows: there is no row {first} of {len(found)}{of}.", f"All in all there are {len(listed)} rows."
        )
    return dict(part) if isinstance(rows, dict) and all(isinstance(row, tuple) for row in part) else part
