"""Texts as unit vectors: lexically without a download, or by a model that a setting names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treeline.knowledge.errors import EmbedderMissing
from treeline.knowledge.features import FEATURES, Features, features

Vectors = NDArray[np.float32]

_RESIDUAL_DIMENSION = 256
_TEXTS_PER_REQUEST = 128
# An axis that is so short beside the longest one is rounding, not a direction of the texts.
_SHORTEST_AXIS = 1e-4


class Embedder(Protocol):
    """Turns texts into vectors of length one."""

    name: str

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 vectors of shape (texts, dimension) of length one, or zero for an empty text."""
        ...


class LexicalEmbedder:
    """TF-IDF of words and character n-grams, reduced by singular value decomposition.

    Latent semantic analysis (Deerwester et al. 1990, JASIS 41:391). What of a text lies outside the
    space of the fitted texts goes into further dimensions by a signed hash (Weinberger et al. 2009,
    ICML), so that the inner product stays close to the TF-IDF cosine: a text on another subject is
    alike to nothing.

    Parameters
    ----------
    texts : sequence of str
        What it is fitted on: weights of the words, and the space.
    dimension : int
        Of the latent space; fewer if there are fewer texts.
    """

    name = "lexical"

    def __init__(self, texts: Sequence[str], dimension: int = 64) -> None:
        if not texts:
            raise ValueError("A lexical embedder needs a text to be fitted on.")
        counted = [features(text) for text in texts]
        found = np.bincount(np.concatenate([f for f, _ in counted]), minlength=FEATURES)
        # Smooth inverse document frequency, ln((1 + n) / (1 + df)) + 1, as scikit-learn has it.
        self._rarity = (np.log((1 + len(texts)) / (1 + found)) + 1.0).astype(np.float32)
        self._known = np.flatnonzero(found)
        weighted = [self._weigh(text) for text in counted]
        self._axes = _axes(weighted, self._known, min(dimension, len(texts) - 1))

    @classmethod
    def from_state(cls, state: Mapping[str, NDArray[Any]]) -> LexicalEmbedder:
        """Return the embedder that gave a :attr:`state`."""
        embedder = cls.__new__(cls)
        embedder._rarity, embedder._known, embedder._axes = (state[n] for n in ("rarity", "known", "axes"))
        return embedder

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """What was fitted, as arrays that can be kept."""
        return {"rarity": self._rarity, "known": self._known, "axes": self._axes}

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return self._axes.shape[1] + _RESIDUAL_DIMENSION

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors of texts; a text without words gets zeros."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            found, weights = self._weigh(features(text))
            rows = np.searchsorted(self._known, found, side="right") - 1
            inside = self._known[rows] == found
            latent = weights[inside] @ self._axes[rows[inside]]
            missing = np.sqrt(max(float(weights @ weights - latent @ latent), 0.0))
            outside = _hash_features(found, weights) - latent @ self._hashed_axes
            # What the axes miss is kept in hashed dimensions, at the length that makes the whole vector one.
            vector[:] = *latent, *outside * (missing / max(float(np.linalg.norm(outside)), 1e-9))
        return _unit(vectors)

    def _weigh(self, counted: Features) -> Features:
        found, counts = counted
        weights = (1.0 + np.log(counts)) * self._rarity[found]
        return found, (weights / max(float(np.linalg.norm(weights)), 1e-9)).astype(np.float32)

    @cached_property
    def _hashed_axes(self) -> Vectors:
        hashed = [_hash_features(self._known, axis) for axis in self._axes.T]
        return np.asarray(hashed, dtype=np.float32).reshape(len(hashed), _RESIDUAL_DIMENSION)


