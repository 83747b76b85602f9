"""Layers that may be drawn on the map, behind tokens that cannot be guessed.

A tile's address holds a token and never a path, so only what a page has shown can be asked for.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from treeline.core.access import Actor, acting_person, tell_refusal, who_acts
from treeline.core.confinement import call
from treeline.toolkit.raster import Source, class_legend
from treeline.toolkit.recognition.model import RasterDescription

Kept = TypeVar("Kept")


def class_title(names: Mapping[int, str], value: float) -> str:
    """Return what a class is called; its number alone would read as a quantity where nothing names it."""
    return names.get(int(value)) or f"class {value:g}"


# A mask has no names of its own: its legend would say "class 1".
_OF_A_MASK = {0: "condition not met", 1: "condition met"}


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
        The last time of change in nanoseconds: a file written anew is another layer.
    names : tuple of (int, str)
        What its classes are called where the file does not name them itself.
    displays : tuple of Source
        The same bands in copies that are drawn faster; empty where there are none.
    """

    sources: tuple[Source, ...]
    title: str
    modified: int
    names: tuple[tuple[int, str], ...] = ()
    displays: tuple[Source, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, sources: tuple[Source, ...], title: str, names: Mapping[int, str] | None = None) -> MapLayer:
        """Return the layer of one band, or of three of one scene, each of which may be a file of its own."""
        modified = max(source.path.stat().st_mtime_ns for source in sources)
        return cls(sources, title, modified, tuple((names or {}).items()))

    @property
    def class_names(self) -> Mapping[int, str]:
        """What its classes are called; empty where nothing names them."""
        named = dict(self.names) or call(class_legend, self.sources[0]).names
        return named or (_OF_A_MASK if self.sources[0].role == "mask" else {})

    @property
    def description(self) -> RasterDescription:
        """The file; of several the first."""
        return self.sources[0].description

    @property
    def drawn_sources(self) -> tuple[Source, ...]:
        """Where the pixels that are drawn are read: in the files, or in copies of them."""
        return self.displays or self.sources

    @property
    def is_of_one_file(self) -> bool:
        """Whether its bands are in one file."""
        return len({source.path for source in self.sources}) == 1

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
    """Things behind tokens that are bound to the person and the session that they were made for.

    The same thing keeps its token as long as the session lives; on a server of one person, as long as the
    process does.

    Attributes
    ----------
    check : callable, optional
        Says whether who it was made for may still have the thing, whenever it is asked for.
    """

    def __init__(self) -> None:
        self.check: Callable[[Actor, Kept], bool] | None = None
        self._tokens: dict[tuple[Actor, Kept], str] = {}
        self._kept: dict[str, tuple[Actor, Kept]] = {}
        self._lock = threading.Lock()

    def token(self, kept: Kept) -> str:
        """Return the token of a thing for whoever acts.

        Raises
        ------
        NotSignedIn
            Nobody is known to act.
        """
        held = (who_acts(), kept)
        with self._lock:
            token = self._tokens.get(held)
            if token is None:
                token = secrets.token_urlsafe(18)
                self._tokens[held] = token
                self._kept[token] = held
            return token

    def get(self, token: str) -> Kept | None:
        """Return what stands behind a token, or ``None`` where it is not of the person who asks."""
        holder, kept = self._kept.get(token, (None, None))
        if holder is None or kept is None:
            return None
        person = acting_person()
        if holder.person.id != person.id:
            tell_refusal(person, "use a token", "server", f"of {holder.person.id}")
            return None
        if self.check is not None and not self.check(Actor(person, holder.session), kept):
            return None
        return kept

    def revoke(self, session: str) -> None:
        """Make the tokens of a session worthless."""
        with self._lock:
            for held, token in list(self._tokens.items()):
                if held[0].session == session:
                    del self._tokens[held], self._kept[token]


class LayerRegistry(TokenRegistry[MapLayer]):
    """Layers behind tokens."""


LAYERS = LayerRegistry()
