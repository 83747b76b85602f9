"""Pictures that a model asked for, as parts of a message."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from treeline.core.engine.state import Step

# What endpoints count for a picture of this size, more or less: none tells before it is sent.
TOKENS = 1_000
# Bytes.
_LARGEST = 5_000_000
_TYPE = "data:image/png;base64,"
_NOT_SEEN = "(This endpoint takes no pictures.)"


def picture_messages(turn: Sequence[Step]) -> Iterator[dict[str, Any]]:
    """Yield a message with the pictures that the steps of a turn drew; none where there are no files."""
    parts: list[dict[str, Any]] = []
    for step in turn:
        for product in step.observation.products:
            path = Path(product.path)
            if product.kind == "image" and path.suffix == ".png" and (content := _content(path)):
                parts += _parts(f"[step {step.number}] {product.name}:", content)
    if parts:
        yield {"role": "user", "content": parts}


def _content(path: Path) -> bytes:
    """Return a picture's file; nothing where it was deleted since, or is larger than an endpoint takes."""
    try:
        return path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    except OSError:
        return b""


def _parts(told: str, content: bytes) -> list[dict[str, Any]]:
    address = _TYPE + base64.b64encode(content).decode()
    return [{"type": "text", "text": told}, {"type": "image_url", "image_url": {"url": address}}]


def is_picture(part: Mapping[str, Any]) -> bool:
    """Return whether a part of a message is a picture."""
    return part.get("type") == "image_url"


def without_pictures(content: Any) -> str:
    """Return the words of a message; for a picture that there was one."""
    if isinstance(content, str):
        return content
    return "\n".join(_NOT_SEEN if is_picture(part) else part["text"] for part in content)
