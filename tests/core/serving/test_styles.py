"""Colormaps: those of rio-tiler, in either direction, and no other files."""

from __future__ import annotations

import numpy as np
import pytest
from rio_tiler.colormap import cmap

from treeline.core.serving.styles import COLORMAPS, ramp_of, reverse_colormap, stops
from treeline.toolkit.errors import InputError


def test_each_colormap_has_the_colours_that_rio_tiler_gives() -> None:
    for name in (*COLORMAPS, *map(reverse_colormap, COLORMAPS)):
        expected = cmap.get(name)
        assert np.array_equal(ramp_of(name), [expected[place] for place in range(256)]), name
    assert stops("gray", 3) == ["#000000", "#808080", "#ffffff"]


@pytest.mark.parametrize("name", ["classes", "../../../etc/passwd", ""])
def test_what_is_no_colormap_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="no colormap"):
        ramp_of(name)
