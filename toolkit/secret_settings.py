"""Settings that are secrets: of the environment, or taken out of it and kept in the memory of this process.

What a process has in its environment goes to each process that it starts. A server of a team takes its
secrets out before it starts any.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

NAMES = (
    "OPENAI_API_KEY",
    "OPENAI_CUSTOM_HEADERS",
    "TREELINE_METRICS_TOKEN",
    "TREELINE_PROXY_SECRET",
    "TREELINE_STORE",
)

_kept: dict[str, str] = {}


def secret_setting(name: str) -> str:
    """Return a setting that is a secret; empty where it is not set."""
    return os.environ.get(name) or _kept.get(name, "")


def take_secrets() -> None:
    """Take the secrets out of the environment of this process; they are known here as before."""
    _kept.update({name: os.environ.pop(name) for name in NAMES if name in os.environ})


def kept_secrets() -> Mapping[str, str]:
    """Return what was taken out of the environment, to be handed to a process that needs it."""
    return dict(_kept)


def keep_secrets(secrets: Mapping[str, str]) -> None:
    """Know these secrets from now on, and no others that were handed over before."""
    _kept.clear()
    _kept.update(secrets)
