"""Which embedder compares planning tools."""

from __future__ import annotations

import pytest

from treeline.core.lab.geoplan import embedders
from treeline.core.lab.geoplan.embedders import planning_embedder
from treeline.toolkit.errors import BackendMissing

TEXTS = ["crop an image", "detect ships"]


def test_without_the_model_the_lexical_one_is_taken_unless_the_model_is_named(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(embedders, "_minilm", lambda: None)
    assert planning_embedder("auto", TEXTS).name == planning_embedder("lexical", TEXTS).name
    with pytest.raises(BackendMissing, match="all-MiniLM-L6-v2 is not installed"):
        planning_embedder("minilm", TEXTS)
