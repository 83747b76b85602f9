"""Layers that may be drawn on the map, behind tokens that cannot be guessed.

A tile's address holds a token and never a path, so only what a page has shown can be asked for.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from typing import Generic, TypeVar

from treeline.toolkit.raster import Source
from treeline.toolkit.recognition.model import RasterDescription

Kept = TypeVar("Kept")


@dataclass(frozen=True)
class MapLayer:
    """One band, or three bands as a colour image.

    Attributes
    ----------
    sources : tuple of Source
        One, or red, green and blue.
    title : str
        For people.
    modified : int
        The file's time of change in nanoseconds: a file written anew is another layer.
    """

    sources: tuple[Source, ...]
    title: str
    modified: int

    @classmethod
    def of(cls, sources: tuple[Source, ...], title: str) -> MapLayer:
        """Return the layer of bands of one file."""
        return cls(sources, title, sources[0].path.stat().st_mtime_ns)

    @property
    def description(self) -> RasterDescription:
        """The file."""
        return self.sources[0].description

    @property
    def is_colour(self) -> bool:
        """Whether three bands make one image."""
        return len(self.sources) == 3

    @property
    def role(self) -> str:
        """What is drawn; ``rgb`` for a colour image."""
        return "rgb" if self.is_colour else self.sources[0].role or "unknown"

    @property
    def unit(self) -> str:
        """Unit of the values; empty for a colour image."""
        return "" if self.is_colour else self.sources[0].unit

    @property
    def on_map(self) -> bool:
        """False without a CRS: nobody knows where it lies."""
        return self.description.crs is not None


class TokenRegistry(Generic[Kept]):
    """Things behind tokens; the same thing keeps its token as long as the process lives."""

    def __init__(self) -> None:
        self._tokens: dict[Kept, str] = {}
        self._kept: dict[str, Kept] = {}
        self._lock = threading.Lock()

    def token(self, kept: Kept) -> str:
        """Return the token of a thing."""
        with self._lock:
            token = self._tokens.get(kept)
            if token is None:
                token = secrets.token_urlsafe(18)
                self._tokens[kept] = token
                self._kept[token] = kept
            return token

    def get(self, token: str) -> Kept | None:
        """Return what stands behind a token, or ``None``."""
        return self._kept.get(token)


class LayerRegistry(TokenRegistry[MapLayer]):
    """Layers behind tokens."""


LAYERS = LayerRegistry()
