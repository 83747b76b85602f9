"""Base maps of others, which a person may choose; without one nothing leaves this machine.

Apart from the map itself, whose component Streamlit knows only if a page is the first to import it.
"""

from __future__ import annotations

from collections.abc import Mapping

NO_BASE = "None"
BASES: Mapping[str, tuple[str, str]] = {
    "Streets (OpenStreetMap)": (
        "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
        "&copy; OpenStreetMap contributors",
    ),
    "Imagery (Esri World Imagery)": (
        "https://server.arcgisonline.com/ArcGIS/rest/services/World_Imagery/MapServer/tile/{z}/{y}/{x}",
        "Esri, Maxar, Earthstar Geographics",
    ),
}
