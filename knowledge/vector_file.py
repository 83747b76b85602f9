"""A search of cards whose vectors are kept on disk, so that the next process need not embed them again."""

from __future__ import annotations

import contextlib
import hashlib
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.knowledge.card import TaskCard
from treeline.knowledge.embedding import Embedder, LexicalEmbedder, embedder_of
from treeline.knowledge.retrieval import CardSearch
from treeline.toolkit.whole_files import whole_file

_FORM = "1"
_MOST_KEPT = 4


def open_search(cards: Sequence[TaskCard], folder: Path, setting: str = "") -> CardSearch:
    """Return a search of cards; their vectors come from a folder, or go into it.

    Parameters
    ----------
    folder : Path
        Holds one file for each state of the cards and embedder; the newest few are kept. One that
        cannot be read is made again, and where nothing can be written nothing is kept.
    setting : str
        See :func:`treeline.knowledge.embedding.embedder_of`.

    Raises
    ------
    EmbedderMissing
        The setting names no embedder, or one that is not to be had.
    """
    if not cards:
        return CardSearch(cards)
    texts = [card.text for card in cards]
    file = folder / f"cards-{_key(setting, texts)}.npz"
    state = _read(file)
    if state is not None:
        return CardSearch(cards, _embedder(setting, texts, state), state["vectors"])
    embedder = embedder_of(setting, texts)
    search = CardSearch(cards, embedder)
    fitted = embedder.state if isinstance(embedder, LexicalEmbedder) else {}
    _write(file, {**fitted, "vectors": search.vectors})
    return search


def _key(setting: str, texts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join([_FORM, setting, *texts]).encode()).hexdigest()[:24]


def _embedder(setting: str, texts: Sequence[str], state: Mapping[str, NDArray[Any]]) -> Embedder:
    return LexicalEmbedder.from_state(state) if "axes" in state else embedder_of(setting, texts)


def _read(file: Path) -> dict[str, NDArray[Any]] | None:
    try:
        with np.load(file, allow_pickle=False) as content:
            state = dict(content)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        return None
    return state if "vectors" in state else None


def _write(file: Path, state: Mapping[str, NDArray[Any]]) -> None:
    """Write a file whole or not at all, and remove the oldest of too many."""
    with contextlib.suppress(OSError):
        with whole_file(file) as temporary:
            np.savez(temporary, **state)  # type: ignore[arg-type]
        kept = sorted(file.parent.glob("cards-*.npz"), key=lambda path: path.stat().st_mtime)
        for old in kept[:-_MOST_KEPT]:
            old.unlink(missing_ok=True)
