"""What an uploaded raster is, from its metadata, its name, the names beside it and its values."""

from treeline.toolkit.recognition.facts import NameFacts
from treeline.toolkit.recognition.model import Band, Correction, Evidence, RasterDescription
from treeline.toolkit.recognition.names import describe_name
from treeline.toolkit.recognition.resolver import FileResolver

__all__ = [
    "Band",
    "Correction",
    "Evidence",
    "FileResolver",
    "NameFacts",
    "RasterDescription",
    "describe_name",
]
