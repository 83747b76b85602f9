"""The embedders: lexical, of an endpoint, of a sentence-transformers model."""

from __future__ import annotations

import importlib.util
import json
import math
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeline.knowledge import CardSearch, EmbedderMissing, LexicalEmbedder, built_in_cards, embedder_of
from treeline.knowledge.embedding import _RESIDUAL_DIMENSION, EndpointEmbedder, _hash_features
from treeline.knowledge.features import features

TEXTS = [
    "snow cover of the mountains",
    "burnt forest and fire",
    "ships in the harbour",
    "night lights of a city",
]
LEXICAL = LexicalEmbedder(TEXTS)


@settings(max_examples=50)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=5))
def test_vectors_have_length_one_or_zero(texts: list[str]) -> None:
    vectors = LEXICAL.embed(texts)
    assert vectors.dtype == np.float32 and vectors.shape == (len(texts), LEXICAL.dimension)
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.all(np.isclose(lengths, 1.0, atol=1e-4) | (lengths == 0.0))


def test_a_text_is_most_alike_itself_and_little_alike_another_subject() -> None:
    vectors = LEXICAL.embed([*TEXTS, "a recipe for bread with raisins"])
    alike = vectors @ vectors.T
    assert np.allclose(np.diag(alike), 1.0, atol=1e-4)
    assert np.all(alike[4, :4] < 0.2)
    assert LEXICAL.embed(["snow in mountains"])[0] @ vectors[0] > 0.4


def test_the_same_texts_give_the_same_vectors() -> None:
    assert np.allclose(
        LexicalEmbedder(TEXTS).embed(["harbor ship"]), LEXICAL.embed(["harbour ships"]), atol=1e-4
    )


def test_texts_have_as_many_axes_as_differ() -> None:
    alike, other = LexicalEmbedder(["fire"] * 4), LexicalEmbedder(["fire", "fire", "snow", "snow"])
    assert [each.dimension - _RESIDUAL_DIMENSION for each in (alike, other)] == [1, 2]


def test_texts_that_are_all_the_same_can_be_fitted() -> None:
    vectors = LexicalEmbedder(["fire"] * 4).embed(["fire", "water"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)


@pytest.mark.parametrize("setting", ["magic", "endpoint", "sentence-transformers:"])
def test_a_setting_that_names_no_embedder_says_what_would_do(setting: str) -> None:
    with pytest.raises(EmbedderMissing) as caught:
        embedder_of(setting, TEXTS)
    assert setting in caught.value.message and "sentence-transformers:MODEL" in caught.value.hint


def test_no_setting_means_lexical() -> None:
    assert embedder_of("", TEXTS).name == "lexical"


def test_a_sentence_transformers_model_that_is_not_there_says_so() -> None:
    with pytest.raises(EmbedderMissing, match="sentence-transformers") as caught:
        embedder_of("sentence-transformers:/no/such/folder", TEXTS)
    assert "lexical" in caught.value.hint


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is None, reason="sentence-transformers is not installed"
)
def test_a_sentence_transformers_model_made_here_embeds(tmp_path: Any) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import BoW

    SentenceTransformer(modules=[BoW(vocab=["snow", "fire", "ship"])]).save(str(tmp_path / "model"))
    embedder = embedder_of(f"sentence-transformers:{tmp_path / 'model'}", TEXTS)
    vectors = embedder.embed(["snow", "snow snow", "fire"])
    assert vectors[0] @ vectors[1] == pytest.approx(1.0) and vectors[0] @ vectors[2] == pytest.approx(0.0)


@contextmanager
def embedding_endpoint(status: int = 200) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve embeddings that hold the lengths of the texts' words; entries come in reverse order."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *arguments: Any) -> None:
            return None

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, "key": self.headers["Authorization"], **body})
            entries = [
                {
                    "object": "embedding",
                    "index": n,
                    "embedding": [float("snow" in t), float("fire" in t), 0.5],
                }
                for n, t in enumerate(body["input"])
            ]
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            answer = {"object": "list", "model": body["model"], "data": entries[::-1], "usage": usage}
            content = json.dumps(
                answer if status == 200 else {"error": {"message": "no such model"}}
            ).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_an_endpoint_embeds_in_the_order_of_the_texts_and_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    with embedding_endpoint() as (url, asked):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        embedder = embedder_of("endpoint:small-model", [])
        vectors = embedder.embed(["snow", "fire", ""] + ["snow"] * 200)
    assert embedder.name == "endpoint:small-model" and "secret" not in repr(vars(embedder)["name"])
    assert vectors.shape == (203, 3) and np.allclose(np.linalg.norm(vectors, axis=1), 1.0)
    assert vectors[0] @ vectors[3] == pytest.approx(1.0) and vectors[0] @ vectors[1] == pytest.approx(0.2)
    assert [len(request["input"]) for request in asked] == [128, 75]
    assert {(r["path"], r["model"], r["key"]) for r in asked} == {
        ("/v1/embeddings", "small-model", "Bearer secret")
    }


