"""Functions made from rows: they are called, described and checked like those that are written out."""

from __future__ import annotations

from typing import Annotated

import pytest

from treeline.toolkit import registry
from treeline.toolkit.index.batch_table import ROWS
from treeline.toolkit.index.catalogue import find_index
from treeline.toolkit.table_functions import Argument, Text, make_function
from treeline.toolkit.tool import Gives, Reads, build_tool

ARGUMENTS = (
    Argument("path", Annotated[str, Reads("nir")], "str", "A raster."),
    Argument("count", int, "int", "How many.", 3),
)
TEXT = Text("What it does.", "What comes out.", "str", "More of it.")


def test_a_made_function_takes_arguments_as_a_written_one_does():
    made = make_function("double", ARGUMENTS, TEXT, lambda path, count: f"{path} {count}", __name__)
    assert made("a.tif") == "a.tif 3" and made(count=4, path="b.tif") == "b.tif 4"
    with pytest.raises(TypeError, match="path"):
        made(count=1)
    with pytest.raises(TypeError, match="other"):
        made("a.tif", other=1)


def test_a_tool_is_derived_from_a_made_function():
    made = make_function("double", ARGUMENTS, TEXT, lambda path, count: path, __name__)
    tool = build_tool(made, kit="Index", source="Nobody", gives=Gives("text"))
    assert tool.signature == "double(path: str, count: int = 3)"
    assert tool.inputs[0].contract == Reads("nir")
    assert (tool.brief, tool.details, tool.returns) == ("What it does.", "More of it.", "What comes out.")
    assert "- count (int): How many." in tool.document


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_agrees_with_the_catalogue(row):
    index, tool = find_index(row.index), registry().get(row.name)
    assert row.reflectance is not index.scale_free
    if row.write is None:
        assert {option.symbol or option.name for option in row.options} <= set(index.parameters)
        assert {band.symbol for band in row.bands} == {band.symbol for band in index.bands}
        assert index.role == row.role
        defaults = {o.symbol or o.name: o.default for o in row.options}
        assert defaults == {name: index.defaults[name] for name in defaults}
    roles = {band.symbol: band.roles for band in index.bands}
    assert all(set(roles[b.symbol]) <= set(b.roles) for b in row.bands if b.symbol in roles and not row.write)
    assert tool.formula and tool.source and row.short in tool.document
