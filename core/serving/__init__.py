"""What the server gives besides pages: map tiles, uploads, and Leaflet's own files."""

from treeline.core.serving.layers import LAYERS, LayerRegistry, MapLayer
from treeline.core.serving.routing import routes
from treeline.core.serving.styles import Style, default_style, style_in_series
from treeline.core.serving.uploads import ACCEPTED_TEXT, UPLOADS, UploadRegistry, save_upload

__all__ = [
    "ACCEPTED_TEXT",
    "LAYERS",
    "UPLOADS",
    "LayerRegistry",
    "MapLayer",
    "Style",
    "UploadRegistry",
    "default_style",
    "routes",
    "save_upload",
    "style_in_series",
]
