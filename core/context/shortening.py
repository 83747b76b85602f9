"""Values in short, by their type: lists, dictionaries, texts, numbers."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from treeline.toolkit.json_texts import read_json

# From the root, or to a file by its ending; what else has a slash may be a quotient.
_PATH = re.compile(r"(?:\w+:)?/\S*\w\Z|\S*/\S*\.[A-Za-z]\w*(?:#\w+)?\Z")


@dataclass(frozen=True, slots=True)
class Detail:
    """How much is kept.

    Attributes
    ----------
    first, last : int
        Items of a list.
    pairs : int
        Of a dictionary.
    text, result, information : int
        Characters of a text, of a call's result, of a document or a brief.
    digits : int
        Of a number with a fraction.
    """

    first: int = 3
    last: int = 2
    pairs: int = 2
    text: int = 160
    result: int = 240
    information: int = 80
    digits: int = 5


def brief(value: Any, detail: Detail) -> str:
    """Return a value as text in short."""
    match value:
        case str():
            return _text(value, detail)
        case Mapping():
            return _pairs(value, detail)
        case list() | tuple():
            return _items(list(value), detail)
        case float():
            return f"{value:.{detail.digits}g}"
        case None:
            return "none"
        case _:
            return str(value)


def cut(text: str, longest: int) -> str:
    """Return a text on one line, its end left out where it is too long."""
    text = " ".join(text.split())
    return text if len(text) <= longest else f"{text[: max(longest - 4, 0)]} ..."


def _items(values: list[Any], detail: Detail) -> str:
    many = len(values) > detail.first + detail.last
    kept = [*values[: detail.first], *values[len(values) - detail.last :]] if many else values
    told = [brief(value, detail) for value in kept]
    head, tail = _common(told) if all(isinstance(v, str) for v in kept) and len(kept) > 1 else ("", "")
    told = [text[len(head) : len(text) - len(tail)] for text in told]
    if many:
        told.insert(detail.first, f"...{len(values)}...")
    return f"{head}[{','.join(told)}]{tail}"


def _common(texts: Sequence[str]) -> tuple[str, str]:
    """Return what texts share at their beginning and at their end."""
    head = os.path.commonprefix(list(texts))
    rest = [text[len(head) :] for text in texts]
    tail = os.path.commonprefix([text[::-1] for text in rest])[::-1]
    return head, tail


def _pairs(values: Mapping[str, Any], detail: Detail) -> str:
    # The most telling pairs are those with the shortest values: numbers and names, no nested lists.
    telling = sorted(values, key=lambda key: len(str(values[key])))[: detail.pairs]
    told = [f"{key}:{brief(values[key], detail)}" for key in values if key in telling]
    more = [f"...{len(values)}..."] if len(values) > detail.pairs else []
    return "{" + ",".join([*told, *more]) + "}"


def _text(text: str, detail: Detail) -> str:
    parsed = _parse(text)
    if parsed is not None:
        return brief(parsed, detail)
    # Of a path the name tells what the file is; a text of several lines is no sentence with paths in it.
    if "\n" not in text:
        text = " ".join(PurePath(word).name if _PATH.match(word) else word for word in text.split())
    text = " ".join(text.split())
    if len(text) <= detail.text:
        return text
    # Errors say at the beginning what was wrong, and at the end what would do.
    return f"{text[: detail.text * 3 // 4]}...{text[-detail.text // 4 :]}"


def _parse(text: str) -> list[Any] | dict[str, Any] | None:
    if not text.startswith(("[", "{")):
        return None
    try:
        parsed = read_json(text)
    except ValueError:
        return None
    return parsed if isinstance(parsed, list | dict) else None
