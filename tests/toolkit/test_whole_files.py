"""Files appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import InputError, PathOutside
from treeline.toolkit.whole_files import hidden_name_beside, whole_file


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_file_takes_its_name_when_it_is_written(tmp_path):
    target = tmp_path / "new" / "a.txt"
    with whole_file(target) as temporary:
        temporary.write_text("whole")
        assert not target.exists() and temporary.name.startswith(".") and temporary.suffix == ".txt"
    assert target.read_text() == "whole" and names(target.parent) == {"a.txt"}


def test_what_fails_leaves_the_earlier_file_and_nothing_else(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("earlier")
    with pytest.raises(ValueError, match="half"), whole_file(target, (".aux.xml",)) as temporary:
        temporary.write_text("half")
        temporary.with_name(temporary.name + ".aux.xml").write_text("half")
        raise ValueError("half")
    assert target.read_text() == "earlier" and names(tmp_path) == {"a.txt"}


def test_companions_go_with_the_file_and_those_of_an_earlier_one_go_away(tmp_path):
    target = tmp_path / "a.tif"
    for suffix in (".aux.xml", ".ovr", ".txt"):
        (tmp_path / f"a.tif{suffix}").write_text("earlier")
    with whole_file(target, (".aux.xml", ".ovr")) as temporary:
        temporary.write_text("pixels")
        temporary.with_name(temporary.name + ".aux.xml").write_text("new")
    assert (tmp_path / "a.tif.aux.xml").read_text() == "new"
    assert names(tmp_path) == {"a.tif", "a.tif.aux.xml", "a.tif.txt"}


def test_hidden_names_differ_and_do_not_grow_with_the_name(tmp_path):
    target = tmp_path / f"{'n' * 240}.tif"
    assert hidden_name_beside(target) != hidden_name_beside(target)
    hidden_name_beside(target).write_text("fits")


@pytest.mark.parametrize("name", ["", ".", "..", "../a.tif", "/a.tif"])
def test_a_suffix_makes_no_output_of_what_is_none(tmp_path, name):
    with pytest.raises(PathOutside, match="leaves"):
        ToolContext(output_folder=tmp_path).output_path(name, suffix=".tif")


def test_an_output_without_suffix_gets_one_and_spares_its_inputs(tmp_path):
    context = ToolContext(output_folder=tmp_path)
    assert context.output_path("a", suffix=".tif") == context.output_path("a.tif", suffix=".gpkg")
    with pytest.raises(InputError, match=r"'a\.tif' would overwrite its own input"):
        context.output_path("a", [tmp_path / "b.tif", tmp_path / "a.tif"], ".tif")
