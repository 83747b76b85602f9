"""The index of unit vectors against plain numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeline.knowledge.index import VectorIndex


def unit_vectors(count: int, seed: int, dimension: int = 8) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@settings(max_examples=30)
@given(st.integers(1, 40), st.integers(0, 1000), st.data())
def test_finds_what_numpy_finds(count: int, seed: int, data: st.DataObject) -> None:
    vectors, query = unit_vectors(count, seed), unit_vectors(1, seed + 1)[0]
    keys = [f"k{number}" for number in range(count)]
    index = VectorIndex(8)
    index.add(keys, vectors)
    removed = set(data.draw(st.lists(st.sampled_from(keys), max_size=count // 2)))
    index.remove(sorted(removed))
    expected = {key: float(v @ query) for key, v in zip(keys, vectors, strict=True) if key not in removed}
    found = index.search(query, count)
    assert len(index) == len(expected)
    assert dict(found) == pytest.approx(expected, abs=1e-5)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_a_key_added_again_has_the_new_vector() -> None:
    index = VectorIndex(2)
    index.add(["a", "b"], np.eye(2, dtype=np.float32))
    index.add(["a"], np.array([[0.0, -1.0]], dtype=np.float32))
    assert len(index) == 2 and "a" in index
    assert dict(index.search(np.array([0.0, 1.0], dtype=np.float32))) == pytest.approx({"b": 1.0, "a": -1.0})


def test_an_empty_index_finds_nothing() -> None:
    assert VectorIndex(3).search(np.zeros(3, dtype=np.float32)) == []


def test_other_shapes_and_keys_that_come_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        VectorIndex(3).add(["a"], np.zeros((1, 2), dtype=np.float32))
    with pytest.raises(ValueError, match="twice"):
        VectorIndex(2).add(["a", "a"], np.zeros((2, 2), dtype=np.float32))