class SentenceTransformerEmbedder:
    """A sentence-transformers model, from a folder or by its name.

    Parameters
    ----------
    model : str
        Folder or name of the model.

    Raises
    ------
    EmbedderMissing
        The library is not installed, or the model is not to be had.
    """

    def __init__(self, model: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise EmbedderMissing(
                "The library sentence-transformers is not installed.",
                "Install it (pip install sentence-transformers), or set TREELINE_EMBEDDER=lexical.",
            ) from None
        try:
            self._model = SentenceTransformer(model)
        except (OSError, ValueError) as error:
            raise EmbedderMissing(
                f"The sentence-transformers model {model!r} cannot be loaded ({str(error)[:120]}).",
                "Give a folder that holds a model, or set TREELINE_EMBEDDER=lexical.",
            ) from None
        self.name = f"sentence-transformers:{model}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors of texts."""
        return _unit(np.asarray(self._model.encode(list(texts)), dtype=np.float32))


class EndpointEmbedder:
    """The embeddings of an OpenAI-compatible endpoint.

    Parameters
    ----------
    model : str
    url, key : str, optional
        Base address and key; by default those of the environment (``OPENAI_BASE_URL``, ``OPENAI_API_KEY``).

    Raises
    ------
    EmbedderMissing
        No key, or the endpoint does not answer with embeddings.
    """

    def __init__(self, model: str, url: str = "", key: str = "") -> None:
        import openai

        self.name = f"endpoint:{model}"
        self._model = model
        try:
            self._client = openai.OpenAI(base_url=url or None, api_key=key or None)
        except openai.OpenAIError:
            raise EmbedderMissing(
                "The embedding endpoint needs a key.", "Set OPENAI_API_KEY, or set TREELINE_EMBEDDER=lexical."
            ) from None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors of texts.

        Raises
        ------
        EmbedderMissing
            The endpoint does not answer, or refuses.
        """
        import openai

        vectors: list[list[float]] = []
        try:
            for start in range(0, len(texts), _TEXTS_PER_REQUEST):
                # Endpoints refuse an empty text.
                part = [text or " " for text in texts[start : start + _TEXTS_PER_REQUEST]]
                reply = self._client.embeddings.create(model=self._model, input=part, encoding_format="float")
                # An endpoint may answer in another order; the index says which text it was.
                vectors += [entry.embedding for entry in sorted(reply.data, key=lambda entry: entry.index)]
        except openai.OpenAIError as error:
            raise EmbedderMissing(
                f"The endpoint gave no embeddings of {self._model!r} ({str(error)[:120]}).",
                "Check its address, key and model, or set TREELINE_EMBEDDER=lexical.",
            ) from None
        return _unit(np.asarray(vectors, dtype=np.float32))


def embedder_of(setting: str, texts: Sequence[str]) -> Embedder:
    """Return the embedder that a setting names.

    Parameters
    ----------
    setting : str
        ``lexical``, ``sentence-transformers:MODEL`` or ``endpoint:MODEL``; empty means ``lexical``.
    texts : sequence of str
        What the lexical one is fitted on.

    Raises
    ------
    EmbedderMissing
        The setting names no embedder, or one that is not to be had.
    """
    kind, _, model = (setting or "lexical").partition(":")
    if kind == "lexical":
        return LexicalEmbedder(texts)
    modelled = {"sentence-transformers": SentenceTransformerEmbedder, "endpoint": EndpointEmbedder}
    if kind not in modelled or not model:
        raise EmbedderMissing(
            f"{setting!r} names no embedder.",
            "TREELINE_EMBEDDER is lexical, sentence-transformers:MODEL or endpoint:MODEL.",
        )
    return modelled[kind](model)


def _axes(weighted: Sequence[Features], known: NDArray[np.int64], count: int) -> Vectors:
    """Return the first axes of the space of weighted texts, as columns."""
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import svds
    from threadpoolctl import threadpool_limits

    if count < 1:
        return np.zeros((len(known), 0), dtype=np.float32)
    starts = np.cumsum([0, *(len(found) for found, _ in weighted)])
    columns = np.searchsorted(known, np.concatenate([found for found, _ in weighted]))
    values = np.concatenate([weights for _, weights in weighted])
    matrix = csr_array((values, columns, starts), shape=(len(weighted), len(known)))
    # A start of its own: that of ARPACK is drawn at random each time, and so the axes would differ.
    start = np.random.default_rng(0).uniform(-1, 1, min(matrix.shape)).astype(np.float32)
    # The products are so small that threads only wait for each other.
    with threadpool_limits(1):
        _, lengths, axes = svds(matrix, count, v0=start)
    return np.ascontiguousarray(axes[lengths > _SHORTEST_AXIS * lengths.max()].T, dtype=np.float32)


def _hash_features(found: NDArray[np.int64], weights: NDArray[np.float32]) -> Vectors:
    """Return weights of features in fewer dimensions, each feature in one, with a sign."""
    signs = np.where(found // _RESIDUAL_DIMENSION % 2, -1.0, 1.0)
    dimensions = found % _RESIDUAL_DIMENSION
    return np.bincount(dimensions, weights * signs, _RESIDUAL_DIMENSION).astype(np.float32)


def _squares(vectors: NDArray[Any]) -> NDArray[Any]:
    return np.einsum("ij,ij->i", vectors, vectors)


def _unit(vectors: NDArray[Any]) -> Vectors:
    lengths = np.sqrt(_squares(vectors))[:, None]
    return (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
