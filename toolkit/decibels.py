"""What must not be averaged, added up or divided as it stands."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source
from treeline.toolkit.syntax import expression_in

# Statistics that depend on where the scale has its zero, which decibels have at a power of 1.
OF_ZERO = {"sum": "sum", "cv": "coefficient of variation"}
MEANS = frozenset({"mean", "trimmed_mean"})
_BY = "Compute with intensities instead: decibel_to_linear gives them."
_PRODUCTS = (ast.Mult, ast.Div)


def check_statistics(bands: Iterable[Source], *names: str) -> None:
    """Say that the mean of decibels is not that of the power; refuse their sum.

    The mean of -20 and -10 dB is -15 dB, that of the power 0.01 and 0.1 is 0.055, or -12.6 dB.

    Raises
    ------
    InputError
        One of the statistics is a sum or a coefficient of variation, and a band is in decibels.
    """
    if not any(is_decibel(band.unit) for band in bands):
        return
    refused = next((OF_ZERO[name] for name in names if name in OF_ZERO), None)
    if refused is not None:
        raise InputError(f"Decibels have no {refused}: their zero is a power of 1.", _BY)
    if MEANS.intersection(names):
        current_context().warn(
            "This is the mean of decibels, which lies below the decibels of the mean power; for that take "
            "the mean of what decibel_to_linear gives."
        )


def check_formula(text: str, bands: Mapping[str, Source]) -> None:
    """Refuse a formula that multiplies or divides decibels by decibels; their difference is the ratio.

    Raises
    ------
    InputError
        It does.
    """
    names = frozenset(name for name, band in bands.items() if is_decibel(band.unit))
    if not names:
        return
    for node in ast.walk(expression_in(text)):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, _PRODUCTS):
            continue
        if _of_decibels(node.left, names) and _of_decibels(node.right, names):
            raise InputError(
                f"{text!r} multiplies or divides decibels, which are logarithms.",
                f"The ratio of two is their difference, in dB. {_BY}",
            )


def is_decibel(unit: str) -> bool:
    """Return whether a unit is that of decibels."""
    return unit.casefold() == "db"


def _of_decibels(node: ast.expr, names: frozenset[str]) -> bool:
    """Return whether a part of a formula is in decibels: sums and multiples of them are, powers are not."""
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.UnaryOp):
        return _of_decibels(node.operand, names)
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Pow):
        return _of_decibels(node.left, names) or _of_decibels(node.right, names)
    return False
