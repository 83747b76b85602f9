"""A class that stands in for another is closed wherever it decides nothing."""

from __future__ import annotations

from typing import Any, TypeVar

from treeline.core.errors import AccessDenied

Closed = TypeVar("Closed", bound=type)


class _Refusal:
    """Stands for an attribute that may not be used."""

    def __init__(self, owner: str, name: str) -> None:
        self._what = f"{owner}.{name}"

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        raise AccessDenied(f"{self._what} is closed on a server of a team.")


def close_the_rest(cls: Closed) -> Closed:
    """Refuse every public attribute that a class only inherits."""
    for name in dir(cls):
        if not name.startswith("_") and name not in cls.__dict__:
            setattr(cls, name, _Refusal(cls.__name__, name))
    return cls
