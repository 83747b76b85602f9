"""The OpenAI-compatible endpoint of this installation, and clients that carry its secrets nowhere else."""

from __future__ import annotations

import os
from typing import Any

from treeline.toolkit.addresses import WebAddress, addresses_in, require_allowed, require_public, serves_team
from treeline.toolkit.errors import InputError
from treeline.toolkit.secret_settings import secret_setting

URL, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
VISION_MODEL = "TREELINE_VISION_MODEL"
ALLOWED = "TREELINE_ENDPOINTS"
# Where the client asks when no address is set.
_DEFAULT = "https://api.openai.com/v1"
# The client insists on a key; local servers ignore it.
_NO_KEY = "none"
_OWN_HEADERS = ("OpenAI-Organization", "OpenAI-Project")
_AUTHORIZATION, _HEADERS = "authorization", "OPENAI_CUSTOM_HEADERS"


def own_address() -> str:
    """Return where the key of the environment belongs: ``OPENAI_BASE_URL``, or the client's default."""
    return os.environ.get(URL, "") or _DEFAULT


def own_key() -> str:
    """Return the key of the environment."""
    return secret_setting(KEY)


def is_own(url: str) -> bool:
    """Return whether an address is that of the environment's endpoint: origin and path are the same.

    An empty address stands for it.
    """
    if not url or url == own_address():
        return True
    try:
        return WebAddress.of(url) == WebAddress.of(own_address())
    except InputError:
        return False


def key_for(url: str, key: str = "") -> str:
    """Return the key to send to an address: the one given, else the environment's at its own."""
    return key or (own_key() if is_own(url) else "")


def check_address(url: str) -> None:
    """Refuse an endpoint that is neither the environment's own nor listed in ``TREELINE_ENDPOINTS``.

    Where nothing is listed any other will do; on a server of a team only one of the public web, so that
    nobody asks machines of the server's own network through it.

    Raises
    ------
    InputError, PathOutside
    """
    if is_own(url):
        return
    if serves_team() and not addresses_in(ALLOWED):
        require_public(url)
    else:
        require_allowed(url, ALLOWED)


def client_options(url: str, key: str) -> dict[str, Any]:
    """Return how a client of ``openai`` is made for an address.

    The client adds headers of the environment by itself (organisation, project, and any others); another
    endpoint than the environment's own gets none of them.

    Raises
    ------
    InputError, PathOutside
        The endpoint may not be asked.
    """
    import openai

    check_address(url)
    sent = key or _NO_KEY
    options: dict[str, Any] = {"base_url": url or own_address(), "api_key": sent}
    lines = (line.partition(":") for line in secret_setting(_HEADERS).split("\n") if ":" in line)
    custom: dict[str, Any] = {name.strip(): value.strip() for name, _, value in lines}
    if is_own(url):
        return {**options, "default_headers": custom} if custom else options
    foreign = (*_OWN_HEADERS, *custom)
    # The client adds what the environment holds to every request; another endpoint must not get it.
    headers: dict[str, Any] = {name: openai.Omit() for name in foreign if name.lower() != _AUTHORIZATION}
    options["default_headers"] = {**headers, _AUTHORIZATION: f"Bearer {sent}"}
    return options
