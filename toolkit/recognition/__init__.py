"""Recognition: what an uploaded raster is, from its metadata, its name, its company and its values."""

from toolkit.recognition.describe import describe
from toolkit.recognition.facts import NameFacts
from toolkit.recognition.model import Band, Correction, Evidence, RasterDescription
from toolkit.recognition.names import describe_name
from toolkit.recognition.resolver import FileResolver

__all__ = [
    "Band",
    "Correction",
    "Evidence",
    "FileResolver",
    "NameFacts",
    "RasterDescription",
    "describe",
    "describe_name",
]
