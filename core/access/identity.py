"""From what is said of a visitor to an identity."""

from __future__ import annotations

import hashlib
import json
import os
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeline.core.access.people import usable_id

CLAIM = "TREELINE_USER_CLAIM"
_EMAIL = "email"
# What Streamlit adds to what the provider states: not the same in a cookie and in a session.
_ADDED = frozenset({"origin", "is_logged_in", "tokens"})
# Names come from a provider and are shown on every page.
_LONGEST_NAME = 256
_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a visitor is, as the way to know users says it.

    Attributes
    ----------
    sign_in : str
        Tells one sign-in from all others, where people sign in here; empty where a proxy says who comes.
    """

    id: str
    name: str = ""
    sign_in: str = ""


def claim_of_identity() -> str:
    """Return the claim that names a person: ``TREELINE_USER_CLAIM``, or ``email``."""
    return os.environ.get(CLAIM, "") or _EMAIL


def normalise_identity(text: str) -> str:
    """Return an identity as it is compared, however it was written: an e-mail address in small letters.

    Letters beyond ASCII stay as they are: folded, ``ß`` and ``ss``, or a ligature and its letters, would make
    one person of two.
    """
    return text.translate(_SMALL) if claim_of_identity() == _EMAIL else text


def identity_of(claims: Mapping[str, Any], *, self_asserted: bool) -> Identity | None:
    """Return the identity that claims state; ``None`` where they state none that can be relied on.

    Parameters
    ----------
    claims : mapping
        Such as ``email`` and ``name``.
    self_asserted : bool
        Whether a person may have entered the address at the provider. It then counts only where the
        provider says that it has verified it, or anybody could take the address of another.
    """
    claim = claim_of_identity()
    value = claims.get(claim)
    if not isinstance(value, str):
        return None
    value = normalise_identity(value)
    if claim == _EMAIL and self_asserted and claims.get("email_verified") is not True:
        return None
    if not usable_id(value):
        return None
    name = claims.get("name")
    name = name[:_LONGEST_NAME] if isinstance(name, str) and name.isprintable() else ""
    return Identity(value, name, _mark_of(claims) if self_asserted else "")


def _mark_of(claims: Mapping[str, Any]) -> str:
    """Return what tells a sign-in from all others: its time and its nonce are stated."""
    said = {name: claims[name] for name in claims if name not in _ADDED}
    return hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()
