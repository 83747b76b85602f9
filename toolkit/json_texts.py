"""JSON that others wrote: however deep it nests, reading it is refused and ends nothing."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str | bytes) -> Any:
    """Return the value that a JSON text holds.

    Raises
    ------
    ValueError
        It is no JSON, or nests deeper than Python follows, which is no ``ValueError`` of its own: a thousand
        brackets in the tag of a file would pass for a fault of whoever reads it.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
