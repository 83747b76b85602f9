"""What the server gives besides pages: map tiles, uploads, and Leaflet's own files."""

from core.serving.layers import LAYERS, LayerRegistry, MapLayer
from core.serving.routing import routes
from core.serving.styles import Style, default_style
from core.serving.uploads import UPLOADS, UploadRegistry, save_upload

__all__ = [
    "LAYERS",
    "UPLOADS",
    "LayerRegistry",
    "MapLayer",
    "Style",
    "UploadRegistry",
    "default_style",
    "routes",
    "save_upload",
]
