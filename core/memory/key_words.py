"""The words of a key, by which a lesson is found where nothing reads its expression."""

from __future__ import annotations

import re

_OF_THE_FORM = frozenset({"node", "version"})
_WORD = re.compile(r"[a-z_]+")
_PARAMETER = re.compile(r"<([a-z ]+) \d+>")


def words_of_key(text: str) -> str:
    """Return the words of a key, each once."""
    words = _WORD.findall(_PARAMETER.sub(r"\1", text).casefold())
    return " ".join(word for word in dict.fromkeys(words) if word not in _OF_THE_FORM)
