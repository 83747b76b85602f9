"""How a language model is asked: one model of settings for the command line, the pages and the benches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from treeline.core.logs import hide
from treeline.toolkit.errors import InputError

Form = Literal["chat", "responses"]
Effort = Literal["", "minimal", "low", "medium", "high"]
FORMS: tuple[Form, ...] = get_args(Form)
EFFORTS: tuple[Effort, ...] = get_args(Effort)

_HOUR = 3600.0
# The key has a field of its own; what else a request consists of is not for a person to set.
_FORBIDDEN = frozenset({"authorization", "host", "content-length", "content-type", "transfer-encoding"})

Price = Annotated[float, Field(ge=0, le=100_000)]


class ModelSettings(BaseModel):
    """How a language model is asked; what is ``None`` or empty is left to the endpoint.

    Attributes
    ----------
    headers : tuple of pairs
        May hold secrets: they are sent to the endpoint and appear in no representation.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    form: Form = Field(default="chat", description="form of the exchange: chat completions or responses")
    temperature: float | None = Field(default=None, ge=0, le=2, description="how freely it chooses, 0 to 2")
    seed: int | None = Field(default=None, ge=0, description="seed of its choices (chat completions)")
    effort: Effort = Field(default="", description="how long it reasons, where that can be set")
    longest_reply: int | None = Field(default=None, ge=16, description="most tokens of a reply")
    window: int | None = Field(default=None, ge=512, description="tokens that its context holds")
    sees: bool = Field(default=False, description="whether pictures of maps are shown to it, when it asks")
    silence: float = Field(default=180.0, ge=1, le=_HOUR, description="seconds of silence that are waited")
    attempts: int = Field(default=6, ge=1, le=50, description="requests for one reply, the first included")
    headers: tuple[tuple[str, str], ...] = Field(
        default=(), repr=False, description="header sent to the endpoint, as NAME: VALUE"
    )
    price_input: Price = Field(default=0.0, description="price of a million tokens that are read")
    price_cached: Price = Field(default=0.0, description="price of a million tokens from its cache")
    price_output: Price = Field(default=0.0, description="price of a million tokens that are written")

    @field_validator("headers")
    @classmethod
    def _plain(cls, headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        for name, value in headers:
            if not name.replace("-", "").isalnum() or not name.isascii():
                raise ValueError(f"{name!r} is no name of a header")
            if name.casefold() in _FORBIDDEN:
                raise ValueError(f"the header {name} is not set here; the key has its own field")
            if not value.isprintable() or not value.isascii():
                raise ValueError(f"the value of the header {name} holds signs that a header cannot")
            hide(value)
        return headers

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> ModelSettings:
        """Return settings from what a person gave; ``None`` is left as it is by default.

        Raises
        ------
        InputError
            Names the setting, what was given, and what would do.
        """
        try:
            return cls(**{name: value for name, value in given.items() if value is not None})
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0]).replace("_", " ") if first["loc"] else "settings"
            field = cls.model_fields.get(str(first["loc"][0])) if first["loc"] else None
            hint = f"It is the {field.description}." if field and field.description else ""
            raise InputError(f"The model's {name}: {first['msg']}.", hint) from None

    @property
    def deciding(self) -> dict[str, Any]:
        """What is set of that which decides what a model says; without headers, prices and patience."""
        return self.model_dump(
            include={"form", "temperature", "seed", "effort", "longest_reply", "window", "sees"},
            exclude_defaults=True,
        )

    @property
    def has_prices(self) -> bool:
        """Whether the cost of a run can be computed."""
        return bool(self.price_input or self.price_cached or self.price_output)

    def cost_of(self, read: int, cached: int, written: int) -> float:
        """Return what tokens cost; those from a cache are among those that were read."""
        fresh = (read - cached) * self.price_input
        return (fresh + cached * self.price_cached + written * self.price_output) / 1_000_000


def headers_in(lines: str) -> tuple[tuple[str, str], ...]:
    """Return the headers that a text holds, one a line as ``NAME: VALUE``.

    Raises
    ------
    InputError
        A line is not written so; its value is not repeated.
    """
    found = []
    for line in filter(str.strip, lines.splitlines()):
        name, mark, value = line.partition(":")
        if not mark:
            raise InputError("A header has no colon between name and value.", "Write it as NAME: VALUE.")
        found.append((name.strip(), value.strip()))
    return tuple(found)
