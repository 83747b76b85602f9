"""An index of unit vectors by inner product (faiss)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class VectorIndex:
    """Keys and their unit vectors; finds the keys whose vectors are most alike a vector.

    Parameters
    ----------
    dimension : int
        Length of the vectors.
    """

    def __init__(self, dimension: int) -> None:
        import faiss

        self.dimension = dimension
        self._index = faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))
        self._selector = faiss.IDSelectorBatch
        self._number_of: dict[str, int] = {}
        self._key_of: dict[int, str] = {}
        self._new_numbers = itertools.count()

    def __len__(self) -> int:
        return len(self._number_of)

    def __contains__(self, key: str) -> bool:
        return key in self._number_of

    def add(self, keys: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add vectors of shape (keys, dimension); a key that is there already gets the new vector.

        Raises
        ------
        ValueError
            The shape is another, or a key comes twice.
        """
        vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        if vectors.shape != (len(keys), self.dimension):
            raise ValueError(
                f"{len(keys)} keys need vectors of shape {(len(keys), self.dimension)}, not {vectors.shape}."
            )
        if len(set(keys)) != len(keys):
            raise ValueError("A key comes twice.")
        self.remove(keys)
        numbers = np.fromiter(itertools.islice(self._new_numbers, len(keys)), np.int64, len(keys))
        if len(keys):
            self._index.add_with_ids(vectors, numbers)
        for key, number in zip(keys, numbers.tolist(), strict=True):
            self._number_of[key] = number
            self._key_of[number] = key

    def remove(self, keys: Sequence[str]) -> None:
        """Remove keys; those that are not there are passed over."""
        numbers = [self._number_of.pop(key) for key in dict.fromkeys(keys) if key in self._number_of]
        if numbers:
            self._index.remove_ids(self._selector(np.asarray(numbers, dtype=np.int64)))
        for number in numbers:
            del self._key_of[number]

    def search(self, vector: NDArray[np.float32], count: int = 10) -> list[tuple[str, float]]:
        """Return up to ``count`` keys with their inner products (-1 to 1), best first."""
        count = min(count, len(self))
        if count < 1:
            return []
        scores, numbers = self._index.search(
            np.asarray(vector, dtype=np.float32).reshape(1, self.dimension), count
        )
        return [
            (self._key_of[n], float(s)) for s, n in zip(scores[0], numbers[0].tolist(), strict=True) if n >= 0
        ]
