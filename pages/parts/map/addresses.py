"""The addresses of the map's own files and tiles, as its frame asks for them.

The frame lies two folders deep (``component/NAME/index.html``). What begins with a slash would be lost behind
the prefix of a proxy.
"""

from __future__ import annotations

from treeline.core.serving.routing import LEAFLET

ROOT = "../.."
LEAFLET_FILES = f"{ROOT}{LEAFLET}"
TILES = f"{ROOT}/tiles"
