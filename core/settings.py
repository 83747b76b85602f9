"""Settings from the environment. The key of an endpoint is read here and never written anywhere."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from treeline.core.logs import hide
from treeline.core.model_settings import ModelSettings
from treeline.toolkit.endpoints import URL, check_address, key_for, own_key
from treeline.toolkit.errors import BackendMissing, InputError
from treeline.toolkit.vision_endpoint import VisionEndpoint

# Addresses that only this machine's own users reach.
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint.

    Attributes
    ----------
    url : str
        Base address, such as ``http://localhost:11434/v1``; empty means the client's default.
    model : str
        The language model.
    key : str
        Kept out of every representation.
    vision_model : str
        What the perception tools ask at the same endpoint; empty means that of the environment.
    settings : ModelSettings
        How the language model is asked.
    """

    url: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    vision_model: str = ""
    settings: ModelSettings = ModelSettings()

    def __post_init__(self) -> None:
        hide(self.key)

    @classmethod
    def from_environment(cls) -> Endpoint:
        """Read ``OPENAI_BASE_URL``, ``OPENAI_API_KEY``, ``TREELINE_MODEL`` and ``TREELINE_VISION_MODEL``."""
        return cls(
            url=os.environ.get(URL, ""),
            model=os.environ.get("TREELINE_MODEL", ""),
            key=own_key(),
            vision_model=os.environ.get("TREELINE_VISION_MODEL", ""),
        )

    @classmethod
    def of_visitor(
        cls,
        url: str = "",
        model: str = "",
        key: str = "",
        vision_model: str = "",
        settings: ModelSettings = ModelSettings(),  # noqa: B008
    ) -> Endpoint:
        """Return the endpoint that a person names in a form; what is left empty is the environment's.

        The key of the environment goes to the environment's endpoint alone: another address without a
        key is asked without one. A visitor's headers do not go with it.

        Raises
        ------
        InputError
            There are headers for a request that the key of the environment would sign.
        """
        own = cls.from_environment()
        if settings.headers and not key and key_for(url):
            raise InputError(
                "Headers of your own are not sent with the key of the server.",
                "Give a key of your own; who runs the server sets OPENAI_CUSTOM_HEADERS.",
            )
        return cls(
            url=url or own.url,
            model=model or own.model,
            key=key_for(url, key),
            vision_model=vision_model or own.vision_model,
            settings=settings,
        )

    @property
    def vision(self) -> VisionEndpoint | None:
        """Where the perception tools ask; ``None`` where no vision model is named here."""
        return VisionEndpoint(self.vision_model, self.url, self.key) if self.vision_model else None

    def check(self) -> None:
        """Refuse an endpoint that cannot be asked.

        Raises
        ------
        BackendMissing
            No model is named, or neither an address nor a key is given.
        InputError, PathOutside
            Its address is none, or ``TREELINE_ENDPOINTS`` does not list it.
        """
        check_address(self.url)
        if not self.model:
            raise BackendMissing(
                "No language model is named.", "Set TREELINE_MODEL, or the field for the model."
            )
        if not self.url and not self.key:
            raise BackendMissing(
                "The language policy has neither an address nor a key.",
                "Set OPENAI_BASE_URL to a compatible endpoint, or OPENAI_API_KEY for the default one.",
            )


def embedder_setting() -> str:
    """Return the embedder of cards and tools: ``TREELINE_EMBEDDER``, empty for the default one."""
    return os.environ.get("TREELINE_EMBEDDER", "")
