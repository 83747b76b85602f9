"""Formulas over bands, evaluated by walking their syntax tree.

A formula knows numbers, names, ``+ - * / **``, the sign, and a few functions of arrays. Nothing
else is understood, so that a formula can never run code. A condition also knows comparisons, ``&``
(and), ``|`` (or) and ``~`` (not).
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.syntax import NO_EXPRESSION, expression_in

Evaluator = Callable[[Mapping[str, Any]], Any]

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_LOGIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.BitAnd: np.logical_and,
    ast.BitOr: np.logical_or,
}


def radial_basis(first: Any, second: Any, sigma: Any) -> Any:
    """Return the radial basis function kernel of two reflectances.

    Source: Camps-Valls et al. 2021, Sci. Adv. 7:eabc7447.
    """
    return np.exp(-((first - second) ** 2) / (2 * sigma**2))


def choose(condition: Any, where: Any, elsewhere: Any) -> Any:
    """Return one value where a condition holds and another where it does not."""
    return np.where(condition, where, elsewhere)


_CONDITIONAL = "where"
# What stands for a pixel without data, so that a formula can leave some out.
NO_DATA = "nodata"
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    _CONDITIONAL: choose,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "abs": np.abs,
    "rbf": radial_basis,
}


@dataclass(frozen=True)
class Formula:
    """A formula that has been understood.

    Attributes
    ----------
    text : str
        As written.
    names : tuple of str
        The bands and parameters in it, in the order of their first use.
    """

    text: str
    names: tuple[str, ...]
    _evaluate: Evaluator

    def __call__(self, values: Mapping[str, Any]) -> Any:
        """Return the value; ``values`` has arrays or numbers by name.

        Raises
        ------
        InputError
            Its numbers alone cannot be computed, such as ``1 / 0``.
        """
        try:
            return self._evaluate(values)
        except ArithmeticError as error:
            raise InputError(
                f"The formula {self.text[:80]!r} cannot be computed: {error}.",
                f"Write {NO_DATA} for pixels that are to have no data, as in where(c == 0, a, {NO_DATA}).",
            ) from error


@lru_cache(maxsize=1024)
def parse(text: str) -> Formula:
    """Understand a formula.

    Raises
    ------
    InputError
        It holds something else than arithmetic over names; the message names what.
    """
    try:
        body = expression_in(text)
    except NO_EXPRESSION as error:
        raise InputError(
            f"The formula {text[:80]!r} is not arithmetic.", "Write it like '(N - R) / (N + R)'."
        ) from error
    names: dict[str, None] = {}
    evaluate = _compile(body, names)
    return Formula(text, tuple(names), evaluate)


@lru_cache(maxsize=1024)
def parse_condition(text: str) -> Formula:
    """Understand a condition: arithmetic that is compared, such as ``(N > 0.5) & ~(S == 3)``.

    Raises
    ------
    InputError
        It is not arithmetic, or what it joins are no comparisons.
    """
    try:
        body = expression_in(text)
    except NO_EXPRESSION as error:
        raise InputError(
            f"The condition {text[:80]!r} is not understood.", "Write it like '(N > 0.5) & (S < 15)'."
        ) from error
    names: dict[str, None] = {}
    evaluate = _condition(body, names)
    return Formula(text, tuple(names), evaluate)


def constants_in(text: str) -> list[float]:
    """Return the numbers that a formula writes; none for what is no formula."""
    try:
        body = expression_in(text)
    except NO_EXPRESSION:
        return []
    values = (node.value for node in ast.walk(body) if isinstance(node, ast.Constant))
    return [float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool)]


def is_condition(text: str) -> bool:
    """Return whether a formula compares, so that it gives true and false."""
    try:
        body = expression_in(text)
    except NO_EXPRESSION:
        return False
    return isinstance(body, ast.Compare) or _joins(body) or _negates(body)


def _joins(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and type(node.op) in _LOGIC


def _negates(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)


def _condition(node: ast.expr, names: dict[str, None]) -> Evaluator:
    if isinstance(node, ast.BinOp) and type(node.op) in _LOGIC:
        join = _LOGIC[type(node.op)]
        left, right = _condition(node.left, names), _condition(node.right, names)
        return lambda values: join(left(values), right(values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        operand = _condition(node.operand, names)
        return lambda values: np.logical_not(operand(values))
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARISONS:
        compare = _COMPARISONS[type(node.ops[0])]
        one, other = _compile(node.left, names), _compile(node.comparators[0], names)
        return lambda values: compare(one(values), other(values))
    raise _syntax_error(node)


def _compile(node: ast.expr, names: dict[str, None]) -> Evaluator:
    compiler = _COMPILERS.get(type(node))
    if compiler is None:
        raise _syntax_error(node)
    return compiler(node, names)


def _number(node: Any, names: dict[str, None]) -> Evaluator:
    value = node.value
    # True is a number to Python, but not in a formula.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _syntax_error(node)
    number = float(value)
    return lambda values: number


def _name(node: Any, names: dict[str, None]) -> Evaluator:
    key = node.id
    if key == NO_DATA:
        return lambda values: np.nan
    names[key] = None
    return lambda values: values[key]


def _binary(node: Any, names: dict[str, None]) -> Evaluator:
    operation = _BINARY.get(type(node.op))
    if operation is None:
        raise _syntax_error(node)
    left, right = _compile(node.left, names), _compile(node.right, names)
    return lambda values: operation(left(values), right(values))


def _unary(node: Any, names: dict[str, None]) -> Evaluator:
    operation = _UNARY.get(type(node.op))
    if operation is None:
        raise _syntax_error(node)
    operand = _compile(node.operand, names)
    return lambda values: operation(operand(values))


def _call(node: Any, names: dict[str, None]) -> Evaluator:
    function = _FUNCTIONS.get(node.func.id) if isinstance(node.func, ast.Name) else None
    if function is None or node.keywords:
        raise _syntax_error(node)
    if node.func.id == _CONDITIONAL and len(node.args) != 3:
        raise InputError(
            f"'where' has {len(node.args)} parts in the formula.",
            "Write where(condition, value, other value).",
        )
    # The first part of 'where' is the one place where arithmetic may compare.
    arguments = [
        (_condition if node.func.id == _CONDITIONAL and not place else _compile)(argument, names)
        for place, argument in enumerate(node.args)
    ]
    return lambda values: function(*(argument(values) for argument in arguments))


_COMPILERS: dict[type[ast.expr], Callable[[Any, dict[str, None]], Evaluator]] = {
    ast.Constant: _number,
    ast.Name: _name,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Call: _call,
}


def _syntax_error(node: ast.AST) -> InputError:
    if isinstance(node, ast.BoolOp):
        return InputError(
            f"The formula joins conditions by words: {ast.unparse(node)[:60]!r}.",
            "Write (a > 1) & (b < 2), (a > 1) | (b < 2) or ~(a > 1).",
        )
    if isinstance(node, ast.Compare):
        condition = ast.unparse(node)[:60]
        return InputError(
            f"The formula compares where a number is wanted: {condition!r}.",
            f"Write where({condition}, 1, 0) for a number of a condition.",
        )
    return InputError(
        f"The formula holds {ast.unparse(node)[:60]!r}, which is not arithmetic over bands.",
        f"Use numbers, names, + - * / ** and {', '.join(_FUNCTIONS)}.",
    )
