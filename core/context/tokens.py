"""Tokens of a text, counted without a network."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

TOKENIZER = "o200k_base"


@cache
def _encoding() -> Any:
    from rs_bpe.bpe import openai

    return openai.o200k_base()


@lru_cache(maxsize=20_000)
def count_tokens(text: str) -> int:
    """Return how many tokens a text has.

    Counted by the byte-pair encoding ``o200k_base``, whose vocabulary the library rs-bpe carries.
    The encodings of other models differ from it by some percent; what an endpoint itself reports
    stands beside it in a run's ledger.
    """
    return int(_encoding().count(text))
