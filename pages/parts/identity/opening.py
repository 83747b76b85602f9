"""The server is opened to a team only where it can know who comes."""

from __future__ import annotations

from starlette.middleware import Middleware

from treeline.core.access import acting_person, in_team
from treeline.core.confinement import confine
from treeline.core.errors import NotSignedIn
from treeline.core.processes import close_memory
from treeline.core.runs.quotas import Quotas, check_limits
from treeline.pages.parts.identity.gate import Gate
from treeline.pages.parts.identity.origins import OwnPages
from treeline.pages.parts.identity.providers import way_to_know_users
from treeline.pages.parts.identity.sessions import trust_sessions
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.secret_settings import take_secrets


def _asker() -> str:
    try:
        return acting_person().id
    except NotSignedIn:  # what the server does by itself
        return ""


def gate_of_mode() -> list[Middleware]:
    """Return the gate for a server of a team; for one of a single person, what keeps pages of others out.

    Raises
    ------
    SystemExit
        A limit cannot be read; there is no such mode, no way to know users, or none to open files apart.
    """
    try:
        check_limits()
        if not in_team():
            return [Middleware(OwnPages)]
        # Before anything starts a process, which would inherit them with the environment.
        take_secrets()
        close_memory()
        way_to_know_users()
        confine(Quotas.from_environment().memory, _asker)
    except TreelineError as error:
        raise SystemExit(f"treeline: {error}") from None
    trust_sessions()
    return [Middleware(Gate)]
