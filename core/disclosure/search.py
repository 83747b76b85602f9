"""Tools by their likeness to a text."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from treeline.core.settings import embedder_setting
from treeline.knowledge import Embedder, VectorIndex, embedder_of
from treeline.toolkit.tool import Tool


class ToolSearch:
    """Vectors of tools, and the tools nearest to a text.

    Parameters
    ----------
    texts : tuple of (str, str)
        Name and text of each tool.
    """

    def __init__(self, texts: tuple[tuple[str, str], ...]) -> None:
        names = [name for name, _ in texts]
        plain = [text for _, text in texts]
        self.embedder: Embedder = embedder_of(embedder_setting(), plain)
        self.vectors: NDArray[np.float32] = self.embedder.embed(plain)
        self.index: VectorIndex = VectorIndex(self.vectors.shape[1])
        self.index.add(names, self.vectors)

    def nearest(self, text: str, count: int) -> list[tuple[str, float]]:
        """Return names with their likeness (-1 to 1), best first."""
        return self.index.search(self.embedder.embed([text])[0], count)


def search_of(tools: tuple[Tool, ...]) -> ToolSearch:
    """Return the search of some tools; kept for the next time."""
    # By the texts: the vectors follow from them, and a tool of the same name may have another text.
    return _search(tuple((tool.name, text_of(tool)) for tool in tools))


def nearest_tools(tools: tuple[Tool, ...], text: str, count: int) -> list[tuple[str, float]]:
    """Return the tools nearest to a text with their likeness, best first."""
    return search_of(tools).nearest(text, count) if tools else []


def text_of(tool: Tool) -> str:
    """Return what is embedded of a tool."""
    return f"{tool.name.replace('_', ' ')}. {tool.brief} {tool.details}"


@lru_cache(maxsize=16)
def _search(texts: tuple[tuple[str, str], ...]) -> ToolSearch:
    return ToolSearch(texts)
