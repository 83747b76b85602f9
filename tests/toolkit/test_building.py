"""What is not declared as it must be is refused at registration, with a sentence that says what would do."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from treeline.toolkit.errors import ContractError
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, Registry, Variable, Writes, build_tool, tool
from treeline.toolkit.tree import add_kit
from treeline.toolkit.value_types import text_of, type_of
from treeline.toolkit.variables import VARIABLES, declare

RASTER = Gives("raster", "ndvi")
NEW = Variable("leaf_gloss", "Gloss of leaves", "1", (0.0, 2.0), ("leaf gloss",))


def describe(function: Any, *names: str) -> Any:
    """Return a function with a docstring that describes the parameters."""
    rows = "\n".join(f"{name} : str\n    What it is." for name in names)
    function.__doc__ = f"Do something.\n\nParameters\n----------\n{rows}\n"
    return function


def refusal(function: Any, gives: Gives = RASTER, names: tuple[str, ...] = ("a",)) -> str:
    """Return the sentence with which a function is refused."""
    with pytest.raises(ContractError) as caught:
        build_tool(describe(function, *names), kit="Own", source="s", gives=gives, name="mine")
    assert caught.value.hint and caught.value.message.startswith("The tool mine")
    return str(caught.value)


def test_a_function_of_arrays_is_refused() -> None:
    def bare(a: NDArray[np.float64]) -> str:
        return ""

    def with_contract(a: Annotated[np.ndarray, Reads("nir")]) -> str:
        return ""

    def result(a: Annotated[str, Reads("nir")]) -> np.ndarray:
        return np.zeros(1)

    assert "takes an array as its parameter a" in refusal(bare) and "map_pixels" in refusal(bare)
    assert "takes an array" in refusal(with_contract)
    assert "returns an array" in refusal(result)


def test_a_type_that_no_caller_can_write_is_refused() -> None:
    def untyped_function(a) -> str:  # type: ignore[no-untyped-def]
        return ""

    def of_callables(a: Any = None, b: complex = 0j) -> str:
        return ""

    def number_as_raster(a: Annotated[float, Reads("nir")]) -> str:
        return ""

    def unreadable(a: NotImported) -> str:  # type: ignore[name-defined]  # noqa: F821
        return ""

    assert "no type" in refusal(untyped_function)
    assert "'NotImported'" in refusal(unreadable)
    assert "parameter b as complex" in refusal(of_callables, names=("a", "b"))
    assert "the raster a as float" in refusal(number_as_raster)


def test_an_unknown_role_is_refused_with_the_nearest() -> None:
    def reads(a: Annotated[str, Reads("niir")]) -> str:
        return ""

    def writes(a: Annotated[str, Writes("evergreenness")]) -> str:
        return ""

    def further(a: Annotated[str, Writes("lst", further=("emisivity",))]) -> str:
        return ""

    assert "'niir'" in refusal(reads) and "nir" in refusal(reads).split("Nearest")[1]
    assert 'declares=(Variable("evergreenness"' in refusal(writes)
    assert "'emisivity'" in refusal(further)


def test_a_missing_unit_is_refused() -> None:
    def writes(a: Annotated[str, Writes("difference")]) -> str:
        return ""

    def number(a: Annotated[str, Reads("nir")]) -> float:
        return 1.0

    assert "writes difference, whose unit" in refusal(writes)
    for kind in ("number", "series"):
        assert f"gives a {kind} whose unit" in refusal(number, Gives(kind, "mean"))
    for unit in ("K", "1", OF_INPUT):
        assert (
            build_tool(number, kit="Own", source="s", gives=Gives("number", "mean", unit)).gives.unit == unit
        )


def test_a_role_is_declared_where_it_is_first_written() -> None:
    def gloss(a: Annotated[str, Writes("leaf_gloss", declares=(NEW,))]) -> str:
        return ""

    def reads(a: Annotated[str, Reads("leaf_gloss")]) -> str:
        return ""

    try:
        made = build_tool(describe(gloss, "a"), kit="Own", source="s", gives=Gives("raster", "leaf_gloss"))
        assert VARIABLES["leaf_gloss"] is NEW and "0 to 2" in made.document
        build_tool(describe(reads, "a"), kit="Own", source="s", gives=RASTER)
        with pytest.raises(ContractError, match="Gloss of leaves"):
            declare(Variable("leaf_gloss", "Something else", "m"))
    finally:
        del VARIABLES["leaf_gloss"]


def test_no_tool_and_no_kit_is_overwritten() -> None:
    own = Registry()

    def mine(a: Annotated[str, Reads("nir")]) -> str:
        return ""

    register = tool(kit="Own", source="s", gives=Gives("text"), registry=own)
    register(describe(mine, "a"))
    with pytest.raises(ContractError, match="'mine' already"):
        register(mine)
    with pytest.raises(ContractError, match="'Terrain' already"):
        add_kit("Terrain", "Another one.")


@pytest.mark.parametrize(
    "hint",
    [
        str,
        float | None,
        list[str],
        list[float | None],
        dict[str, Any] | None,
        Any,
        list[tuple[int | str, float]],
        tuple[float, float] | None,
        list[list[float]] | list[float],
    ],
)
def test_a_type_is_read_as_it_is_written(hint: Any) -> None:
    assert type_of(text_of(hint)) == hint


@pytest.mark.parametrize(
    "text", ["__import__('os')", "list[open]", "str.upper", "lambda: 1", "list[", "", "3"]
)
def test_what_is_no_type_of_plain_values_is_not_evaluated(text: str) -> None:
    with pytest.raises(ContractError):
        type_of(text)
