"""What a call reads, and what its rasters are."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from treeline.core.engine.actions import Call, Observation, ProductRecord
from treeline.core.engine.calls import CLOUD_MASKED, file_name, masked_files, measures, role_finder, texts
from treeline.core.engine.rundata import _agreement
from treeline.core.engine.state import Step
from treeline.toolkit import registry
from treeline.toolkit.errors import InputError

BANDS = [SimpleNamespace(name="B4", index=1, role="red"), SimpleNamespace(name="B8", index=2, role="nir")]


@pytest.mark.parametrize(
    ("band", "role"), [("B4", "red"), ("2", "nir"), ("nir", "nir"), (None, ""), ("B9", ""), ("1", "red")]
)
def test_the_role_of_a_raster_is_that_of_its_band_where_it_is_one(band, role):
    resolver = SimpleNamespace(describe=lambda address: (SimpleNamespace(bands=BANDS), band))
    assert role_finder(SimpleNamespace(resolver=resolver))("a.tif") == role  # type: ignore[arg-type]


def test_a_raster_that_is_not_there_has_no_role_and_one_of_one_band_has_its():
    def describe(address: str):
        if address == "gone.tif":
            raise InputError("It is not there.")
        return SimpleNamespace(bands=BANDS[:1]), None

    role_of = role_finder(SimpleNamespace(resolver=SimpleNamespace(describe=describe)))  # type: ignore[arg-type]
    assert (role_of("gone.tif"), role_of("a.tif")) == ("", "red")


def test_texts_are_found_however_deep_and_addresses_end_in_a_file_name():
    assert list(texts({"a": ["b", {"c": ("d", 1)}], "e": None})) == ["b", "d"]
    assert file_name("/data/lake/a.tif#2") == "a.tif"


@pytest.mark.parametrize(
    ("tool", "does"), [("calc_batch_image_mean", True), ("mean", False), ("get_filelist", False)]
)
def test_what_turns_rasters_into_numbers_measures(tool: str, does: bool):
    assert measures(registry().get(tool)) is does


def test_what_is_made_of_masked_rasters_is_masked():
    def make_step(number: int, tool: str, name: str, **arguments: str) -> Step:
        product = ProductRecord(name, f"/p/{name}", "", "")
        return Step(number, Call(tool, arguments), Observation("result", "", products=(product,)))

    mask = next(tool.name for tool in registry() if tool.gives.quantity == CLOUD_MASKED)
    after = next(tool for tool in registry() if tool.kit == "Index" and tool.inputs and tool.outputs)
    read = {parameter.name: "m.tif" for parameter in after.inputs}
    other = {parameter.name: "other.tif" for parameter in after.inputs}
    steps = [
        make_step(1, mask, "m.tif"),
        make_step(2, after.name, "n.tif", **read),
        make_step(3, after.name, "o.tif", **other),
        make_step(4, "no_such_tool", "p.tif", path="m.tif"),
    ]
    assert masked_files(steps, registry()) == {"m.tif", "n.tif"}


def test_paths_agree_in_their_last_parts():
    assert _agreement(("a", "b", "c"), ("x", "b", "c")) == 2
    assert _agreement(("a", "b"), ("a", "c")) == 0 and _agreement(("c",), ("b", "c")) == 1
