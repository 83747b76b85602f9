"""Texts as unit vectors: lexically without a download, or by a model that a setting names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from knowledge.errors import EmbedderMissing
from knowledge.words import telling_words

Vectors = NDArray[np.float32]

_FEATURES = 2**15
_RESIDUAL_DIMENSION = 256
_TEXTS_PER_REQUEST = 128


class Embedder(Protocol):
    """Turns texts into vectors of length one."""

    name: str

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 vectors of shape (texts, dimension) of length one, or zero for an empty text."""
        ...


class LexicalEmbedder:
    """TF-IDF of words and character n-grams, reduced by singular value decomposition.

    Latent semantic analysis (Deerwester et al. 1990, JASIS 41:391). What of a text lies outside the
    space of the fitted texts goes into further dimensions by a random projection, so that the
    inner product stays close to the TF-IDF cosine: a text on another subject is alike to nothing.

    Parameters
    ----------
    texts : sequence of str
        What it is fitted on: weights of the words, and the space.
    dimension : int
        Of the latent space; fewer if there are fewer texts.
    """

    name = "lexical"

    def __init__(self, texts: Sequence[str], dimension: int = 64) -> None:
        from sklearn.feature_extraction.text import TfidfTransformer
        from sklearn.random_projection import SparseRandomProjection

        if not texts:
            raise ValueError("A lexical embedder needs a text to be fitted on.")
        self._weights = TfidfTransformer(sublinear_tf=True)
        weighted = self._weights.fit_transform(self._counts(texts))
        self._known = np.unique(weighted.indices)
        self._axes = _axes(weighted[:, self._known], min(dimension, len(texts) - 1))
        projection = SparseRandomProjection(_RESIDUAL_DIMENSION, random_state=0).fit(weighted)
        self._residual = projection.components_.T.tocsr().astype(np.float32)
        self._axes_residual = (self._residual[self._known].T @ self._axes).T

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return self._axes.shape[1] + _RESIDUAL_DIMENSION

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors of texts; a text without words gets zeros."""
        weighted = self._weights.transform(self._counts(texts)).astype(np.float32)
        latent = weighted[:, self._known] @ self._axes
        outside = (weighted @ self._residual).toarray() - latent @ self._axes_residual
        whole = np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel()
        missing = np.sqrt(np.clip(whole - _squared(latent), 0.0, None))
        outside *= (missing / np.maximum(np.sqrt(_squared(outside)), 1e-9))[:, None]
        return _unit(np.hstack([latent, outside]))

    def _counts(self, texts: Sequence[str]) -> Any:
        from scipy.sparse import hstack

        plain = [" ".join(telling_words(text)) for text in texts]
        return hstack([vectorizer.transform(plain) for vectorizer in self._vectorizers], format="csr")

    @cached_property
    def _vectorizers(self) -> tuple[Any, Any]:
        from sklearn.feature_extraction.text import HashingVectorizer

        common: dict[str, Any] = {"norm": None, "alternate_sign": False, "lowercase": False}
        return (
            HashingVectorizer(token_pattern=r"\S+", ngram_range=(1, 2), n_features=_FEATURES, **common),
            HashingVectorizer(analyzer="char_wb", ngram_range=(4, 5), n_features=_FEATURES, **common),
        )


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
        """Return unit vectors of texts."""
        import openai

        vectors: list[list[float]] = []
        try:
            for start in range(0, len(texts), _TEXTS_PER_REQUEST):
                part = [text or " " for text in texts[start : start + _TEXTS_PER_REQUEST]]
                reply = self._client.embeddings.create(model=self._model, input=part, encoding_format="float")
                vectors += [entry.embedding for entry in sorted(reply.data, key=lambda entry: entry.index)]
        except openai.OpenAIError as error:
            raise EmbedderMissing(
                f"The endpoint gave no embeddings of {self._model!r} ({str(error)[:120]}).",
                "Check its address, key and model, or set TREELINE_EMBEDDER=lexical.",
            ) from None
        return _unit(np.asarray(vectors, dtype=np.float32).reshape(len(texts), -1))


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


def _axes(weighted: Any, count: int) -> Vectors:
    """Return the first axes of the space of weighted texts, as columns."""
    from sklearn.decomposition import TruncatedSVD
    from threadpoolctl import threadpool_limits

    if count < 1:
        return np.zeros((weighted.shape[1], 0), dtype=np.float32)
    # The products are so small that threads only wait for each other.
    with threadpool_limits(1), np.errstate(divide="ignore", invalid="ignore"):
        svd = TruncatedSVD(count, algorithm="arpack", random_state=0).fit(weighted)
    useful = svd.singular_values_ > 1e-6 * svd.singular_values_.max()
    return np.ascontiguousarray(svd.components_[useful].T, dtype=np.float32)


def _squared(vectors: NDArray[Any]) -> NDArray[Any]:
    return np.einsum("ij,ij->i", vectors, vectors)


def _unit(vectors: NDArray[Any]) -> Vectors:
    lengths = np.sqrt(_squared(vectors))[:, None]
    return (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
