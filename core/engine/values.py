"""Values as language models write them, read as what they stand for."""

from __future__ import annotations

from typing import Any

from treeline.toolkit.errors import InputError
from treeline.toolkit.files import mend_text

# JSON of any length and depth would be parsed before a schema sees it; Python ends itself on deep nesting.
_LONGEST = 200_000
_DEEPEST = 32


def make_readable(value: Any, depth: int = 0) -> Any:
    """Return JSON whose texts can be written anywhere.

    Raises
    ------
    InputError
        It is nested deeper than any tool takes.
    """
    if depth > _DEEPEST:
        raise InputError(
            f"The arguments are nested more than {_DEEPEST} levels deep.", "Give plain values and lists."
        )
    match value:
        case str():
            return mend_text(value)
        case list():
            return [make_readable(item, depth + 1) for item in value]
        case dict():
            return {mend_text(str(key)): make_readable(item, depth + 1) for key, item in value.items()}
        case _:
            return value


def unwrap(value: Any) -> Any:
    """Return what a value holds that was written as a schema: ``{"type": "array", "value": [...]}``."""
    if isinstance(value, dict) and set(value) == {"type", "value"} and isinstance(value["type"], str):
        return value["value"]
    return value


def unquote(text: str) -> str:
    """Return a text without the quotation marks that were written around it."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"`":
        return text[1:-1].strip()
    return text


def list_of(text: str) -> list[Any] | None:
    """Return the list that a text writes out, with or without quotation marks; ``None`` if it is none.

    Its items are texts and lists; numbers among them are converted by the tool's own signature.
    """
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")) or len(text) > _LONGEST:
        return None
    # Imported where it is used: few calls write a list as a text.
    import yaml

    try:
        found = yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return found if isinstance(found, list) else None
