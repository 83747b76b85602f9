"""What a sub-goal promises, and the tools that follow from it."""

from __future__ import annotations

import pytest

from treeline.core.teams.contracting import promises_of, tools_for
from treeline.core.teams.language.layers import contract_of
from treeline.core.teams.model import NUMBERS, Contract


@pytest.mark.parametrize(
    ("outputs", "task", "found"),
    [
        (["ndvi"], "Make the NDVI of July.", ("ndvi",)),
        (["@ndvi", "raster or number"], "Make it.", ("ndvi", NUMBERS)),
        (["terrain_slope"], "Make the slope and its mean over grassland.", ("terrain_slope", NUMBERS)),
        ([], "By how much did it change?", (NUMBERS,)),
        (["a clear picture"], "Make it.", ()),
        (["answer"], "List the files.", ()),
    ],
)
def test_what_is_promised_follows_from_names_and_words(outputs, task, found):
    assert promises_of(outputs, task) == found


def test_a_role_brings_its_makers_and_what_they_read_and_numbers_what_measures():
    slope = tools_for(Contract(outputs=("terrain_slope",)))
    assert slope == ("calculate_slope",)
    surface = tools_for(Contract(outputs=("lst",)))
    assert {"split_window", "lst_single_channel"} <= set(surface) and "calc_batch_image_mean" not in surface
    numbers = tools_for(Contract(outputs=("ndvi", NUMBERS)))
    assert {"calculate_batch_ndvi", "calc_batch_image_mean", "statistics_by_class"} <= set(numbers)
    assert tools_for(Contract()) == () and tools_for(Contract(outputs=("answer",))) == ()


def test_a_layers_line_says_what_it_hands_on():
    contract = contract_of("Compare the NDVI of grassland on both dates -> ndvi, terrain_slope and numbers")
    assert contract.outputs == ("ndvi", "terrain_slope", NUMBERS)
    assert contract.success == "Compare the NDVI of grassland on both dates"
    assert contract_of("Cut the rasters to the lake.").outputs == ()
