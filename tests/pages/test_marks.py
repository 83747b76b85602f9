"""Marks above the layers of the map: what files say in their labels stays text."""

from __future__ import annotations

import folium
import pytest
import shapely

from treeline.pages.parts.map.places import Place, place_marks
from treeline.pages.parts.map.zones import Zone, zone_outlines

# Each would be run: in the text that folium writes, in what Leaflet makes of it, in the document around both.
SCRIPTS = ("`+alert(1)+`", "${alert(1)}", "<img src=x onerror=alert(1)>", "</script><script>alert(1)")


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_label_that_a_file_gives_is_no_script(script: str) -> None:
    square = shapely.box(14.0, 46.0, 14.1, 46.1)
    marks = [
        *place_marks([Place(46.0, 14.0, f"0.7 {script}")]),
        *zone_outlines([Zone(square, script, 0.5)]),
        *zone_outlines([Zone(shapely.box(x, 46.0, x + 0.1, 46.1), f"{x} {script}") for x in range(14, 30)]),
    ]
    page = folium.Map()
    for mark in marks:
        mark.add_to(page)
    written = page.get_root().render()
    assert written.count("alert(1)") == 18
    assert script not in written