def test_cards_can_be_searched_with_an_endpoint() -> None:
    cards = [card for card in built_in_cards() if card.id in ("snow_depth", "fire_increase")]
    with embedding_endpoint() as (url, _):
        found = CardSearch(cards, EndpointEmbedder("m", url, "k")).search("snow", threshold=-1.0)
    assert found[0].id == "snow_depth" and found[0].cosine == pytest.approx(1.0)


def test_an_endpoint_that_refuses_and_one_without_a_key_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with embedding_endpoint(404) as (url, _), pytest.raises(EmbedderMissing, match="no such model"):
        EndpointEmbedder("m", url, "k").embed(["snow"])
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(EmbedderMissing, match="key"):
        EndpointEmbedder("m")


def test_a_word_of_fewer_texts_weighs_more() -> None:
    """Inverse document frequency, smoothed: log((1 + n) / (1 + k)) + 1."""
    fitted = LexicalEmbedder(["snow cover map", "fire cover map", "ships cover map", "lights cover map"])
    rare, common, both = fitted.embed(["snow", "cover", "snow cover"])
    assert rare @ both > common @ both > 0.0


def test_a_hashed_feature_has_the_sign_of_its_block():
    size = _RESIDUAL_DIMENSION
    numbers = np.array([0, size, 2 * size, 3 * size + 1, 4 * size + 1], dtype=np.int64)
    weights = np.array([1, 2, 4, 8, 16], dtype=np.float32)
    hashed = _hash_features(numbers, weights)
    assert hashed.shape == (size,)
    assert hashed[0] == 1 - 2 + 4 and hashed[1] == -8 + 16 and not hashed[2:].any()


def tf_idf(fitted: list[str], texts: list[str]) -> list[dict[int, float]]:
    """Return unit vectors by the textbook: (1 + log count) (log((1 + n) / (1 + k)) + 1)."""

    def counts(text: str) -> dict[int, float]:
        numbers, found = features(text)
        return dict(zip(numbers.tolist(), found.tolist(), strict=True))

    among = Counter(feature for text in fitted for feature in counts(text))
    rarity = {feature: math.log((1 + len(fitted)) / (1 + many)) + 1 for feature, many in among.items()}
    vectors = []
    for text in texts:
        weights = {
            f: (1 + math.log(n)) * rarity.get(f, math.log(1 + len(fitted)) + 1)
            for f, n in counts(text).items()
        }
        length = math.hypot(*weights.values())
        vectors.append({feature: weight / length for feature, weight in weights.items()})
    return vectors


def test_inner_products_are_the_cosines_of_weighted_words() -> None:
    # Each text is there twice, so that the space holds them all.
    texts = ["snow snow snow cover", "fire cover", "ship harbour cover", "city cover"] * 2
    others = [
        "snow",
        "snow snow snow raisin",
        "cover raisin",
        "fire ship",
        "raisin bread",
        "fire bread bread",
    ]
    fitted = LexicalEmbedder(texts)
    alike = fitted.embed([*texts, *others]) @ fitted.embed(others).T
    one, other = tf_idf(texts, [*texts, *others]), tf_idf(texts, others)
    expected = np.array([[sum(w * b.get(f, 0.0) for f, w in a.items()) for b in other] for a in one])
    assert np.allclose(alike[:8], expected[:8], atol=1e-3), "of a fitted text exactly"
    assert np.allclose(alike[8:], expected[8:], atol=0.12), "of others but for features of one hash"


def test_a_fitted_text_lies_in_the_space_and_another_subject_beside_it() -> None:
    fitted = LexicalEmbedder([*TEXTS, *TEXTS])
    inside = np.linalg.norm(fitted.embed([*TEXTS, "bread raisins"])[:, :-_RESIDUAL_DIMENSION], axis=1)
    assert np.allclose(inside, [1, 1, 1, 1, 0], atol=1e-3)


def test_the_space_has_as_many_axes_as_the_texts_have_directions() -> None:
    sizes = [(TEXTS, 64), (TEXTS, 2), (TEXTS[:2], 64), (TEXTS[:1], 64), (["fire"] * 4, 64)]
    axes = [LexicalEmbedder(texts, most).dimension - _RESIDUAL_DIMENSION for texts, most in sizes]
    assert axes == [3, 2, 1, 0, 1]


def test_a_long_text_does_not_take_the_space_from_short_ones() -> None:
    long = "fire ship harbour light city forest burnt mountain river lake wind sand dune road"
    fitted = LexicalEmbedder(["snow cover", "snow cover", long], 1)
    assert np.linalg.norm(fitted.embed(["snow cover"])[0, :1]) == pytest.approx(1.0, abs=1e-3)
